using LatencyTuner.Core.Evidence;

namespace LatencyTuner.Core.Recordings.Traces;

/// <summary>
/// A socket as the events of Winsock-AFD show it: EnterExit 0 begins a call and 1 ends it. Assumed from the manifest: a call with the status
/// STATUS_PENDING continues until an event ends it with another status.
/// </summary>
internal sealed class TraceSocket(RetentionBudget budget)
{
    private const uint Pending = 0x103;
    private const uint SendBufferOption = 7;
    private const int MostSends = 64;

    // Between the ACK and the end of the send that waited for it there is only the stack's own work.
    private const long ReleaseNs = 1_000_000;

    private readonly List<Send> _sends = [];
    private bool _indicationsEnter;
    private long? _indicatedNs;

    /// <summary>The id of the process that owns the socket, and its number among the processes that had this id in turn.</summary>
    public uint? ProcessId { get; set; }

    public int ProcessGeneration { get; set; }

    public TcpEndpoint Local { get; set; }

    public TcpEndpoint Remote { get; set; }

    /// <summary>Its connection; null while it is not known.</summary>
    public TraceConnection? Connection { get; private set; }

    /// <summary>True when the connection of the socket is unknown, because its sends were those of several connections.</summary>
    public bool IsAmbiguous { get; private set; }

    public TraceCalls Calls { get; private set; } = new();

    /// <summary>The calls of the socket for earlier connections.</summary>
    public List<(TraceConnection Connection, TraceCalls Calls)> Past { get; } = [];

    /// <summary>Bytes of the send that the thread has begun; null when the thread is in no send call.</summary>
    public ulong? SendingOn(int thread) => _sends.FindLast(s => s.Thread == thread && !s.IsPending)?.Bytes;

    /// <summary>Joins the socket with its connection.</summary>
    /// <param name="connection">The connection.</param>
    /// <param name="now">When an event showed it, nanoseconds since 1970.</param>
    public void Join(TraceConnection connection, long now)
    {
        if (IsAmbiguous || Connection == connection)
        {
            return;
        }

        if (Connection is { Closed: false })
        {
            (Connection, IsAmbiguous) = (null, true);
            return;
        }

        if (Connection is { } closed)
        {
            // Sockets are reused for other connections (TF_REUSE_SOCKET).
            Past.Add((closed, Calls));
            Calls = new();
        }

        Connection = connection;
        foreach (Send send in _sends)
        {
            send.ExplainedNs = connection.ExplainedNs(now);
        }
    }

    public void Take(in TcpEvent e)
    {
        uint status = e.Has(TcpFields.Status) ? e.Status : 0;
        bool enters = e.EnterExit == 0;
        switch (e.Kind)
        {
            case TcpEventKind.SocketDataIndicated when enters || !_indicationsEnter:
                _indicationsEnter |= enters;
                _indicatedNs ??= e.TimeNs;
                break;
            case TcpEventKind.SocketReceive when !enters && status != Pending && _indicatedNs is { } since:
                _indicatedNs = null;
                Calls.Read(e.TimeNs - since, budget);
                break;
            case TcpEventKind.SocketSend when enters && !SocketPlace.IsCopy(e.Location):
                Enter(in e);
                break;
            case TcpEventKind.SocketSend when !enters:
                Leave(in e, status);
                break;
            case TcpEventKind.SocketOption when e.Option == SendBufferOption && e.Has(TcpFields.OptionValue):
                Calls.SendBuffer = e.OptionValue;
                break;
        }
    }

    private void Enter(in TcpEvent e)
    {
        // A thread is in one send at a time: the end of an earlier one is not in the trace, or the call went another way.
        int thread = e.ThreadId;
        _sends.RemoveAll(s => s.Thread == thread && !s.IsPending);
        if (_sends.Count == MostSends)
        {
            _sends.RemoveAt(0);
        }

        _sends.Add(new Send(e.TimeNs, thread, e.Bytes) { ExplainedNs = Connection?.ExplainedNs(e.TimeNs) ?? 0 });
    }

    private void Leave(in TcpEvent e, uint status)
    {
        (long now, int thread, ulong bytes) = (e.TimeNs, e.ThreadId, e.Bytes);

        // A thread ends its own call; pending calls end in the order in which they began. The copy of a call that already returned does not end another one.
        int own = _sends.FindIndex(s => s.Thread == thread && !s.IsPending);
        int pending = SocketPlace.IsCopy(e.Location) ? _sends.FindIndex(s => s.IsPending && s.Bytes == bytes) : _sends.FindIndex(s => s.IsPending);
        int at = SocketPlace.IsCopy(e.Location) || (SocketPlace.Completes(e.Location) && pending >= 0) || own < 0 ? pending : own;
        if (at < 0 && SocketPlace.Completes(e.Location) && !SocketPlace.IsCopy(e.Location))
        {
            // The thread of the call sleeps until it is completed.
            at = _sends.FindIndex(s => s.Bytes == bytes);
        }

        if (at < 0)
        {
            return;
        }

        Send send = _sends[at];
        if (status == Pending)
        {
            send.IsPending = true;
            return;
        }

        _sends.RemoveAt(at);
        long took = now - send.EnteredNs;
        long explained = Connection is { } c ? Math.Max(c.ExplainedNs(now) - send.ExplainedNs, 0) : 0;
        bool byAck = Connection?.Sender.LastAckNs is { } ack && ack >= send.EnteredNs && now - ack <= ReleaseNs;
        long before = Calls.BlockedNs;
        Calls.Sent(new(send.EnteredNs, now) { Bytes = (long)Math.Min(send.Bytes, int.MaxValue) }, took - explained, byAck, budget);
        if (Connection is { } joined)
        {
            joined.BlockedNs += Calls.BlockedNs - before;
        }
    }

    private sealed record Send(long EnteredNs, int Thread, ulong Bytes)
    {
        public bool IsPending { get; set; }

        public long ExplainedNs { get; set; }
    }
}
