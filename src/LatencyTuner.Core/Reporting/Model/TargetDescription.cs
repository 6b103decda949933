namespace LatencyTuner.Core.Reporting.Model;

/// <summary>What was measured.</summary>
public sealed record TargetDescription
{
    /// <summary>As the user gave it, <c>loopback</c> for the responder inside this process.</summary>
    public required string Name { get; init; }

    /// <summary>The address that was connected to.</summary>
    public string? Address { get; init; }

    /// <summary>The TCP port.</summary>
    public int? Port { get; init; }

    /// <summary><c>IPv4</c> or <c>IPv6</c>.</summary>
    public string? Family { get; init; }

    /// <summary>Version of the responder that answered.</summary>
    public string? ResponderVersion { get; init; }

    /// <summary>Operating system of the responder that answered.</summary>
    public string? ResponderOs { get; init; }
}
