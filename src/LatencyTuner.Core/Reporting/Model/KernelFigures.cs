using System.ComponentModel.DataAnnotations;

namespace LatencyTuner.Core.Reporting.Model;

/// <summary>
/// The kernel's own counters of the measured connections of one end, last sample less first, summed over connections
/// (Linux TCP_INFO, Windows SIO_TCP_INFO). Null where this kernel does not report the figure.
/// </summary>
public sealed record KernelFigures
{
    /// <summary>Where the figures come from: <c>TCP_INFO</c>, <c>SIO_TCP_INFO v1</c>, <c>SIO_TCP_INFO v0</c> or <c>unsupported</c>.</summary>
    public required string Source { get; init; }

    /// <summary>Smoothed round-trip time at the end of the run in microseconds (mean over connections).</summary>
    public double? RttUs { get; init; }

    /// <summary>Minimum round-trip time in microseconds (smallest over connections).</summary>
    public double? MinRttUs { get; init; }

    /// <summary>Retransmitted segments (Linux) during the run.</summary>
    [Range(0, double.MaxValue)]
    public long? RetransmittedSegments { get; init; }

    /// <summary>Retransmitted bytes during the run.</summary>
    [Range(0, double.MaxValue)]
    public long? RetransmittedBytes { get; init; }

    /// <summary>Time limited by the peer's receive window, ms.</summary>
    public double? RwndLimitedMs { get; init; }

    /// <summary>Time limited by the send buffer (Linux), ms.</summary>
    public double? SndbufLimitedMs { get; init; }

    /// <summary>Time limited by the congestion window (Windows), ms.</summary>
    public double? CwndLimitedMs { get; init; }

    /// <summary>Time with data outstanding (Linux tcpi_busy_time), ms.</summary>
    public double? BusyMs { get; init; }

    /// <summary>Segments sent.</summary>
    [Range(0, double.MaxValue)]
    public long? SegmentsOut { get; init; }

    /// <summary>Segments received.</summary>
    [Range(0, double.MaxValue)]
    public long? SegmentsIn { get; init; }

    /// <summary>Segments received that carried no data: pure ACKs.</summary>
    [Range(0, double.MaxValue)]
    public long? PureAcksIn { get; init; }

    /// <summary>Segments sent that carried no data.</summary>
    [Range(0, double.MaxValue)]
    public long? PureAcksOut { get; init; }

    /// <summary>Maximum segment size in bytes.</summary>
    public int? MssBytes { get; init; }
}

/// <summary>Kernel counters of both ends.</summary>
public sealed record KernelPair
{
    /// <summary>This end.</summary>
    [Required]
    public KernelFigures? Local { get; init; }

    /// <summary>The responder's end.</summary>
    [Required]
    public KernelFigures? Peer { get; init; }
}
