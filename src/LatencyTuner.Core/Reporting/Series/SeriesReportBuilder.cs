using LatencyTuner.Core.Analysis;
using LatencyTuner.Core.Analysis.Series;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Inputs;
using LatencyTuner.Core.Reporting.Model;
using LatencyTuner.Core.Series;
using LatencyTuner.Core.Statistics;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.Series;

/// <summary>Builds the <c>series</c> document.</summary>
public static class SeriesReportBuilder
{
    private const int MostBins = 14_400;

    /// <summary>Analyses series and builds their document.</summary>
    /// <param name="series">The series, at least one.</param>
    /// <param name="limits">The limits from which a finding is a warning or an error.</param>
    /// <param name="slowerThanNs">The limit of slow requests; null for none.</param>
    /// <param name="seed">Seed of the resampling behind the intervals.</param>
    /// <param name="complete">False when a measurement behind it ended early.</param>
    /// <param name="notes">Further notes for the reader, a sentence each.</param>
    public static SeriesReport From(
        IReadOnlyList<ObservedSeries> series, SeverityLimits limits, long? slowerThanNs = null, int seed = 1, bool complete = true,
        IReadOnlyList<string>? notes = null)
    {
        ArgumentNullException.ThrowIfNull(series);
        SeriesAnalysis[] analyses = [.. ReadAhead.Select(series, s => SeriesAnalysis.Of(s, seed))];
        return Judge(new SeriesReport
        {
            Complete = complete,
            Series = [.. analyses.Select(a => FiguresOf(a, slowerThanNs))],
            Pairs = [.. SeriesPair.Of(analyses, seed).Select(p => PairOf(p, analyses))],
            Findings = [.. analyses.SelectMany(a => a.Findings(limits))],
            Notes = [.. notes ?? [], .. Notes(analyses)],
        }, Gate.Open);
    }

    /// <summary>Adds the verdict to a document.</summary>
    /// <param name="report">The document.</param>
    /// <param name="gate">The gate that decides the exit code.</param>
    /// <param name="anySilent">True when a target never answered.</param>
    /// <param name="maxP99">Maximum 99th percentile; null for no limit.</param>
    public static SeriesReport Judge(SeriesReport report, Gate gate, bool anySilent = false, TimeSpan? maxP99 = null)
    {
        ArgumentNullException.ThrowIfNull(report);
        SeriesOutcome outcome = new()
        {
            Findings = report.Findings,
            Series = report.Series.Count,
            FewestBinsWithValues = report.Series
                .Select(s => Math.Round((s.EndUtc - s.StartUtc).TotalMilliseconds / s.StepMs * (1 - s.GapShare))).DefaultIfEmpty(0).Min(),
            Complete = report.Complete,
            AnySilent = anySilent,
            MaxP99Us = maxP99?.TotalMicroseconds,
            Latencies = [.. report.Series.Select(s => (s.Name, s.Latency))],
        };
        return report with { Judgement = outcome.Judge(gate), Failing = gate.Failing(report.Findings) };
    }

    /// <summary>The series of a document read from a file, so that it can be compared with others.</summary>
    /// <param name="report">The document.</param>
    /// <param name="path">Path of the file, for error messages.</param>
    /// <exception cref="ExpectedFailureException">A stored histogram is damaged, or a bin is out of place.</exception>
    public static IReadOnlyList<ObservedSeries> Restore(SeriesReport report, string path)
    {
        ArgumentNullException.ThrowIfNull(report);
        return [.. report.Series.Select(f => RestoredSeries.Of(f, path))];
    }

