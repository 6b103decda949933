using LatencyTuner.Core.Findings;

namespace LatencyTuner.Core.Reporting.Analysis;

/// <summary>A connection and where its time went.</summary>
public sealed record AnalysedConnection
{
    /// <summary>Its name, unique within the document unless ports were used again.</summary>
    public required string Id { get; init; }

    /// <summary>The end that connected.</summary>
    public required AnalysedEndpoint Client { get; init; }

    /// <summary>The end that accepted.</summary>
    public required AnalysedEndpoint Server { get; init; }

    /// <summary>True when the handshake was not captured, so that the ports decided who the client is.</summary>
    public bool RolesGuessed { get; init; }

    /// <summary>First packet.</summary>
    public required DateTimeOffset StartUtc { get; init; }

    /// <summary>Time from the first packet to the last, milliseconds.</summary>
    public required double DurationMs { get; init; }

    /// <summary>Packets in both directions.</summary>
    public required long Packets { get; init; }

    /// <summary>Payload in both directions, bytes, retransmissions included.</summary>
    public required long Bytes { get; init; }

    /// <summary>Requests with a response.</summary>
    public required long Transactions { get; init; }

    /// <summary>Where the capture was made: client, server, middle, local (both ends near), unknown.</summary>
    public required string Vantage { get; init; }

    /// <summary>Shortest round trip between the ends, milliseconds; null when not both halves were seen.</summary>
    public double? BaseRttMs { get; init; }

    /// <summary>Time with data outstanding or a request unanswered, milliseconds.</summary>
    public double ActiveMs { get; init; }

    /// <summary>Time lost to stalls, milliseconds; each millisecond counts once.</summary>
    public double StallMs { get; init; }

    /// <summary>The same by cause.</summary>
    public IReadOnlyDictionary<string, double> StallsMs { get; init; } = new Dictionary<string, double>();

    /// <summary>Median time of a transaction, milliseconds.</summary>
    public double? TransactionP50Ms { get; init; }

    /// <summary>Longest transaction, milliseconds.</summary>
    public double? TransactionMaxMs { get; init; }

    /// <summary>Median of the server's own time, milliseconds.</summary>
    public double? ServerP50Ms { get; init; }

    /// <summary>Median of the client's time between a response and its next request, milliseconds.</summary>
    public double? ClientP50Ms { get; init; }

    /// <summary>True when requests and responses overlap, so that their times cannot be separated.</summary>
    public bool NotSeparable { get; init; }

    /// <summary>Retransmissions that were needed.</summary>
    public long Losses { get; init; }

    /// <summary>Retransmissions of data that had arrived.</summary>
    public long SpuriousRetransmissions { get; init; }

    /// <summary>Pure ACKs of the client held for more than 100 ms.</summary>
    public long ClientAcksAbove100Ms { get; init; }

    /// <summary>Pure ACKs of the server held for more than 100 ms.</summary>
    public long ServerAcksAbove100Ms { get; init; }

    /// <summary>Length of an interval of <see cref="RoundTrips"/>, milliseconds.</summary>
    public double RoundTripIntervalMs { get; init; }

    /// <summary>The longest round trip of each interval that has one.</summary>
    public IReadOnlyList<RoundTripInterval> RoundTrips { get; init; } = [];

    /// <summary>What the events of a trace tell of its ends on this machine; empty for captures.</summary>
    public IReadOnlyList<ConnectionEnd> Ends { get; init; } = [];
}

/// <summary>One end of a connection.</summary>
public sealed record AnalysedEndpoint
{
    /// <summary>Its address.</summary>
    public required string Address { get; init; }

    /// <summary>Its port.</summary>
    public required int Port { get; init; }
}

/// <summary>A request with its response, and whose time it was.</summary>
public sealed record AnalysedTransaction
{
    /// <summary>The connection's id.</summary>
    public required string Connection { get; init; }

    /// <summary>Which one of its connection, from 0.</summary>
    public required int Index { get; init; }

    /// <summary>First byte of the request.</summary>
    public required DateTimeOffset StartUtc { get; init; }

    /// <summary>The same, milliseconds from the connection's first packet.</summary>
    public required double StartMs { get; init; }

    /// <summary>First byte of the request to last byte of the response, milliseconds.</summary>
    public required double DurationMs { get; init; }

    /// <summary>The server's own time, milliseconds; null, as the other shares, where requests and responses overlap.</summary>
    public required double? ServerMs { get; init; }

    /// <summary>Lower end of the interval that <see cref="ServerMs"/> lies in.</summary>
    public double? ServerLowMs { get; init; }

