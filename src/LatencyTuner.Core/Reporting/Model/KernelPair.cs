namespace LatencyTuner.Core.Reporting.Model;

/// <summary>Kernel counters of both ends.</summary>
public sealed record KernelPair
{
    /// <summary>This end.</summary>
    public KernelFigures? Local { get; init; }

    /// <summary>The responder's end.</summary>
    public KernelFigures? Peer { get; init; }
}
