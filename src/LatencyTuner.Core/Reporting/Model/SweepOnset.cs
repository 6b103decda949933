namespace LatencyTuner.Core.Reporting.Model;

/// <summary>The largest value at which, and below which, every round was clearly worse than the best value of the sweep.</summary>
public sealed record SweepOnset
{
    /// <summary>Name of the dimension.</summary>
    public required string Dimension { get; init; }

    /// <summary>The value.</summary>
    public required double Value { get; init; }

    /// <summary>At this number of connections; null when they were not swept.</summary>
    public int? Connections { get; init; }

    /// <summary>How many times worse than the best: its median against that of the best value, or one way the time per byte.</summary>
    public required double Ratio { get; init; }

    /// <summary>The best value; null when it is the one of the system.</summary>
    public double? Best { get; init; }
}
