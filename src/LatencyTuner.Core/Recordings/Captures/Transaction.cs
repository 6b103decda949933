namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>A request with its response as seen at the tap. Times are capture times in nanoseconds since 1970.</summary>
internal struct Transaction
{
    /// <summary>First request byte.</summary>
    public long RequestStartNs;

    /// <summary>Last request byte, as transmitted for the last time that was needed.</summary>
    public long RequestEndNs;

    /// <summary>First response byte.</summary>
    public long ResponseStartNs;

    /// <summary>Last response byte.</summary>
    public long ResponseEndNs;

    /// <summary>First byte of the next request; 0 when none follows.</summary>
    public long NextNs;
    public uint FirstFrame;
    public uint LastFrame;
    public long RequestBytes;
    public long ResponseBytes;

    /// <summary>The server's own time: best estimate and the interval it lies in, nanoseconds.</summary>
    public long ServerNs;
    public long ServerLowNs;
    public long ServerHighNs;

    /// <summary>Pauses of the client inside the request, nanoseconds.</summary>
    public long ClientInsideNs;

    /// <summary>Pauses of the server inside the response, nanoseconds.</summary>
    public long ServerInsideNs;

    /// <summary>The client's time from the response to its next request; -1 when none follows.</summary>
    public long ClientAfterNs;

    /// <summary>Time lost to stalls, nanoseconds, and the kind that took most; -1 for none.</summary>
    public long StallNs;
    public int WorstStall;

    /// <summary>Which one of its connection, from 0.</summary>
    public int Index;

    /// <summary>The longest stall inside, for <see cref="WorstStall"/>.</summary>
    public long WorstStallNs;

    /// <summary>The ACK of the request: when a pure one passed the tap at once; 0 otherwise.</summary>
    public long RequestAckNs;

    public readonly long DurationNs => ResponseEndNs - RequestStartNs;
}
