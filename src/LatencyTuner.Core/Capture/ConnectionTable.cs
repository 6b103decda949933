namespace LatencyTuner.Core.Capture;

/// <summary>The open connections by four-tuple: one look-up per packet, a cache of the last connection, and pooled objects.</summary>
/// <param name="end">Called for each connection that leaves the table; it is used again after <see cref="Free"/>.</param>
/// <param name="most">How many may be open at once.</param>
internal sealed class ConnectionTable(Action<TcpConnection> end, int most = 32_768)
{
    // After both ends closed, a last ACK or a repeated FIN may follow.
    private const long LingerNs = 2_000_000_000;

    // A path does not hold back a copy of a packet for longer, while the packets behind it pass.
    private const long SlowestCopyNs = 1_000_000_000;

    // This many closed connections may stay longer, so that a FIN retransmitted seconds later still finds its connection.
    private const int MostClosed = 256;

    private readonly Stack<TcpConnection> _free = [];
    private readonly Queue<(TcpConnection Connection, long Number)> _closing = [];
    private readonly RecentBeginnings _beginnings = new();
    private (uint Hash, TcpConnection? Connection)[] _slots = new (uint, TcpConnection?)[1024];
    private TcpConnection? _latest;
    private int _count;
    private int _closed;
    private long _number;

    /// <summary>Connections seen so far.</summary>
    public long Seen => _number;

    /// <summary>Connections that were dropped before they closed because too many were open at once.</summary>
    public long GivenUp { get; private set; }

    /// <summary>The connection of a segment; starts a new one for the first segment of a four-tuple.</summary>
    public TcpConnection Find(in TcpSegment segment)
    {
        TcpConnection? found = _latest;
        if (found is null || !(found.Key.IsForward(in segment) || found.Key.IsBackward(in segment)))
        {
            found = Lookup(in segment, ConnectionKey.HashOf(in segment));
        }

        bool replayed = false;
        if (found is not null && IsAnother(found, in segment))
        {
            replayed = IsReplay(found, in segment);
            found.IsReplayed |= replayed;
            Remove(found);
            found = null;
        }

        _latest = found ?? Add(in segment);
        _latest.IsReplayed |= replayed;
        return _latest;
    }

    /// <summary>The connection of a segment, where it is open; null elsewhere.</summary>
    public TcpConnection? Known(in TcpSegment segment) => Lookup(in segment, ConnectionKey.HashOf(in segment));

    /// <summary>Prefetches the connection of a segment that comes soon.</summary>
    /// <param name="segment">The segment.</param>
    /// <param name="next">True when only a few segments come before it and the connection itself has been prefetched.</param>
    public void Expect(in TcpSegment segment, bool next)
    {
        // In nearly all cases the first slot is the right one.
        if (_slots[(int)ConnectionKey.HashOf(in segment) & (_slots.Length - 1)].Connection is { } connection)
        {
            if (next)
            {
                connection.FetchLists();
            }
            else
            {
                connection.Fetch();
            }
        }
    }

    /// <summary>Marks a connection as closed.</summary>
    public void Closed(TcpConnection connection, long nowNs)
    {
        if (connection.ClosedNs == 0)
        {
            connection.ClosedNs = Math.Max(nowNs, 1);
            _closed++;
            _closing.Enqueue((connection, connection.Number));
        }
    }

    /// <summary>Ends all connections.</summary>
    public void Finish()
    {
        // In order of appearance, so that a report does not depend on the hash.
        TcpConnection[] left = [.. _slots.Where(s => s.Connection is not null).Select(s => s.Connection!).OrderBy(c => c.Number)];
        foreach (TcpConnection connection in left)
        {
            connection.IsFollowed = false;
            end(connection);
        }

        Array.Clear(_slots);
        _closing.Clear();
        (_count, _closed, _latest) = (0, 0, null);
    }

    /// <summary>Takes a connection that ended back, to use its memory for another one.</summary>
    public void Free(TcpConnection connection) => _free.Push(connection);

    /// <summary>True when the ports are reused: a SYN with a new initial sequence number.</summary>
    private static bool IsAnother(TcpConnection connection, in TcpSegment segment)
    {
        if (!segment.IsSyn)
        {
            return false;
        }

        bool fromClient = connection.Key.IsForward(in segment) != connection.ClientIsB;
        ref FlowState flow = ref connection.Flow(fromClient ? 0 : 1);
        if (flow.SynSeen || connection.ClosedNs != 0)
        {
            // Nobody repeats a SYN once the connection carried his data, or a reset followed its answer, whatever the number: what tools write may begin with
            // 0 each time.
            bool answered = connection.Reset && connection.FromServer.SynSeen;
            bool carried = answered || (connection.FromServer.AckSeen && (flow.FinSeen || flow.DataPackets > 0));
            return !flow.SynSeen || flow.Initial != segment.Sequence || (fromClient && carried && segment.TimeNs - connection.LastNs >= SlowestCopyNs);
        }

        // The SYN/ACK may have been captured before its SYN.
        return flow.Started && !(fromClient && connection.FromServer.SynSeen && flow.Initial == segment.Sequence + 1);
    }