    /// <summary>Upper end of the interval that <see cref="ServerMs"/> lies in.</summary>
    public double? ServerHighMs { get; init; }

    /// <summary>The server's pauses inside the response, milliseconds.</summary>
    public double? ServerPausesMs { get; init; }

    /// <summary>The client's pauses inside the request, milliseconds.</summary>
    public double? ClientMs { get; init; }

    /// <summary>What stalled it, milliseconds.</summary>
    public double StallMs { get; init; }

    /// <summary>The stall that took most; null without one.</summary>
    public string? Stall { get; init; }

    /// <summary>The rest: the path and the transfer, milliseconds.</summary>
    public double? NetworkMs { get; init; }

    /// <summary>The client's time until its next request, milliseconds; null when none follows.</summary>
    public double? ClientAfterMs { get; init; }

    /// <summary>Request payload in bytes.</summary>
    public long RequestBytes { get; init; }

    /// <summary>Response payload in bytes.</summary>
    public long ResponseBytes { get; init; }

    /// <summary>Frame of the request's first byte.</summary>
    public long FirstFrame { get; init; }

    /// <summary>Frame of the response's last byte.</summary>
    public long LastFrame { get; init; }
}

/// <summary>One end of a connection as the events of a trace tell of it.</summary>
public sealed record ConnectionEnd
{
    /// <summary>Which end.</summary>
    public required Side Side { get; init; }

    /// <summary>The process that owns the socket; null when no event names it.</summary>
    public long? ProcessId { get; init; }

    /// <summary>Its name; null when no event names it.</summary>
    public string? Process { get; init; }

    /// <summary>Sends: segments or trains of them.</summary>
    public long Sends { get; init; }

    /// <summary>Payload sent, bytes.</summary>
    public long BytesSent { get; init; }

    /// <summary>Receives.</summary>
    public long Receives { get; init; }

    /// <summary>Payload received, bytes.</summary>
    public long BytesReceived { get; init; }

    /// <summary>Retransmissions told by events.</summary>
    public long Retransmissions { get; init; }

    /// <summary>Times data waited for the acknowledgement of all there was.</summary>
    public long NagleHolds { get; init; }

    /// <summary>Time it waited, milliseconds.</summary>
    public double NagleHoldMs { get; init; }

    /// <summary>Expiries of this end's delayed-ACK timer.</summary>
    public long DelayedAckExpiries { get; init; }

    /// <summary>What that timer was armed with, milliseconds; null when not seen.</summary>
    public double? DelayedAckTimerMs { get; init; }

    /// <summary>The same as its template has it, in ticks; null when not seen.</summary>
    public long? DelayedAckTicks { get; init; }

    /// <summary>Segments after which its template acknowledges at once; null when not seen.</summary>
    public long? DelayedAckFrequency { get; init; }

    /// <summary>Time that data that was ready waited for the peer's window, milliseconds.</summary>
    public double ReceiveWindowMs { get; init; }

    /// <summary>Time that it waited for the congestion window, milliseconds.</summary>
    public double CongestionWindowMs { get; init; }

    /// <summary>Time that connecting took, milliseconds; null when not seen.</summary>
    public double? ConnectMs { get; init; }

    /// <summary>Time that the peer's window was closed, milliseconds.</summary>
    public double ZeroWindowMs { get; init; }

    /// <summary>Time that the sender had nothing to send or not enough, by the totals of the connection, milliseconds; null when not seen. No stall.</summary>
    public double? SenderLimitedMs { get; init; }

    /// <summary>Reads that came 5 ms and more after the data.</summary>
    public long LateReads { get; init; }

    /// <summary>Median time from the indication of data to the read that took it, milliseconds; null when not seen.</summary>
    public double? ReadWaitP50Ms { get; init; }

    /// <summary>Send calls that are over.</summary>
    public long SendCalls { get; init; }

    /// <summary>Time in them, milliseconds.</summary>
    public double SendCallMs { get; init; }

    /// <summary>The longest of them, milliseconds; null when none was seen.</summary>
    public double? SendCallMaxMs { get; init; }

    /// <summary>False when events are among it whose meaning rests on a manifest alone.</summary>
    public bool Verified { get; init; }
}

/// <summary>The longest round trip of one interval.</summary>
public sealed record RoundTripInterval
{
    /// <summary>Start of the interval, milliseconds from the connection's first packet.</summary>
    public required double AtMs { get; init; }

    /// <summary>The longest round trip in it, microseconds.</summary>
    public required double LongestUs { get; init; }
}
