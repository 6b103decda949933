namespace LatencyTuner.Core.Measurement.Monitoring;

/// <summary>One target's thread: asks at planned times, reconnects after failures, hands its values over per interval.</summary>
internal sealed class MonitoredLine(MonitorTarget target, MonitorPlan plan, TimeSpan offset, TimeProvider time, Action<string, long>? observer, CancellationToken cancellation)
{
    private readonly object _gate = new();
    private readonly List<long> _values = [];
    private int _errors;
    private int _missed;
    private string? _lastError;
    private MonitorProbe? _probe;

    internal string Name => target.Name;

    /// <summary>Runs until it is cancelled.</summary>
    internal void Run()
    {
        long period = (long)(time.TimestampFrequency / plan.RatePerSecond);
        long next = time.GetTimestamp() + (long)(offset.TotalSeconds * time.TimestampFrequency);
        long retryAt = 0;
        int failures = 0;
        long freeSince = 0;
        while (Wait(next))
        {
            long planned = next;
            next += period;
            if (_probe is null && time.GetTimestamp() < retryAt)
            {
                Count(missed: 1, error: null);
                continue;
            }
            try
            {
                Connect();
                long sent = time.GetTimestamp();
                _probe!.Exchange();
                long received = time.GetTimestamp();
                // Charged from the plan when the answer before was still awaited then; what this machine's timer was late is not the target's.
                long from = freeSince > planned ? planned : sent;
                freeSince = received;
                failures = 0;
                long ns = (long)((received - from) * (1e9 / time.TimestampFrequency));
                lock (_gate)
                {
                    _values.Add(ns);
                }
                observer?.Invoke(target.Name, ns);
            }
            catch (Exception e) when (e is PeerFailureException or ExpectedFailureException)
            {
                if (cancellation.IsCancellationRequested)
                    return;
                Drop();
                double wait = Math.Min(plan.MostBackOff.TotalSeconds, Math.Pow(2, Math.Min(failures++, 10)));
                retryAt = time.GetTimestamp() + (long)(wait * time.TimestampFrequency);
                freeSince = 0;
                Count(missed: 0, e.Message);
                // A target that hung for a minute is not asked for the whole minute at once after it.
                long now = time.GetTimestamp();
                long behind = Math.Max(0, (now - next) / period);
                Count(missed: (int)Math.Min(int.MaxValue, behind), error: null);
                next += behind * period;
            }
            catch (OperationCanceledException)
            {
                return;
            }
        }
    }

    /// <summary>Takes what came since the last call.</summary>
    internal MonitorInterval Take(DateTimeOffset startUtc, TimeSpan duration, TimeSpan clockStep, LatencyHistogram into)
    {
        lock (_gate)
        {
            into.Reset();
            foreach (long value in _values)
                into.Record(value);
            _values.Clear();
            MonitorInterval interval = new(target.Name, startUtc, duration, into, _errors, _missed, clockStep, _lastError);
            (_errors, _missed, _lastError) = (0, 0, null);
            return interval;
        }
    }

    /// <summary>Makes the thread return soon, after the cancellation.</summary>
    internal void Interrupt()
    {
        lock (_gate)
        {
            _probe?.Interrupt();
        }
    }

    internal void Drop()
    {
        lock (_gate)
        {
            _probe?.Dispose();
            _probe = null;
        }
    }

    private void Connect()
    {
        if (_probe is not null)
            return;
        MonitorProbe opened = target.Open(cancellation);
        lock (_gate)
        {
            _probe = opened;
        }
    }

    private void Count(int missed, string? error)
    {
        lock (_gate)
        {
            _missed += missed;
            _errors += error is null ? 0 : 1;
            _lastError = error ?? _lastError;
        }
    }

    /// <summary>Waits until a time of the steady clock; false when cancelled.</summary>
    private bool Wait(long until)
    {
        while (true)
        {
            if (cancellation.IsCancellationRequested)
                return false;
            double left = (until - time.GetTimestamp()) / (double)time.TimestampFrequency;
            if (left <= 0)
                return true;
            cancellation.WaitHandle.WaitOne(TimeSpan.FromSeconds(Math.Min(left + 0.0005, 60)));
        }
    }
}