    private static SeriesFigures FiguresOf(SeriesAnalysis analysis, long? slowerThanNs)
    {
        ObservedSeries s = analysis.Series;
        int merge = Math.Max(1, (s.Counts.Length + MostBins - 1) / MostBins);
        double end = s.StartSeconds + (s.Counts.Length * s.StepSeconds);
        return new SeriesFigures
        {
            Name = s.Name,
            Kind = s.Kind,
            StartUtc = Format.UtcOf(s.StartSeconds),
            EndUtc = Format.UtcOf(end),
            StepMs = Math.Round(s.StepSeconds * 1e3, 3),
            LateMs = Math.Round(s.LateSeconds * 1e3, 3),
            Rows = s.Rows,
            ExcludedRows = s.ExcludedRows,
            EmptyRows = s.EmptyRows,
            GapShare = s.Counts.Length == 0 ? 0 : s.Counts.Count(c => c == 0) / (double)s.Counts.Length,
            Latency = LatencyFigures.From(Summary(s)),
            Approximate = s.IsApproximate,
            Slow = slowerThanNs is { } limit ? Slow(s, limit) : null,
            Oscillations = [.. analysis.Metrics.SelectMany(m => m.Oscillations.Select(o => Of(m.Metric, o)))],
            Shifts = [.. analysis.Metrics.SelectMany(m => m.Shifts.Select(x => Of(m.Metric, x))).OrderBy(x => x.AtUtc)],
            BinMs = Math.Round(s.StepSeconds * merge * 1e3, 3),
            Bins = [.. BinsOf(s, merge)],
            Histogram = Convert.ToBase64String(s.Distribution.EncodeCompressedV2()),
            Notes = s.Notes,
        };
    }

    /// <summary>The latencies. Their intervals take into account that neighbouring rows depend on each other, as the first rows show it.</summary>
    private static LatencySummary Summary(ObservedSeries series) =>
        LatencySummary.From(series.Distribution, null, [.. series.FirstRows.Take(4096).Select(r => r.ValueNs)]);

    private static SlowFigures Slow(ObservedSeries s, long limit)
    {
        long count = s.Slow.Sum(x => (long)x);
        double covered = s.Counts.Count(c => c > 0) * s.StepSeconds;
        int most = count == 0 ? -1 : Array.IndexOf(s.Slow, s.Slow.Max());
        return new SlowFigures
        {
            LimitUs = LatencyFigures.Us(limit),
            Count = count,
            Share = s.Distribution.Count > 0 ? Math.Min(1, (double)count / s.Distribution.Count) : 0,
            PerSecond = covered > 0 ? count / covered : 0,
            MostPerSecond = most < 0 ? 0 : s.Slow[most] / s.StepSeconds,
            MostAtUtc = most < 0 ? null : Format.UtcOf(s.StartSeconds + (most * s.StepSeconds)),
        };
    }

    private static IEnumerable<SeriesBin> BinsOf(ObservedSeries s, int merge)
    {
        for (int from = 0; from < s.Counts.Length; from += merge)
        {
            int to = Math.Min(s.Counts.Length, from + merge);
            long n = 0;
            double sum = 0;
            double tail = 0;
            long slow = 0;
            for (int i = from; i < to; i++)
            {
                if (s.Counts[i] == 0)
                {
                    continue;
                }

                n += s.Counts[i];
                sum += s.MedianNs[i] * s.Counts[i];
                tail = Math.Max(tail, s.TailNs[i]);
                slow += s.Slow.Length > 0 ? s.Slow[i] : 0;
            }
            if (n > 0)
            {
                yield return new SeriesBin { At = from / merge, N = n, P50Us = LatencyFigures.Us(sum / n), TailUs = LatencyFigures.Us(tail), Slow = slow };
            }
        }
    }

