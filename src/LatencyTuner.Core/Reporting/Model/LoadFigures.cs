using LatencyTuner.Core.Analysis;

namespace LatencyTuner.Core.Reporting.Model;

/// <summary>The load in one direction over all loaded phases, and whether it filled the path.</summary>
public sealed record LoadFigures
{
    /// <summary><c>up</c>: to the responder; <c>down</c>: from it.</summary>
    public required string Direction { get; init; }

    /// <summary>Connections at the same time.</summary>
    public required int Connections { get; init; }

    /// <summary>Bytes moved in the counted time.</summary>
    public required long Bytes { get; init; }

    /// <summary>The counted time in milliseconds.</summary>
    public required double DurationMs { get; init; }

    /// <summary>Bytes per second in the counted time.</summary>
    public required double ThroughputBytesPerSecond { get; init; }

    /// <summary>True: the path was full; false: something else limited the load; null: cannot tell.</summary>
    public bool? Saturated { get; init; }

    /// <summary>What limited it.</summary>
    public required LoadLimit LimitedBy { get; init; }

    /// <summary>Why, a sentence.</summary>
    public required string Because { get; init; }

    /// <summary>Share (0 to 1) of the time with data outstanding; null where the sender's kernel does not count it.</summary>
    public double? BusyShare { get; init; }

    /// <summary>Share of that limited by the receiver's window.</summary>
    public double? RwndLimitedShare { get; init; }

    /// <summary>Share of that limited by the send buffer.</summary>
    public double? SndbufLimitedShare { get; init; }

    /// <summary>Share of that limited by neither, so by the congestion window at most; on Windows as counted.</summary>
    public double? CwndLimitedShare { get; init; }

    /// <summary>Segments sent again.</summary>
    public long? RetransmittedSegments { get; init; }

    /// <summary>Bytes sent again.</summary>
    public long? RetransmittedBytes { get; init; }

    /// <summary>Mean smoothed round trip of these connections at the end, in microseconds.</summary>
    public double? RttUs { get; init; }

    /// <summary>Their smallest round trip in microseconds.</summary>
    public double? MinRttUs { get; init; }
}
