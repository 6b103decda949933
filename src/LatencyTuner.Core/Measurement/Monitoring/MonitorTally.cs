using LatencyTuner.Core.Histograms;

namespace LatencyTuner.Core.Measurement.Monitoring;

/// <summary>The results of one target since they were last taken. Written by the thread that asks, taken by another thread.</summary>
internal sealed class MonitorTally(string target, Action<string, long>? observer)
{
    private readonly object _gate = new();
    private readonly List<long> _values = [];
    private int _errors;
    private int _missed;
    private string? _lastError;

    internal void Answer(long ns)
    {
        lock (_gate)
        {
            _values.Add(ns);
        }
        observer?.Invoke(target, ns);
    }

    internal void Fail(string error)
    {
        lock (_gate)
        {
            _errors++;
            _lastError = error;
        }
    }

    internal void Miss(long requests)
    {
        lock (_gate)
        {
            _missed = (int)Math.Min(int.MaxValue, _missed + requests);
        }
    }

    /// <summary>Takes the results since the last call.</summary>
    internal MonitorInterval Take(DateTimeOffset startUtc, TimeSpan duration, TimeSpan clockStep, TimeSpan stoodStill, LatencyHistogram into)
    {
        lock (_gate)
        {
            into.Reset();
            foreach (long value in _values)
            {
                into.Record(value);
            }

            _values.Clear();
            MonitorInterval interval = new(target, startUtc, duration, into, _errors, _missed, clockStep, _lastError) { StoodStill = stoodStill };
            (_errors, _missed, _lastError) = (0, 0, null);
            return interval;
        }
    }
}
