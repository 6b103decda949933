using System.Globalization;
using LatencyTuner.Core.Analysis.Hedging;
using LatencyTuner.Core.Histograms;
using LatencyTuner.Core.Measurement.Probes;
using LatencyTuner.Core.Statistics;

namespace LatencyTuner.Core.Reporting.Protocols;

/// <summary>Builds the <c>protocols</c> document of hedged requests.</summary>
public static class HedgeReportBuilder
{
    private const int MostFirst = 4096;

    private static readonly double[] Quantiles = [0.5, 0.9, 0.99, 0.999];

    /// <summary>Builds the document from the results of a measurement.</summary>
    /// <param name="result">The results of the measurement.</param>
    public static ProtocolsReport From(HedgeResult result)
    {
        ArgumentNullException.ThrowIfNull(result);
        ProbePlan plan = new() { RatePerSecond = result.Plan.RatePerSecond, Rounds = result.Plan.Rounds, Seed = result.Plan.Seed };
        ProtocolsReport alone =
            ProtocolsReportBuilder.From(new ProbeResult(result.StartedUtc, result.Elapsed, plan, [result.First, result.Second], result.Cancelled));
        return ProtocolsReportBuilder.Judge(alone with
        {
            Hedge = result.FirstNs.Count > 0 && result.SecondNs.Count > 0 ? Of(result) : null,
            Notes =
            [
                "Each turn asked the first target alone, the second alone, or both, in random order, "
                + $"{result.Plan.RatePerSecond.ToString("0.##", CultureInfo.InvariantCulture)} turns/s. Times cover whole exchanges, from the "
                + "actual send. The second thread is ready in every turn, so its cost is the same in all turns.",
                .. alone.Notes.Skip(1),
            ],
        });
    }

    private static HedgeFigures Of(HedgeResult result)
    {
        LatencyFigures first = FiguresOf(result.FirstNs);
        LatencyFigures measured = FiguresOf(result.HedgedNs);
        IReadOnlyList<BestOfTwoQuantile> predicted =
            BestOfTwo.Predict(result.FirstNs, result.SecondNs, result.DelaysNs, Quantiles, result.Plan.Seed);
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
        HedgeJudgement judgement = HedgeJudgement.From(quantiles);
        long[] delays = [.. result.DelaysNs.Order()];
        double? extra = result.Hedged > 0 ? result.SecondAsked / (double)result.Hedged : null;
        return new HedgeFigures
        {
            AfterUs = LatencyFigures.Us((double)delays[delays.Length / 2]),
            AfterLowUs = delays[0] == delays[^1] ? null : LatencyFigures.Us((double)delays[0]),
            AfterHighUs = delays[0] == delays[^1] ? null : LatencyFigures.Us((double)delays[^1]),
            Hedged = result.Hedged,
            ExtraLoadShare = extra,
            PlannedExtraLoadShare = result.Plan.PlannedExtraShare,
            ExtraLoadBecause = HedgeLoad.AbovePlan(extra, result.Plan.PlannedExtraShare, QuantileOf(result.FirstNs, result.Plan.AfterPercentile)),
            Unanswered = result.Unanswered,
            Measured = measured,
            Quantiles = quantiles,
            Verdict = judgement.Result,
            Because = judgement.Because,
        };
    }

    private static (double? First, double? Measured, IntervalFigures? Interval) Of(
        LatencyFigures first, LatencyFigures measured, Func<LatencyFigures, double?> value, string name) =>
        (value(first), value(measured), measured.Intervals.GetValueOrDefault(name));

    private static double QuantileOf(IReadOnlyList<long> ns, double percentile)
    {
        LatencyHistogram histogram = new();
        foreach (long value in ns)
        {
            histogram.Record(value);
        }

        return LatencyFigures.Us((double)histogram.ValueAtPercentile(percentile));
    }

    private static LatencyFigures FiguresOf(IReadOnlyList<long> ns)
    {
        LatencyHistogram histogram = new();
        foreach (long value in ns)
        {
            histogram.Record(value);
        }

        return LatencyFigures.From(LatencySummary.From(histogram, null, [.. ns.Take(MostFirst)]));
    }
}
