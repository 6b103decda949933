namespace LatencyTuner.Core.Reporting.Analysis;

/// <summary>TCP traffic of one process, from the events of a trace.</summary>
public sealed record AnalysedProcess
{
    /// <summary>Process id.</summary>
    public required long ProcessId { get; init; }

    /// <summary>Name of the process; null when no event names it.</summary>
    public string? Process { get; init; }

    /// <summary>Number of its connections.</summary>
    public long Connections { get; init; }

    /// <summary>Number of connections that it opened.</summary>
    public long Connects { get; init; }

    /// <summary>Number of connections that it accepted.</summary>
    public long Accepts { get; init; }

    /// <summary>Number of connections that ended.</summary>
    public long Disconnects { get; init; }

    /// <summary>Number of sends, as the events count them.</summary>
    public long Sends { get; init; }

    /// <summary>Payload sent, bytes.</summary>
    public long BytesSent { get; init; }

    /// <summary>Number of receives, as the events count them.</summary>
    public long Receives { get; init; }

    /// <summary>Payload received, bytes.</summary>
    public long BytesReceived { get; init; }

    /// <summary>Number of retransmissions.</summary>
    public long Retransmissions { get; init; }

    /// <summary>Number of connections that failed.</summary>
    public long Failures { get; init; }

    /// <summary>Number of reads from its sockets that came 5 ms or more after the data.</summary>
    public long LateReads { get; init; }

    /// <summary>Median time from the indication of data to the read that took it, milliseconds; null when not seen.</summary>
    public double? ReadWaitP50Ms { get; init; }

    /// <summary>Number of completed send calls.</summary>
    public long SendCalls { get; init; }

    /// <summary>Time in completed send calls, milliseconds.</summary>
    public double SendCallMs { get; init; }

    /// <summary>Longest completed send call, milliseconds; null when none was seen.</summary>
    public double? SendCallMaxMs { get; init; }

    /// <summary>
    /// Connections on which TCP_NODELAY was on when it was last told: by an event of the trace, or a document of sockets. Null when not told.
    /// </summary>
    public long? NoDelayConnections { get; init; }

    /// <summary>Connections on which it was off, so that Nagle's algorithm was on; null when not told.</summary>
    public long? NagleConnections { get; init; }

    /// <summary>False when the figures use events whose meaning is known only from a manifest.</summary>
    public bool Verified { get; init; }
}
