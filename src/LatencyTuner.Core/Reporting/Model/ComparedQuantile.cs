namespace LatencyTuner.Core.Reporting.Model;

/// <summary>One quantile of the shift function B less A.</summary>
public sealed record ComparedQuantile
{
    /// <summary>The quantile, 0 to 1.</summary>
    public required double Quantile { get; init; }

    /// <summary>Its value in A, microseconds.</summary>
    public required double AUs { get; init; }

    /// <summary>Its value in B, microseconds.</summary>
    public required double BUs { get; init; }

    /// <summary>B less A, microseconds.</summary>
    public required double DeltaUs { get; init; }

    /// <summary>Lower end of the 95 % interval of the difference.</summary>
    public required double LowUs { get; init; }

    /// <summary>Upper end.</summary>
    public required double HighUs { get; init; }

    /// <summary>Holm-corrected p-value.</summary>
    public required double PValue { get; init; }

    /// <summary>The limit that a difference had to pass here, microseconds.</summary>
    public required double LimitUs { get; init; }

    /// <summary><c>better</c>, <c>same</c>, <c>worse</c> or <c>cannot-tell</c>.</summary>
    public required string Verdict { get; init; }
}