    private static OscillationFigures Of(SeriesMetric metric, Oscillation o)
    {
        double unit = UnitOf(metric);
        return new OscillationFigures
        {
            Metric = metric,
            PeriodS = o.PeriodSeconds,
            PeriodLowS = o.PeriodLowSeconds,
            PeriodHighS = o.PeriodHighSeconds,
            Amplitude = o.Amplitude * unit,
            AmplitudeLow = o.AmplitudeLow * unit,
            AmplitudeHigh = o.AmplitudeHigh * unit,
            PeakUtc = Format.UtcOf(o.FirstPeakSeconds),
            FalseAlarmProbability = o.FalseAlarmProbability,
            Cycles = o.Cycles,
            ExplainedShare = o.ExplainedShare,
            Harmonics = o.Harmonics,
            Alias = o.Alias switch { AliasVerdict.Excluded => "excluded", AliasVerdict.Likelier => "likelier", _ => "possible" },
            AliasPeriodsS = o.AliasPeriodsSeconds,
            Profile =
                [.. o.Profile.Select(p => new ProfileFigures { Phase = p.Phase, Mean = p.Mean * unit, Low = p.Low * unit, High = p.High * unit, N = p.Count })],
        };
    }

    private static LevelShiftFigures Of(SeriesMetric metric, LevelShift s)
    {
        double unit = UnitOf(metric);
        return new LevelShiftFigures
        {
            Metric = metric,
            AtUtc = Format.UtcOf(s.TimeSeconds),
            AtLowUtc = Format.UtcOf(s.TimeLowSeconds),
            AtHighUtc = Format.UtcOf(s.TimeHighSeconds),
            Before = s.Before * unit,
            After = s.After * unit,
            DifferenceLow = s.DifferenceLow * unit,
            DifferenceHigh = s.DifferenceHigh * unit,
            PValue = s.P,
        };
    }

    private static SeriesPairFigures PairOf(SeriesPair pair, SeriesAnalysis[] analyses)
    {
        SeriesAlignment? a = pair.Alignment;
        return new SeriesPairFigures
        {
            A = analyses[pair.A].Series.Name,
            B = analyses[pair.B].Series.Name,
            Metric = pair.Metric,
            Verdict = a?.Verdict switch
            {
                null => null,
                AlignmentVerdict.Locked => "locked",
                AlignmentVerdict.Independent =>
                "independent",
                AlignmentVerdict.OnlyOneOscillates => "only-one",
                _ => "cannot-tell"
            },
            PeriodS = a?.PeriodSeconds,
            SamePeriod = a?.SamePeriod,
            PhaseDifference = a?.PhaseDifference,
            PhaseLow = a?.PhaseLow,
            PhaseHigh = a?.PhaseHigh,
            DelayS = a?.DelaySeconds,
            Coherence = a?.CoherenceSquared,
            PValue = a?.P,
            OtherAmplitudeHigh = a?.OtherAmplitudeHigh * UnitOf(pair.Metric),
            CommonS = a?.CommonSeconds,
            CommonShiftsUtc = [.. pair.CommonShifts.Select(Format.UtcOf)],
            Text = SeriesPairText.Of(
                pair, analyses[pair.A].Series.Name, analyses[pair.B].Series.Name, analyses[pair.A].Of(pair.Metric)?.Oscillations.Count == 0),
        };
    }

    private static IEnumerable<string> Notes(SeriesAnalysis[] analyses)
    {
        if (analyses.Length > SeriesPair.MostSeries)
        {
            yield return $"Only the first {SeriesPair.MostSeries} of {analyses.Length} series were compared with each other.";
        }

        if (analyses.Length > 1)
        {
            yield return "Times of different hosts are compared without correction: a clock error shifts the phase by the same time.";
        }

        if (analyses.Any(a => a.Series.IsApproximate))
        {
            yield return "Percentiles of a series of intervals are calculated from the percentiles of its intervals; minimum and maximum are exact.";
        }

        if (analyses.Any(a => a.Series.Kind == "iis"))
        {
            yield return "The time-taken field of IIS ends when the last byte of the response was handed over, so it includes slow clients. IIS logs the end "
                + "of each request, in whole seconds.";
        }
    }

    private static double UnitOf(SeriesMetric metric) => metric == SeriesMetric.SlowRate ? 1 : 1e3;

}
