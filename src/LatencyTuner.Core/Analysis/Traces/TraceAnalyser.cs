using LatencyTuner.Core.Etw;
using LatencyTuner.Core.Evidence;

namespace LatencyTuner.Core.Analysis.Traces;

/// <summary>Follows every connection of a trace event by event, and what each process did.</summary>
internal sealed partial class TraceAnalyser
{
    private const uint DelayedAckTimer = 2;
    private const uint NoDelayOption = 1;
    private const int MostProcesses = 100_000;

    private readonly TraceConnections _connections = new();
    private readonly Dictionary<uint, TraceProcess> _processes = [];
    private readonly Dictionary<ulong, TraceSocket> _sockets = [];
    private readonly HashSet<int> _seenTcpip = [];

    public ProcessNames Names { get; } = new();

    public IReadOnlyList<TraceConnection> Connections => _connections.All;

    public IEnumerable<TraceProcess> Processes => _processes.Values;

    public bool HasAfd { get; private set; }

    public bool HasKernel { get; private set; }

    public bool HasTcpip => _seenTcpip.Count > 0;

    public long Unassigned => _connections.Unassigned;

    /// <summary>True when an event of Microsoft-Windows-TCPIP was in the trace.</summary>
    public bool Has(int tcpipEvent) => _seenTcpip.Contains(tcpipEvent);

    public void Take(in TcpEvent e, in EtwPayload payload)
    {
        switch (e.Source)
        {
            case TcpEventSource.Tcpip:
                _seenTcpip.Add(e.EventId);
                TakeTcpip(in e, in payload);
                break;
            case TcpEventSource.Afd:
                HasAfd = true;
                TakeAfd(in e);
                break;
            default:
                HasKernel = true;
                TakeKernel(in e);
                break;
        }
    }

    /// <summary>Joins what only the whole trace shows. It may be called again when more was taken: a live trace shows what it has found so far.</summary>
    public void Finish()
    {
        foreach (TraceProcess process in _processes.Values)
        {
            process.BeginSums();
        }

        foreach (TraceConnection c in _connections.All)
        {
            TraceChains.Begin(c);
        }

        _connections.JoinTwins();
        foreach (TraceConnection c in _connections.All)
        {
            c.ProcessName = c.ProcessId is { } id ? Names.Find(id) : null;
            TraceChains.Divide(c);
            if (c.ProcessId is { } owner && ProcessOf(owner) is { } process)
            {
                process.Connections++;
                process.Sends += c.Sends;
                process.BytesSent += c.LocalSent;
                process.Receives += c.Receives;
                process.BytesReceived += c.LocalReceived;
                process.Retransmissions += Math.Max(c.KernelRetransmissions, Math.Max(c.RetransmitRounds, c.Retransmissions));
            }
        }

        foreach (TraceProcess process in _processes.Values)
        {
            process.Name = Names.Find(process.Id);
        }
    }

    private TraceProcess? ProcessOf(uint id)
    {
        if (!_processes.TryGetValue(id, out TraceProcess? process) && _processes.Count < MostProcesses)
        {
            _processes.Add(id, process = new TraceProcess(id));
        }

        return process;
    }

    private static void Own(TraceConnection c, in TcpEvent e)
    {
        if (e.Has(TcpFields.ProcessId) && e.ProcessId != 0)
        {
            c.ProcessId = e.ProcessId;
        }
    }

    private void TakeKernel(in TcpEvent e)
    {
        TraceProcess? process = e.Has(TcpFields.ProcessId) ? ProcessOf(e.ProcessId) : null;
        if (e.Kind == TcpEventKind.KernelFail)
        {
            if (process is not null)
            {
                process.Failures++;
            }

            return;
        }

        if (_connections.Of(in e) is not { } c)
        {
            return;
        }

        c.Seen(e.TimeNs);
        Own(c, in e);
        c.Verified &= e.IsVerified;
        switch (e.Kind)
        {
            case TcpEventKind.KernelSend:
                c.KernelSends++;
                c.KernelBytesSent += (long)Math.Min(e.Bytes, int.MaxValue);
                break;
            case TcpEventKind.KernelReceive:
                c.KernelReceives++;
                c.KernelBytesReceived += (long)Math.Min(e.Bytes, int.MaxValue);
                break;
            case TcpEventKind.KernelRetransmit:
                c.KernelRetransmissions++;
                break;
            case TcpEventKind.KernelConnect:
                c.Connected = true;
                Add(process, 1, 0, 0);
                break;
            case TcpEventKind.KernelAccept:
                c.Connected = false;
                Add(process, 0, 1, 0);
                break;
            case TcpEventKind.KernelDisconnect:
                c.Closed = true;
                Add(process, 0, 0, 1);
                break;
        }
    }

    private static void Add(TraceProcess? process, int connects, int accepts, int disconnects)
    {
        if (process is not null)
        {
            process.Connects += connects;
            process.Accepts += accepts;
            process.Disconnects += disconnects;
        }
    }

    private void TakeAfd(in TcpEvent e)
    {
        if (!e.Has(TcpFields.Endpoint))
        {
            return;
        }

        if (!_sockets.TryGetValue(e.Endpoint, out TraceSocket? socket))
        {
            if (_sockets.Count >= TraceConnections.Most)
            {
                return;
            }

            _sockets.Add(e.Endpoint, socket = new TraceSocket());
        }

        if (e.Has(TcpFields.ProcessId) && e.ProcessId != 0)
        {
            socket.ProcessId = e.ProcessId;
        }
        else if (socket.ProcessId is null && e.Kind is TcpEventKind.SocketSend or TcpEventKind.SocketReceive && e.RunningProcessId > 0)
        {
            // A call enters in its own process.
            socket.ProcessId = (uint)e.RunningProcessId;
        }

        if (e.Kind is TcpEventKind.SocketClosed or TcpEventKind.SocketCleanedUp)
        {
            _sockets.Remove(e.Endpoint);
            return;
        }

        if (socket.ProcessId is { } id && ProcessOf(id) is { } process)
        {
            socket.Take(in e, process);
        }
    }
}
