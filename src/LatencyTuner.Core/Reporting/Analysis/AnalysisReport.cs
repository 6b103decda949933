using System.ComponentModel.DataAnnotations;
using System.Text.Json.Serialization;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting.Model;

namespace LatencyTuner.Core.Reporting.Analysis;

/// <summary>The <c>analysis</c> document: what captures show.</summary>
public sealed record AnalysisReport : Report
{
    /// <summary><c>latencytuner/analysis/2</c>.</summary>
    [JsonPropertyOrder(-2)]
    public string Schema { get; init; } = "latencytuner/analysis/2";

    /// <summary>The files that were read.</summary>
    public required IReadOnlyList<AnalysedInput> Inputs { get; init; }

    /// <summary>Hosts by the delay of their ACKs, the slowest first.</summary>
    public IReadOnlyList<AnalysedHost> Hosts { get; init; } = [];

    /// <summary>Processes by the bytes that they sent and received, the most first; empty for captures.</summary>
    public IReadOnlyList<AnalysedProcess> Processes { get; init; } = [];

    /// <summary>Connections by lost time, the worst first; at most as many as requested.</summary>
    public IReadOnlyList<AnalysedConnection> Connections { get; init; } = [];

    /// <summary>Number of connections that were seen, listed or not.</summary>
    public long ConnectionCount { get; init; }

    /// <summary>Requests with their responses, in order of time; the slowest when there are more than requested.</summary>
    public IReadOnlyList<AnalysedTransaction> Transactions { get; init; } = [];

    /// <summary>Number of transactions that were seen, listed or not.</summary>
    public long TransactionCount { get; init; }

    /// <summary>The figures that the findings are based on.</summary>
    public IReadOnlyList<AnalysisObservation> Observations { get; init; } = [];

    /// <summary>The findings.</summary>
    [Required]
    public IReadOnlyList<Finding> Findings { get; init; } = [];

    /// <summary>One example stall step by step; null without one.</summary>
    public AnalysisLadder? Example { get; init; }

    /// <summary>Connections that were captured at two places.</summary>
    public IReadOnlyList<PairedConnection> Pairs { get; init; } = [];

    /// <summary>What the reader must know, a sentence each.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];
}

/// <summary>A file that was analysed.</summary>
public sealed record AnalysedInput
{
    /// <summary>Path of the file; <c>-</c> for standard input.</summary>
    public required string Path { get; init; }

    /// <summary>SHA-256 of its bytes in hexadecimal; null when they could not be read to the end.</summary>
    public string? Sha256 { get; init; }

    /// <summary>The file format, for example pcap.</summary>
    public required string Kind { get; init; }

    /// <summary>Number of packets of every protocol.</summary>
    public required long Packets { get; init; }

    /// <summary>Number of trace records, header and metadata included; 0 for captures.</summary>
    public long Events { get; init; }

    /// <summary>Number of trace records by provider and event; empty for captures.</summary>
    public IReadOnlyList<EventCount> EventCounts { get; init; } = [];

    /// <summary>Bytes read, after decompression.</summary>
    public required long Bytes { get; init; }

    /// <summary>Number of packets left out, by reason.</summary>
    public IReadOnlyDictionary<string, long> Skipped { get; init; } = new Dictionary<string, long>();

    /// <summary>
    /// What was lost, by kind: packets that the capture dropped, events and buffers that the trace lost, bytes that were acknowledged but never
    /// captured.
    /// </summary>
    public IReadOnlyDictionary<string, long> Lost { get; init; } = new Dictionary<string, long>();

    /// <summary>Where and why reading ended early, a sentence; null when it did not.</summary>
    public string? Damage { get; init; }

    /// <summary>Time of the first packet.</summary>
    public DateTimeOffset? StartUtc { get; init; }

    /// <summary>Time from the first packet to the last, milliseconds.</summary>
    public double DurationMs { get; init; }

    /// <summary>Resolution of the capture's clock in nanoseconds.</summary>
    public long ClockStepNs { get; init; }
}

/// <summary>An observed figure with its unit and its number of samples.</summary>
public sealed record AnalysisObservation
{
    /// <summary>What the figure is, in words.</summary>
    public required string What { get; init; }

    /// <summary>The host that the figure is about; null for none.</summary>
    public string? Host { get; init; }

    /// <summary>The connection that the figure is about; null for none.</summary>
    public string? Connection { get; init; }

    /// <summary>The process that the figure is about; null for none.</summary>
    public string? Process { get; init; }

    /// <summary>The value of the figure.</summary>
    public required double Value { get; init; }

    /// <summary>Unit of the value, for example ms.</summary>
    public required string Unit { get; init; }

    /// <summary>Number of samples.</summary>
    public required long N { get; init; }

    /// <summary>False when the figure uses events whose meaning is known only from a manifest.</summary>
    public bool Verified { get; init; } = true;
}

/// <summary>Trace records of one kind.</summary>
public sealed record EventCount
{
    /// <summary>The provider of the event.</summary>
    public required string Provider { get; init; }

    /// <summary>Event id; null for classic events.</summary>
    public int? Id { get; init; }

    /// <summary>Opcode; null for manifest events.</summary>
    public int? Opcode { get; init; }

    /// <summary>Version of the event.</summary>
    public int Version { get; init; }

    /// <summary>Name of the event; null when neither the trace nor this program's tables have it.</summary>
    public string? Name { get; init; }

    /// <summary>Number of records.</summary>
    public required long Count { get; init; }
}

/// <summary>A connection that was captured at two places, with the clocks aligned.</summary>
public sealed record PairedConnection
{
    /// <summary>Id of the connection.</summary>
    public required string Connection { get; init; }

    /// <summary>The capture nearer to the client.</summary>
    public required string ClientCapture { get; init; }

    /// <summary>The capture nearer to the server.</summary>
    public required string ServerCapture { get; init; }

    /// <summary>Number of packets found in both captures.</summary>
    public required long Packets { get; init; }

    /// <summary>How far the second clock is ahead, milliseconds. The figure assumes that the idle path is equally fast in both directions.</summary>
    public required double ClockOffsetMs { get; init; }

    /// <summary>Maximum error of the offset, milliseconds: half the shortest round trip between the captures.</summary>
    public required double ClockUncertaintyMs { get; init; }

    /// <summary>How much faster the second clock runs, parts per million; null when the capture is too short to show it.</summary>
    public double? ClockSkewPpm { get; init; }

    /// <summary>Median time from the client's capture to the server's, milliseconds.</summary>
    public required double ToServerP50Ms { get; init; }

    /// <summary>Longest time from the client's capture to the server's, milliseconds.</summary>
    public required double ToServerMaxMs { get; init; }

    /// <summary>Median time from the server's capture to the client's, milliseconds.</summary>
    public required double ToClientP50Ms { get; init; }

    /// <summary>Longest time from the server's capture to the client's, milliseconds.</summary>
    public required double ToClientMaxMs { get; init; }

    /// <summary>Client packets with data that only the client's capture has: they were lost between the captures.</summary>
    public long LostToServer { get; init; }

    /// <summary>Server packets with data that only the server's capture has: they were lost between the captures.</summary>
    public long LostToClient { get; init; }
}
