using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Measurement.Monitoring;

/// <summary>
/// Decides when the operator is notified: at once when a problem begins, and only after several good intervals in a row when it is over,
/// so that a target at the limit does not fill a log. At most one alert for each target and interval.
/// </summary>
/// <param name="maxP99">The limit of the 99th percentile; null for none.</param>
public sealed class MonitorWatch(TimeSpan? maxP99)
{
    /// <summary>Number of good intervals in a row after which a problem is over.</summary>
    public const int CalmIntervals = 3;

    private readonly Dictionary<string, State> _states = [];

    /// <summary>Takes the next interval of a target.</summary>
    /// <param name="interval">The results of the interval.</param>
    /// <returns>The alert for the operator; null for none.</returns>
    public MonitorAlert? Take(MonitorInterval interval)
    {
        ArgumentNullException.ThrowIfNull(interval);
        if (!_states.TryGetValue(interval.Target, out State? state))
        {
            _states.Add(interval.Target, state = new State());
        }

        long n = interval.Response.Count;
        if (n == 0)
        {
            state.Answering = interval.Errors + interval.Missed > 0 ? 0 : state.Answering;
            if (state.IsSilent || interval.Errors == 0)
            {
                return null;
            }

            state.IsSilent = true;
            return Alert(MonitorAlert.Silent, interval, $"{interval.Target} does not answer: {interval.LastError}");
        }
        double p99 = interval.Response.ValueAtPercentile(99);
        bool above = maxP99 is { } limit && p99 > limit.TotalNanoseconds;
        state.Calm = above ? 0 : state.Calm + 1;
        state.Answering++;
        if (above && !state.IsSlow)
        {
            state.IsSlow = true;
            return Alert(
                MonitorAlert.LimitPassed, interval,
                $"{interval.Target}: 99th percentile {p99 / 1e6:0.0##} ms of {Counted.Of(n, "request")}, above --max-p99 "
                + $"{maxP99!.Value.TotalMilliseconds:0.###} ms.");
        }
        if (state.IsSlow && state.Calm >= CalmIntervals)
        {
            state.IsSlow = false;
            return Alert(
                MonitorAlert.LimitKept, interval,
                $"{interval.Target}: 99th percentile not above --max-p99 {maxP99!.Value.TotalMilliseconds:0.###} ms for {CalmIntervals} intervals in a row.");
        }
        if (state.IsSilent && state.Answering >= CalmIntervals)
        {
            state.IsSilent = false;
            return Alert(MonitorAlert.AnswersAgain, interval, $"{interval.Target} answers again.");
        }
        return null;
    }

    private static MonitorAlert Alert(int id, MonitorInterval interval, string text) =>
        new(id, id is MonitorAlert.LimitPassed or MonitorAlert.Silent, interval.StartUtc, interval.Target, text);

    private sealed class State
    {
        internal bool IsSlow { get; set; }

        internal bool IsSilent { get; set; }

        internal int Calm { get; set; }

        internal int Answering { get; set; }
    }
}
