using LatencyTuner.Core;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Settings;
using LatencyTuner.Core.Settings.Cim;
using Xunit;
using static LatencyTuner.Tests.Settings.Cim.CimSamples;

namespace LatencyTuner.Tests.Settings.Cim;

public sealed class TemplateWrites
{
    private static readonly SettingLocation.Template Timeout = new("InternetCustom", "DelayedAckTimeout");
    private static readonly SettingLocation.Filter Sql = new(TransportFilter.Parse("10.1.0.0/16:1433"));

    private static HostOs Server(int build) => new() { Build = build, IsServer = true };

    private static HostOs Client(int build) => new() { Build = build, IsServer = false };

    private static string Refused(Action action, ExitCode code)
    {
        ExpectedFailureException failure = Assert.Throws<ExpectedFailureException>(action);
        Assert.Equal(code, failure.Code);
        Assert.EndsWith(".", failure.Message, StringComparison.Ordinal);
        return failure.Message;
    }

    [Fact]
    public void Read_FindsTemplateAndPropertyWithoutRegardToCase() =>
        Assert.Equal(SettingValue.Dword(10), TemplateRows.Read(Templates, new SettingLocation.Template("datacenterCUSTOM", "DelayedAckTimeout")));

    [Theory]
    [InlineData("Intranet", "DelayedAckTimeout", "has no template 'Intranet'; it has Automatic, Internet, Datacenter")]
    [InlineData("Internet", "ForceWS", "gives no value for it")]
    [InlineData("Automatic", "MinRto", "gives no value for it")]
    public void Read_ATemplateIsNeverAbsent(string template, string property, string says) =>
        Assert.Contains(
            says, Refused(() => TemplateRows.Read(Templates, new SettingLocation.Template(template, property)), ExitCode.Platform), StringComparison.Ordinal);

    [Fact]
    public void Read_AFilterIsItsTemplateOrAbsent()
    {
        CimRow[] filters = new[] { Filter("Automatic", "*"), Filter("InternetCustom", "10.1.0.0/16", 1433) };

        Assert.Equal(SettingValue.Of("InternetCustom"), TemplateRows.Read(filters, Sql));
        Assert.Equal(SettingValue.Absent, TemplateRows.Read(filters[..1], Sql));
    }

    [Fact]
    public void CheckWrite_TakesNumbersForTemplatesAndNamesForFilters()
    {
        TemplateRows.CheckWrite(Timeout, SettingValue.Dword(10), SettingValue.Dword(40));
        TemplateRows.CheckWrite(Sql, SettingValue.Of("InternetCustom"), SettingValue.Absent);
        TemplateRows.CheckWrite(Sql, SettingValue.Absent, SettingValue.Of("Internet"));

        Assert.Contains(
            "always has a value", Refused(() => TemplateRows.CheckWrite(Timeout, SettingValue.Absent, SettingValue.Dword(1)), ExitCode.Change),
            StringComparison.Ordinal);
        Refused(() => TemplateRows.CheckWrite(Timeout, SettingValue.Of("10"), SettingValue.Dword(1)), ExitCode.Change);
        Refused(() => TemplateRows.CheckWrite(Sql, SettingValue.Of("Intranet"), SettingValue.Absent), ExitCode.Change);
        Assert.Contains(
            "is already bound to Internet",
            Refused(() => TemplateRows.CheckWrite(Sql, SettingValue.Of("InternetCustom"), SettingValue.Of("Internet")), ExitCode.Change),
            StringComparison.Ordinal);
        Refused(() => TemplateRows.CheckWrite(new SettingLocation.Registry(@"HKLM\A", "B"), SettingValue.Dword(1), SettingValue.Absent), ExitCode.Change);
    }

    [Theory]
    [InlineData(
        9600, true, "Internet",
        "does not allow changing DelayedAckTimeout of template Internet (as far as is known, only in InternetCustom, DatacenterCustom)")]
    [InlineData(19045, false, "InternetCustom", "(as far as is known, in no template)")]
    public void NotWritten_SaysWhichTemplatesMayBe(int build, bool server, string template, string says)
    {
        ExpectedFailureException failure =
            TemplateRows.NotWritten(
                CimFailure.From(unchecked((int)0x8007_0057), null, "it"), Timeout with { TemplateName = template },
                new HostOs { Build = build, IsServer = server });

        Assert.Equal(ExitCode.Change, failure.Code);
        Assert.Contains(says, failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void NotWritten_AWriteThatHangsMayHaveBeenDone() => Assert.Contains(
        "unknown", TemplateRows.NotWritten(CimFailure.TooLate("it", TimeSpan.FromSeconds(30)), Timeout, Server(17763)).Message, StringComparison.Ordinal);

    [Theory]
    [InlineData(9200, "Internet", "MinRto", false, SettingConfidence.High)]
    [InlineData(9200, "DatacenterCustom", "MinRto", true, SettingConfidence.High)]
    [InlineData(9600, "Datacenter", "MinRto", false, SettingConfidence.Medium)]
    [InlineData(9600, "InternetCustom", "MinRto", true, SettingConfidence.Medium)]
    [InlineData(14393, "Internet", "MinRto", true, SettingConfidence.High)]
    [InlineData(17763, "Compat", "DelayedAckFrequency", true, SettingConfidence.High)]
    [InlineData(20348, "Internet", "MinRto", true, SettingConfidence.Medium)]
    [InlineData(26100, "InternetCustom", "MinRto", true, SettingConfidence.Medium)]
    [InlineData(17763, "Automatic", "AutomaticUseCustom", true, SettingConfidence.High)]
    [InlineData(17763, "Automatic", "MinRto", false, SettingConfidence.High)]
    [InlineData(17763, "Internet", "AutomaticUseCustom", false, SettingConfidence.High)]
    [InlineData(17763, "Intranet", "MinRto", false, SettingConfidence.High)]
    [InlineData(7601, "Internet", "MinRto", false, SettingConfidence.High)]
    public void Writability_OfServersIsThatOfTheirBuild(int build, string template, string property, bool writable, SettingConfidence confidence)
    {
        TemplateWritability known = TemplateWritability.Of(Server(build), template, property);

        Assert.Equal((writable, confidence), (known.Writable, known.Confidence));
    }

    [Fact]
    public void Writability_OfClientsIsThatOfTheCatalogue()
    {
        List<SettingDefinition> settings = SettingsCatalogue.Current.All.Where(d => d.Store is SettingStore.Template).ToList();

        Assert.All(settings, d =>
        {
            SettingStore.Template store = (SettingStore.Template)d.Store;
            Assert.Equal(d.ClientWritable, TemplateWritability.Of(Client(19045), store.OnlyTemplate ?? "Internet", store.Property).Writable);
            Assert.NotEqual(SettingConfidence.High, TemplateWritability.Of(Client(26100), store.OnlyTemplate ?? "Internet", store.Property).Confidence);
        });
        Assert.Null(TemplateWritability.Of(new HostOs(), "Internet", "MinRto").Writable);
    }
}
