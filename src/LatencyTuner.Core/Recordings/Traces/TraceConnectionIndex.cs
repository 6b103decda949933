using System.Runtime.InteropServices;
using LatencyTuner.Core.Evidence;

namespace LatencyTuner.Core.Recordings.Traces;

/// <summary>Finds the connection of an event: by its TCB while the TCB exists, otherwise by the ends.</summary>
internal sealed class TraceConnectionIndex
{
    /// <summary>The most connections that are kept; a trace of a scanner or an attack may have millions.</summary>
    public const int Most = 200_000;

    private readonly Dictionary<ulong, TraceConnection> _byTcb = [];
    private readonly Dictionary<(TcpEndpoint Local, TcpEndpoint Remote), TraceConnection> _byEnds = [];
    private readonly Dictionary<TcpEndpoint, List<TraceConnection>> _byRemote = [];

    /// <summary>The limit of what all connections together may keep.</summary>
    public RetentionBudget Budget { get; } = new();

    public List<TraceConnection> All { get; } = [];

    /// <summary>Number of events of connections that were no longer kept, or whose connection the trace does not show.</summary>
    public long Unassigned { get; private set; }

    public TraceConnection? Of(in TcpEvent e)
    {
        bool hasTcb = e.Has(TcpFields.Tcb) && e.Tcb != 0;
        bool hasEnds = e.Local.IsKnown && e.Remote.IsKnown && e.Remote.Port != 0;
        TraceConnection? found = null;
        if (hasTcb && _byTcb.TryGetValue(e.Tcb, out found) && hasEnds && found.Local.IsKnown && (found.Local != e.Local || found.Remote != e.Remote))
        {
            // The address of a TCB is used again for another connection.
            found = null;
        }

        bool begins = e.Kind is TcpEventKind.ConnectRequested or TcpEventKind.ConnectStarted or TcpEventKind.Accepted or TcpEventKind.KernelConnect
            or TcpEventKind.KernelAccept;
        if (found is null && hasEnds && _byEnds.TryGetValue((e.Local, e.Remote), out found) && found.Closed && begins)
        {
            found = null;
        }

        if (found is null)
        {
            if ((!hasTcb && !hasEnds) || All.Count >= Most)
            {
                Unassigned++;
                return null;
            }

            found = new TraceConnection(All.Count, Budget);
            All.Add(found);
        }

        if (hasTcb)
        {
            _byTcb[e.Tcb] = found;
        }

        if (hasEnds)
        {
            (found.Local, found.Remote) = (e.Local, e.Remote);
            if (!_byEnds.TryGetValue((e.Local, e.Remote), out TraceConnection? before) || before != found)
            {
                _byEnds[(e.Local, e.Remote)] = found;
                (CollectionsMarshal.GetValueRefOrAddDefault(_byRemote, e.Remote, out _) ??= []).Add(found);
            }
        }

        return found;
    }

    /// <summary>The connection whose TCB has this address; null when there is none.</summary>
    public TraceConnection? ByTcb(ulong tcb) => _byTcb.GetValueOrDefault(tcb);

    /// <summary>The one open connection of a process to or from a remote end; null when there is none, or more than one.</summary>
    public TraceConnection? Only(TcpEndpoint remote, TcpEndpoint local, uint? processId)
    {
        TraceConnection? only = null;
        foreach (TraceConnection c in _byRemote.TryGetValue(remote, out List<TraceConnection>? all) ? all : [])
        {
            bool mayBe = !c.Closed && (c.ProcessId is null || processId is null || c.ProcessId == processId) && (local.Port == 0 || c.Local.Port == local.Port);
            if (mayBe && only is not null)
            {
                return null;
            }

            only = mayBe ? c : only;
        }

        return only;
    }

    /// <summary>Joins the two ends of connections within this machine.</summary>
    public void JoinTwins()
    {
        foreach (TraceConnection c in All)
        {
            if (c.Twin is null && c.Local.IsKnown && _byEnds.TryGetValue((c.Remote, c.Local), out TraceConnection? other) && other != c
                && other.FirstNs <= c.LastNs && c.FirstNs <= other.LastNs)
            {
                (c.Twin, other.Twin) = (other, c);
                (c.Connected, other.Connected) = (c.Connected ?? !other.Connected, other.Connected ?? !c.Connected);
            }
        }
    }
}
