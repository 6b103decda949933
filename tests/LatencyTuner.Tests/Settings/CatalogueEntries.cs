using System.Runtime.CompilerServices;
using System.Text;
using System.Text.Json.Nodes;
using LatencyTuner.Core;
using LatencyTuner.Core.Settings;
using Xunit;

namespace LatencyTuner.Tests.Settings;

public sealed class CatalogueEntries
{
    public static TheoryData<string> Ids => new(SettingsCatalogue.Current.All.Select(d => d.Id));

    [Fact]
    public void All_HasEverySettingOnceWithoutRegardToCase()
    {
        List<string> ids = SettingsCatalogue.Current.All.Select(d => d.Id).ToList();

        Assert.Equal(86, ids.Count);
        Assert.Equal(ids.Count, ids.Distinct(StringComparer.OrdinalIgnoreCase).Count());
    }

    [Theory]
    [MemberData(nameof(Ids))]
    public void Entry_IsComplete(string id)
    {
        SettingDefinition entry = SettingsCatalogue.Current.Find(id);

        Assert.Matches("^[a-z]+\\.[a-z0-9_]+(\\.[a-z]+)?$", entry.Id);
        Assert.NotEmpty(entry.Sources);
        Assert.Equal(SettingsCatalogue.Current.OsColumns.Order(), entry.Defaults.Keys.Order());
        Assert.All(entry.Defaults.Values, d => Assert.False(string.IsNullOrWhiteSpace(d)));
        Assert.Equal("unknown", entry.DefaultOn(null));
        Assert.Equal(entry.Defaults["2022"], entry.DefaultOn("2022"));
        Assert.Equal(entry.Store is SettingStore.Registry { IsPerInterface: true }, entry.Scope == SettingScope.Interface);
        Assert.Equal(entry.Store is SettingStore.Template { OnlyTemplate: null }, entry.Scope == SettingScope.Template);
        Assert.Equal(entry.Store is SettingStore.Registry or SettingStore.Adapter, entry.AbsentMeans is not null);
    }

