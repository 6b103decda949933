using LatencyTuner.Core.Analysis.Diagnosis;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting.Diagnosis;
using LatencyTuner.Core.Reporting.Measurement;
using LatencyTuner.Core.Reporting.Model;
using LatencyTuner.Core.Reporting.Pages;
using LatencyTuner.Core.Statistics;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.Check;

/// <summary>The page of a check. Text has to fit one screen, so it shows only some of the evidence; HTML and JSON have all of it.</summary>
internal static class CheckPage
{
    internal static Page Of(CheckReport report)
    {
        ArgumentNullException.ThrowIfNull(report);
        List<PageSection> sections = new();
        if (report.Reasons.Count > 0)
        {
            sections.Add(new("Why", ListBlock.Of(report.Reasons, textLimit: 5)));
        }

        if (report.Measurements.Count > 0)
        {
            sections.Add(new("Measured", Table(report)));
        }

        List<Finding> failing = [.. report.Failing.WorstFirst()];
        if (failing.Count > 0)
        {
            sections.Add(new("Findings that fail the check", new ListBlock([.. failing.Select(f => FindingBlocks.Item(f, evidence: 1))], TextLimit: 3)));
        }

        List<DiagnosisReport> diagnoses = new[] { report.Diagnosis }.OfType<DiagnosisReport>().Concat(report.MoreDiagnoses).ToList();
        sections.AddRange(Diagnoses(diagnoses, failing));

        // The experiment above already says this in full.
        Cause[] said = [.. diagnoses.SelectMany(d => d.Directions).Select(d => d.Verdict.Cause)];
        List<Finding> rest = [.. report.Findings.Except(failing).Where(f => !said.Contains(f.Cause)).WorstFirst()];
        if (rest.Count > 0)
        {
            sections.Add(new("For information, without effect on the verdict", new ListBlock([.. rest.Select(Exposure)], TextLimit: 3)));
        }

        List<string> unchecked_ = NotChecked(report).ToList();
        if (unchecked_.Count > 0)
        {
            sections.Add(new("Not checked", ListBlock.Of(unchecked_, textLimit: 4)));
        }

        bool whyFirst = failing.Count == 0 && report.Judgement.Tone != Tone.Good;
        return new Page
        {
            Title = "check " + string.Join(", ", report.Measurements.Select(m => m.Target.Name).DefaultIfEmpty("nothing").Distinct()),
            Subtitle = PageWords.Made(report.StartedUtc, report.Measurements.Count > 0 ? report.Measurements[0].Environment : null),
            Verdict = report.Judgement,
            Sections = sections,
            Screen =
            [
                .. FindingBlocks.Screen("Findings that fail the check", failing, report.Judgement),
                .. whyFirst ? PageSection.Of("Why", report.Reasons) : [],
                .. PageSection.If(report.Measurements.Count > 0, "Measured", () => Table(report, onScreen: true)),
                .. whyFirst ? [] : PageSection.Of("Why", report.Reasons),
                .. Diagnoses(diagnoses, failing),
                .. PageSection.Of("Not checked", unchecked_),
            ],
        };
    }

    /// <summary>The measurements; on a screen without the workloads, which the user has just typed.</summary>
    private static TableBlock Table(CheckReport report, bool onScreen = false)
    {
        List<IReadOnlyList<TableCell>> rows = report.Measurements.Select((m, i) => Row(m, i < report.Gates.Count ? report.Gates[i] : default)).ToList();
        List<string> workloads = report.Measurements.Select(m => $"{m.Pattern}: {PageWords.Workload(m.Options.Requested)}").Distinct().ToList();
        string caption = onScreen ? "" : workloads.Count == 1
            ? $"Workload {workloads[0]}."
            : string.Concat(report.Measurements.Select(m => $"{m.Target.Name}: {m.Pattern}, {PageWords.Workload(m.Options.Requested)}. ")).TrimEnd();
        if (report.Measurements.Any(m => m.ResponseTime.P99Us is null && m.ResponseTime.Intervals.GetValueOrDefault("p99Us")?.AtLeastUs is not null))
        {
            caption += " >= : too few samples; the largest value seen.";
        }

        caption += string.Concat(report.Measurements.Select(m => PageWords.Started(m.Target)).OfType<string>().Select(s => " " + s));

        return new TableBlock(
            [
                new("target"), new("n", true), new("median", true, "95 % interval"), new("99th", true, "95 % interval"), new("stalls", true),
                new("replies", true)],
            rows,
            caption.Length == 0 ? null : caption.TrimStart());
    }

