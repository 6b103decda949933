namespace LatencyTuner.Core.Sockets;

/// <summary>
/// One sample of a connection's kernel counters. A counter is null where the kernel does not report it.
/// Sources: Linux <c>struct tcp_info</c> (include/uapi/linux/tcp.h), Windows <c>TCP_INFO_v0/v1</c> (mstcpip.h).
/// </summary>
public sealed record KernelCounters
{
    /// <summary>A sample of a kernel that has no such counters.</summary>
    public static readonly KernelCounters Unsupported = new() { Source = "unsupported" };

    /// <summary>In place of a sample of a peer that cannot be.</summary>
    internal static readonly KernelCounters Impossible = new() { Source = "impossible, left out" };

    /// <summary>
    /// <c>TCP_INFO</c>, <c>SIO_TCP_INFO v1</c>, <c>SIO_TCP_INFO v0</c> or <c>unsupported</c>; of a peer that reported what cannot be,
    /// <c>impossible, left out</c>.
    /// </summary>
    public required string Source { get; init; }

    /// <summary>Smoothed round-trip time, µs.</summary>
    public long? RttUs { get; init; }

    /// <summary>Minimum round-trip time, µs.</summary>
    public long? MinRttUs { get; init; }

    /// <summary>Segments retransmitted since the connection began.</summary>
    public long? RetransmittedSegments { get; init; }

    /// <summary>Bytes retransmitted since the connection began.</summary>
    public long? RetransmittedBytes { get; init; }

    /// <summary>Time limited by the peer's receive window since the connection began, µs.</summary>
    public long? RwndLimitedUs { get; init; }

    /// <summary>Time limited by the send buffer, µs.</summary>
    public long? SndbufLimitedUs { get; init; }

    /// <summary>Time limited by the congestion window, µs.</summary>
    public long? CwndLimitedUs { get; init; }

    /// <summary>Time with data outstanding, µs.</summary>
    public long? BusyUs { get; init; }

    /// <summary>Segments sent.</summary>
    public long? SegmentsOut { get; init; }

    /// <summary>Segments received.</summary>
    public long? SegmentsIn { get; init; }

    /// <summary>Segments with data sent.</summary>
    public long? DataSegmentsOut { get; init; }

    /// <summary>Segments with data received.</summary>
    public long? DataSegmentsIn { get; init; }

    /// <summary>Maximum segment size for sending, bytes.</summary>
    public long? MssBytes { get; init; }

    /// <summary>Whether a connection can have counted this. What a peer says is held against it.</summary>
    /// <param name="age">Time since the connection was made.</param>
    internal bool CanBeAfter(TimeSpan age)
    {
        // More than any link carries, and enough to let the clocks of two hosts differ.
        const double MostSegmentsPerSecond = 1e9;
        const double MostBytesPerSecond = 1e12;
        const long MostMss = 65_535;
        double seconds = age.TotalSeconds + 1;
        double us = seconds * 1e6;
        bool times = !(RttUs > us || MinRttUs > us || RwndLimitedUs > us || SndbufLimitedUs > us || CwndLimitedUs > us || BusyUs > us);
        double segments = seconds * MostSegmentsPerSecond;
        return times && !(RetransmittedSegments > segments || SegmentsOut > segments || SegmentsIn > segments || DataSegmentsOut > segments
            || DataSegmentsIn > segments || RetransmittedBytes > seconds * MostBytesPerSecond || MssBytes > MostMss);
    }

    /// <summary>Bytes that the peer has acknowledged; read at this end only, never taken from a peer.</summary>
    public long? AckedBytes { get; init; }
}
