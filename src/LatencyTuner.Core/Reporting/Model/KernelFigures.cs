using System.ComponentModel.DataAnnotations;

namespace LatencyTuner.Core.Reporting.Model;

/// <summary>
/// The kernel's own counters of the measured connections of one end, last sample minus first sample, summed over connections
/// (Linux TCP_INFO, Windows SIO_TCP_INFO). Null where this kernel does not report the figure.
/// </summary>
public sealed record KernelFigures
{
    /// <summary>
    /// Where the figures come from: <c>TCP_INFO</c>, <c>SIO_TCP_INFO v1</c>, <c>SIO_TCP_INFO v0</c>, <c>unsupported</c>, or <c>impossible, left out</c>.
    /// </summary>
    public required string Source { get; init; }

    /// <summary>Smoothed round-trip time at the end of the run in microseconds (mean over connections).</summary>
    public double? RttUs { get; init; }

    /// <summary>Minimum round-trip time in microseconds (smallest over connections).</summary>
    public double? MinRttUs { get; init; }

    /// <summary>Retransmitted segments during the run; Linux only.</summary>
    [Range(0, double.MaxValue)]
    public long? RetransmittedSegments { get; init; }

    /// <summary>Retransmitted bytes during the run.</summary>
    [Range(0, double.MaxValue)]
    public long? RetransmittedBytes { get; init; }

    /// <summary>Time for which the peer's receive window limited sending, in milliseconds.</summary>
    public double? RwndLimitedMs { get; init; }

    /// <summary>Time for which the send buffer limited sending, in milliseconds; Linux only.</summary>
    public double? SndbufLimitedMs { get; init; }

    /// <summary>Time for which the congestion window limited sending, in milliseconds; Windows only.</summary>
    public double? CwndLimitedMs { get; init; }

    /// <summary>Time with data outstanding, in milliseconds; Linux only (tcpi_busy_time).</summary>
    public double? BusyMs { get; init; }

    /// <summary>Segments sent during the run.</summary>
    [Range(0, double.MaxValue)]
    public long? SegmentsOut { get; init; }

    /// <summary>Segments received during the run.</summary>
    [Range(0, double.MaxValue)]
    public long? SegmentsIn { get; init; }

    /// <summary>Pure ACKs received during the run: segments without data.</summary>
    [Range(0, double.MaxValue)]
    public long? PureAcksIn { get; init; }

    /// <summary>Pure ACKs sent during the run: segments without data.</summary>
    [Range(0, double.MaxValue)]
    public long? PureAcksOut { get; init; }

    /// <summary>Maximum segment size in bytes.</summary>
    public int? MssBytes { get; init; }
}

/// <summary>Kernel counters of both ends.</summary>
public sealed record KernelPair
{
    /// <summary>Counters of this end; null when they were not read.</summary>
    [Required]
    public KernelFigures? Local { get; init; }

    /// <summary>Counters of the responder's end; null when they were not read.</summary>
    [Required]
    public KernelFigures? Peer { get; init; }
}
