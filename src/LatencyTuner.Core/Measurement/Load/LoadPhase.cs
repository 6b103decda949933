using LatencyTuner.Core.Measurement.Scheduling;

namespace LatencyTuner.Core.Measurement.Load;

/// <summary>One idle or loaded phase.</summary>
public sealed record LoadPhase
{
    /// <summary>Start on the run's clock from the first phase on.</summary>
    public required TimeSpan Start { get; init; }

    /// <summary>The counted time.</summary>
    public required TimeSpan Elapsed { get; init; }

    /// <summary>Response times of the requests planned in it, in the order of their planned times, nanoseconds.</summary>
    public required IReadOnlyList<long> ResponsesNs { get; init; }

    /// <summary>What this machine did.</summary>
    public required HostUse Client { get; init; }

    /// <summary>The load, one entry for each direction; empty in an idle phase.</summary>
    public IReadOnlyList<LoadSide> Load { get; init; } = [];
}
