namespace LatencyTuner.Core.Tuning.Recommendations;

/// <summary>A path that was measured, from the host where the report was made.</summary>
/// <param name="Target">The name that was given, <c>loopback</c> for this machine.</param>
/// <param name="Address">The address that was connected to; null when unknown.</param>
/// <param name="IsIPv6">True over IPv6; null when unknown.</param>
/// <param name="ServerOs">Operating system of the responder; null when unknown.</param>
public sealed record EvidencedPath(string Target, string? Address, bool? IsIPv6, string? ServerOs)
{
    /// <summary>True when both ends are the machine that measured.</summary>
    public bool IsLoopback => Target == "loopback";

    /// <summary>True when the server runs Windows; null when unknown.</summary>
    public bool? IsOfWindows => ServerOs?.Contains("Windows", StringComparison.OrdinalIgnoreCase);
}
