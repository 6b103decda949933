using LatencyTuner.Core.Analysis;
using LatencyTuner.Core.Analysis.Comparisons;
using LatencyTuner.Core.Histograms;
using LatencyTuner.Core.Reporting.Measurement;
using LatencyTuner.Core.Reporting.Model;
using LatencyTuner.Core.Statistics;

namespace LatencyTuner.Core.Reporting.Comparison;

/// <summary>Builds the <c>comparison</c> document of two measurements.</summary>
public static class ComparisonReportBuilder
{
    /// <summary>Compares B with A.</summary>
    /// <param name="pathA">Where A was read from.</param>
    /// <param name="a">The first measurement.</param>
    /// <param name="pathB">Where B was read from.</param>
    /// <param name="b">The second measurement.</param>
    /// <param name="practicalLimit">Smallest difference that counts, as a time.</param>
    /// <param name="practicalShare">Smallest difference that counts, as a share (0 to 1) of A's value; the larger of both limits applies.</param>
    /// <param name="seed">Seed of the resampling.</param>
    /// <param name="gate">The gate that decides the exit code; null when everything passes.</param>
    /// <exception cref="ExpectedFailureException">A stored histogram is damaged.</exception>
    public static ComparisonReport From(
        string pathA, MeasurementReport a, string pathB, MeasurementReport b, TimeSpan practicalLimit, double practicalShare, int seed,
        Gate? gate = null)
    {
        IReadOnlyList<LatencyHistogram> runsA = Decode(pathA, a);
        IReadOnlyList<LatencyHistogram> runsB = Decode(pathB, b);
        ShiftFunction shift = ShiftFunction.Compare(runsA, runsB, new ShiftOptions
        {
            PracticalLimitNs = (long)practicalLimit.TotalNanoseconds,
            PracticalLimitShare = practicalShare,
            TimerResolutionNs = 100,
            Seed = seed,
        });
        return Judge(new ComparisonReport
        {
            A = pathA,
            B = pathB,
            CountA = runsA.Sum(r => r.Count),
            CountB = runsB.Sum(r => r.Count),
            RunsA = runsA.Count,
            RunsB = runsB.Count,
            Complete = a.Complete && b.Complete,
            Result = ComparisonOutcome.NameOf(shift.Verdict),
            Text = shift.Reason,
            Quantiles = [.. shift.Shifts.Select(s => new ComparedQuantile
            {
                Quantile = s.Quantile,
                AUs = LatencyFigures.Us((double)s.BeforeNs),
                BUs = LatencyFigures.Us((double)s.AfterNs),
                DeltaUs = LatencyFigures.Us((double)s.DeltaNs),
                LowUs = LatencyFigures.Us(s.LowNs),
                HighUs = LatencyFigures.Us(s.HighNs),
                PValue = s.P,
                LimitUs = LatencyFigures.Us(s.LimitNs),
                Verdict = ComparisonOutcome.NameOf(s.Verdict),
            })],
            Notes = [.. Notes(a, b)],
        }, gate ?? Gate.Open);
    }

    /// <summary>Adds the verdict to a document.</summary>
    /// <param name="report">The document.</param>
    /// <param name="gate">The gate that decides the exit code.</param>
    internal static ComparisonReport Judge(ComparisonReport report, Gate gate) =>
        report with { Judgement = ComparisonOutcome.Judge(report.Result, report.StatedText, gate) };

    /// <summary>The distributions of a report's parts.</summary>
    /// <param name="path">Path of the report, for error messages.</param>
    /// <param name="report">The report.</param>
    /// <exception cref="ExpectedFailureException"><see cref="ExitCode.Input"/>: a stored histogram is damaged.</exception>
    public static IReadOnlyList<LatencyHistogram> Decode(string path, MeasurementReport report)
    {
        ArgumentNullException.ThrowIfNull(report);
        List<LatencyHistogram> runs = [];
        for (int i = 0; i < report.Runs.Count; i++)
        {
            try
            {
                runs.Add(StoredHistograms.Decode(report.Runs[i].Histogram));
            }
            catch (ExpectedFailureException e)
            {
                throw new ExpectedFailureException(ExitCode.Input, $"{path}: runs[{i}].histogram: {e.Message}", e);
            }
        }

        return runs;
    }

    private static IEnumerable<string> Notes(MeasurementReport a, MeasurementReport b)
    {
        if (a.Runs.Select(r => r.Run).Distinct().Count() < 3 || b.Runs.Select(r => r.Run).Distinct().Count() < 3)
        {
            yield return "A side has fewer than 3 runs. Time blocks stand in for runs, so differences from run to run are not seen. "
                + "Use 'measure --runs 5' to see them.";
        }

        if (!a.Complete || !b.Complete)
        {
            yield return "A measurement ended early; the comparison uses the part that it has.";
        }

        if (a.Pattern != b.Pattern || a.Options.Requested.SizeBytes != b.Options.Requested.SizeBytes
            || a.Options.Requested.RatePerSecond != b.Options.Requested.RatePerSecond || a.Options.Requested.Connections != b.Options.Requested.Connections)
        {
            yield return "The two measurements ran different workloads (pattern, size, rate or connections): the setting is not their only difference.";
        }

        if (a.Target.Name != b.Target.Name)
        {
            yield return $"The targets differ: {a.Target.Name} and {b.Target.Name}.";
        }
    }
}
