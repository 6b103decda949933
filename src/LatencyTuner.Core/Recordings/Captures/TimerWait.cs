namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>What a timer sent again until an answer came: the copies of one side's data, or of a SYN.</summary>
internal struct TimerWait
{
    /// <summary>0 the client, 1 the server.</summary>
    public int Side;

    /// <summary>Number of retransmissions, and when the first and the last of them left.</summary>
    public int Copies;
    public long FirstCopyNs;
    public long LastCopyNs;

    /// <summary>When something new was acknowledged; <see cref="long.MaxValue"/> where nothing was any more.</summary>
    public long AnsweredNs;

    /// <summary>For how long nothing from anybody reached the host around the last copy, nanoseconds; 0 where that was short, or is not known.</summary>
    public long SilenceNs;

    /// <summary>True when the answer came at once with those of other connections that had asked at other times.</summary>
    public bool IsHeld;

    /// <summary>True when no answer came, and nothing from another peer that was asked.</summary>
    public bool IsDeaf;

    /// <summary>A timer has sent something again.</summary>
    public void Add(long timeNs) => (Copies, FirstCopyNs, LastCopyNs) = (Copies + 1, Copies == 0 ? timeNs : FirstCopyNs, timeNs);
}
