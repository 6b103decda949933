namespace LatencyTuner.Core.Measurement.Probes;

/// <summary>What came of one target. Written by one thread, read after it has ended.</summary>
/// <param name="target">The target.</param>
public sealed class ProbeSeries(ProbeTarget target)
{
    private readonly List<ProbePhase> _phases = [];
    private readonly Dictionary<ProbeFailure, (long Count, string Example)> _failures = [];
    private readonly SortedDictionary<int, long> _statuses = [];

    /// <summary>The target.</summary>
    public ProbeTarget Target => target;

    /// <summary>Requests made.</summary>
    public long Sent { get; internal set; }

    /// <summary>Answers that were timed.</summary>
    public long Answered { get; private set; }

    /// <summary>Answers left out because the server had closed the kept connection and another was opened.</summary>
    public long Reconnected { get; private set; }

    /// <summary>Answers that were too long to be read to their end, so that the time of the whole is not known and their connection was given up.</summary>
    public long Unfinished { get; private set; }

    /// <summary>Planned requests that were not made because an earlier one was still waited for.</summary>
    public long Skipped { get; internal set; }

    /// <summary>Parts of the exchange in the order in which they end.</summary>
    public IReadOnlyList<ProbePhase> Phases => _phases;

    /// <summary>Failures by kind: how many, and the sentence of the first.</summary>
    public IReadOnlyDictionary<ProbeFailure, (long Count, string Example)> Failures => _failures;

    /// <summary>HTTP statuses of the timed answers and how often each came.</summary>
    public IReadOnlyDictionary<int, long> Statuses => _statuses;

    internal void Fail(PeerFailureException failure) => Fail(failure.Reason, failure.Message);

    internal void Fail(ProbeFailure reason, string message)
    {
        (long Count, string Example) before = _failures.GetValueOrDefault(reason, (0, message));
        _failures[reason] = (before.Count + 1, before.Example);
    }

    /// <summary>Notes an answer.</summary>
    /// <param name="phases">Names of the parts.</param>
    /// <param name="ns">Their times; negative for one not seen.</param>
    /// <param name="waitedNs">What the exchange was late because the one before took so long.</param>
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