    private static IReadOnlyList<TableCell> Row(MeasurementReport measurement, MeasurementGates gates)
    {
        if (measurement.Received == 0)
        {
            return [
                new(measurement.Target.Name), new("0", Tone: Tone.Bad), new("no reply", Tone: Tone.Bad), new(Format.Unknown), new(Format.Unknown),
                new(Format.Unknown)];
        }

        LatencyFigures figures = measurement.ResponseTime;
        (IntervalFigures? median, IntervalFigures? p99) = (figures.Intervals.GetValueOrDefault("p50Us"), figures.Intervals.GetValueOrDefault("p99Us"));
        StallFigures stalls = measurement.Stalls;
        return
        [
            new(measurement.Target.Name, measurement.Complete ? null : "ended early"),
            new(Format.Count(figures.Count), measurement.Errors == 0 ? null : $"{Format.Count(measurement.Errors)} failed"),
            new(IntervalText.FigureOrBound(figures.P50Us, median), IntervalText.Below(figures.P50Us, median)),
            new(
                IntervalText.FigureOrBound(figures.P99Us, p99), IntervalText.Below(figures.P99Us, p99),
                gates.P99Passes == false ? Tone.Bad : Tone.Neutral),
            stalls.Count == 0
                ? new("none")
                : new(Format.Count(stalls.Count), Format.Share(stalls.Share), gates.StallsPass == false ? Tone.Bad : Tone.Neutral),
            new(Format.Rate(measurement.ThroughputPerSecond)),
        ];
    }

    private static IEnumerable<PageSection> Diagnoses(List<DiagnosisReport> diagnoses, List<Finding> failing)
    {
        List<DiagnosisReport> charged = diagnoses.Where(d => failing.Any(f => d.Directions.Any(v => v.Verdict.Cause == f.Cause))).ToList();
        List<DiagnosisReport> exposure = diagnoses.Except(charged).ToList();
        if (charged.Count > 0)
        {
            yield return new("Diagnosis", new ListBlock([.. charged.SelectMany(d => Diagnosis(d, diagnoses.Count > 1))], TextLimit: 4));
        }

        if (exposure.Count > 0)
        {
            yield return new(
                "What other applications would experience here (information only)",
                new ListBlock([.. exposure.SelectMany(d => Diagnosis(d, diagnoses.Count > 1))], TextLimit: 4));
        }
    }

    /// <summary>Each direction that stalls with its fix; the other one in a sentence.</summary>
    private static IEnumerable<ListItem> Diagnosis(DiagnosisReport report, bool named)
    {
        string target = named ? report.Target.Name + ": " : "";
        string also = string.Concat(report.Directions.Skip(1).Where(d => !d.Verdict.Stalls).Select(d => " " + d.Beside));
        return report.Directions.Where((d, i) => i == 0 || d.Verdict.Stalls).Select((d, i) => new ListItem(
            $"{target}{(d.Verdict.Stalls ? CauseIds.IdOf(d.Verdict.Cause) + ": " : "")}{d.Verdict.Text}{(i == 0 ? also : "")}",
            [.. d.Fixes.Take(d.Verdict.Stalls ? 1 : 0).Select(Fix)]));
    }

    private static string Fix(DiagnosisFix fix) =>
        $"Fix in the {fix.Where}: {fix.What}{(fix.P50UsAfter is null ? "" : " " + DiagnosisPage.Effect(fix))}";

    private static ListItem Exposure(Finding finding) =>
        new($"{FindingBlocks.Headline(finding)}. {FindingWords.Cost(finding)}".TrimEnd(), [.. finding.For.Take(1)]);

    private static IEnumerable<string> NotChecked(CheckReport report)
    {
        if (!report.Complete && report.EndedBecause is { } because)
        {
            yield return because;
        }

        if (report.Thresholds.MaxP99Us is null && report.Thresholds.MaxStallShare is null)
        {
            yield return "No limit was given for latency or stalls (--max-p99, --max-stall-share): only findings were judged.";
        }

        if (report.Diagnosis is null)
        {
            yield return "No experiment was made: nothing is known about other write patterns.";
        }

        // The reasons say why the settings were not audited.
        if (report.Settings is not { } settings || settings is { Audited: false, NotAuditedBecause: null })
        {
            yield return "Settings of this machine: not audited.";
        }
    }
}
