using LatencyTuner.Core.Etw;
using LatencyTuner.Core.Evidence;

namespace LatencyTuner.Core.Recordings.Traces;

/// <summary>Follows every connection of a trace event by event, and what each process did.</summary>
internal sealed partial class TraceAnalyser
{
    private const uint DelayedAckTimer = 2;
    private const uint NoDelayOption = 1;
    private const int MostProcesses = 100_000;

    private readonly TraceConnectionIndex _connections = new();
    private readonly Dictionary<(uint Id, int Generation), TraceProcess> _processes = [];
    private readonly TraceSocketIndex _sockets;
    private readonly TraceOptions _options;
    private readonly HashSet<int> _seenTcpip = [];

    public TraceAnalyser() => (_sockets, _options) = (new(_connections, _connections.Budget), new(_connections));

    public ProcessNames Names { get; } = new();

    public IReadOnlyList<TraceConnection> Connections => _connections.All;

    public IEnumerable<TraceProcess> Processes => _processes.Values;

    public bool HasAfd { get; private set; }

    public bool HasKernel { get; private set; }

    public bool HasTcpip => _seenTcpip.Count > 0;

    public long Unassigned => _connections.Unassigned;

    /// <summary>True when the trace holds an event of Microsoft-Windows-TCPIP with this id.</summary>
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
                _sockets.Take(in e, in payload, Names);
                break;
            default:
                HasKernel = true;
                TakeKernel(in e, in payload);
                break;
        }
    }

    /// <summary>Makes the joins that need the whole trace, or the trace so far: more events may follow.</summary>
    public void Finish()
    {
        _connections.JoinTwins();
        _sockets.Finish();
        _options.Finish();
        foreach (TraceProcess process in _processes.Values)
        {
            process.Begin();
        }

        foreach (TraceConnection c in _connections.All)
        {
            (c.Calls, c.ChainExpiries) = (null, 0);
        }

        foreach (TraceSocket socket in _sockets.All)
        {
            Attribute(socket);
        }

        foreach (TraceConnection c in _connections.All)
        {
            c.ProcessName = c.ProcessId is { } id ? Names.Find(id, c.ProcessGeneration) : null;
            TraceChains.Divide(c);
            ProcessOfOwner(c)?.Add(c);
        }

        foreach (TraceProcess process in _processes.Values)
        {
            process.Name = Names.Find(process.Id, process.Generation);
        }
    }

    private void Attribute(TraceSocket socket)
    {
        foreach ((TraceConnection connection, TraceCalls calls) in socket.Past)
        {
            Attribute(calls, connection);
        }

        if (socket.Connection is { } joined)
        {
            Attribute(socket.Calls, joined);
        }
        else if (socket.ProcessId is { } id)
        {
            ProcessOf(id, socket.ProcessGeneration)?.Unjoined.Add(socket.Calls);
        }
    }

    private static void Attribute(TraceCalls calls, TraceConnection connection)
    {
        (connection.Calls ??= new()).Add(calls);

        // Whichever events show the connection, the meaning of its socket's events is known only from a manifest.
        connection.Verified = false;
    }

    private TraceProcess? ProcessOf(uint id) => ProcessOf(id, Names.GenerationOf(id));

    private TraceProcess? ProcessOf(uint id, int generation)
    {
        if (!_processes.TryGetValue((id, generation), out TraceProcess? process) && _processes.Count < MostProcesses)
        {
            _processes.Add((id, generation), process = new TraceProcess(id, generation));
        }

        return process;
    }

    private TraceProcess? ProcessOfOwner(TraceConnection c) => c.ProcessId is { } id ? ProcessOf(id, c.ProcessGeneration) : null;

    /// <summary>Sets the owner: the process in the payload of an event owns the connection; the process that was running may be another one.</summary>
    private void Own(TraceConnection c, in TcpEvent e)
    {
        if (e.Has(TcpFields.ProcessId) && e.ProcessId != 0 && c.ProcessId != e.ProcessId)
        {
            (c.ProcessId, c.ProcessGeneration) = (e.ProcessId, Names.GenerationOf(e.ProcessId));
        }
    }

    private void TakeKernel(in TcpEvent e, in EtwPayload payload)
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
                Agreed(c, in payload);
                Add(process, 1, 0, 0);
                break;
            case TcpEventKind.KernelAccept:
                c.Connected = false;
                Agreed(c, in payload);
                Add(process, 0, 1, 0);
                break;
            case TcpEventKind.KernelDisconnect:
                c.Closed = true;
                Add(process, 0, 0, 1);
                break;
        }
    }

    private static void Agreed(TraceConnection c, in EtwPayload payload)
    {
        if (payload.TryGetNumber("mss", out ulong mss))
        {
            c.Sender.Size.Agreed(mss, payload.TryGetNumber("tsopt", out ulong timestamps) && timestamps != 0);
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
}