    /// <summary>
    /// True for a SYN with the number of the connection before: no stack chooses one twice, nor one shortly before what the last connection on the same ports
    /// has sent, as numbers go up (RFC 9293 3.4.1).
    /// </summary>
    private static bool IsReplay(TcpConnection before, in TcpSegment syn)
    {
        const int Near = 65_536;
        ref FlowState flow = ref before.Flow(before.Key.IsForward(in syn) != before.ClientIsB ? 0 : 1);
        return syn.Sequence != 0 && (syn.Flags & TcpFlags.Ack) == 0
            && (flow.SynSeen ? flow.Initial == syn.Sequence : flow.Started && SequenceNumber.Beyond(flow.Initial, syn.Sequence) is > 0 and < Near);
    }

    private TcpConnection? Lookup(in TcpSegment segment, uint hash)
    {
        int mask = _slots.Length - 1;
        for (int at = (int)hash & mask; ; at = (at + 1) & mask)
        {
            ref (uint Hash, TcpConnection? Connection) slot = ref _slots[at];
            if (slot.Connection is null)
            {
                return null;
            }

            if (slot.Hash == hash && (slot.Connection.Key.IsForward(in segment) || slot.Connection.Key.IsBackward(in segment)))
            {
                return slot.Connection;
            }
        }
    }

    private TcpConnection Add(in TcpSegment first)
    {
        EndClosed(first.TimeNs);
        if (_count >= most)
        {
            Evict(first.TimeNs);
        }

        TcpConnection connection = _free.TryPop(out TcpConnection? used) ? used : new TcpConnection();
        connection.Begin(_number++, in first);
        connection.BeganLikeAnother = _beginnings.Repeat(in first);
        if (++_count > _slots.Length / 2)
        {
            Rehash();
        }

        Insert(connection);
        return connection;
    }

    private void Insert(TcpConnection connection)
    {
        uint hash = connection.Key.Hash();
        int mask = _slots.Length - 1;
        int at = (int)hash & mask;
        while (_slots[at].Connection is not null)
        {
            at = (at + 1) & mask;
        }

        _slots[at] = (hash, connection);
    }

    private void Rehash()
    {
        (uint Hash, TcpConnection? Connection)[] old = _slots;
        _slots = new (uint, TcpConnection?)[old.Length * 2];
        foreach ((_, TcpConnection? connection) in old)
        {
            if (connection is not null)
            {
                Insert(connection);
            }
        }
    }

    private void Remove(TcpConnection connection)
    {
        int mask = _slots.Length - 1;
        int at = (int)connection.Key.Hash() & mask;
        while (_slots[at].Connection != connection)
        {
            at = (at + 1) & mask;
        }

        // Later entries that hashed to this slot or an earlier one move up, so that a search never ends early.
        for (int next = (at + 1) & mask; _slots[next].Connection is not null; next = (next + 1) & mask)
        {
            int home = (int)_slots[next].Hash & mask;
            if (((next - home) & mask) >= ((next - at) & mask))
            {
                _slots[at] = _slots[next];
                at = next;
            }
        }

        _slots[at] = default;
        _count--;
        _closed -= connection.ClosedNs != 0 ? 1 : 0;
        connection.IsFollowed = false;
        _latest = _latest == connection ? null : _latest;
        end(connection);
    }

    /// <summary>Ends connections that closed a while ago, oldest first, so that their packets are not kept for long.</summary>
    private void EndClosed(long nowNs)
    {
        const int MostAtOnce = 4;
        for (int i = 0; i < MostAtOnce && _closed > MostClosed && _closing.TryPeek(out (TcpConnection Connection, long Number) first); i++)
        {
            TcpConnection connection = first.Connection;
            bool ended = connection.Number != first.Number || !connection.IsFollowed;
            bool quiet = !ended && nowNs - connection.LastNs > LingerNs;
            if (!ended && !quiet && connection.LastNs <= connection.ClosedNs)
            {
                return;
            }

            _closing.Dequeue();
            if (quiet)
            {
                Remove(connection);
            }
            else if (!ended)
            {
                // Packets still came after it had closed: check it again later.
                _closing.Enqueue(first);
            }
        }
    }

    /// <summary>Ends the closed connections; when that is not enough, also the quarter that has been idle for longest.</summary>
    private void Evict(long nowNs)
    {
        TcpConnection[] live = [.. _slots.Where(s => s.Connection is not null).Select(s => s.Connection!).OrderBy(c => c.Number)];
        foreach (TcpConnection connection in live)
        {
            if (connection.ClosedNs != 0 && nowNs - connection.LastNs > LingerNs)
            {
                Remove(connection);
            }
        }

        if (_count < most)
        {
            return;
        }

        long[] times = [.. live.Where(Contains).Select(c => c.LastNs).Order()];
        long limit = times[times.Length / 4];
        foreach (TcpConnection connection in live.Where(Contains).Where(c => c.LastNs <= limit).ToList())
        {
            GivenUp += connection.ClosedNs == 0 ? 1 : 0;
            Remove(connection);
        }
    }

    private bool Contains(TcpConnection connection)
    {
        int mask = _slots.Length - 1;
        for (int at = (int)connection.Key.Hash() & mask; _slots[at].Connection is not null; at = (at + 1) & mask)
        {
            if (_slots[at].Connection == connection)
            {
                return true;
            }
        }

        return false;
    }
}
