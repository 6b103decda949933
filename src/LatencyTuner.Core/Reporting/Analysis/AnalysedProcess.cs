namespace LatencyTuner.Core.Reporting.Analysis;

/// <summary>TCP of one process by the events of a trace.</summary>
public sealed record AnalysedProcess
{
    /// <summary>Its id.</summary>
    public required long ProcessId { get; init; }

    /// <summary>Its name; null when no event names it.</summary>
    public string? Process { get; init; }

    /// <summary>Its connections.</summary>
    public long Connections { get; init; }

    /// <summary>Connections it made.</summary>
    public long Connects { get; init; }

    /// <summary>Connections it accepted.</summary>
    public long Accepts { get; init; }

    /// <summary>Connections that ended.</summary>
    public long Disconnects { get; init; }

    /// <summary>Sends.</summary>
    public long Sends { get; init; }

    /// <summary>Payload sent, bytes.</summary>
    public long BytesSent { get; init; }

    /// <summary>Receives.</summary>
    public long Receives { get; init; }

    /// <summary>Payload received, bytes.</summary>
    public long BytesReceived { get; init; }

    /// <summary>Retransmissions.</summary>
    public long Retransmissions { get; init; }

    /// <summary>Connections that failed.</summary>
    public long Failures { get; init; }

    /// <summary>Reads of its sockets that came 5 ms and more after the data.</summary>
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
