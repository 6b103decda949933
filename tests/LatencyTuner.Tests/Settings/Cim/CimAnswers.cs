using System.Reflection;
using System.Text.RegularExpressions;
using LatencyTuner.Core.Settings;
using LatencyTuner.Core.Settings.Cim;
using Xunit;

namespace LatencyTuner.Tests.Settings.Cim;

public sealed class CimAnswers
{
    /// <summary>Names that the catalogue and its facts do not have, each as documented in the class of that name at learn.microsoft.com.</summary>
    private static readonly Dictionary<string, string[]> Documented = new()
    {
        ["MSFT_NetAdapter"] =
        [
            "MSFT_NetAdapter", "InterfaceGuid", "Name", "InterfaceDescription", "InterfaceIndex", "HardwareInterface", "Virtual", "Hidden", "State",
            "NdisPhysicalMedium", "NdisMedium",
            "TransmitLinkSpeed", "DriverProvider", "DriverVersionString", "DriverDate",
        ],
        ["MSFT_NetAdapterBindingSettingData"] = [
            "MSFT_NetAdapterBindingSettingData", "InstanceID", "Name", "InterfaceDescription", "ComponentID", "ComponentClassName", "DisplayName", "Enabled"],
        ["MSFT_NetLbfoTeamMember"] = ["MSFT_NetLbfoTeamMember", "InstanceID", "Name", "InterfaceDescription", "Team"],
        ["MSFT_NetAdapterAdvancedPropertySettingData"] = ["InstanceID", "Name", "InterfaceDescription", "RegistryKeyword", "RegistryValue", "RegistryDataType"],
        ["MSFT_NetAdapterRscSettingData"] = [
            "InstanceID", "Name", "InterfaceDescription", "IPv4OperationalState", "IPv6OperationalState", "IPv4FailureReason", "IPv6FailureReason"],
        ["MSFT_NetAdapterRssSettingData"] = ["InstanceID", "Name", "InterfaceDescription", "Enabled", "NumberOfReceiveQueues"],
        ["MSFT_NetAdapterSriovSettingData"] = ["MSFT_NetAdapterSriovSettingData", "InstanceID", "Name", "InterfaceDescription", "Enabled", "NumVFs"],
        ["MSFT_NetTCPSetting"] = ["AutoTuningLevelEffective"],
        ["MSFT_NetTransportFilter"] = ["LocalPortEnd", "RemotePortEnd"],
    };

    [Fact]
    public void Names_AreThoseOfTheCatalogueOrListedHere()
    {
        HashSet<string> catalogue = SettingsCatalogue.Current.All.SelectMany(d => d.Store switch
        {
            SettingStore.Template t => [t.Class, $"{t.Class}.{t.Property}", $"{t.Class}.SettingName"],
            SettingStore.Cim c => [c.Class, .. c.Properties.Select(p => $"{c.Class}.{p.Split('/')[0]}")],
            SettingStore.Adapter a =>
                [a.Class, .. a.DedicatedClass is { } dedicated ? [dedicated, $"{dedicated}.IPv4Enabled", $"{dedicated}.IPv6Enabled"] : Array.Empty<string>()],
            _ => Array.Empty<string>(),
        }).ToHashSet();

        foreach (CimQuery query in CimClasses.OfSnapshot)
        {
            string[] listed = Documented.GetValueOrDefault(query.Class, []);
            Assert.True(catalogue.Contains(query.Class) != listed.Contains(query.Class), query.Class);
            Assert.All(query.Properties, p => Assert.True(catalogue.Contains($"{query.Class}.{p}") != listed.Contains(p), $"{query.Class}.{p}"));
            Assert.Equal(query.Properties.Count, query.Properties.Distinct().Count());
        }

        Assert.Empty(
            Documented.Where(
                d => CimClasses.OfSnapshot.FirstOrDefault(q => q.Class == d.Key) is not { } q || d.Value.Except(q.Properties).Any(n => n != d.Key))
                .Select(d => d.Key));
    }

    [Fact]
    public void Catalogue_HasNoTemplatePropertyThatIsNotRead() => Assert.Empty(
        SettingsCatalogue.Current.All.Select(d => d.Store).OfType<SettingStore.Template>().Select(t => t.Property).Except(CimClasses.Templates.Properties));

    [Fact]
    public void OfSnapshot_IsEveryClassThatIsDeclaredButTheSelftestsAndTheSockets() => Assert.Equal(
        typeof(CimClasses).GetProperties(BindingFlags.Public | BindingFlags.Static).Where(p => p.PropertyType == typeof(CimQuery))
            .Select(p => (CimQuery)p.GetValue(null)!).ToHashSet(),
        CimClasses.OfSnapshot.Append(CimClasses.PowerPlans).Append(CimClasses.ConnectionEnds).ToHashSet());

    [Fact]
    public void PowerPlans_AreAskedForAsTheFactsAndTheDocumentationNameThem()
    {
        Assert.Equal(("root/cimv2/power", "Win32_PowerPlan"), (CimClasses.PowerPlans.Namespace, CimClasses.PowerPlans.Class));
        Assert.Equal(["InstanceID", "IsActive"], CimClasses.PowerPlans.Properties);
        string facts = Path.Combine(CatalogueEntries.Shared(), "knowledge", "settings.json");
        Assert.SkipUnless(File.Exists(facts), "The shared facts are not there.");
        Assert.Contains($"{CimClasses.PowerPlans.Namespace} {CimClasses.PowerPlans.Class}", File.ReadAllText(facts), StringComparison.Ordinal);
    }

