using System.Globalization;
using LatencyTuner.Core.Histograms;
using LatencyTuner.Core.Measurement.Probes;
using LatencyTuner.Core.Statistics;

namespace LatencyTuner.Core.Reporting.Protocols;

/// <summary>Builds the <c>protocols</c> document of hedged requests.</summary>
public static class HedgeReportBuilder
{
    private const int MostFirst = 4096;

    // Smaller differences are those of the threads that ask, and nobody would act on them.
    private const double LeastUs = 50;
    private const double LeastShare = 0.1;
    private static readonly double[] Quantiles = [0.5, 0.9, 0.99, 0.999];

    /// <summary>Builds it from what was measured.</summary>
    /// <param name="result">What was measured.</param>
    public static ProtocolsReport From(HedgeResult result)
    {
        ArgumentNullException.ThrowIfNull(result);
        ProbePlan plan = new() { RatePerSecond = result.Plan.RatePerSecond, Rounds = result.Plan.Rounds, Seed = result.Plan.Seed };
        ProtocolsReport alone =
            ProtocolsReportBuilder.From(new ProbeResult(result.StartedUtc, result.Elapsed, plan, [result.First, result.Second], result.Cancelled));
        return alone with
        {
            Hedge = result.FirstNs.Count > 0 && result.SecondNs.Count > 0 ? Of(result) : null,
            Notes =
            [
                "Each turn asked the first alone, the second alone, or both, in random order, "
                + $"{result.Plan.RatePerSecond.ToString("0.##", CultureInfo.InvariantCulture)} turns/s. Times are those of whole exchanges, from the "
                + "actual send; the second thread stands by in every turn, so that its cost is the same in all.",
                .. alone.Notes.Skip(1),
            ],
        };
    }

    private static HedgeFigures Of(HedgeResult result)
    {
        LatencyFigures first = FiguresOf(result.FirstNs);
        LatencyFigures measured = FiguresOf(result.HedgedNs);
        IReadOnlyList<BestOfTwoQuantile> predicted =
            BestOfTwo.Predict(result.FirstNs, result.SecondNs, (long)result.Delay.TotalNanoseconds, Quantiles, result.Plan.Seed);
        HedgeQuantile[] quantiles =
        [
            .. predicted.Zip(((double?, double?, IntervalFigures?)[])
                [
                    Of(first, measured, f => f.P50Us, "p50Us"), Of(first, measured, f => f.P90Us, "p90Us"), Of(first, measured, f => f.P99Us, "p99Us"),
                    Of(first, measured, f => f.P999Us, "p99_9Us")])
                .Where(p => p.Second.Item2 is not null && p.Second.Item1 is not null)
                .Select(p => new HedgeQuantile
                {
                    Quantile = p.First.Quantile,
                    FirstUs = p.Second.Item1,
                    PredictedUs = LatencyFigures.Us(p.First.Independent),
                    Predicted = new IntervalFigures { LowUs = LatencyFigures.Us(p.First.Low), HighUs = LatencyFigures.Us(p.First.High) },
                    BestUs = LatencyFigures.Us(p.First.Best),
                    WorstUs = LatencyFigures.Us(p.First.Worst),
                    MeasuredUs = p.Second.Item2,
                    Measured = p.Second.Item3,
                }),
        ];
        (string verdict, string because) = Judge(quantiles);
        return new HedgeFigures
        {
            AfterUs = LatencyFigures.Us(result.Delay.TotalNanoseconds),
            Hedged = result.Hedged,
            ExtraLoadShare = result.Hedged > 0 ? result.SecondAsked / (double)result.Hedged : null,
            Unanswered = result.Unanswered,
            Measured = measured,
            Quantiles = quantiles,
            Verdict = verdict,
            Because = because,
        };
    }

    private static (double? First, double? Measured, IntervalFigures? Interval) Of(
        LatencyFigures first, LatencyFigures measured, Func<LatencyFigures, double?> value, string name) =>
        (value(first), value(measured), measured.Intervals.GetValueOrDefault(name));

    private static LatencyFigures FiguresOf(IReadOnlyList<long> ns)
    {
        LatencyHistogram histogram = new();
        foreach (long value in ns)
        {
            histogram.Record(value);
        }

        return LatencyFigures.From(LatencySummary.From(histogram, null, [.. ns.Take(MostFirst)]));
    }

    /// <summary>The highest quantile that both series support decides: hedging is for the tail.</summary>
    private static (string Verdict, string Because) Judge(HedgeQuantile[] quantiles)
    {
        HedgeQuantile? tail = quantiles.LastOrDefault(q => q.Quantile > 0.5 && q.Measured?.HighUs is not null);
        if (tail is null)
        {
            return ("cannot-tell",
                $"Too few answers for the tail: at least {Fewest(0.9)} of each kind are needed for the 90th percentile, {Fewest(0.99)} for the 99th, and "
                + "more when neighbours resemble each other.");
        }

        string name = $"{tail.Quantile * 100:0.#}th percentile";
        double relevant = Math.Max(LeastUs, LeastShare * tail.PredictedUs);
        double off = tail.MeasuredUs!.Value - tail.PredictedUs;
        return -off > relevant && tail.Measured!.HighUs < tail.Predicted.LowUs
                ? ("better-than-independent",
                    $"The {name} is below what two independent servers would give: the two are slow at different moments, or the load changed between "
                    + "the turns.")
            : tail.FirstUs - tail.PredictedUs <= relevant
                ? ("nothing-to-gain",
                    $"At the {name} the first alone is as quick as the quicker of two would be: a hedge can bring nothing there. Higher percentiles need "
                    + "more requests (--count).")
            : off > relevant && tail.Measured!.LowUs > tail.Predicted.HighUs
                ? ("shared",
                    $"The {name} is above what two independent servers would give: what makes it slow is shared by both, so it is this client or the "
                    + "common path, and a second server does not cure it.")
            : tail.Measured!.HighUs >= tail.FirstUs
                ? ("cannot-tell",
                    $"The interval of the {name} reaches from what two independent servers would give to what the first gives alone: more requests are "
                    + "needed (--count).")
            : ("independent", $"The {name} is what two independent servers would give: what makes it slow is behind each of them, and the hedge cures it.");
    }

    private static long Fewest(double quantile) => QuantileInterval.MinimumSamples(quantile, 0.05);
}
