using LatencyTuner.Core.Findings;

namespace LatencyTuner.Core.Reporting.Analysis;

/// <summary>A connection, and what its time was spent on.</summary>
public sealed record AnalysedConnection
{
    /// <summary>Name of the connection, unique in the document unless the same ports were used again.</summary>
    public required string Id { get; init; }

    /// <summary>The end that connected.</summary>
    public required AnalysedEndpoint Client { get; init; }

    /// <summary>The end that accepted.</summary>
    public required AnalysedEndpoint Server { get; init; }

    /// <summary>True when the handshake was not captured, so that the ports decided who the client is.</summary>
    public bool RolesGuessed { get; init; }

    /// <summary>Time of the first packet.</summary>
    public required DateTime StartUtc { get; init; }

    /// <summary>Time from the first packet to the last, milliseconds.</summary>
    public required double DurationMs { get; init; }

    /// <summary>Number of packets in both directions.</summary>
    public required long Packets { get; init; }

    /// <summary>Payload in both directions, bytes, retransmissions included.</summary>
    public required long Bytes { get; init; }

    /// <summary>Number of requests that have a response.</summary>
    public required long Transactions { get; init; }

    /// <summary>Where the capture was made: client, server, middle, local (both ends near), unknown.</summary>
    public required string Vantage { get; init; }

    /// <summary>Shortest round trip between the ends, milliseconds; null when not both halves were seen.</summary>
    public double? BaseRttMs { get; init; }

    /// <summary>Time with data outstanding or a request unanswered, milliseconds.</summary>
    public double ActiveMs { get; init; }

    /// <summary>Time lost to stalls, milliseconds; where stalls overlap, the time counts once.</summary>
    public double StallMs { get; init; }

    /// <summary>Time lost to stalls by cause, milliseconds.</summary>
    public IReadOnlyDictionary<string, double> StallsMs { get; init; } = new Dictionary<string, double>();

    /// <summary>Median time of a transaction, milliseconds.</summary>
    public double? TransactionP50Ms { get; init; }

    /// <summary>Longest transaction, milliseconds.</summary>
    public double? TransactionMaxMs { get; init; }

    /// <summary>Median of the server's own time in a transaction, milliseconds.</summary>
    public double? ServerP50Ms { get; init; }

    /// <summary>Median of the client's time between a response and its next request, milliseconds.</summary>
    public double? ClientP50Ms { get; init; }

    /// <summary>True when requests and responses overlap, so that their times cannot be separated.</summary>
    public bool NotSeparable { get; init; }

    /// <summary>Necessary retransmissions: after a timeout, by fast retransmit, or of a SYN.</summary>
    public long Losses { get; init; }

    /// <summary>Retransmissions of data that had arrived.</summary>
    public long SpuriousRetransmissions { get; init; }

    /// <summary>Pure ACKs that the client delayed by more than 100 ms.</summary>
    public long ClientAcksAbove100Ms { get; init; }

    /// <summary>Pure ACKs that the server delayed by more than 100 ms.</summary>
    public long ServerAcksAbove100Ms { get; init; }

    /// <summary>Length of one interval of <see cref="RoundTrips"/>, milliseconds.</summary>
    public double RoundTripIntervalMs { get; init; }

    /// <summary>The longest round trip of each interval in which one was seen.</summary>
    public IReadOnlyList<RoundTripInterval> RoundTrips { get; init; } = [];

    /// <summary>What the events of a trace show about its ends on this machine; empty for captures.</summary>
    public IReadOnlyList<ConnectionEnd> Ends { get; init; } = [];
}

/// <summary>One end of a connection.</summary>
public sealed record AnalysedEndpoint
{
    /// <summary>IP address.</summary>
    public required string Address { get; init; }

    /// <summary>TCP port.</summary>
    public required int Port { get; init; }
}

/// <summary>A request with its response, and how its time divides among client, server and network.</summary>
public sealed record AnalysedTransaction
{
    /// <summary>Id of the connection.</summary>
    public required string Connection { get; init; }

    /// <summary>Number of the transaction on its connection, from 0.</summary>
    public required int Index { get; init; }

    /// <summary>Time of the first byte of the request.</summary>
    public required DateTime StartUtc { get; init; }

    /// <summary>Time of the first byte of the request, milliseconds after the connection's first packet.</summary>
    public required double StartMs { get; init; }

    /// <summary>Time from the first byte of the request to the last byte of the response, milliseconds.</summary>
    public required double DurationMs { get; init; }

    /// <summary>The server's own time, milliseconds; null where requests and responses overlap, as are the other shares.</summary>
    public required double? ServerMs { get; init; }

    /// <summary>Lower end of the interval that contains <see cref="ServerMs"/>, milliseconds.</summary>
    public double? ServerLowMs { get; init; }

