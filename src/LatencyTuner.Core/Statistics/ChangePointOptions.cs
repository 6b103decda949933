namespace LatencyTuner.Core.Statistics;

/// <summary>How level shifts are looked for.</summary>
public sealed record ChangePointOptions
{
    /// <summary>The options that hold when none are given.</summary>
    public static readonly ChangePointOptions Standard = new();

    /// <summary>Largest p, over all times and scales searched.</summary>
    public double MostP { get; init; } = 0.001;

    /// <summary>Fewest bins on either side.</summary>
    public int LeastBins { get; init; } = 20;

    /// <summary>Smallest difference as a share (0 to 1) of the level before.</summary>
    public double LeastShare { get; init; } = 0.05;

    /// <summary>Smallest difference in the unit of the series: the timer's resolution.</summary>
    public double LeastDifference { get; init; }

    /// <summary>Most shifts reported; the most certain are kept.</summary>
    public int Most { get; init; } = 20;
}
