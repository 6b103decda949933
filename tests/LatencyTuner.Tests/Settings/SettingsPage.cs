using System.Text;
using LatencyTuner.Core.Settings;
using Xunit;

namespace LatencyTuner.Tests.Settings;

/// <summary>docs/settings.md is made from the catalogue: <c>LATENCYTUNER_UPDATE=1</c> writes it anew.</summary>
public sealed class SettingsPage
{
    private const string Head = """
        # List of settings

        [The manual](../README.md#the-manual)

        This page is generated from the catalogue; do not edit it. One command writes it anew:
        `LATENCYTUNER_UPDATE=1 dotnet test -c Release --filter FullyQualifiedName~SettingsPage`

        Every setting that LatencyTuner knows. `latencytuner settings explain tcp.ackfrequency` prints more of one: effect, cost, valid values, the
        default of each Windows version, advice and sources. [Settings and changes](settings-commands.md) describes the commands.

        | column | means |
        |---|---|
        | does: changes | `apply` can change it |
        | does: advises | the program reads it and says how to set it |
        | does: advises the application | only the application's code can set it |
        | does: flags | the program reports it where it is set, and never sets it |
        | takes effect | what has to happen before a changed value is in force |
        | suits | the value that suits a host of the profile low-latency / balanced / throughput; `-`: the facts support no value for that profile |
        | confidence | how well founded these facts are |


        """;

    private const string Columns = "| setting | what it is | does | takes effect | suits | confidence |\n|---|---|---|---|---|---|\n";

    private const string Tools = "Tools and applications";

    private static readonly (string Prefix, string Heading)[] Groups =
    [
        ("tcp", "Delayed ACKs and Nagle"), ("template", "TCP templates"), ("filter", "Transport filters"),
        ("global", "Global TCP settings"), ("nic", "Network adapters"), ("power", "Power"), ("mmcss", "Multimedia scheduler"),
        ("legacy", "Old registry values"), ("afd", "Winsock (AFD)"), ("sock", "Socket options"), ("ioctl", "Socket calls"), ("estats", Tools), ("tool", Tools),
        ("dotnet", Tools), ("app", Tools), ("virt", "Virtual machines"),
    ];

    [Fact]
    public void Page_IsTheCatalogue()
    {
        string path = Path.Combine(ManualPages.Root, "docs", "settings.md");
        string expected = Page();
        if (Repository.Updates)
        {
            File.WriteAllText(path, expected);
        }

        Assert.True(
            expected == File.ReadAllText(path).ReplaceLineEndings("\n"),
            "docs/settings.md is not what the catalogue says. Its first lines say which command writes it anew.");
    }

    [Fact]
    public void Page_HasARowPerSetting() =>
        Assert.Equal(SettingsCatalogue.Current.All.Select(d => $"| `{d.Id}` "), Page().Split('\n').Where(l => l.StartsWith("| `", StringComparison.Ordinal))
            .Select(l => l[..(l.IndexOf('|', 1))]));

    private static string Page()
    {
        StringBuilder page = new(Head.ReplaceLineEndings("\n"));
        string? last = null;
        foreach (SettingDefinition definition in SettingsCatalogue.Current.All)
        {
            string heading = HeadingOf(definition);
            if (heading != last)
            {
                page.Append(last is null ? "" : "\n").Append("## ").Append(heading).Append("\n\n").Append(Columns);
                last = heading;
            }

            page.Append(Row(definition));
        }

        return page.ToString();
    }

    private static string HeadingOf(SettingDefinition definition)
    {
        string prefix = definition.Id.Split('.')[0];
        return Array.Find(Groups, g => g.Prefix == prefix).Heading ?? "Other";
    }

    private static string Row(SettingDefinition d)
    {
        string does = d.Flagged is { } flagged ? (flagged.HasEffect ? "flags: not recommended" : "flags: has no effect") : d.Action switch
        {
            SettingAction.CanApply => "changes",
            SettingAction.AdviseOnly => "advises",
            SettingAction.AdviseApp => "advises the application",
            _ => "flags",
        };
        string suits = d.Recommended.Count == 0 ? ""
            : string.Join(
                " / ", Enum.GetValues<WorkloadProfile>().Select(p => d.Recommended.TryGetValue(p, out RecommendedValues? r) ? Show(d, r.Best) : "-"));
        return $"| `{d.Id}` | {Cell(d.Title)}: {Cell(d.What)} | {does} | {SettingNames.Of(d.TakesEffect).Replace('-', ' ')} | {Cell(suits)} | "
            + $"{SettingNames.Of(d.Confidence)} |\n";
    }

    private static string Show(SettingDefinition definition, string value) =>
        definition.Allowed is { Words.Count: > 0 } words && ulong.TryParse(value, out ulong number) ? words.NameOf(number) : value;

    private static string Cell(string text) => text.Replace("|", "\\|", StringComparison.Ordinal).Replace("<", "&lt;", StringComparison.Ordinal).TrimEnd('.');
}
