namespace LatencyTuner.Core.Measurement.Monitoring;

/// <summary>The planned times of one target, and the response times counted for its answers. Not thread-safe.</summary>
internal sealed class MonitorSchedule
{
    private readonly MonitorTally _tally;
    private readonly MonitorTiming _timing;
    private readonly Standstill _standstill;
    private readonly TimeProvider _time;
    private readonly double _mostBackOffSeconds;
    private readonly long _period;
    private readonly long _end;
    private long _planned;
    private long _sent;
    private long _freeSince;
    private int _failures;

    internal MonitorSchedule(MonitorPlan plan, TimeSpan offset, MonitorTally tally, MonitorTiming timing, Standstill standstill, TimeProvider time)
    {
        (_tally, _timing, _standstill, _time) = (tally, timing, standstill, time);
        _mostBackOffSeconds = plan.MostBackOff.TotalSeconds;
        // Rounded up: one request more would fit before the end else.
        _period = (long)Math.Ceiling(time.TimestampFrequency / plan.RatePerSecond);
        long begun = time.GetTimestamp();
        _end = plan.Duration is { } duration ? begun + (long)(duration.TotalSeconds * time.TimestampFrequency) : long.MaxValue;
        Next = begun;
        MoveOn((long)(offset.TotalSeconds * time.TimestampFrequency));
    }

    /// <summary>Timestamp at which the next request is due; far in the future after the last one.</summary>
    internal long Next { get; private set; }

    /// <summary>Timestamp before which a target that failed is not tried again.</summary>
    internal long RetryAt { get; private set; }

    /// <summary>A request is due: moves on to the one after it.</summary>
    internal void Take(long now)
    {
        // Seconds late with no answer awaited: the machine was suspended or not scheduled. The missed requests are not sent all at once now.
        if (_freeSince <= Next && _standstill.Within(Next, now))
        {
            Skip(now);
        }

        _planned = Next;
        MoveOn(_period);
    }

    /// <summary>The request taken last is not made: there is no connection.</summary>
    internal void Miss() => _tally.Miss(1);

    /// <summary>The request taken last is sent now.</summary>
    internal void Sent(long now)
    {
        _sent = now;
        if (_freeSince <= _planned)
        {
            _timing.Sent(Ns(_planned, now));
        }
    }

    /// <summary>The request waited for a connection: that is neither response time of the target nor lateness of this machine.</summary>
    internal void Connected(long now) => _planned = _freeSince = now;

    /// <summary>The answer to the request arrived.</summary>
    /// <param name="now">Timestamp of the answer.</param>
    /// <param name="counts">False when its time does not count, since a kept connection had to be opened again.</param>
    internal void Answered(long now, bool counts = true)
    {
        _failures = 0;
        // Counts from the planned time if the previous answer was still awaited then. A late timer of this machine is not the target's time.
        long from = _freeSince > _planned ? _planned : _sent;
        if (_standstill.Within(_sent, now))
        {
            _tally.Miss(1);
            Skip(now);
            _freeSince = 0;
            return;
        }
        _freeSince = now;
        if (counts)
        {
            _tally.Answer(Ns(from, now));
        }
    }

    /// <summary>The request failed, or no connection could be opened.</summary>
    internal void Failed(long since, long now, string error)
    {
        if (_standstill.Within(since, now))
        {
            _tally.Miss(1);
        }
        else
        {
            double wait = Math.Min(_mostBackOffSeconds, Math.Pow(2, Math.Min(_failures++, 10)));
            RetryAt = now + (long)(wait * _time.TimestampFrequency);
            _tally.Fail(error);
        }
        _freeSince = 0;
        // After a target hung for a minute, the requests of that minute are not sent all at once.
        Skip(now);
    }

    /// <summary>Skips the requests that were due before now.</summary>
    internal void Skip(long now)
    {
        long behind = Math.Max(0, (Math.Min(now, _end) - Next) / _period);
        _tally.Miss(behind);
        MoveOn(behind * _period);
    }

    // A busy machine notices the end late: it sends nothing more all the same.
    private void MoveOn(long by) => Next = Next < _end - by ? Next + by : long.MaxValue;

    private long Ns(long from, long to) => (long)((to - from) * (1e9 / _time.TimestampFrequency));
}
