namespace LatencyTuner.Core.Recordings.Traces;

/// <summary>
/// Requests and responses of one connection, distinguished by the direction of the data: posted by the application here (TCPIP event 1159, or sent,
/// 1332, when the trace has no 1159), or arrived (1074). Pipelined requests count as one this way.
/// </summary>
internal sealed class TurnTracker(RetentionBudget budget)
{
    private const int Most = 20_000;

    private readonly List<TraceTurn> _kept = [];
    private bool? _outwards;
    private long _startNs;
    private long _lastSentNs = -1;
    private long _lastReceivedNs = -1;
    private long _ownNs = -1;
    private TurnCounters _before;
    private TurnCounters _counters;
    private bool _begun;

    /// <summary>Number of requests that were answered.</summary>
    public long Count { get; private set; }

    /// <summary>The application posted data.</summary>
    public void Sends(long now, bool isClient, in TurnCounters counters)
    {
        _counters = counters;
        if (_outwards != true)
        {
            long own = _lastReceivedNs < 0 ? -1 : now - _lastReceivedNs;
            if (isClient)
            {
                End(_lastReceivedNs);
                Begin(now, own);
            }
            else
            {
                _ownNs = own;
            }
        }

        (_outwards, _lastSentNs) = (true, now);
    }

    /// <summary>Data was sent, which may be later than it was posted.</summary>
    public void Sent(long now, in TurnCounters counters)
    {
        _counters = counters;
        if (_outwards == true)
        {
            _lastSentNs = now;
        }
    }

    /// <summary>Takes into account that data arrived.</summary>
    public void Receives(long now, bool isClient, in TurnCounters counters)
    {
        _counters = counters;
        if (_outwards != false && !isClient)
        {
            End(_outwards is null ? -1 : _lastSentNs);
            Begin(now, -1);
        }

        (_outwards, _lastReceivedNs) = (false, now);
    }

    /// <summary>The requests that were kept, and the last one when it was answered.</summary>
    public IEnumerable<TraceTurn> All(bool isClient)
    {
        long end = isClient ? _outwards == false ? _lastReceivedNs : -1 : _outwards == true ? _lastSentNs : -1;
        return _begun && end >= _startNs ? _kept.Append(new TraceTurn(end - _startNs, _counters.Since(in _before), _ownNs)) : _kept;
    }

    private void Begin(long now, long own) => (_begun, _startNs, _ownNs, _before) = (true, now, own, _counters);

    private void End(long end)
    {
        if (!_begun || end < _startNs)
        {
            return;
        }

        Count++;
        if (_kept.Count < Most && budget.Take())
        {
            _kept.Add(new TraceTurn(end - _startNs, _counters.Since(in _before), _ownNs));
        }
    }
}
