namespace LatencyTuner.Core.Reporting.Model;

/// <summary>
/// The mean response time split without synchronised clocks: the client's own delay (send lateness and time in send calls), the
/// server's residence time as it stamped it into each reply, and the rest, which is the network and both TCP stacks.
/// </summary>
public sealed record AttributionFigures
{
    /// <summary>Mean client share in microseconds.</summary>
    public double? ClientUs { get; init; }

    /// <summary>Mean server share in microseconds.</summary>
    public double? ServerUs { get; init; }

    /// <summary>Mean rest in microseconds.</summary>
    public double? NetworkUs { get; init; }
}
