using LatencyTuner.Core;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Settings;
using LatencyTuner.Core.Settings.Cim;
using Xunit;
using static LatencyTuner.Tests.Settings.Cim.CimSamples;

namespace LatencyTuner.Tests.Settings.Cim;

public sealed class CimValuesOfSettings
{
    private static readonly CimEvidence Host = Evidence((CimClasses.Adapters, Adapters), (CimClasses.Templates, Templates));

    private static IReadOnlyList<SnapshotValue> Of(string id, CimEvidence? evidence = null) =>
        CimValues.Of(SettingsCatalogue.Current.Find(id), evidence ?? Host, CimInterfaces.Complete(Interfaces, evidence ?? Host));

    [Fact]
    public void Template_HasAValueForEachTemplateButAutomatic() => Assert.Equal(
        [("Internet", "40"), ("Datacenter", "10"), ("InternetCustom", "40"), ("DatacenterCustom", "10"), ("Compat", "200")],
        Of("template.delayedacktimeout").Select(v => (v.Template!, Assert.Single(v.Data))));

    [Fact]
    public void AutomaticUseCustom_IsOfAutomaticAlone()
    {
        SnapshotValue value = Assert.Single(Of("template.automaticusecustom"));

        Assert.Equal(("Automatic", "REG_DWORD", "0"), (value.Template, value.Type, Assert.Single(value.Data)));
        Assert.Equal(new SettingLocation.Template("Automatic", "AutomaticUseCustom"), SnapshotStore.LocationOf(value));
    }

    [Fact]
    public void Template_WithoutThePropertyIsNotAbsentButUnknown() => Assert.All(Of("template.forcews"), v =>
    {
        Assert.Equal((false, null, "this Windows gives no value for it."), (v.Absent, v.Type, v.NotReadBecause));
        Assert.Null(SnapshotStore.ValueOf(v, "s"));
    });

    [Theory]
    [InlineData("Enabled", "1")]
    [InlineData("disabled", "0")]
    [InlineData((byte)1, "1")]
    [InlineData(true, "1")]
    [InlineData("Perhaps", null)]
    [InlineData(-1, null)]
    public void Offload_IsReadAsNumberOrWord(object given, string? expected)
    {
        SnapshotValue value = Assert.Single(Of("global.rsc", Evidence((CimClasses.Offloads, [Row(("ReceiveSegmentCoalescing", given))]))));

        Assert.Equal(expected, value.Data.SingleOrDefault());
        Assert.Equal(expected is null, value.NotReadBecause is not null);
        Assert.Equal(("cim", "MSFT_NetOffloadGlobalSetting", "ReceiveSegmentCoalescing"), (value.Store, value.Path, value.Name));
    }

    [Fact]
    public void DynamicPorts_AreTwoValues() => Assert.Equal(["49152", "16384"], Of("template.dynamicport").Select(v => Assert.Single(v.Data)));

    [Fact]
    public void Keyword_ThatADriverLacksIsAbsentAndAnAdapterWithoutAnyIsLeftOut()
    {
        CimEvidence evidence = Evidence(
            (CimClasses.Adapters, Adapters),
            (CimClasses.AdvancedProperties,
                [
                    Keyword(Member, "*InterruptModeration", "1"), Keyword(Switched, "*RSS", "1"), Keyword(Switched, "*interruptmoderation"),
                    Keyword(Off, "*NumaNodeId", "1", "2")]));

        Assert.Equal(
            [(Member, "1"), (Switched, "absent"), (Off, "absent")],
            Of("nic.interruptmoderation", evidence).Select(v => (v.Interface!.ToUpperInvariant(), v.Absent ? "absent" : Assert.Single(v.Data))));
        Assert.Equal(["1", "2"], Of("nic.rss", evidence).Single(v => v.Name == "*NumaNodeId" && !v.Absent).Data);
    }

    [Fact]
    public void Filters_AreListedAndWhatIsNotListedIsAbsent()
    {
        CimEvidence evidence = Evidence((CimClasses.Filters, [Filter("Automatic", null), Filter("DatacenterCustom", "10.1.0.0/16", 1433)]));
        HostSnapshot snapshot = new() { Os = new HostOs(), Values = Of("filter.transport", evidence) };
        SnapshotStore store = new(snapshot, "s");

        Assert.Equal(SettingValue.Of("DatacenterCustom"), store.Read(new SettingLocation.Filter(TransportFilter.Parse("10.1.0.0/16:1433"))));
        Assert.Equal(SettingValue.Absent, store.Read(new SettingLocation.Filter(TransportFilter.Parse("10.1.0.0/16"))));
        Assert.Equal(SettingValue.Of("Automatic"), store.Read(new SettingLocation.Filter(new TransportFilter("*"))));
    }

    [Fact]
    public void Filters_NoneIsAStateAndNotReadIsNone()
    {
        SnapshotStore none = new(new HostSnapshot { Os = new HostOs(), Values = Of("filter.transport", Evidence((CimClasses.Filters, []))) }, "s");
        SnapshotStore unread = new(new HostSnapshot { Os = new HostOs(), Values = Of("filter.transport", CimEvidence.None("CIM is not there.")) }, "s");
        SettingLocation.Filter filter = new(TransportFilter.Parse("fd00::/8"));

        Assert.True(none.Read(filter).IsAbsent);
        Assert.Equal(ExitCode.Platform, Assert.Throws<ExpectedFailureException>(() => unread.Read(filter)).Code);
    }

    [Fact]
    public void Everything_WithoutCimSaysWhy()
    {
        CimEvidence evidence = CimEvidence.None("CIM is not there.");

        Assert.All(
            SettingsCatalogue.Current.All.Where(
                d => d.Action != SettingAction.AdviseApp && d.Store is SettingStore.Template or SettingStore.Cim or SettingStore.Adapter
                    && d.Id != "tool.appliedsetting"),
            d => Assert.Equal("CIM is not there.", Assert.Single(Of(d.Id, evidence)).NotReadBecause));
        Assert.Single(evidence.Notes);
        Assert.Empty(CimValues.Uses(evidence));
    }

    [Fact]
    public void Uses_CountsOpenConnectionsByNameOrNumberOfCim()
    {
        CimRow Connection(object? setting, byte state) => Row(("AppliedSetting", setting), ("State", state));
        CimEvidence evidence = Evidence((CimClasses.Connections,
            [
                Connection((byte)0, 5), Connection((byte)3, 5), Connection((byte)3, 5), Connection("DatacenterCustom", 5), Connection((byte)0, 2),
                Connection(null, 5), Connection((byte)9, 5)]));

        Assert.Equal([("InternetCustom", 2), ("DatacenterCustom", 1), ("Internet", 1)], CimValues.Uses(evidence).Select(u => (u.Template, u.Connections)));
    }

    [Fact]
    public void Numbers_OfTheCustomPairAreTheOtherWayRoundInEtw()
    {
        Assert.Equal(("InternetCustom", "DatacenterCustom"), (TcpTemplates.OfCimNumber(3), TcpTemplates.OfCimNumber(4)));
        Assert.Equal(("DatacenterCustom", "InternetCustom"), (TcpTemplates.OfEtwNumber(3), TcpTemplates.OfEtwNumber(4)));
        Assert.Equal((null, null), (TcpTemplates.OfCimNumber(5), TcpTemplates.OfEtwNumber(7)));
    }
}
