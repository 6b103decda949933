namespace LatencyTuner.Core.Settings.Cim;

/// <summary>
/// The classes that are read. Names: learn.microsoft.com, "Network Adapter CIM WMI Provider", "TCP/IP WMI v2 provider" and "NDIS
/// implementation of the LBFO provider"; a test compares those that the catalogue also has with it.
/// </summary>
public static class CimClasses
{
    /// <summary>The namespace of the network classes.</summary>
    public const string Namespace = "root/StandardCimv2";

    /// <summary>The adapters, also disabled ones.</summary>
    public static CimQuery Adapters { get; } = new(Namespace, "MSFT_NetAdapter",
    [
        "InterfaceGuid", "Name", "InterfaceDescription", "InterfaceIndex", "HardwareInterface", "Virtual", "Hidden", "State", "NdisPhysicalMedium",
        "NdisMedium",
        "TransmitLinkSpeed", "DriverProvider", "DriverVersionString", "DriverDate",
    ]);

    /// <summary>Protocols, services and filters bound to the adapters.</summary>
    public static CimQuery Bindings { get; } = new(Namespace, "MSFT_NetAdapterBindingSettingData",
        ["InstanceID", "Name", "InterfaceDescription", "ComponentID", "ComponentClassName", "DisplayName", "Enabled"]);

    /// <summary>The members of teams.</summary>
    public static CimQuery TeamMembers { get; } = new(Namespace, "MSFT_NetLbfoTeamMember", ["InstanceID", "Name", "InterfaceDescription", "Team"]);

    /// <summary>The TCP templates. Their properties depend on the build of Windows.</summary>
    public static CimQuery Templates { get; } = new(Namespace, "MSFT_NetTCPSetting",
    [
        "SettingName", "MinRto", "InitialCongestionWindow", "CwndRestart", "MemoryPressureProtection", "CongestionProvider", "AutoTuningLevelLocal",
        "EcnCapability",
        "Timestamps", "InitialRto", "ScalingHeuristics", "DynamicPortRangeStartPort", "DynamicPortRangeNumberOfPorts", "AutoTuningLevelEffective",
        "DelayedAckTimeout", "DelayedAckFrequency", "AutomaticUseCustom", "NonSackRttResiliency", "ForceWS", "MaxSynRetransmissions",
    ]);

    /// <summary>The transport filters, which bind connections to templates.</summary>
    public static CimQuery Filters { get; } = new(Namespace, "MSFT_NetTransportFilter",
        ["SettingName", "Protocol", "LocalPortStart", "LocalPortEnd", "RemotePortStart", "RemotePortEnd", "DestinationPrefix"]);

    /// <summary>The global switches of the offloads.</summary>
    public static CimQuery Offloads { get; } = new(Namespace, "MSFT_NetOffloadGlobalSetting",
        ["ReceiveSideScaling", "ReceiveSegmentCoalescing", "Chimney", "TaskOffload", "PacketCoalescingFilter"]);

    /// <summary>The advanced properties of the adapters.</summary>
    public static CimQuery AdvancedProperties { get; } = new(Namespace, "MSFT_NetAdapterAdvancedPropertySettingData",
        ["InstanceID", "Name", "InterfaceDescription", "RegistryKeyword", "RegistryValue", "RegistryDataType"]);

    /// <summary>Receive segment coalescing of the adapters: the setting and the operational state.</summary>
    public static CimQuery Rsc { get; } = new(Namespace, "MSFT_NetAdapterRscSettingData",
        [
            "InstanceID", "Name", "InterfaceDescription", "IPv4Enabled", "IPv6Enabled", "IPv4OperationalState", "IPv6OperationalState", "IPv4FailureReason",
            "IPv6FailureReason"]);

    /// <summary>Receive side scaling of the adapters.</summary>
    public static CimQuery Rss { get; } = new(
        Namespace, "MSFT_NetAdapterRssSettingData", ["InstanceID", "Name", "InterfaceDescription", "Enabled", "NumberOfReceiveQueues"]);

    /// <summary>SR-IOV of the adapters.</summary>
    public static CimQuery Sriov { get; } = new(
        Namespace, "MSFT_NetAdapterSriovSettingData", ["InstanceID", "Name", "InterfaceDescription", "Enabled", "NumVFs"]);

    /// <summary>The connections with their templates. A busy host has tens of thousands: only the properties that are counted are queried.</summary>
    public static CimQuery Connections { get; } = new(Namespace, "MSFT_NetTCPConnection", ["AppliedSetting", "State"], Narrow: true)
    {
        Limit = TimeSpan.FromSeconds(5),
    };

    /// <summary>The connections with their ends and templates, for the list of sockets: asked for only when the user wants templates.</summary>
    public static CimQuery ConnectionEnds { get; } = new(
        Namespace, "MSFT_NetTCPConnection", ["LocalAddress", "LocalPort", "RemoteAddress", "RemotePort", "AppliedSetting"], Narrow: true)
    {
        Limit = TimeSpan.FromSeconds(20),
    };

    /// <summary>The power plans, a second source for the selftest; a snapshot reads the registry, which needs no CIM.</summary>
    public static CimQuery PowerPlans { get; } = new("root/cimv2/power", "Win32_PowerPlan", ["InstanceID", "IsActive"]);

    /// <summary>The queries of a snapshot, in this order.</summary>
    public static IReadOnlyList<CimQuery> OfSnapshot { get; } = [
        Adapters, Bindings, TeamMembers, Templates, Filters, Offloads, AdvancedProperties, Rsc, Rss, Sriov, Connections];
}
