namespace LatencyTuner.Core.Measurement.Http;

/// <summary>Where the time of all streams of a round went; sums over the streams whose sender's times could be.</summary>
public sealed record StreamFigures
{
    /// <summary>Streams with usable times of the sender.</summary>
    public long Timed { get; init; }

    /// <summary>Streams whose sender gave times that cannot be.</summary>
    public long Refused { get; init; }

    /// <summary>The sender's own time, from its first message to the end of its last flush, nanoseconds.</summary>
    public long SenderNs { get; init; }

    /// <summary>Making messages, nanoseconds.</summary>
    public long FetchNs { get; init; }

    /// <summary>Inside the calls that hand them on, nanoseconds.</summary>
    public long SendNs { get; init; }

    /// <summary>Waiting for flushes, nanoseconds.</summary>
    public long WaitNs { get; init; }

    /// <summary>Making messages while a flush was under way, as the sender saw it, nanoseconds.</summary>
    public long OverlapNs { get; init; }

    /// <summary>Making messages after the first had arrived, the least it can have been as the receiver saw it, nanoseconds.</summary>
    public long SeenOverlapNs { get; init; }

    /// <summary>Longest flush, nanoseconds.</summary>
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
