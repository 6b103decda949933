namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>A request with its response as seen at the tap. Times are capture times in nanoseconds since 1970.</summary>
internal struct Transaction
{
    /// <summary>First request byte.</summary>
    public long RequestStartNs;

    /// <summary>Last request byte, at its last transmission that was needed.</summary>
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

    /// <summary>The server's own time: best estimate, and the lower and upper limit, nanoseconds.</summary>
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

    /// <summary>Number of the transaction in its connection, from 0.</summary>
    public int Index;

    /// <summary>Time lost to the kind of stall in <see cref="WorstStall"/>, nanoseconds.</summary>
    public long WorstStallNs;

    /// <summary>When a prompt pure ACK of the request passed the tap; 0 when there was none.</summary>
    public long RequestAckNs;

    public readonly long DurationNs => ResponseEndNs - RequestStartNs;
}

/// <summary>How long a transaction waited for stalls of one kind.</summary>
/// <param name="Transaction">Its place in the log of its connection.</param>
/// <param name="Key">The kind of stall and the end whose data waited, see <see cref="Stall.Key"/>.</param>
/// <param name="Ns">The time, nanoseconds.</param>
internal readonly record struct TransactionWait(int Transaction, byte Key, long Ns);
