using LatencyTuner.Core.Etw;
using LatencyTuner.Core.Evidence;

namespace LatencyTuner.Core.Recordings.Traces;

/// <summary>
/// The sockets of Winsock-AFD and the TCP connections they belong to. The two providers share no id: a socket is joined by its process and the remote
/// end that it connects to or accepts from. When its connection is older than the trace, or several are alike, it is joined by a post of TCP
/// (TCPIP event 1159) on the thread that is in the socket's send call with the same number of bytes.
/// </summary>
internal sealed class TraceSocketIndex(TraceConnectionIndex connections, RetentionBudget budget)
{
    private readonly Dictionary<ulong, TraceSocket> _open = [];
    private readonly Dictionary<int, TraceSocket> _calling = [];

    /// <summary>Every socket that was seen.</summary>
    public List<TraceSocket> All { get; } = [];

    /// <summary>Takes an event of a socket.</summary>
    /// <param name="e">The event.</param>
    /// <param name="payload">The other fields of the event.</param>
    /// <param name="names">Distinguishes processes that had the same id in turn.</param>
    public void Take(in TcpEvent e, in EtwPayload payload, ProcessNames names)
    {
        if (!e.Has(TcpFields.Endpoint) || Of(e.Endpoint) is not { } socket)
        {
            return;
        }

        bool enters = e.EnterExit == 0;
        bool inCall = e.Kind is TcpEventKind.SocketSend or TcpEventKind.SocketReceive or TcpEventKind.SocketConnect;
        if (e.Has(TcpFields.ProcessId) && e.ProcessId != 0)
        {
            SetOwner(socket, e.ProcessId, names);
        }
        else if (socket.ProcessId is null && inCall && enters && e.RunningProcessId > 0 && SocketPlace.IsOfCaller(e.Location))
        {
            // A call of the application begins in its own process.
            SetOwner(socket, (uint)e.RunningProcessId, names);
        }

        switch (e.Kind)
        {
            case TcpEventKind.SocketClosed:
            case TcpEventKind.SocketCleanedUp:
                _open.Remove(e.Endpoint);
                return;
            case TcpEventKind.SocketConnect when e.Remote.IsKnown:
                socket.Remote = e.Remote;
                break;
            case TcpEventKind.SocketBind when e.Local.IsKnown:
                socket.Local = e.Local;
                break;
            case TcpEventKind.SocketAccept when e.Remote.IsKnown && payload.TryGetNumber("AcceptEndpoint", out ulong accepted) && Of(accepted) is { } child:
                child.Remote = e.Remote;
                if (child.ProcessId is null && socket.ProcessId is { } owner)
                {
                    SetOwner(child, owner, names);
                }

                break;
        }

        if (inCall && SocketPlace.IsOfCaller(e.Location))
        {
            Call(socket, in e, enters);
        }

        socket.Take(in e);
    }

    /// <summary>TCP got data to send or a request to connect, on the thread that is in the socket's call.</summary>
    public void Seen(in TcpEvent e, TraceConnection connection)
    {
        if (e.ThreadId < 0 || !_calling.TryGetValue(e.ThreadId, out TraceSocket? socket))
        {
            return;
        }

        bool same = e.Kind == TcpEventKind.SendPosted ? socket.SendingOn(e.ThreadId) == e.Bytes : socket.Remote.IsKnown && socket.Remote == connection.Remote;
        if (same && (socket.ProcessId is null || connection.ProcessId is null || socket.ProcessId == connection.ProcessId))
        {
            socket.Join(connection, e.TimeNs);
        }
    }

    /// <summary>Joins sockets by their ends, which may become known only after the socket's first call.</summary>
    public void Finish()
    {
        foreach (TraceSocket socket in All)
        {
            ByEnds(socket, long.MaxValue);
        }
    }

    private void Call(TraceSocket socket, in TcpEvent e, bool enters)
    {
        ByEnds(socket, e.TimeNs);
        if (enters && e.ThreadId >= 0)
        {
            _calling[e.ThreadId] = socket;
        }
        else if (_calling.TryGetValue(e.ThreadId, out TraceSocket? inside) && inside == socket)
        {
            _calling.Remove(e.ThreadId);
        }
    }

    private void ByEnds(TraceSocket socket, long now)
    {
        if (socket.Connection is null && socket.Remote.IsKnown && connections.Only(socket.Remote, socket.Local, socket.ProcessId) is { } only)
        {
            socket.Join(only, now == long.MaxValue ? only.LastNs : now);
        }
    }

    private static void SetOwner(TraceSocket socket, uint processId, ProcessNames names)
    {
        if (socket.ProcessId != processId)
        {
            (socket.ProcessId, socket.ProcessGeneration) = (processId, names.GenerationOf(processId));
        }
    }

    private TraceSocket? Of(ulong endpoint)
    {
        if (!_open.TryGetValue(endpoint, out TraceSocket? socket) && endpoint != 0 && All.Count < TraceConnectionIndex.Most)
        {
            _open.Add(endpoint, socket = new TraceSocket(budget));
            All.Add(socket);
        }

        return socket;
    }
}
