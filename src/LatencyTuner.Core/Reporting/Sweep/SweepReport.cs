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
    /// <summary><c>latencytuner/sweep/2</c>.</summary>
    [JsonPropertyOrder(-2)]
    public string Schema { get; init; } = "latencytuner/sweep/2";

    /// <summary>Why the sweep ended early, a sentence; null when it did not.</summary>
    public string? EndedBecause { get; init; }

    /// <summary>The target that was measured.</summary>
    public required TargetDescription Target { get; init; }

    /// <summary>The swept dimensions, for example <c>rate</c>.</summary>
    public required IReadOnlyList<string> Dimensions { get; init; }

    /// <summary><c>tcp</c>, or <c>http2</c> when the responder sends each request's messages in a response stream.</summary>
    public string Protocol { get; init; } = "tcp";

    /// <summary>The write pattern, for example <c>single</c>.</summary>
    public required string Pattern { get; init; }

    /// <summary>The options, without the swept one.</summary>
    public required OptionPair Options { get; init; }

    /// <summary>What a request consists of; null where the options describe it.</summary>
    public SweepLoadFigures? Load { get; init; }

    /// <summary>Number of rounds of points taken from the state file of an interrupted run.</summary>
    public int ResumedRounds { get; init; }

    /// <summary>The points in ascending order of the dimension; the point that the system chooses comes first.</summary>
    [Required]
    public IReadOnlyList<SweepPoint> Points { get; init; } = [];

    /// <summary>The knee; null when there is none. With connections as a second dimension, that of the fewest connections that have one.</summary>
    public SweepKnee? Knee { get; init; }

    /// <summary>With connections as a second dimension: the knee at each number of connections that has one.</summary>
    public IReadOnlyList<SweepKnee> Knees { get; init; } = [];

    /// <summary>For buffers and windows: the size from which the latency degrades.</summary>
    public IReadOnlyList<SweepOnset> GoesBad { get; init; } = [];

    /// <summary>The findings.</summary>
    [Required]
    public IReadOnlyList<Finding> Findings { get; init; } = [];

    /// <summary>What the reader must know, a sentence each.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];
}

/// <summary>A socket buffer as requested and as the operating system set it. Linux doubles the requested size and has a lower and an upper limit.</summary>
public sealed record BufferSize
{
    /// <summary>Requested size in bytes; null when it was left to the system, which may then adapt it.</summary>
    public int? Requested { get; init; }

    /// <summary>Size in bytes as read back at the start; null when the system did not report it.</summary>
    public int? Effective { get; init; }
}

/// <summary>What one request of a sweep consists of, without the swept values.</summary>
public sealed record SweepLoadFigures
{
    /// <summary>Size of a message in bytes.</summary>
    public required int MessageBytes { get; init; }

    /// <summary>Number of messages in a request.</summary>
    public required int Messages { get; init; }

    /// <summary>Number of messages handed to the system in one write.</summary>
    public required int MessagesPerWrite { get; init; }

    /// <summary>Over HTTP/2: true when messages are made while earlier ones are sent; null over TCP.</summary>
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

    /// <summary>Size of a message in bytes; null when not swept.</summary>
    public int? SizeBytes { get; init; }

    /// <summary>SO_SNDBUF of the sending end in bytes; null when not swept.</summary>
    public BufferSize? SendBufferBytes { get; init; }

    /// <summary>SO_RCVBUF of the receiving end in bytes; null when neither it nor the window is swept.</summary>
    public BufferSize? ReceiveBufferBytes { get; init; }

    /// <summary>The requested receive window in bytes, or <c>dynamic</c>; null when not swept.</summary>
    [JsonConverter(typeof(WindowBytesConverter))]
    public object? WindowBytes { get; init; }

    /// <summary>Number of connections; null when not swept.</summary>
    public int? Connections { get; init; }

    /// <summary>Number of messages in one write; null when not swept.</summary>
    public int? MessagesPerWrite { get; init; }

    /// <summary>Why the measurement of the point was ended, a sentence; null when it was not.</summary>
    public string? FailedBecause { get; init; }

    /// <summary>Number of rounds measured.</summary>
    public int Rounds { get; init; }

    /// <summary>Number of responses; for one-way messages, number of requests sent.</summary>
    [Range(0, double.MaxValue)]
    public required long N { get; init; }

