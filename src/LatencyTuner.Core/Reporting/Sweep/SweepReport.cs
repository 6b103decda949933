using System.ComponentModel.DataAnnotations;
using System.Text.Json.Serialization;
using LatencyTuner.Core.Analysis.Sweeps;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting.Model;
using LatencyTuner.Core.Statistics;

namespace LatencyTuner.Core.Reporting.Sweep;

/// <summary>The <c>sweep</c> document.</summary>
public sealed record SweepReport : Report
{
    /// <summary><c>latencytuner/sweep/1</c>.</summary>
    public string Schema { get; init; } = "latencytuner/sweep/1";

    /// <summary>False when it ended early.</summary>
    public required bool Complete { get; init; }

    /// <summary>Why it ended early, a sentence.</summary>
    public string? EndedBecause { get; init; }

    /// <summary>When it started.</summary>
    public required DateTimeOffset StartedUtc { get; init; }

    /// <summary>What was measured.</summary>
    public required TargetDescription Target { get; init; }

    /// <summary>The dimensions, for example <c>rate</c>.</summary>
    public required IReadOnlyList<string> Dimensions { get; init; }

    /// <summary><c>tcp</c>, or <c>http2</c> when the responder sends each request's messages in a response stream.</summary>
    public string Protocol { get; init; } = "tcp";

    /// <summary>The write pattern.</summary>
    public required string Pattern { get; init; }

    /// <summary>The options, the swept one aside.</summary>
    public required OptionPair Options { get; init; }

    /// <summary>What a request consists of; null where the options say it all.</summary>
    public SweepLoadFigures? Load { get; init; }

    /// <summary>Rounds of points that an interrupted run had left in the state file.</summary>
    public int ResumedRounds { get; init; }

    /// <summary>Points in ascending order of the dimension, the system's own choice first.</summary>
    [Required]
    public IReadOnlyList<SweepPoint> Points { get; init; } = [];

    /// <summary>The knee; null when there is none. With connections as a second dimension, that of the fewest connections that have one.</summary>
    public SweepKnee? Knee { get; init; }

    /// <summary>With connections as a second dimension: the knee at each number of them that has one.</summary>
    public IReadOnlyList<SweepKnee> Knees { get; init; } = [];

    /// <summary>Where it begins to go bad, for buffers and windows.</summary>
    public IReadOnlyList<SweepOnset> GoesBad { get; init; } = [];

    /// <summary>Findings.</summary>
    [Required]
    public IReadOnlyList<Finding> Findings { get; init; } = [];

    /// <summary>What the reader must know, a sentence each.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];
}

/// <summary>A socket buffer as it was asked for and as the operating system set it: Linux doubles what is asked and has a lower and an upper limit.</summary>
public sealed record BufferSize
{
    /// <summary>Bytes asked for; null: left to the system, which may then adapt it.</summary>
    public int? Requested { get; init; }

    /// <summary>Bytes as read back at the start; null when the system did not say.</summary>
    public int? Effective { get; init; }
}

/// <summary>What one request of a sweep consists of, swept values aside.</summary>
public sealed record SweepLoadFigures
{
    /// <summary>Size of a message in bytes.</summary>
    public required int MessageBytes { get; init; }

    /// <summary>Messages in a request.</summary>
    public required int Messages { get; init; }

    /// <summary>Messages handed to the system in one write.</summary>
    public required int MessagesPerWrite { get; init; }

    /// <summary>Over HTTP/2: true when messages are made while those before are sent; null over TCP.</summary>
    public bool? FetchedAhead { get; init; }

    /// <summary>Over HTTP/2: true when all streams share one connection; null over TCP.</summary>
    public bool? OneConnection { get; init; }

    /// <summary>True when requests have no replies.</summary>
    public bool OneWay { get; init; }
}

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
    [Range(0, double.MaxValue)]
    public required long N { get; init; }

    /// <summary>Mean response time in microseconds.</summary>
    [Required]
    public double? MeanUs { get; init; }

    /// <summary>Median in microseconds.</summary>
    [Required]
    public double? P50Us { get; init; }

    /// <summary>90th percentile in microseconds.</summary>
    public double? P90Us { get; init; }

    /// <summary>99th percentile in microseconds; null for want of samples.</summary>
    [Required]
    public double? P99Us { get; init; }

    /// <summary>99.9th percentile in microseconds; null for want of samples.</summary>
    [JsonPropertyName("p99_9Us")]
    public double? P999Us { get; init; }

    /// <summary>Largest in microseconds.</summary>
    [Required]
    public double? MaxUs { get; init; }

    /// <summary>Responses per second; one way: requests that the other end had received, per second.</summary>
    [Required]
    public double ThroughputPerSecond { get; init; }

    /// <summary>Lower end of the 95 % interval of that over the rounds; null with fewer than two.</summary>
    public double? ThroughputLowPerSecond { get; init; }

    /// <summary>Upper end.</summary>
    public double? ThroughputHighPerSecond { get; init; }

    /// <summary>Bytes of requests per second.</summary>
    public double? ThroughputBytesPerSecond { get; init; }

    /// <summary>Share (0 to 1) of the time inside send calls.</summary>
    [Required]
    public double? SendBlockedShare { get; init; }

    /// <summary>Share of the time limited by the peer's receive window.</summary>
    [Required]
    public double? RwndLimitedShare { get; init; }

    /// <summary>Share of the time limited by the send buffer.</summary>
    [Required]
    public double? SndbufLimitedShare { get; init; }

    /// <summary>Share of the time limited by the congestion window.</summary>
    [Required]
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
    [Required]
    public double? LongestSendUs { get; init; }

    /// <summary>99th percentile of the send lateness in microseconds.</summary>
    public double? SendLatenessP99Us { get; init; }

    /// <summary>True when the planned rate was held.</summary>
    public bool RateHeld { get; init; } = true;

    /// <summary>95 % intervals by the name of the figure.</summary>
    [Required]
    public IReadOnlyDictionary<string, IntervalFigures> Intervals { get; init; } = new Dictionary<string, IntervalFigures>();
}
