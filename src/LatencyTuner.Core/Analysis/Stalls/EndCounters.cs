using LatencyTuner.Core.Sockets;

namespace LatencyTuner.Core.Analysis.Stalls;

/// <summary>Kernel counters of one end over all connections of a run: last sample less first. Null where the kernel does not report them.</summary>
internal sealed record EndCounters
{
    /// <summary>The source of the counters, for example <c>SIO_TCP_INFO v1</c>.</summary>
    public required string Source { get; init; }

    /// <summary>Mean smoothed RTT at the end, µs.</summary>
    public double? RttUs { get; init; }

    /// <summary>Smallest minimum RTT, µs.</summary>
    public long? MinRttUs { get; init; }

    /// <summary>Segments retransmitted.</summary>
    public long? RetransmittedSegments { get; init; }

    /// <summary>Bytes retransmitted.</summary>
    public long? RetransmittedBytes { get; init; }

    /// <summary>Time limited by the peer's receive window, µs.</summary>
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

    /// <summary>Segments without data received.</summary>
    public long? PureAcksIn { get; init; }

    /// <summary>Segments without data sent.</summary>
    public long? PureAcksOut { get; init; }

    /// <summary>MSS, bytes.</summary>
    public long? MssBytes { get; init; }

    /// <summary>
    /// Segments sent again. A kernel that counts only their bytes (Windows) is taken to repeat whole messages, so the number is the least that it can be.
    /// </summary>
    /// <param name="messageBytes">Size of a message of this end, bytes.</param>
    public long? SegmentsRetransmitted(int messageBytes)
    {
        long largest = Math.Max(Math.Min(messageBytes, MssBytes ?? messageBytes), 1);
        return RetransmittedSegments ?? (RetransmittedBytes is { } bytes ? (bytes + largest - 1) / largest : null);
    }

    /// <summary>Adds up the connections; null without any.</summary>
    public static EndCounters? From(IReadOnlyList<(KernelCounters Start, KernelCounters End)> samples)
    {
        if (samples.Count == 0)
        {
            return null;
        }

        long? Sum(Func<KernelCounters, long?> field)
        {
            long sum = 0;
            foreach ((KernelCounters start, KernelCounters end) in samples)
            {
                if (field(end) is not { } last || field(start) is not { } first)
                {
                    return null;
                }

                sum += Math.Max(last - first, 0);
            }

            return sum;
        }

        long? segmentsIn = Sum(c => c.SegmentsIn);
        long? segmentsOut = Sum(c => c.SegmentsOut);
        long? dataIn = Sum(c => c.DataSegmentsIn);
        long? dataOut = Sum(c => c.DataSegmentsOut);
        return new EndCounters
        {
            Source = samples[0].End.Source,
            RttUs = samples.All(s => s.End.RttUs is not null) ? samples.Average(s => (double?)s.End.RttUs) : null,
            MinRttUs = samples.Min(s => s.End.MinRttUs),
            RetransmittedSegments = Sum(c => c.RetransmittedSegments),
            RetransmittedBytes = Sum(c => c.RetransmittedBytes),
            RwndLimitedUs = Sum(c => c.RwndLimitedUs),
            SndbufLimitedUs = Sum(c => c.SndbufLimitedUs),
            CwndLimitedUs = Sum(c => c.CwndLimitedUs),
            BusyUs = Sum(c => c.BusyUs),
            SegmentsIn = segmentsIn,
            SegmentsOut = segmentsOut,
            PureAcksIn = segmentsIn is { } i && dataIn is { } di ? Math.Max(i - di, 0) : null,
            PureAcksOut = segmentsOut is { } o && dataOut is { } d ? Math.Max(o - d, 0) : null,
            MssBytes = samples[0].End.MssBytes,
        };
    }
}