    /// <summary>Upper end of the interval that contains <see cref="ServerMs"/>, milliseconds.</summary>
    public double? ServerHighMs { get; init; }

    /// <summary>The server's pauses within the response, milliseconds.</summary>
    public double? ServerPausesMs { get; init; }

    /// <summary>The client's pauses within the request, milliseconds.</summary>
    public double? ClientMs { get; init; }

    /// <summary>Time of the transaction lost to stalls, milliseconds.</summary>
    public double StallMs { get; init; }

    /// <summary>The cause of the stall that took most time; null without a stall.</summary>
    public string? Stall { get; init; }

    /// <summary>The rest of the time, milliseconds: network path and transfer.</summary>
    public double? NetworkMs { get; init; }

    /// <summary>The client's time until its next request, milliseconds; null when none follows.</summary>
    public double? ClientAfterMs { get; init; }

    /// <summary>Request payload in bytes.</summary>
    public long RequestBytes { get; init; }

    /// <summary>Response payload in bytes.</summary>
    public long ResponseBytes { get; init; }

    /// <summary>Number of the frame with the request's first byte.</summary>
    public long FirstFrame { get; init; }

    /// <summary>Number of the frame with the response's last byte.</summary>
    public long LastFrame { get; init; }
}

/// <summary>One end of a connection as the events of a trace describe it.</summary>
public sealed record ConnectionEnd
{
    /// <summary>Which end it is.</summary>
    public required Side Side { get; init; }

    /// <summary>The process that owns the socket; null when no event names it.</summary>
    public long? ProcessId { get; init; }

    /// <summary>Name of the process; null when no event names it.</summary>
    public string? Process { get; init; }

    /// <summary>Number of sends, as the events count them: segments, or groups of segments.</summary>
    public long Sends { get; init; }

    /// <summary>Payload sent, bytes.</summary>
    public long BytesSent { get; init; }

    /// <summary>Number of receives, as the events count them.</summary>
    public long Receives { get; init; }

    /// <summary>Payload received, bytes.</summary>
    public long BytesReceived { get; init; }

    /// <summary>Retransmissions that events report.</summary>
    public long Retransmissions { get; init; }

    /// <summary>How often Nagle's algorithm held data until all earlier data was acknowledged.</summary>
    public long NagleHolds { get; init; }

    /// <summary>Time for which Nagle's algorithm held data, milliseconds.</summary>
    public double NagleHoldMs { get; init; }

    /// <summary>How often this end's delayed-ACK timer expired.</summary>
    public long DelayedAckExpiries { get; init; }

    /// <summary>Time that the delayed-ACK timer was set to, milliseconds; null when not seen.</summary>
    public double? DelayedAckTimerMs { get; init; }

    /// <summary>Delayed-ACK time in the TCP template of this end, in ticks; null when not seen.</summary>
    public long? DelayedAckTicks { get; init; }

    /// <summary>Number of segments after which the TCP template of this end sends an ACK at once; null when not seen.</summary>
    public long? DelayedAckFrequency { get; init; }

    /// <summary>Time for which ready data waited for the peer's receive window, milliseconds.</summary>
    public double ReceiveWindowMs { get; init; }

    /// <summary>Time for which ready data waited for the congestion window, milliseconds.</summary>
    public double CongestionWindowMs { get; init; }

    /// <summary>Time to connect, milliseconds; null when not seen.</summary>
    public double? ConnectMs { get; init; }

    /// <summary>Time for which the peer's receive window was closed, milliseconds.</summary>
    public double ZeroWindowMs { get; init; }

    /// <summary>
    /// Time for which the sender had nothing or not enough to send, from the totals of the connection, milliseconds; null when not seen. It is not a
    /// stall.
    /// </summary>
    public double? SenderLimitedMs { get; init; }

    /// <summary>Number of reads that came 5 ms or more after the data.</summary>
    public long LateReads { get; init; }

    /// <summary>Median time from the indication of data to the read that took it, milliseconds; null when not seen.</summary>
    public double? ReadWaitP50Ms { get; init; }

    /// <summary>Number of completed send calls.</summary>
    public long SendCalls { get; init; }

    /// <summary>Time in completed send calls, milliseconds.</summary>
    public double SendCallMs { get; init; }

    /// <summary>Longest completed send call, milliseconds; null when none was seen.</summary>
    public double? SendCallMaxMs { get; init; }

    /// <summary>False when the figures use events whose meaning is known only from a manifest.</summary>
    public bool Verified { get; init; }
}

/// <summary>The longest round trip of one interval.</summary>
public sealed record RoundTripInterval
{
    /// <summary>Start of the interval, milliseconds after the connection's first packet.</summary>
    public required double AtMs { get; init; }

    /// <summary>The longest round trip in the interval, microseconds.</summary>
    public required double LongestUs { get; init; }
}
