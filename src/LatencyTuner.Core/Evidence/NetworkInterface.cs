using System.Text.Json.Serialization;

namespace LatencyTuner.Core.Evidence;

/// <summary>A network interface as Windows knows it.</summary>
public sealed record NetworkInterface
{
    /// <summary>The GUID with braces: the name of its registry key.</summary>
    public required string Guid { get; init; }

    /// <summary>The name an admin gave it, for example <c>Ethernet 2</c>; null when unknown.</summary>
    public string? Alias { get; init; }

    /// <summary>The description that its driver gives; null when unknown.</summary>
    public string? Description { get; init; }

    /// <summary>The interface index; null when unknown.</summary>
    public int? Index { get; init; }

    /// <summary>Its IP addresses, without prefix length.</summary>
    public IReadOnlyList<string> Addresses { get; init; } = [];

    /// <summary>True when it is a member of a team: the team's own adapter has the addresses.</summary>
    public bool IsTeamMember { get; init; }

    /// <summary>True when it is bound to a virtual switch: the host's own traffic uses the vEthernet adapter.</summary>
    public bool IsVSwitchBound { get; init; }

    /// <summary>True when it has registry keys, but no adapter is present.</summary>
    public bool IsGhost { get; init; }

    /// <summary>True when its adapter is present but disabled: its values take effect once it is enabled.</summary>
    public bool IsDisabled { get; init; }

    /// <summary>True for a physical adapter, or what a virtual machine sees as one; null when unknown.</summary>
    public bool? IsHardware { get; init; }

    /// <summary>The medium of loopback.</summary>
    public const string Loopback = "loopback";

    /// <summary>The medium of tunnels that Windows makes itself, such as Teredo (ifType 131).</summary>
    public const string Tunnel = "tunnel";

    /// <summary>The medium, for example <c>802.3</c>, <see cref="Loopback"/> or <see cref="Tunnel"/>; null when unknown.</summary>
    public string? Media { get; init; }

    /// <summary>Link speed in bits per second; null when unknown.</summary>
    public long? BitsPerSecond { get; init; }

    /// <summary>Provider of the driver; null when unknown.</summary>
    public string? DriverProvider { get; init; }

    /// <summary>Version of the driver; null when unknown.</summary>
    public string? DriverVersion { get; init; }

    /// <summary>Date of the driver, <c>yyyy-MM-dd</c>; null when unknown.</summary>
    public string? DriverDate { get; init; }

    /// <summary>When the adapter last started; null when unknown.</summary>
    public DateTimeOffset? StartedUtc { get; init; }

    /// <summary>When the interface last went up or down; null when unknown. Its adapter has not started since; its link may have.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public DateTimeOffset? StateSinceUtc { get; init; }

    /// <summary>Why values of this interface have no effect on the host's connections, as a clause; null when they have an effect.</summary>
    public string? NotUsedBecause() =>
        IsGhost ? "it has registry keys, but no adapter is present"
        : IsTeamMember ? "it is a member of a team; the team's own adapter carries the connections"
        : Media == Loopback ? "it is loopback, which is this machine alone; TCP takes the values of network adapters"
        : Media == Tunnel ? "it is a tunnel; the adapter below it carries the packets"
        : IsVSwitchBound ? "it is bound to a virtual switch; the vEthernet adapter carries the host's connections"
        : null;

    /// <summary>The name in sentences: the alias with the GUID, or the GUID alone when no alias is known.</summary>
    public override string ToString() => Alias is null ? Guid : $"{Alias} {Guid}";
}
