namespace LatencyTuner.Core.Recordings.Traces;

/// <summary>An application's calls on its sockets, by the events of Winsock-AFD: how late it read data, and how long its sends took. Nanoseconds.</summary>
internal sealed class TraceCalls
{
    /// <summary>From this time on a read is late and a send is long, nanoseconds.</summary>
    public const long LateNs = 5_000_000;

    private const long LongStallNs = 100_000_000;

    /// <summary>Times from the transport's indication of data (AFD event 3003) to the end of the receive call that took it (1004), nanoseconds.</summary>
    public List<long> ReadWaits { get; } = [];

    public long Reads { get; private set; }

    public long LateReads { get; private set; }

    public long LateReadNs { get; private set; }

    /// <summary>Number of send calls that ended (AFD event 1003).</summary>
    public long Sends { get; private set; }

    public long SendNs { get; private set; }

    public long LongestSendNs { get; private set; }

    /// <summary>The unexplained times of long sends, nanoseconds: no window, no loss and no hold of the connection explains them.</summary>
    public List<long> BlockedSends { get; } = [];

    public long Blocked { get; private set; }

    public long BlockedNs { get; private set; }

    public long LongStalls { get; private set; }

    /// <summary>How many of these sends ended right after an ACK.</summary>
    public long EndedByAck { get; private set; }

    /// <summary>The send buffer that was set last (AFD event 1035), bytes; null when none was set.</summary>
    public uint? SendBuffer { get; set; }

    public void Read(long waitedNs, RetentionBudget budget)
    {
        Reads++;
        if (waitedNs >= LateNs)
        {
            (LateReads, LateReadNs) = (LateReads + 1, LateReadNs + waitedNs);
        }

        if (budget.TakeNumber())
        {
            ReadWaits.Add(waitedNs);
        }
    }

    public TraceExample? LongestBlocked { get; private set; }

    public void Sent(TraceExample call, long unexplainedNs, bool endedByAck, RetentionBudget budget)
    {
        long tookNs = call.DurationNs;
        (Sends, SendNs, LongestSendNs) = (Sends + 1, SendNs + tookNs, Math.Max(LongestSendNs, tookNs));
        if (unexplainedNs < LateNs)
        {
            return;
        }

        (Blocked, BlockedNs) = (Blocked + 1, BlockedNs + unexplainedNs);
        LongestBlocked = TraceExample.Longer(LongestBlocked, call);
        EndedByAck += endedByAck ? 1 : 0;
        LongStalls += unexplainedNs >= LongStallNs ? 1 : 0;
        if (budget.TakeNumber())
        {
            BlockedSends.Add(unexplainedNs);
        }
    }

    /// <summary>Adds the calls of another socket.</summary>
    public void Add(TraceCalls other)
    {
        ReadWaits.AddRange(other.ReadWaits);
        BlockedSends.AddRange(other.BlockedSends);
        (Reads, LateReads, LateReadNs) = (Reads + other.Reads, LateReads + other.LateReads, LateReadNs + other.LateReadNs);
        (Sends, SendNs, LongestSendNs) = (Sends + other.Sends, SendNs + other.SendNs, Math.Max(LongestSendNs, other.LongestSendNs));
        (Blocked, BlockedNs, EndedByAck, LongStalls) = (Blocked + other.Blocked, BlockedNs + other.BlockedNs, EndedByAck + other.EndedByAck,
            LongStalls + other.LongStalls);
        LongestBlocked = other.LongestBlocked is { } longest ? TraceExample.Longer(LongestBlocked, longest) : LongestBlocked;
        SendBuffer = other.SendBuffer ?? SendBuffer;
    }
}
