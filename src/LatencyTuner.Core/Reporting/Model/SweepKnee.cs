namespace LatencyTuner.Core.Reporting.Model;

/// <summary>Where the curve bends, with the range of the sweep it was found in: a knee depends on the range.</summary>
public sealed record SweepKnee
{
    /// <summary>Name of the dimension.</summary>
    public required string Dimension { get; init; }

    /// <summary>The value at the knee.</summary>
    public required double Value { get; init; }

    /// <summary>At this number of connections; null when they were not swept beside it.</summary>
    public int? Connections { get; init; }

    /// <summary>Lower end of the 95 % interval over rounds.</summary>
    public double? Low { get; init; }

    /// <summary>Upper end.</summary>
    public double? High { get; init; }

    /// <summary>Smallest value of the sweep.</summary>
    public required double From { get; init; }

    /// <summary>Largest value of the sweep.</summary>
    public required double To { get; init; }
}
