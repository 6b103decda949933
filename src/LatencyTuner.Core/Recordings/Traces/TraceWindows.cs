namespace LatencyTuner.Core.Recordings.Traces;

/// <summary>
/// Times in which a connection probed a closed window (TCPIP events 1102, 1103), or avoided the silly window syndrome (TCPIP events 1100, 1101;
/// RFC 1122 4.2.3.4). Assumed from the manifests: the pairs of events enclose the time in which data waited.
/// </summary>
internal sealed class TraceWindows
{
    private long? _closedSinceNs;
    private long _closedNs;
    private long? _swsSinceNs;
    private bool? _swsHadRoom;

    /// <summary>How many times probing of a closed window began.</summary>
    public long Closed { get; private set; }

    /// <summary>How many times the stack held small segments while a window was too small for the waiting data.</summary>
    public long Silly { get; private set; }

    public long SillyNs { get; private set; }

    /// <summary>How many times it held them for a reason that the trace does not show: Nagle's algorithm, or a window.</summary>
    public long Unexplained { get; private set; }

    public long UnexplainedNs { get; private set; }

    /// <summary>How many times it held them while both windows had room: Nagle's algorithm, as the stack itself reports it.</summary>
    public long Nagle { get; private set; }

    /// <summary>How long the window was closed in all, nanoseconds, including a period that has not ended.</summary>
    public long ClosedNs(long now) => _closedNs + (_closedSinceNs is { } since ? Math.Max(now - since, 0) : 0);

    public bool IsClosed => _closedSinceNs is not null;

    public void ProbingBegins(long now)
    {
        if (_closedSinceNs is null)
        {
            (_closedSinceNs, Closed) = (now, Closed + 1);
        }
    }

    public TraceExample? LongestClosed { get; private set; }

    public void ProbingEnds(long now)
    {
        if (_closedSinceNs is { } since)
        {
            LongestClosed = TraceExample.Longer(LongestClosed, new(since, now));
            (_closedNs, _closedSinceNs) = (ClosedNs(now), null);
        }
    }

    public void AvoidanceBegins(long now, bool? hasRoom)
    {
        if (_swsSinceNs is null)
        {
            (_swsSinceNs, _swsHadRoom) = (now, hasRoom);
        }
    }

    public void AvoidanceEnds(long now)
    {
        if (_swsSinceNs is not { } since)
        {
            return;
        }

        _swsSinceNs = null;
        switch (_swsHadRoom)
        {
            case true:
                Nagle++;
                break;
            case false:
                (Silly, SillyNs) = (Silly + 1, SillyNs + now - since);
                break;
            case null:
                (Unexplained, UnexplainedNs) = (Unexplained + 1, UnexplainedNs + now - since);
                break;
        }
    }
}
