namespace LatencyTuner.Core.Measurement.Probes;

/// <summary>The results of one target. Written by one thread, read after the thread has ended.</summary>
/// <param name="target">The target.</param>
public sealed class ProbeSeries(ProbeTarget target)
{
    private readonly List<ProbePhase> _phases = [];
    private readonly Dictionary<ProbeFailure, (long Count, string Example)> _failures = [];
    private readonly SortedDictionary<int, long> _statuses = [];

    /// <summary>The target.</summary>
    public ProbeTarget Target => target;

    /// <summary>Number of requests sent.</summary>
    public long Sent { get; internal set; }

    /// <summary>Number of timed answers.</summary>
    public long Answered { get; private set; }

    /// <summary>Number of answers left out because the server had closed the kept connection and another was opened.</summary>
    public long Reconnected { get; private set; }

    /// <summary>Number of answers too long to be read to their end: their full time is unknown, and their connection was closed.</summary>
    public long Unfinished { get; private set; }

    /// <summary>Number of planned requests that were not sent because an earlier one was still unanswered.</summary>
    public long Skipped { get; internal set; }

    /// <summary>Parts of the exchange in the order in which they end.</summary>
    public IReadOnlyList<ProbePhase> Phases => _phases;

    /// <summary>Failures by kind: their number, and the message of the first.</summary>
    public IReadOnlyDictionary<ProbeFailure, (long Count, string Example)> Failures => _failures;

    /// <summary>HTTP statuses of the timed answers, and the number of answers with each.</summary>
    public IReadOnlyDictionary<int, long> Statuses => _statuses;

    internal void Fail(PeerFailureException failure) => Fail(failure.Reason, failure.Message);

    internal void Fail(ProbeFailure reason, string message)
    {
        (long Count, string Example) before = _failures.GetValueOrDefault(reason, (0, message));
        _failures[reason] = (before.Count + 1, before.Example);
    }

    /// <summary>Records an answer.</summary>
    /// <param name="phases">Names of the parts.</param>
    /// <param name="ns">Their times, nanoseconds; negative for a part that was not observed.</param>
    /// <param name="waitedNs">How late the exchange began because the previous one took too long, nanoseconds.</param>
    /// <param name="status">HTTP status, 0 for none.</param>
    /// <param name="reconnected">True when a kept connection had to be opened again.</param>
    internal void Answer(IReadOnlyList<string> phases, ReadOnlySpan<long> ns, long waitedNs, int status, bool reconnected)
    {
        Unfinished += ns[^1] < 0 ? 1 : 0;
        if (reconnected)
        {
            Reconnected++;
            return;
        }
        Answered++;
        if (status > 0)
        {
            _statuses[status] = _statuses.GetValueOrDefault(status) + 1;
        }

        while (_phases.Count < phases.Count)
        {
            _phases.Add(new ProbePhase(phases[_phases.Count]));
        }

        for (int i = 0; i < phases.Count; i++)
        {
            if (ns[i] >= 0)
            {
                _phases[i].Record(ns[i] + waitedNs);
            }
        }
    }
}
