namespace LatencyTuner.Core.Reporting.Model;

/// <summary>Requests that waited far longer than the path and the server explain.</summary>
public sealed record StallFigures
{
    /// <summary>Number of stalled requests.</summary>
    public required long Count { get; init; }

    /// <summary>Stalled requests as a share (0 to 1) of all.</summary>
    public required double Share { get; init; }

    /// <summary>The ACK timer that the waits cluster at in milliseconds: 10, 40, 50, 100 or 200; null without a cluster.</summary>
    public double? ClusterMs { get; init; }

    /// <summary>Median wait of the stalled requests in milliseconds; null without stalls.</summary>
    public double? MedianMs { get; init; }

    /// <summary>Time lost in stalls in milliseconds.</summary>
    public required double TotalMs { get; init; }

    /// <summary>What counts as a stall here: a wait longer than this, in milliseconds.</summary>
    public required double ThresholdMs { get; init; }
}
