namespace LatencyTuner.Core.Reporting.Model;

/// <summary>A 95 % confidence interval in microseconds. An open upper end means too few samples: then <see cref="AtLeastUs"/> says what was seen.</summary>
public sealed record IntervalFigures
{
    /// <summary>Lower end in microseconds.</summary>
    public required double LowUs { get; init; }

    /// <summary>Upper end in microseconds; null when the samples do not bound it.</summary>
    public double? HighUs { get; init; }

    /// <summary>The largest value seen in microseconds, given when the figure itself is null for want of samples.</summary>
    public double? AtLeastUs { get; init; }
}
