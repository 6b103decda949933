using LatencyTuner.Core.Analysis;

namespace LatencyTuner.Core.Reporting.Model;

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
