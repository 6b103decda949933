using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Settings.Cim;

namespace LatencyTuner.Tests.Settings.Cim;

/// <summary>
/// Instances as CIM gives them, after published dumps of Windows Server 2019: a host with a team, a virtual switch and an adapter that is off.
/// </summary>
internal static class CimSamples
{
    internal const string Member = "{AAAAAAAA-0000-0000-0000-000000000001}";
    internal const string Switched = "{BBBBBBBB-0000-0000-0000-000000000002}";
    internal const string Off = "{CCCCCCCC-0000-0000-0000-000000000003}";
    internal const string TeamNic = "{DDDDDDDD-0000-0000-0000-000000000004}";
    internal const string Gone = "{EEEEEEEE-0000-0000-0000-000000000005}";

    /// <summary>What the registry and the address tables told of the same host.</summary>
    internal static readonly IReadOnlyList<NetworkInterface> Interfaces =
    [
        new() { Guid = TeamNic, Alias = "Team1", Index = 14, Addresses = ["10.20.0.21"], Description = "Microsoft Network Adapter Multiplexor Driver" },
        new() { Guid = Member.ToLowerInvariant(), IsGhost = true }, new() { Guid = Switched, IsGhost = true }, new() { Guid = Off, IsGhost = true },
        new() { Guid = Gone, IsGhost = true },
    ];

    internal static CimRow Row(params (string Name, object? Value)[] properties) => new(properties.ToDictionary(p => p.Name, p => p.Value));

    internal static CimEvidence Evidence(params (CimQuery Query, CimRow[] Rows)[] answers) =>
        CimEvidence.Collect(CimClasses.OfSnapshot, q => answers.FirstOrDefault(a => a.Query == q) is { Rows: { } rows }
            ? new CimResult(rows)
            : CimResult.Of(CimFailure.From(unchecked((int)0x8004_1010), null, q.Class)));

    internal static CimRow[] Adapters { get; } =
    [
        Adapter(Member, "SLOT 2 Port 1", "Intel(R) Ethernet Network Adapter X710", 5, 2),
        Adapter(Switched, "SLOT 3 Port 1", "Broadcom NetXtreme-E Dual-port 25Gb", 7, 2),
        Adapter(Off, "SLOT 3 Port 2", "Broadcom NetXtreme-E Dual-port 25Gb #2", 8, 3),
        Adapter(TeamNic, "Team1", "Microsoft Network Adapter Multiplexor Driver", 14, 2),
        Row(("InterfaceGuid", "{FFFFFFFF-0000-0000-0000-000000000006}"), ("Name", "WAN Miniport"), ("Hidden", true), ("State", 2u)),
    ];

    internal static CimRow[] Bindings { get; } =
    [
        Binding(Member, "ms_implat", true), Binding(Switched, "ms_implat", false), Binding(Switched, "vms_pp", true), Binding(Off, "vms_pp", false),
        Binding(Member, "npcap", true), Binding(Switched, "NPCAP", true), Binding(Member, "ms_server", true), Binding(Member, "ms_tcpip", true, "Protocol"),
    ];

    /// <summary>Get-NetTCPSetting of Server 2019 in the numbers of the class.</summary>
    internal static CimRow[] Templates { get; } =
    [
        Row(("SettingName", "Automatic"), ("AutomaticUseCustom", (byte)0), ("MinRto", null)),
        Template("Internet", 300, 40), Template("Datacenter", 20, 10), Template("InternetCustom", 300, 40), Template("DatacenterCustom", 20, 10),
        Template("Compat", 300, 200),
    ];

    internal static CimRow Filter(string template, string? prefix, ushort? remote = null) => Row(
        ("SettingName", template), ("Protocol", (ushort)6), ("DestinationPrefix", prefix), ("LocalPortStart", (ushort)0), ("LocalPortEnd", (ushort)65535),
        ("RemotePortStart", remote ?? (ushort)0), ("RemotePortEnd", remote ?? (ushort)65535));

    internal static CimRow Keyword(string guid, string keyword, params string[] value) => Row(
        ("InstanceID", $"{guid}::{keyword}"), ("Name", "SLOT"), ("RegistryKeyword", keyword), ("RegistryValue", value), ("RegistryDataType", 1u));

    private static CimRow Adapter(string guid, string name, string description, uint index, uint state) => Row(
        ("InterfaceGuid", guid), ("Name", name), ("InterfaceDescription", description), ("InterfaceIndex", index), ("HardwareInterface", index < 10),
        ("Hidden", false),
        ("State", state), ("NdisPhysicalMedium", 14u), ("NdisMedium", 0u), ("TransmitLinkSpeed", state == 3 ? ulong.MaxValue : 10_000_000_000UL),
        ("DriverProvider", "Intel"), ("DriverVersionString", "1.16.202.0"), ("DriverDate", "2024-02-08"));

    private static CimRow Binding(string guid, string component, bool enabled, string kind = "Service") => Row(
        ("InstanceID", $"{guid}::{component}"), ("ComponentID", component), ("ComponentClassName", kind),
        ("DisplayName", $"The {component.ToLowerInvariant()} component"), ("Enabled", enabled));

    private static CimRow Template(string name, uint minRto, uint delayedAck) => Row(
        ("SettingName", name), ("MinRto", minRto), ("InitialCongestionWindow", 10u), ("CwndRestart", (byte)0), ("MemoryPressureProtection", (byte)1),
        ("CongestionProvider", (byte)5), ("AutoTuningLevelLocal", (byte)3), ("EcnCapability", (byte)0), ("Timestamps", (byte)0), ("InitialRto", 1000u),
        ("ScalingHeuristics", (byte)0), ("DynamicPortRangeStartPort", (ushort)49152), ("DynamicPortRangeNumberOfPorts", (ushort)16384),
        ("DelayedAckTimeout", delayedAck), ("DelayedAckFrequency", (byte)2), ("AutomaticUseCustom", null), ("NonSackRttResiliency", (byte)0),
        ("MaxSynRetransmissions", (byte)4));
}
