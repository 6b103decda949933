using System.ComponentModel.DataAnnotations;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting.Model;

namespace LatencyTuner.Core.Reporting.Analysis;

/// <summary>The <c>analysis</c> document: what captures show.</summary>
public sealed record AnalysisReport : Report
{
    /// <summary><c>latencytuner/analysis/1</c>.</summary>
    public string Schema { get; init; } = "latencytuner/analysis/1";

    /// <summary>False when reading ended early.</summary>
    public required bool Complete { get; init; }

    /// <summary>The result in a sentence.</summary>
    public required string Text { get; init; }

    /// <summary>The files.</summary>
    public required IReadOnlyList<AnalysedInput> Inputs { get; init; }

    /// <summary>Hosts by how long their ACKs were held, the slowest first.</summary>
    public IReadOnlyList<AnalysedHost> Hosts { get; init; } = [];

    /// <summary>Processes by the bytes they moved, the most first; empty for captures.</summary>
    public IReadOnlyList<AnalysedProcess> Processes { get; init; } = [];

    /// <summary>Connections by lost time, the worst first; at most as many as asked for.</summary>
    public IReadOnlyList<AnalysedConnection> Connections { get; init; } = [];

    /// <summary>Connections that were seen, listed or not.</summary>
    public long ConnectionCount { get; init; }

    /// <summary>Requests with their responses, in order of time; the slowest when there are more than asked for.</summary>
    public IReadOnlyList<AnalysedTransaction> Transactions { get; init; } = [];

    /// <summary>Transactions that were seen, listed or not.</summary>
    public long TransactionCount { get; init; }

    /// <summary>Figures behind the findings.</summary>
    public IReadOnlyList<AnalysisObservation> Observations { get; init; } = [];

    /// <summary>Findings.</summary>
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
    /// <summary>Its path; <c>-</c> for standard input.</summary>
    public required string Path { get; init; }

    /// <summary>SHA-256 of its bytes in hexadecimal; null when they could not be read to the end.</summary>
    public string? Sha256 { get; init; }

    /// <summary>The container, such as pcap.</summary>
    public required string Kind { get; init; }

    /// <summary>Packets, of every protocol.</summary>
    public required long Packets { get; init; }

    /// <summary>Records, header and metadata included; 0 for captures.</summary>
    public long Events { get; init; }

    /// <summary>Records by provider; empty for captures.</summary>
    public IReadOnlyList<EventCount> EventCounts { get; init; } = [];

    /// <summary>Bytes read, after decompression.</summary>
    public required long Bytes { get; init; }

    /// <summary>Packets left out by reason.</summary>
    public IReadOnlyDictionary<string, long> Skipped { get; init; } = new Dictionary<string, long>();

    /// <summary>What was lost by kind: packets the capture dropped, bytes acknowledged but never captured.</summary>
    public IReadOnlyDictionary<string, long> Lost { get; init; } = new Dictionary<string, long>();

    /// <summary>Where and why reading ended early, a sentence; null when it did not.</summary>
    public string? Damage { get; init; }

    /// <summary>First packet.</summary>
    public DateTimeOffset? StartUtc { get; init; }

    /// <summary>Time from the first packet to the last, milliseconds.</summary>
    public double DurationMs { get; init; }

    /// <summary>Step of its clock in nanoseconds.</summary>
    public long ClockStepNs { get; init; }
}

/// <summary>A figure that was observed: number, unit, count, and of what.</summary>
public sealed record AnalysisObservation
{
    /// <summary>What it is, in words.</summary>
    public required string What { get; init; }

    /// <summary>The host it is about.</summary>
    public string? Host { get; init; }

    /// <summary>The connection it is about.</summary>
    public string? Connection { get; init; }

    /// <summary>The process it is about; null when it is about none.</summary>
    public string? Process { get; init; }

    /// <summary>The figure.</summary>
    public required double Value { get; init; }

    /// <summary>Its unit.</summary>
    public required string Unit { get; init; }

    /// <summary>How many samples it comes from.</summary>
    public required long N { get; init; }

    /// <summary>False when it rests on events whose meaning only a manifest tells.</summary>
    public bool Verified { get; init; } = true;
}

/// <summary>Records of one kind in a trace.</summary>
public sealed record EventCount
{
    /// <summary>The provider.</summary>
    public required string Provider { get; init; }

    /// <summary>Event id; null for classic events.</summary>
    public int? Id { get; init; }

    /// <summary>Opcode; null for manifest events.</summary>
    public int? Opcode { get; init; }

    /// <summary>Version.</summary>
    public int Version { get; init; }

    /// <summary>Name of the event; null when neither the trace nor the tables tell it.</summary>
    public string? Name { get; init; }

    /// <summary>How many.</summary>
    public required long Count { get; init; }
}

/// <summary>A connection that was captured at two places, with the clocks aligned.</summary>
public sealed record PairedConnection
{
    /// <summary>The connection's id.</summary>
    public required string Connection { get; init; }

    /// <summary>The capture nearer to the client.</summary>
    public required string ClientCapture { get; init; }

    /// <summary>The capture nearer to the server.</summary>
    public required string ServerCapture { get; init; }

    /// <summary>Packets found in both.</summary>
    public required long Packets { get; init; }

    /// <summary>How far the second clock is ahead, milliseconds, assuming that the path is as fast in both directions when it is idle.</summary>
    public required double ClockOffsetMs { get; init; }

    /// <summary>By how much the offset may be wrong, milliseconds: half the shortest round trip between the captures.</summary>
    public required double ClockUncertaintyMs { get; init; }

    /// <summary>By how much the second clock runs faster, parts per million; null when the capture is too short to tell.</summary>
    public double? ClockSkewPpm { get; init; }

    /// <summary>Median time from the client's capture to the server's, milliseconds.</summary>
    public required double ToServerP50Ms { get; init; }

    /// <summary>Longest time from the client's capture to the server's, milliseconds.</summary>
    public required double ToServerMaxMs { get; init; }

    /// <summary>Median time from the server's capture to the client's, milliseconds.</summary>
    public required double ToClientP50Ms { get; init; }

    /// <summary>Longest time from the server's capture to the client's, milliseconds.</summary>
    public required double ToClientMaxMs { get; init; }

    /// <summary>Packets of the client with data that only its capture has: lost between.</summary>
    public long LostToServer { get; init; }

    /// <summary>Packets of the server with data that only its capture has: lost between.</summary>
    public long LostToClient { get; init; }
}
