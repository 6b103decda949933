using System.Runtime.CompilerServices;
using System.Text;
using LatencyTuner.Core.Settings;
using Xunit;

namespace LatencyTuner.Tests.Settings;

/// <summary>README's table of settings is the catalogue's: <c>LATENCYTUNER_ACCEPT=1</c> writes it anew.</summary>
public sealed class ReadmeTable
{
    private const string Begin = "<!-- settings table: begin -->";
    private const string End = "<!-- settings table: end -->";

    [Fact]
    public void Table_IsTheCatalogue()
    {
        string path = Path.Combine(Root(), "README.md");
        string text = File.ReadAllText(path).ReplaceLineEndings("\n");
        (int from, int to) = (text.IndexOf(Begin, StringComparison.Ordinal), text.IndexOf(End, StringComparison.Ordinal));
        Assert.True(from >= 0 && to > from, "README.md has no markers for the table.");
        string expected = Begin + "\n\n" + Table() + "\n";
        if (Environment.GetEnvironmentVariable("LATENCYTUNER_ACCEPT") == "1")
        {
            File.WriteAllText(path, text[..from] + expected + text[to..]);
        }

        Assert.Equal(expected, File.ReadAllText(path).ReplaceLineEndings("\n")[from..].Split(End)[0]);
    }

    [Fact]
    public void Table_HasARowPerSetting() => Assert.Equal(SettingsCatalogue.Current.All.Count + 2, Table().TrimEnd('\n').Split('\n').Length);

    private static string Table()
    {
        StringBuilder table = new(
            "| setting | what it is | this program | in force after | suits (low-latency / balanced / throughput) | confidence |\n|---|---|---|---|---|---|\n");
        foreach (SettingDefinition d in SettingsCatalogue.Current.All)
        {
            string does = d.Flagged is { } flagged ? (flagged.HasEffect ? "flags it: not recommended" : "flags it: has no effect") : d.Action switch
            {
                SettingAction.CanApply => "can change it",
                SettingAction.AdviseOnly => "advises",
                SettingAction.AdviseApp => "advises the application",
                _ => "flags it",
            };
            string suits = d.Recommended.Count == 0 ? ""
                : string.Join(
                    " / ", Enum.GetValues<WorkloadProfile>().Select(p => d.Recommended.TryGetValue(p, out RecommendedValues? r) ? Show(d, r.Best) : "-"));
            table.Append(
                $"| `{d.Id}` | {Cell(d.Title)}: {Cell(d.What)} | {does} | {SettingNames.Of(d.TakesEffect).Replace('-', ' ')} | {Cell(suits)} | "
                + $"{SettingNames.Of(d.Confidence)} |\n");
        }

        return table.ToString();
    }

    private static string Show(SettingDefinition definition, string value) =>
        definition.Allowed is { Words.Count: > 0 } words && ulong.TryParse(value, out ulong number) ? words.NameOf(number) : value;

    private static string Cell(string text) => text.Replace("|", "\\|", StringComparison.Ordinal).Replace("<", "&lt;", StringComparison.Ordinal).TrimEnd('.');

    private static string Root([CallerFilePath] string path = "") => Path.GetFullPath(Path.Combine(Path.GetDirectoryName(path)!, "..", "..", ".."));
}
