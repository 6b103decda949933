using LatencyTuner.Core.Capture;
using LatencyTuner.Core.Evidence;

namespace LatencyTuner.Core.Recordings.Traces;

/// <summary>Applies the filter for captures to events: to the time of every event, and to the ends of events that name them.</summary>
internal sealed class TraceFilter(RecordingFilter filter)
{
    private readonly long _after = filter.After is { } a ? (a - DateTimeOffset.UnixEpoch).Ticks * 100 : long.MinValue;
    private readonly long _before = filter.Before is { } b ? (b - DateTimeOffset.UnixEpoch).Ticks * 100 : long.MaxValue;
    private readonly RecordingFilter.ConnectionTest _test = new(filter);
    private readonly bool _ends = filter.Hosts.Count + filter.Ports.Count > 0;
    private readonly HashSet<ulong> _left = [];

    public bool Passes(in TcpEvent e)
    {
        if (e.TimeNs < _after || e.TimeNs >= _before)
        {
            return false;
        }

        if (!_ends)
        {
            return true;
        }

        bool named = e.Local.IsKnown && e.Remote.IsKnown;
        bool passes = named ? Matches(e.Local, e.Remote) : !_left.Contains(e.Tcb);
        if (named && e.Has(TcpFields.Tcb))
        {
            // Events without ends pass when the last event of their TCB with ends passed.
            _ = passes ? _left.Remove(e.Tcb) : _left.Add(e.Tcb);
        }

        return passes;
    }

    private bool Matches(TcpEndpoint local, TcpEndpoint remote) =>
        _test.Passes(IpAddressValue.From(local.Address), IpAddressValue.From(remote.Address), local.Port, remote.Port);
}
