using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Statistics;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Analysis.Series;

/// <summary>Latency swings with a period (LT151): something runs on a schedule, or two things beat against each other.</summary>
internal static class OscillationRule
{
    private const double FewCycles = 8;
    private const double TailShare = 0.01;

    internal static IEnumerable<Finding> Evaluate(SeriesAnalysis analysis, SeverityLimits limits)
    {
        List<Oscillation> told = [];
        foreach (MetricAnalysis metric in analysis.Metrics)
        {
            foreach (Oscillation oscillation in metric.Oscillations)
            {
                if (told.Exists(t => SamePeriod(t, oscillation)))
                {
                    continue;
                }

                told.Add(oscillation);
                yield return Of(analysis, metric, oscillation, limits);
            }
        }
    }

    internal static bool SamePeriod(Oscillation a, Oscillation b) => Math.Abs((a.PeriodSeconds / b.PeriodSeconds) - 1) < 0.02
        || (a.PeriodLowSeconds <= b.PeriodHighSeconds && b.PeriodLowSeconds <= a.PeriodHighSeconds);

    private static Finding Of(SeriesAnalysis analysis, MetricAnalysis metric, Oscillation o, SeverityLimits limits)
    {
        string name = SeriesText.Of(metric.Metric);
        double active = analysis.Series.Distribution.MeanNs * analysis.Series.Distribution.Count / 1e6;
        double? cost = metric.Metric == SeriesMetric.SlowRate || o.Profile.Count == 0 ? null
            : (o.Profile.Average(p => p.Mean) - o.Profile.Min(p => p.Mean)) * analysis.Series.Distribution.Count
                * (metric.Metric == SeriesMetric.Tail ? TailShare : 1);
        double share = cost is { } ms && active > 0 ? Math.Min(1, ms / active) : 0;
        return new Finding
        {
            Cause = Cause.Oscillation,
            Host = analysis.Series.Name,
            Confidence = o.Alias == AliasVerdict.Excluded && o.Cycles >= FewCycles ? Confidence.Likely : Confidence.Possible,
            Severity = limits.Of(share, 0, TimeSpan.FromSeconds(metric.Bins.SpanSeconds)),
            Count = (long)Math.Round(o.Cycles),
            CostMs = cost,
            CostShare = cost is null ? null : share,
            For = [.. For(analysis, metric, o, name)],
            Against = [.. Against(metric, o)],
            Recommendation =
                $"Look for what runs every {SeriesText.Seconds(o.PeriodSeconds)} at either end or on the path (tasks, polling, garbage collections, "
                + "monitoring). Run 'latencytuner report' over the series of several hosts to see whether they swing in step.",
        };
    }

    private static IEnumerable<string> For(SeriesAnalysis analysis, MetricAnalysis metric, Oscillation o, string name)
    {
        yield return $"The {name} swings every {SeriesText.Period(o)} by {SeriesText.Value(metric.Metric, o.ProfileSwing)} between the lowest and the "
            + $"highest part of its cycle. The amplitude of the sine in it is {SeriesText.Value(metric.Metric, o.Amplitude)}"
            + $"{Format.Between(SeriesText.Value(metric.Metric, o.AmplitudeLow), SeriesText.Value(metric.Metric, o.AmplitudeHigh))}.";
        yield return $"Seen for {o.Cycles:0.0} cycles; false-alarm probability {SeriesText.P(o.FalseAlarmProbability)} in red noise like this. The phase is "
            + $"coherent over the cycles (p {SeriesText.P(o.CoherenceP)}). The oscillation explains {o.ExplainedShare * 100:0} % of the variance at that "
            + "scale.";
        foreach (MetricAnalysis other in analysis.Metrics.Where(m => m != metric))
        {
            if (other.Oscillations.FirstOrDefault(x => SamePeriod(x, o)) is { } also)
            {
                yield return $"The {SeriesText.Of(other.Metric)} swings with the same period, by {SeriesText.Value(other.Metric, also.ProfileSwing)}.";
            }
        }
        if (o.Alias == AliasVerdict.Excluded)
        {
            yield return "The single samples exclude a faster oscillation that only looks like this one.";
        }
    }

    private static IEnumerable<string> Against(MetricAnalysis metric, Oscillation o)
    {
        string aliases = string.Join(" or ", o.AliasPeriodsSeconds.Select(SeriesText.Seconds).Distinct());
        if (o.Alias == AliasVerdict.Likelier)
        {
            yield return $"The single samples fit a faster oscillation better, for example with a period of {aliases}. This period is then an artefact of the "
                + "sampling.";
        }
        else if (o.Alias == AliasVerdict.Possible && aliases.Length > 0)
        {
            yield return $"In evenly spaced samples, an oscillation with a period of {aliases} would look the same. Measure once at another rate to tell them "
                + "apart.";
        }

        if (o.Cycles < FewCycles)
        {
            yield return $"Only {o.Cycles:0.0} cycles were seen; {FewCycles:0} or more cycles are needed to be sure.";
        }

        if (metric.Bins.Count < 0.8 * metric.Bins.SpanSeconds / metric.Bins.StepSeconds)
        {
            yield return "The series has gaps.";
        }
    }
}
