namespace LatencyTuner.Core.Measurement.Http;

/// <summary>How the time of all streams of a round was spent; sums over the streams whose sender reported possible times.</summary>
public sealed record StreamFigures
{
    /// <summary>Number of streams whose sender reported possible times.</summary>
    public long Timed { get; init; }

    /// <summary>Number of streams whose sender reported impossible times.</summary>
    public long Refused { get; init; }

    /// <summary>The sender's own time, from its first message to the end of its last flush, nanoseconds.</summary>
    public long SenderNs { get; init; }

    /// <summary>Time to make messages, nanoseconds.</summary>
    public long FetchNs { get; init; }

    /// <summary>Time inside the calls that pass the messages on, nanoseconds.</summary>
    public long SendNs { get; init; }

    /// <summary>Time spent waiting for flushes, nanoseconds.</summary>
    public long WaitNs { get; init; }

    /// <summary>Time to make messages while a flush was in progress, as the sender saw it, nanoseconds.</summary>
    public long OverlapNs { get; init; }

    /// <summary>Lower bound of the time to make messages after the first had arrived, as the receiver saw it, nanoseconds.</summary>
    public long SeenOverlapNs { get; init; }

    /// <summary>Time of the longest flush, nanoseconds.</summary>
    public long LongestNs { get; init; }

    /// <summary>The largest window that a stream had, bytes.</summary>
    public long WindowBytes { get; init; }

    /// <summary>Shortest round trip seen, nanoseconds; null when none was.</summary>
    public long? RoundTripNs { get; init; }

    internal static StreamFigures Of(IReadOnlyList<StreamSample> samples, long window, long? roundTripNs)
    {
        List<StreamTimes> times = [.. samples.Select(s => s.Times).OfType<StreamTimes>()];
        return new StreamFigures
        {
            Timed = times.Count,
            Refused = samples.Count(s => s.Refused),
            SenderNs = times.Sum(t => t.ElapsedNs),
            FetchNs = times.Sum(t => t.FetchNs),
            SendNs = times.Sum(t => t.SendNs),
            WaitNs = times.Sum(t => t.WaitNs),
            OverlapNs = times.Sum(t => t.OverlapNs),
            SeenOverlapNs = samples.Sum(s => s.OverlapNs ?? 0),
            LongestNs = times.Count > 0 ? times.Max(t => t.LongestNs) : 0,
            WindowBytes = window,
            RoundTripNs = roundTripNs,
        };
    }
}
