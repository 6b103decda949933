namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>The request and response being followed.</summary>
internal sealed class MessageState
{
    public MessagePhase Phase;
    public Transaction Current;

    /// <summary>Stalls inside the current transaction that earlier parts found: all, within the request, between request and response.</summary>
    public long CarriedNs;
    public long CarriedRequestNs;
    public long CarriedServerNs;

    /// <summary>All of them by <see cref="Stall.Key"/>, nanoseconds.</summary>
    public long[] Carried { get; } = new long[Stall.Keys];

    /// <summary>Sequence numbers of both sides, for what is outstanding: 0 the client, 1 the server.</summary>
    public uint[] Next { get; } = new uint[2];
    public uint[] Acknowledged { get; } = new uint[2];
    public bool[] Started { get; } = new bool[2];

    /// <summary>True for each side that last advertised a zero window: the other side's data is blocked.</summary>
    public bool[] Closed { get; } = new bool[2];

    /// <summary>When each window closed, and how long it was closed before that since the other side's last data, nanoseconds.</summary>
    public long[] ClosedSinceNs { get; } = new long[2];
    public long[] ClosedForNs { get; } = new long[2];
    public long LastNs;
    public long ActiveUntilNs;
    public bool Answered;

    /// <summary>When each side's data was last acknowledged, and how long the server has paused inside the response so far.</summary>
    public long[] AcknowledgedNs { get; } = new long[2];
    public long PausedNs;

    /// <summary>By how much the beginning of the response, and of the next request, was later on its way than other packets, nanoseconds.</summary>
    public long ResponseLateNs;
    public long NextLateNs;

    /// <summary>How long the client has paused inside the request so far, nanoseconds.</summary>
    public long ClientPausedNs;

    /// <summary>When the connection was open at the client, nanoseconds since 1970; 0 without a handshake.</summary>
    public long OpenedNs;

    /// <summary>Time before the first request, or from it on, that counts as active only once the request, or its response, comes. Nanoseconds.</summary>
    public long WaitingNs;

    /// <summary>Resets the state for another connection.</summary>
    public void Reset()
    {
        Phase = MessagePhase.Idle;
        Current = default;
        (CarriedNs, CarriedRequestNs, CarriedServerNs) = (0, 0, 0);
        Array.Clear(Carried);
        (LastNs, ActiveUntilNs, Answered, PausedNs) = (0, 0, false, 0);
        (ClientPausedNs, OpenedNs, WaitingNs, ResponseLateNs, NextLateNs) = (0, 0, 0, 0, 0);
        for (int side = 0; side < 2; side++)
        {
            (ClosedSinceNs[side], ClosedForNs[side]) = (0, 0);
            (Next[side], Acknowledged[side], AcknowledgedNs[side], Started[side], Closed[side]) = (0, 0, 0, false, false);
        }
    }
}

/// <summary>The phase of a transaction.</summary>
internal enum MessagePhase : byte
{
    /// <summary>No request has begun yet.</summary>
    Idle,

    /// <summary>The request is being sent, or waits for its response.</summary>
    Request,

    /// <summary>The response is being sent.</summary>
    Response,
}
