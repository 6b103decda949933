namespace LatencyTuner.Core.Measurement.Sweeps;

/// <summary>One point to measure.</summary>
/// <param name="Levels">Its values, one a dimension.</param>
/// <param name="Load">What a request consists of at this point.</param>
/// <param name="Plan">How it is measured in one round; the seed is replaced.</param>
public sealed record SweepCell(IReadOnlyList<SweepLevel> Levels, SweepLoad Load, MeasurementPlan Plan)
{
    /// <summary>Not null for a point of a sweep over HTTP/2.</summary>
    public SweepStreams? Streams { get; init; }

    /// <summary>The value of a dimension; null when the system decides or it is not swept.</summary>
    public double? this[SweepDimension dimension] => Levels.FirstOrDefault(l => l.Dimension == dimension).Value;
}
