namespace LatencyTuner.Core.Reporting.Model;

/// <summary>What the load adds to the latency: figure under load less the same figure idle.</summary>
public sealed record AddedFigures
{
    /// <summary>To the mean, in microseconds; null for want of samples.</summary>
    public double? MeanUs { get; init; }

    /// <summary>To the median.</summary>
    public double? P50Us { get; init; }

    /// <summary>To the 90th percentile.</summary>
    public double? P90Us { get; init; }

    /// <summary>95 % intervals by the name of the figure.</summary>
    public IReadOnlyDictionary<string, IntervalFigures> Intervals { get; init; } = new Dictionary<string, IntervalFigures>();
}