    [Theory]
    [MemberData(nameof(Ids))]
    public void Entry_IsKeptWhereItsKindSays(string id)
    {
        switch (SettingsCatalogue.Current.Find(id).Store)
        {
            case SettingStore.Registry registry:
                Assert.Matches(@"^HKLM\\(SYSTEM\\CurrentControlSet|SOFTWARE)\\[^/]*[^\\]$", registry.Key);
                Assert.Equal(SettingValueKind.Dword, registry.Type);
                Assert.All(registry.Values, v => Assert.Matches("^[A-Za-z0-9]+$", v));
                Assert.Equal(registry.Values.Count, registry.Values.Distinct(StringComparer.OrdinalIgnoreCase).Count());
                Assert.All(
                    registry.WrongKeys,
                    k => Assert.True(registry.Key.StartsWith(k + @"\", StringComparison.Ordinal) && !k.Contains('{', StringComparison.Ordinal)));
                break;
            case SettingStore.Template template:
                Assert.Equal(("root/StandardCimv2", "MSFT_NetTCPSetting"), (template.Namespace, template.Class));
                Assert.Matches("^[A-Z][A-Za-z]+$", template.Property);
                break;
            case SettingStore.Cim cim:
                Assert.Equal("root/StandardCimv2", cim.Namespace);
                Assert.Contains(
                    cim.Class, (string[])["MSFT_NetTCPSetting", "MSFT_NetTransportFilter", "MSFT_NetOffloadGlobalSetting", "MSFT_NetTCPConnection"]);
                break;
            case SettingStore.Adapter adapter:
                Assert.Equal(("root/StandardCimv2", "MSFT_NetAdapterAdvancedPropertySettingData"), (adapter.Namespace, adapter.Class));
                Assert.Contains(
                    adapter.DedicatedClass,
                    (string?[])[null, "MSFT_NetAdapterRscSettingData", "MSFT_NetAdapterRssSettingData", "MSFT_NetAdapterLsoSettingData"]);
                Assert.All(adapter.Keywords.Where(k => k != "PnPCapabilities"), k => Assert.Matches(@"^\*[A-Za-z0-9]+$", k));
                break;
            case SettingStore.Elsewhere elsewhere:
                Assert.NotEmpty(elsewhere.Name);
                break;
            default:
                Assert.Fail("No such store.");
                break;
        }
    }

    [Theory]
    [MemberData(nameof(Ids))]
    public void Entry_IsApplicableOnlyWhereItMayBeChanged(string id)
    {
        SettingDefinition entry = SettingsCatalogue.Current.Find(id);
        ApplicableSetting? applicable = ApplicableSetting.TryFrom(entry);

        if (entry.Action != SettingAction.CanApply)
        {
            Assert.Null(applicable);
            Assert.Equal(ExitCode.Usage, Assert.Throws<ExpectedFailureException>(entry.Applicable).Code);
        }
        else
        {
            // A transport filter is how a change is confined, not a value that is changed.
            Assert.Equal(entry.Id != "filter.transport", applicable is not null);
        }
    }

    [Theory]
    [MemberData(nameof(Ids))]
    public void Entry_RecommendsWhatIsAllowedAndNeverAMyth(string id)
    {
        SettingDefinition entry = SettingsCatalogue.Current.Find(id);

        if (entry.Action is SettingAction.FlagOnly or SettingAction.AdviseApp)
        {
            Assert.Empty(entry.Recommended);
        }

        Assert.Equal(entry.Action == SettingAction.FlagOnly, entry.Flagged is not null);
        foreach (RecommendedValues values in entry.Recommended.Values)
        {
            Assert.NotEmpty(values.Because);
            Assert.All(values.Values.Where(v => ulong.TryParse(v, out _)), v => Assert.True(entry.Allowed?.Allows(ulong.Parse(v)) != false, v));
        }
    }

    [Fact]
    public void ClassNames_AreThoseOfTheFacts()
    {
        string facts = Path.Combine(Shared(), "knowledge", "settings.md");
        Assert.SkipUnless(File.Exists(facts), "The shared facts are not there.");
        string text = File.ReadAllText(facts);
        string json = File.ReadAllText(Path.Combine(Shared(), "knowledge", "settings.json"));

        foreach (SettingDefinition entry in SettingsCatalogue.Current.All)
        {
            string?[] names = entry.Store switch
            {
                SettingStore.Template t => [t.Class, t.Property],
                SettingStore.Cim c => [c.Class, .. c.Properties.Select(p => p.Split('/')[0])],
                SettingStore.Adapter a => [a.Class, a.DedicatedClass, .. a.Keywords],
                SettingStore.Registry r => [r.Key, .. r.Values],
                _ => [],
            };
            Assert.All(names.OfType<string>(), n => Assert.Contains(n, text, StringComparison.Ordinal));
            Assert.Contains($"\"{entry.Id}\"", json, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void Catalogue_IsWhatTheFactsGive()
    {
        string facts = JsonPath();
        Assert.SkipUnless(File.Exists(facts), "The shared facts are not there.");
        JsonArray given = JsonNode.Parse(File.ReadAllText(facts))!["entries"]!.AsArray();

        Assert.Equal(given.Select(e => e!["id"]!.GetValue<string>()), SettingsCatalogue.Current.All.Select(d => d.Id));
        foreach ((JsonNode? fact, SettingDefinition? entry) in given.Zip(SettingsCatalogue.Current.All))
        {
            Assert.Equal(fact!["what"]!.GetValue<string>(), entry.What);
            // The generator corrects these two, and names its source.
            Assert.Equal(
                entry.Id is "tcp.ackfrequency" or "tcp.delackticks" ? "adapter-restart" : fact["restart_class"]!.GetValue<string>(),
                SettingNames.Of(entry.TakesEffect));
            Assert.Equal(fact["confidence"]!.GetValue<string>(), SettingNames.Of(entry.Confidence));
            Assert.Equal(fact["sources"]!.AsArray().Select(s => s!.GetValue<string>()), entry.Sources);
            Assert.All(entry.Defaults, d => Assert.Equal(fact["default"]![d.Key]!.GetValue<string>(), d.Value));
            string action = fact["tool_action"]!.GetValue<string>();

            // The catalogue may be more careful than the facts, never less.
            Assert.True(SettingNames.Of(entry.Action) == action || (action == "can-apply" && entry.Action == SettingAction.AdviseOnly), entry.Id);
        }
    }

    internal static string Shared() =>
        Environment.GetEnvironmentVariable("LATENCYTUNER_SHARED") is { Length: > 0 } given
            ? given
            : Path.GetFullPath(Path.Combine(Path.GetDirectoryName(Here())!, "..", "..", "..", "..", "shared"));

    // Of this file, not of the caller, who may be in a deeper folder and would look in the wrong place.
    private static string Here([CallerFilePath] string path = "") => path;

    private static string JsonPath() => Path.Combine(Shared(), "knowledge", "settings.json");

    [Theory]
    [InlineData("[]", "catalogue: the catalogue: \"schema\" must be a string.")]
    [InlineData("{", "catalogue: line 1, column 2: not JSON.")]
    [InlineData("{\"schema\":\"latencytuner/catalogue/1\",\"osColumns\":[],\"entries\":[{\"id\":7}]}", "catalogue: entries[0]: \"id\" must be a string.")]
    public void Parse_SaysWhereItIsWrong(string json, string sentence)
    {
        ExpectedFailureException failure = Assert.Throws<ExpectedFailureException>(() => SettingsCatalogue.Parse(Encoding.UTF8.GetBytes(json), "catalogue"));

        Assert.Equal((ExitCode.Input, sentence), (failure.Code, failure.Message));
    }

    [Theory]
    [InlineData("action", "perhaps", "\"action\" is 'perhaps'; valid are can-apply, advise-only, advise-app, flag-only.")]
    [InlineData("takesEffect", "soon", "\"takesEffect\" is 'soon'; valid are n/a, immediate, new-connections, adapter-restart, service-restart, reboot.")]
    [InlineData("confidence", "", "\"confidence\" must not be empty.")]
    [InlineData("sources", null, "\"sources\" must be an array.")]
    [InlineData("id", "tcp.delackticks", "\"id\" is 'tcp.delackticks' a second time.")]
    [InlineData("action", "flag-only", "\"flagged\" must be there for flag-only settings and for no other.")]
    [InlineData("action", "advise-app", "\"recommended\" must not be there: advise-app settings are never recommended.")]
    public void Parse_SaysWhichFieldOfWhichEntry(string field, string? value, string sentence)
    {
        using Stream stream = typeof(SettingsCatalogue).Assembly.GetManifestResourceStream("catalogue/settings.json")!;
        JsonNode json = JsonNode.Parse(stream)!;
        int at = field == "id" ? 2 : 0;
        json["entries"]![at]![field] = value;

        ExpectedFailureException failure =
            Assert.Throws<ExpectedFailureException>(() => SettingsCatalogue.Parse(Encoding.UTF8.GetBytes(json.ToJsonString()), "c"));

        Assert.StartsWith($"c: entries[{at}]", failure.Message, StringComparison.Ordinal);
        Assert.EndsWith(sentence, failure.Message, StringComparison.Ordinal);
    }
}