    /// <summary>Mean response time in microseconds.</summary>
    [Required]
    public double? MeanUs { get; init; }

    /// <summary>Median response time in microseconds.</summary>
    [Required]
    public double? P50Us { get; init; }

    /// <summary>90th percentile of the response time in microseconds.</summary>
    public double? P90Us { get; init; }

    /// <summary>99th percentile of the response time in microseconds; null with too few samples.</summary>
    [Required]
    public double? P99Us { get; init; }

    /// <summary>99.9th percentile of the response time in microseconds; null with too few samples.</summary>
    [JsonPropertyName("p99_9Us")]
    public double? P999Us { get; init; }

    /// <summary>Longest response time in microseconds.</summary>
    [Required]
    public double? MaxUs { get; init; }

    /// <summary>Responses per second; for one-way messages, requests per second that the other end received.</summary>
    [Required]
    public double ThroughputPerSecond { get; init; }

    /// <summary>Lower end of the 95 % interval of the throughput over the rounds; null with fewer than two rounds.</summary>
    public double? ThroughputLowPerSecond { get; init; }

    /// <summary>Upper end of the 95 % interval of the throughput over the rounds; null with fewer than two rounds.</summary>
    public double? ThroughputHighPerSecond { get; init; }

    /// <summary>Bytes of requests per second.</summary>
    public double? ThroughputBytesPerSecond { get; init; }

    /// <summary>Share (0 to 1) of the time inside send calls.</summary>
    [Required]
    public double? SendBlockedShare { get; init; }

    /// <summary>Share (0 to 1) of the time limited by the peer's receive window.</summary>
    [Required]
    public double? RwndLimitedShare { get; init; }

    /// <summary>Share (0 to 1) of the time limited by the send buffer.</summary>
    [Required]
    public double? SndbufLimitedShare { get; init; }

    /// <summary>Share (0 to 1) of the time limited by the congestion window.</summary>
    [Required]
    public double? CwndLimitedShare { get; init; }

    /// <summary>
    /// Share (0 to 1) of the time with data in flight or waiting for a window. Where the time limited by the congestion window is not counted, this
    /// is its upper bound.
    /// </summary>
    public double? BusyShare { get; init; }

    /// <summary>Number of segments sent per request.</summary>
    public double? SegmentsPerRequest { get; init; }

    /// <summary>Over HTTP/2: the largest window that a stream had, in bytes; a dynamic window grows from 64 KiB in each stream.</summary>
    public long? StreamWindowBytes { get; init; }

    /// <summary>Over HTTP/2: the shortest round trip seen, in microseconds; in each round trip, a stream carries at most its window.</summary>
    public double? RoundTripUs { get; init; }

    /// <summary>Over HTTP/2: share (0 to 1) of the sender's time in which it made messages.</summary>
    public double? FetchShare { get; init; }

    /// <summary>Over HTTP/2: share (0 to 1) of the sender's time inside the calls that send messages.</summary>
    public double? SendCallShare { get; init; }

    /// <summary>Over HTTP/2: share (0 to 1) of the sender's time in which it waited for a flush.</summary>
    public double? SendWaitShare { get; init; }

    /// <summary>Over HTTP/2: share (0 to 1) of the time for making messages during which others were being flushed, as the sender saw it.</summary>
    public double? FetchOverlapShare { get; init; }

    /// <summary>Over HTTP/2: share (0 to 1) of the time for making messages after the first message had arrived; a lower bound, from the receiver.</summary>
    public double? FetchOverlapSeenShare { get; init; }

    /// <summary>Longest time inside the send calls of one request in microseconds; over HTTP/2, the longest flush including its wait.</summary>
    [Required]
    public double? LongestSendUs { get; init; }

    /// <summary>99th percentile of the send lateness in microseconds.</summary>
    public double? SendLatenessP99Us { get; init; }

    /// <summary>True when the planned rate was reached.</summary>
    public bool RateHeld { get; init; } = true;

    /// <summary>95 % intervals by the name of the figure, for example <c>p50Us</c>.</summary>
    [Required]
    public IReadOnlyDictionary<string, IntervalFigures> Intervals { get; init; } = new Dictionary<string, IntervalFigures>();
}
