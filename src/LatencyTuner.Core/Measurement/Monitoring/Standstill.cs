namespace LatencyTuner.Core.Measurement.Monitoring;

/// <summary>
/// Detects that this machine was suspended or not scheduled, so that no target is charged for it: a beat that is due every second came
/// much later. Thread-safe.
/// </summary>
internal sealed class Standstill(TimeProvider time)
{
    /// <summary>A beat later than this is a standstill; shorter delays are ignored.</summary>
    internal static readonly TimeSpan Least = TimeSpan.FromSeconds(2);

    private static readonly TimeSpan Beat = TimeSpan.FromSeconds(1);
    private readonly object _gate = new();
    private long _lastBeat = time.GetTimestamp();
    private long _from;
    private long _to;
    private TimeSpan _total;

    /// <summary>Notes a beat every second until it is cancelled.</summary>
    internal void Run(CancellationToken stop)
    {
        while (!stop.WaitHandle.WaitOne(Beat))
        {
            Note(time.GetTimestamp());
        }
    }

    /// <summary>Notes a beat.</summary>
    internal void Note(long now)
    {
        lock (_gate)
        {
            if (IsOverdue(now))
            {
                (_from, _to) = (_lastBeat, now);
                _total += time.GetElapsedTime(_lastBeat, now) - Beat;
            }
            _lastBeat = Math.Max(_lastBeat, now);
        }
    }

    /// <summary>How long the machine was suspended or not scheduled since the last call.</summary>
    internal TimeSpan Take(long now)
    {
        Note(now);
        lock (_gate)
        {
            TimeSpan total = _total;
            _total = TimeSpan.Zero;
            return total;
        }
    }

    /// <summary>Whether the machine was suspended or not scheduled for a part of a time that ends now.</summary>
    internal bool Within(long from, long now)
    {
        if (time.GetElapsedTime(from, now) < Least)
        {
            return false;
        }

        lock (_gate)
        {
            // A beat that is overdue has not been noted yet: its thread may be the last to wake.
            return (_to > from && _from < now) || IsOverdue(now);
        }
    }

    private bool IsOverdue(long now) => time.GetElapsedTime(_lastBeat, now) > Beat + Least;
}
