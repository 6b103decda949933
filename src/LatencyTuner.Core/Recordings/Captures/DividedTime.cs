namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>
/// The time of one connection, divided once: every nanosecond has one owner. Findings read their part of it, so that what they charge on a connection
/// never adds up to more than its active time, and together with the client's pauses to no more than it lasted.
/// </summary>
internal sealed class DividedTime
{
    private readonly long[] _stalls = new long[Stall.Keys];
    private readonly long[] _queues = new long[2];
    private long _left;

    private DividedTime(ConnectionFacts connection)
    {
        _left = Math.Max(0, connection.ActiveNs);
        SideOfConnection[] sides = [new(connection, 0), new(connection, 1)];
        // A full path is the cause where a window is full too: a larger window would only lengthen the queue.
        foreach (SideOfConnection side in sides)
        {
            long queueNs = StandingQueue.Ns(side);
            for (StallKind kind = 0; kind <= StallKind.CongestionWindow; kind++)
            {
                bool behindQueue = kind is StallKind.ReceiveWindow or StallKind.CongestionWindow;
                long ownedNs = side.Facts.OwnedNs(kind);
                bool full = kind == StallKind.ReceiveWindow && ownedNs > 0 && StandingQueue.FillsPath(side);
                _stalls[KeyOf(side.Index, kind)] = Take(full ? 0 : ownedNs - (behindQueue ? queueNs : 0));
            }
        }

        foreach (SideOfConnection side in sides)
        {
            _queues[side.Index] = Take(StandingQueue.Ns(side));
        }

        if (connection.NotSeparable)
        {
            return;
        }

        (long server, long client, long path) = OfTransactions(connection);
        ServerNs = Take(server);
        PathNs = Take(path);
        // A client pauses in time that is active and in time that is not.
        long rest = Math.Max(0, connection.LastNs - connection.FirstNs - (Math.Max(0, connection.ActiveNs) - _left));
        ClientNs = Math.Min(client, rest);
        BeforeFirstNs = Math.Min(connection.BeforeFirstNs ?? 0, rest - ClientNs);
    }

    /// <summary>The server's own time from whole requests to responses, nanoseconds.</summary>
    public long ServerNs { get; }

    /// <summary>The shortest round trip of each transaction, as far as nothing else owns it, nanoseconds.</summary>
    public long PathNs { get; }

    /// <summary>The client's pauses inside its requests and between a response and the next request, nanoseconds.</summary>
    public long ClientNs { get; }

    /// <summary>The client's pause before its first request, nanoseconds.</summary>
    public long BeforeFirstNs { get; }

    /// <summary>Divides the time of a connection whose facts are complete.</summary>
    public static DividedTime Of(ConnectionFacts connection) => new(connection);

    /// <summary>Time that one kind of stall took from the data of one end, nanoseconds.</summary>
    public long StallNs(int side, StallKind kind) => _stalls[KeyOf(side, kind)];

    /// <summary>Time that the data of one end spent in a queue on the path, nanoseconds.</summary>
    public long QueueNs(int side) => _queues[side];

    private static int KeyOf(int side, StallKind kind) => new Stall(0, 0, kind, (byte)side).Key;

    /// <summary>Divides each transaction among stalls, server, client and path, in this order.</summary>
    private static (long Server, long Client, long Path) OfTransactions(ConnectionFacts connection)
    {
        long roundTrip = connection is { ClientBaseNs: { } toClient, ServerBaseNs: { } toServer } ? toClient + toServer : 0;
        // Away from the client, the response's way to it passes after the last byte was seen.
        long afterTap = connection.ClientBaseNs ?? 0;
        // Beyond a queue on the path, the wait in it looks like a pause of the client.
        bool queued = connection.PathBaseNs is not null;
        (long server, long client, long path) = (0, 0, 0);
        for (int i = 0; i < connection.Transactions.Count; i++)
        {
            Transaction t = connection.Transactions[i];
            long left = Math.Max(0, t.DurationNs - t.StallNs);
            long own = Math.Min(t.ServerNs, left);
            long paused = Math.Min(t.ClientInsideNs, left - own);
            server += own;
            client += paused + (queued ? 0 : Math.Max(0, t.ClientAfterNs));
            path += Math.Clamp(left - own - paused - t.ServerInsideNs + afterTap, 0, roundTrip);
        }

        // Of very many transactions only some are kept one by one.
        int kept = connection.Transactions.Count;
        return (server, client, kept == 0 || kept == connection.TransactionCount ? path : (long)((double)path / kept * connection.TransactionCount));
    }

    private long Take(long ns)
    {
        long taken = Math.Clamp(ns, 0, _left);
        _left -= taken;
        return taken;
    }
}
