using LatencyTuner.Core.Etw;
using LatencyTuner.Core.Evidence;

namespace LatencyTuner.Core.Recordings.Traces;

/// <summary>
/// TCP_NODELAY by its value (TCPIP event 1544) and by its connection (1104, which has no value). Event 1544 names an endpoint: that of the connection,
/// or one that event 1013 names with its port. Otherwise the 1104 of the same call shows the connection: the same thread within 1 ms.
/// </summary>
internal sealed class TraceOptions(TraceConnectionIndex connections)
{
    private const ulong TcpLevel = 6;
    private const ulong NoDelay = 1;
    private const int Most = 65_536;
    private const long SameCallNs = 1_000_000;

    private readonly Dictionary<int, (long Ns, bool On)> _values = [];
    private readonly Dictionary<int, (long Ns, TraceConnection Connection)> _connections = [];
    private readonly Dictionary<ulong, (uint ProcessId, TcpEndpoint Local)> _endpoints = [];
    private readonly List<(ulong Endpoint, long Ns, bool On)> _open = [];

    /// <summary>An endpoint was created.</summary>
    public void Created(in TcpEvent e)
    {
        if (e.Has(TcpFields.Endpoint) && _endpoints.Count < Most)
        {
            _endpoints[e.Endpoint] = (e.ProcessId, e.Local);
        }
    }

    /// <summary>An option was set, to a value.</summary>
    public void Value(in TcpEvent e, in EtwPayload payload)
    {
        if (!payload.TryGetNumber("Level", out ulong level) || level != TcpLevel || !payload.TryGetNumber("Name", out ulong name) || name != NoDelay
            || !payload.TryGetBytes("Value", out ReadOnlySpan<byte> value) || value.IsEmpty)
        {
            return;
        }

        (long now, bool on) = (e.TimeNs, value.ContainsAnyExcept((byte)0));
        if (connections.ByTcb(e.Endpoint) is { } known)
        {
            known.NoDelayChanged(now, on);
        }
        else if (e.ThreadId >= 0 && _connections.TryGetValue(e.ThreadId, out (long Ns, TraceConnection Connection) before) && now - before.Ns <= SameCallNs)
        {
            before.Connection.NoDelayChanged(now, on);
        }
        else if (_open.Count < Most)
        {
            _open.Add((e.Endpoint, now, on));
            _values[e.ThreadId] = (now, on);
        }
    }

    /// <summary>An option of a connection was set; the event has no value.</summary>
    public void Set(in TcpEvent e, TraceConnection connection)
    {
        if (e.ThreadId >= 0 && _values.TryGetValue(e.ThreadId, out (long Ns, bool On) value) && e.TimeNs - value.Ns <= SameCallNs)
        {
            connection.NoDelayChanged(e.TimeNs, value.On);
            return;
        }

        connection.NoDelayChanged(e.TimeNs, null);
        if (_connections.Count < Most)
        {
            _connections[e.ThreadId] = (e.TimeNs, connection);
        }
    }

    /// <summary>Joins the values of endpoints with their connections, by process and port, where only one fits.</summary>
    public void Finish() => _open.RemoveAll(Join);

    private bool Join((ulong Endpoint, long Ns, bool On) option)
    {
        if (!_endpoints.TryGetValue(option.Endpoint, out (uint ProcessId, TcpEndpoint Local) owner) || owner.Local.Port == 0)
        {
            return false;
        }

        TraceConnection[] fitting =
            [.. connections.All.Where(c => c.Local.Port == owner.Local.Port && c.ProcessId == owner.ProcessId && c.LastNs >= option.Ns).Take(2)];
        if (fitting.Length != 1)
        {
            return false;
        }

        fitting[0].NoDelay.Add((option.Ns, option.On));
        fitting[0].NoDelay.Sort((a, b) => a.Ns.CompareTo(b.Ns));
        return true;
    }
}