    [Fact]
    public void Wql_NamesPropertiesOnlyOfClassesThatAllHaveThem()
    {
        Assert.Equal("SELECT * FROM MSFT_NetTCPSetting", CimClasses.Templates.Wql);
        Assert.Equal("SELECT AppliedSetting, State FROM MSFT_NetTCPConnection", CimClasses.Connections.Wql);
        Assert.All(CimClasses.OfSnapshot, q => Assert.Matches("^SELECT [A-Za-z*, ]+ FROM MSFT_[A-Za-z]+$", q.Wql));
    }

    [Theory]
    [InlineData(0x8004100E, CimFailureReason.NotThere, "missing")]
    [InlineData(0x80041010, CimFailureReason.NoSuchClass, "This Windows has no MSFT_X.")]
    [InlineData(0x80041003, CimFailureReason.Denied, "denied")]
    [InlineData(0x80070005, CimFailureReason.Denied, "denied")]
    [InlineData(0x800706BA, CimFailureReason.NotThere, "cannot be reached (0x800706BA)")]
    [InlineData(0x80070422, CimFailureReason.NotThere, "disabled")]
    [InlineData(0x80040154, CimFailureReason.NotThere, "not registered")]
    [InlineData(0x00040004, CimFailureReason.TimedOut, "in time")]
    [InlineData(0x80070057, CimFailureReason.ReadOnly, "read-only")]
    [InlineData(0x80041023, CimFailureReason.ReadOnly, "read-only")]
    [InlineData(0x80041024, CimFailureReason.ReadOnly, "Windows' own provider of MSFT_X does not offer this call (0x80041024)")]
    [InlineData(0x80070032, CimFailureReason.ReadOnly, "Windows' own provider of MSFT_X does not offer this call (0x80070032)")]
    [InlineData(0x80041001, CimFailureReason.Other, "Allgemeiner Fehler (0x80041001)")]
    public void Failure_SaysWhyInOneSentence(uint code, CimFailureReason reason, string says)
    {
        CimFailure failure = CimFailure.From(unchecked((int)code), "Allgemeiner\r\nFehler. ".Replace("\r\n", " ", StringComparison.Ordinal), "MSFT_X");

        Assert.Equal(reason, failure.Reason);
        Assert.Contains(says, failure.Sentence, StringComparison.Ordinal);
        Assert.Matches(new Regex(@"^[^\r\n]+\.$"), failure.Sentence);
    }

    [Fact]
    public void Collect_AsksNothingMoreOnceCimIsNotThere()
    {
        List<string> asked = new();
        CimEvidence evidence = CimEvidence.Collect(CimClasses.OfSnapshot, q =>
        {
            asked.Add(q.Class);
            return asked.Count < 3 ? CimResult.Of(CimFailure.From(unchecked((int)0x8004_1003), null, q.Class))
                : CimResult.Of(CimFailure.Missing("wminet_utils.dll is not there."));
        });

        Assert.Equal(3, asked.Count);
        Assert.All(CimClasses.OfSnapshot, q => Assert.NotNull(evidence.Because(q)));
        Assert.Equal(3, evidence.Notes.Count);
    }

    [Fact]
    public void Collect_WaitsForTwoLateAnswersAtMost()
    {
        int asked = 0;
        CimEvidence evidence = CimEvidence.Collect(CimClasses.OfSnapshot, q =>
        {
            asked++;
            return CimResult.Of(CimFailure.TooLate(q.Class, q.Limit));
        });

        Assert.Equal(2, asked);
        Assert.Contains("CIM was not queried further", evidence.Because(CimClasses.Connections), StringComparison.Ordinal);
    }

    [Fact]
    public void Collect_AMissingClassIsNoNote()
    {
        CimEvidence evidence =
            CimEvidence.Collect(
                [CimClasses.TeamMembers, CimClasses.Offloads],
                q => q == CimClasses.TeamMembers ? CimResult.Of(CimFailure.From(unchecked((int)0x8004_1010), null, q.Class)) : new CimResult([]));

        Assert.Empty(evidence.Notes);
        Assert.Null(evidence.Rows(CimClasses.TeamMembers));
        Assert.Empty(evidence.Rows(CimClasses.Offloads)!);
        Assert.Null(evidence.Rows(CimClasses.Adapters));
    }

    [Theory]
    [InlineData((byte)7, 7UL)]
    [InlineData((ushort)7, 7UL)]
    [InlineData(7u, 7UL)]
    [InlineData(7UL, 7UL)]
    [InlineData((sbyte)-1, null)]
    [InlineData(-7L, null)]
    [InlineData("7", 7UL)]
    [InlineData("seven", null)]
    [InlineData(7.0, null)]
    [InlineData(null, null)]
    public void Row_TakesEveryNumberThatIsOne(object? given, ulong? expected) => Assert.Equal(expected, CimSamples.Row(("N", given)).Number("N"));

    [Fact]
    public void Row_WithoutThePropertyHasNothing()
    {
        CimRow row = CimSamples.Row(("A", new string?[] { "x", null }));

        Assert.Equal((null, null, null, null), (row.Text("B"), row.Number("B"), row.Flag("B"), row.Guid("B")));
        Assert.Equal(["x"], row.Texts("A"));
        Assert.Null(CimSamples.Row(("G", "{not-a-guid}::x")).Guid("G"));
    }
}
