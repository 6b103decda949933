using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Settings.Cim;
using Xunit;
using static LatencyTuner.Tests.Settings.Cim.CimSamples;

namespace LatencyTuner.Tests.Settings.Cim;

public sealed class CimInterfaceIdentity
{
    private static IReadOnlyList<NetworkInterface> Completed(params (CimQuery Query, CimRow[] Rows)[] more) =>
        CimInterfaces.Complete(Interfaces, Evidence([(CimClasses.Adapters, Adapters), (CimClasses.Bindings, Bindings), .. more]));

    [Fact]
    public void Complete_TellsGoneFromOffFromTeamFromSwitch()
    {
        Dictionary<string, (bool IsGhost, bool IsDisabled, bool IsTeamMember, bool IsVSwitchBound)> found =
            Completed().ToDictionary(i => i.Guid.ToUpperInvariant(), i => (i.IsGhost, i.IsDisabled, i.IsTeamMember, i.IsVSwitchBound));

        Assert.Equal(5, found.Count);
        Assert.Equal((false, false, true, false), found[Member]);
        Assert.Equal((false, false, false, true), found[Switched]);
        Assert.Equal((false, true, false, false), found[Off]);
        Assert.Equal((false, false, false, false), found[TeamNic]);
        Assert.Equal((true, false, false, false), found[Gone]);
    }

    [Fact]
    public void Complete_FindsMembersByTheirListWhereBindingsAreNotRead()
    {
        CimRow[] members = new[] {
            Row(("InstanceID", Member), ("Team", "Team1")), Row(("InterfaceDescription", "Broadcom NetXtreme-E Dual-port 25Gb"), ("Name", "renamed")),
            Row(("Name", "SLOT 3 Port 2")) };
        IReadOnlyList<NetworkInterface> found =
            CimInterfaces.Complete(Interfaces, Evidence((CimClasses.Adapters, Adapters), (CimClasses.TeamMembers, members)));

        Assert.Equal([Member, Switched, Off], found.Where(i => i.IsTeamMember).Select(i => i.Guid.ToUpperInvariant()).Order());
    }

    [Fact]
    public void Complete_TakesNameSpeedAndDriver()
    {
        IReadOnlyList<NetworkInterface> found = Completed();
        NetworkInterface member = found.Single(i => i.IsTeamMember);
        NetworkInterface off = found.Single(i => i.IsDisabled);

        Assert.Equal(("SLOT 2 Port 1", 5, "802.3", 10_000_000_000L), (member.Alias, member.Index, member.Media, member.BitsPerSecond));
        Assert.Equal(("Intel", "1.16.202.0", "2024-02-08", true), (member.DriverProvider, member.DriverVersion, member.DriverDate, member.IsHardware));
        Assert.Null(off.BitsPerSecond);
        Assert.Equal([5, 7, 8, 14, null], found.Select(i => i.Index));
        Assert.Equal(["10.20.0.21"], found.Single(i => i.Guid == TeamNic).Addresses);
    }

    [Fact]
    public void Complete_AddsAnAdapterThatTheRegistryDidNotListButNoHiddenOne() =>
        Assert.Equal([Member, Switched, Off, TeamNic], CimInterfaces.Complete([], Evidence((CimClasses.Adapters, Adapters))).Select(i => i.Guid));

    [Fact]
    public void Complete_WithoutAdaptersChangesNothing() => Assert.Same(Interfaces, CimInterfaces.Complete(Interfaces, CimEvidence.None("CIM is not there.")));

    [Theory]
    [InlineData("02/08/2024")]
    [InlineData("2024-13-40")]
    [InlineData("")]
    public void Complete_GuessesNoDate(string date) =>
        Assert.Null(Assert.Single(CimInterfaces.Complete([], Evidence((CimClasses.Adapters, [Row(("InterfaceGuid", Off), ("DriverDate", date))])))).DriverDate);

    [Fact]
    public void Components_AreListedWithTheirAdapters()
    {
        CimRow[] rsc = new[] {
            Row(("InstanceID", Member), ("IPv4Enabled", true), ("IPv4OperationalState", false), ("IPv4FailureReason", 3u), ("IPv6Enabled", false)) };
        CimRow[] rss = new[] { Row(("InstanceID", Switched), ("Enabled", true), ("NumberOfReceiveQueues", 1u)) };
        CimEvidence evidence = Evidence((CimClasses.Adapters, Adapters), (CimClasses.Bindings, Bindings), (CimClasses.Rsc, rsc), (CimClasses.Rss, rss));

        IReadOnlyList<HostComponent> components = CimComponents.Of(evidence, CimInterfaces.Complete(Interfaces, evidence));

        Assert.Equal(
            [
                ("ndis-filter", "The ms_implat component", "ms_implat, on SLOT 2 Port 1"),
                ("ndis-filter", "The npcap component", "npcap, on SLOT 2 Port 1, SLOT 3 Port 1"),
                ("ndis-filter", "The vms_pp component", "vms_pp, on SLOT 3 Port 1"),
                ("rsc", "SLOT 2 Port 1", "IPv4 on, but does not work (incompatible with an NDIS filter); IPv6 off"),
                ("rss", "SLOT 3 Port 1", "on, 1 receive queue"),
            ],
            components.Select(c => (c.Kind, c.Name, c.Detail)));
    }
}
