using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Statistics;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Analysis.Series;

/// <summary>Latency changed to another level and stayed there (LT152): a deployment, a failover, another route, a setting.</summary>
internal static class LevelShiftRule
{
    private const double TailShare = 0.01;

    internal static IEnumerable<Finding> Evaluate(SeriesAnalysis analysis, SeverityLimits limits)
    {
        List<LevelShift> told = [];
        foreach (MetricAnalysis metric in analysis.Metrics)
        {
            foreach (LevelShift shift in metric.Shifts)
            {
                if (told.Exists(t => SameTime(t, shift, metric.Bins.StepSeconds)))
                {
                    continue;
                }

                told.Add(shift);
                yield return Of(analysis, metric, shift, limits);
            }
        }
    }

    /// <summary>Whether two shifts may be one event.</summary>
    internal static bool SameTime(LevelShift a, LevelShift b, double stepSeconds) =>
        a.TimeLowSeconds <= b.TimeHighSeconds + stepSeconds && b.TimeLowSeconds <= a.TimeHighSeconds + stepSeconds;

    private static Finding Of(SeriesAnalysis analysis, MetricAnalysis metric, LevelShift s, SeverityLimits limits)
    {
        double active = analysis.Series.Distribution.MeanNs * analysis.Series.Distribution.Count / 1e6;
        double perBin = (double)analysis.Series.Distribution.Count / Math.Max(1, metric.Bins.Count) * (metric.Metric == SeriesMetric.Tail ? TailShare : 1);
        double? cost = metric.Metric == SeriesMetric.SlowRate || s.Difference <= 0 ? null : s.Difference * perBin * s.BinsAfter;
        double share = cost is { } ms && active > 0 ? Math.Min(1, ms / active) : 0;
        string change = s.Difference > 0 ? "rose" : "fell";
        return new Finding
        {
            Cause = Cause.LevelShift,
            Host = analysis.Series.Name,
            Confidence = Confidence.Likely,
            Severity = limits.Of(share, 0, TimeSpan.FromSeconds(metric.Bins.SpanSeconds)),
            Count = 1,
            CostMs = cost,
            CostShare = cost is null ? null : share,
            For =
            [
                $"The {SeriesText.Of(metric.Metric)} {change} at {SeriesText.Time(s.TimeSeconds)}"
                + $"{Format.Between(SeriesText.Time(s.TimeLowSeconds), SeriesText.Time(s.TimeHighSeconds))} from {SeriesText.Value(metric.Metric, s.Before)} "
                + "to "
                + $"{SeriesText.Value(metric.Metric, s.After)}, by {SeriesText.Value(metric.Metric, Math.Abs(s.Difference))} "
                + $"({Interval(metric.Metric, s)}, 95 %).",
                $"p {SeriesText.P(s.P)} over all times and scales, with the autocorrelation of the series; {s.BinsBefore} bins before and {s.BinsAfter} after.",
                .. analysis.Metrics.Where(m => m != metric && m.Shifts.Any(o => SameTime(o, s, metric.Bins.StepSeconds)))
                    .Select(m => $"The {SeriesText.Of(m.Metric)} shifted at the same time."),
            ],
            Against = s.Difference <= 0 ? ["It is an improvement. Find out what caused it, so that it stays."] : [],
            Recommendation = $"Compare with what changed at {SeriesText.Time(s.TimeSeconds)}: deployments, failovers, routes, settings, load.",
        };
    }

    private static string Interval(SeriesMetric metric, LevelShift s)
    {
        (double low, double high) = s.Difference > 0 ? (s.DifferenceLow, s.DifferenceHigh) : (-s.DifferenceHigh, -s.DifferenceLow);
        return $"{SeriesText.Value(metric, low)} to {SeriesText.Value(metric, high)}";
    }
}
