using System.Text.Json.Serialization;

namespace LatencyTuner.Core.Reporting.Model;

/// <summary>One point of a sweep, all rounds together.</summary>
public sealed record SweepPoint
{
    /// <summary>Planned rate in requests per second.</summary>
    public double? Rate { get; init; }

    /// <summary>Size of a message in bytes, where swept.</summary>
    public int? SizeBytes { get; init; }

    /// <summary>SO_SNDBUF of the sending end, where swept.</summary>
    public BufferSize? SendBufferBytes { get; init; }

    /// <summary>SO_RCVBUF of the receiving end, where it or the window is swept.</summary>
    public BufferSize? ReceiveBufferBytes { get; init; }

    /// <summary>The receive window asked for in bytes, or <c>dynamic</c>; null when not swept.</summary>
    [JsonConverter(typeof(WindowBytesConverter))]
    public object? WindowBytes { get; init; }

    /// <summary>Connections, where swept.</summary>
    public int? Connections { get; init; }

    /// <summary>Messages in one write, where swept.</summary>
    public int? MessagesPerWrite { get; init; }

    /// <summary>Why the point was given up, a sentence; null when it was not.</summary>
    public string? FailedBecause { get; init; }

    /// <summary>Rounds measured.</summary>
    public int Rounds { get; init; }

    /// <summary>Number of responses; one way: of requests sent.</summary>
    public required long N { get; init; }

    /// <summary>Mean response time in microseconds.</summary>
    public double? MeanUs { get; init; }

    /// <summary>Median in microseconds.</summary>
    public double? P50Us { get; init; }

    /// <summary>90th percentile in microseconds.</summary>
    public double? P90Us { get; init; }

    /// <summary>99th percentile in microseconds; null for want of samples.</summary>
    public double? P99Us { get; init; }

    /// <summary>99.9th percentile in microseconds; null for want of samples.</summary>
    [JsonPropertyName("p99_9Us")]
    public double? P999Us { get; init; }

    /// <summary>Largest in microseconds.</summary>
    public double? MaxUs { get; init; }

    /// <summary>Responses per second; one way: requests that the other end had received, per second.</summary>
    public double ThroughputPerSecond { get; init; }

    /// <summary>Lower end of the 95 % interval of that over the rounds; null with fewer than two.</summary>
    public double? ThroughputLowPerSecond { get; init; }

    /// <summary>Upper end.</summary>
    public double? ThroughputHighPerSecond { get; init; }

    /// <summary>Bytes of requests per second.</summary>
    public double? ThroughputBytesPerSecond { get; init; }

    /// <summary>Share (0 to 1) of the time inside send calls.</summary>
    public double? SendBlockedShare { get; init; }

    /// <summary>Share of the time limited by the peer's receive window.</summary>
    public double? RwndLimitedShare { get; init; }

    /// <summary>Share of the time limited by the send buffer.</summary>
    public double? SndbufLimitedShare { get; init; }

    /// <summary>Share of the time limited by the congestion window.</summary>
    public double? CwndLimitedShare { get; init; }

    /// <summary>
    /// Share of the time with data on its way or waiting for a window: an upper bound of the time limited by the congestion window where that is not counted.
    /// </summary>
    public double? BusyShare { get; init; }

    /// <summary>Segments sent per request.</summary>
    public double? SegmentsPerRequest { get; init; }

    /// <summary>Over HTTP/2: the largest window that a stream had open, bytes; that of a dynamic one grows from 64 KiB in each stream.</summary>
    public long? StreamWindowBytes { get; init; }

    /// <summary>Over HTTP/2: the shortest round trip seen in microseconds; a stream carries at most its window in each.</summary>
    public double? RoundTripUs { get; init; }

    /// <summary>Over HTTP/2: share of the sender's time in which it made messages.</summary>
    public double? FetchShare { get; init; }

    /// <summary>Over HTTP/2: share of the sender's time inside the calls that hand messages on.</summary>
    public double? SendCallShare { get; init; }

    /// <summary>Over HTTP/2: share of the sender's time in which it waited for a flush.</summary>
    public double? SendWaitShare { get; init; }

    /// <summary>Over HTTP/2: share of the making of messages that went on while others were being flushed, as the sender saw it.</summary>
    public double? FetchOverlapShare { get; init; }

    /// <summary>Over HTTP/2: share of the making of messages that went on after the first had arrived, the least that the receiver saw.</summary>
    public double? FetchOverlapSeenShare { get; init; }

    /// <summary>Longest time inside the send calls of one request in microseconds; over HTTP/2 of one flush, its wait included.</summary>
    public double? LongestSendUs { get; init; }

    /// <summary>99th percentile of the send lateness in microseconds.</summary>
    public double? SendLatenessP99Us { get; init; }

    /// <summary>True when the planned rate was held.</summary>
    public bool RateHeld { get; init; } = true;

    /// <summary>95 % intervals by the name of the figure.</summary>
    public IReadOnlyDictionary<string, IntervalFigures> Intervals { get; init; } = new Dictionary<string, IntervalFigures>();
}
