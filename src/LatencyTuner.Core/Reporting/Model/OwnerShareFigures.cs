using LatencyTuner.Core.Analysis;

namespace LatencyTuner.Core.Reporting.Model;

/// <summary>What one owner holds of a time.</summary>
public sealed record OwnerShareFigures
{
    /// <summary>Client, server or network.</summary>
    public required Owner Owner { get; init; }

    /// <summary>Share (0 to 1).</summary>
    public required double Share { get; init; }

    /// <summary>Lower end of its 95 % interval.</summary>
    public required double LowShare { get; init; }

    /// <summary>Upper end.</summary>
    public required double HighShare { get; init; }

    /// <summary>Mean for each request in microseconds.</summary>
    public required double MeanUs { get; init; }
}
