using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Measurement.Monitoring;

/// <summary>
/// Decides when the operator is notified: when a problem begins, and only after several good spans in a row when it is over, so that a target at
/// the limit does not fill a log. A span is one interval, or as many as hold the requests that a 99th percentile needs. At most one alert for each
/// target and interval.
/// </summary>
/// <param name="maxP99">The limit of the 99th percentile; null for none.</param>
public sealed class MonitorWatch(TimeSpan? maxP99)
{
    /// <summary>Number of good spans in a row after which a problem is over; of intervals with an answer for a target that did not answer.</summary>
    public const int CalmSpans = 3;

    /// <summary>The requests of a span: of fewer, the 99th percentile is the slowest one, and one slow request would be an alert.</summary>
    public const int LeastRequests = 100;

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

        state.Answering++;
        if (maxP99 is { } limit && LimitAlert(state, interval, limit) is { } alert)
        {
            return alert;
        }

        if (state.IsSilent && state.Answering >= CalmSpans)
        {
            state.IsSilent = false;
            return Alert(MonitorAlert.AnswersAgain, interval, $"{interval.Target} answers again.");
        }
        return null;
    }

    private static MonitorAlert? LimitAlert(State state, MonitorInterval interval, TimeSpan limit)
    {
        state.Requests += interval.Response.Count;
        state.Slow += interval.Response.CountAbove((long)limit.TotalNanoseconds);
        state.SlowestNs = Math.Max(state.SlowestNs, interval.Response.MaxNs);
        // The rank of the percentile is n - n/100: with more slow requests than n/100 it is a slow one, whatever the missing requests would take.
        bool above = state.Slow > Math.Max(state.Requests, LeastRequests) / 100;
        if (!above && state.Requests < LeastRequests)
        {
            return null;
        }

        string asked = $"--max-p99 {limit.TotalMilliseconds:0.###} ms";
        string slow = $"99th percentile above {asked}: {state.Slow} of {Counted.Of(state.Requests, "request")} took longer, the slowest "
            + $"{state.SlowestNs / 1e6:0.0##} ms.";
        (state.Requests, state.Slow, state.SlowestNs) = (0, 0, 0);
        state.Calm = above ? 0 : state.Calm + 1;
        if (above == state.IsSlow || (state.IsSlow && state.Calm < CalmSpans))
        {
            return null;
        }

        state.IsSlow = above;
        return above
            ? Alert(MonitorAlert.LimitPassed, interval, $"{interval.Target}: {slow}")
            : Alert(MonitorAlert.LimitKept, interval, $"{interval.Target}: 99th percentile not above {asked} for {CalmSpans} spans of requests in a row.");
    }

    private static MonitorAlert Alert(int id, MonitorInterval interval, string text) =>
        new(id, id is MonitorAlert.LimitPassed or MonitorAlert.Silent, interval.StartUtc, interval.Target, text);

    private sealed class State
    {
        internal long Requests { get; set; }

        internal long Slow { get; set; }

        internal long SlowestNs { get; set; }

        internal bool IsSlow { get; set; }

        internal bool IsSilent { get; set; }

        internal int Calm { get; set; }

        internal int Answering { get; set; }
    }
}
