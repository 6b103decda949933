using System.Globalization;
using System.Text;
using LatencyTuner.Core.Analysis.Selftest;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting.Analysis;
using LatencyTuner.Core.Reporting.Changes;
using LatencyTuner.Core.Reporting.Check;
using LatencyTuner.Core.Reporting.Comparison;
using LatencyTuner.Core.Reporting.Diagnosis;
using LatencyTuner.Core.Reporting.Measurement;
using LatencyTuner.Core.Reporting.Pages;
using LatencyTuner.Core.Reporting.Profiles;
using LatencyTuner.Core.Reporting.Protocols;
using LatencyTuner.Core.Reporting.Recommendations;
using LatencyTuner.Core.Reporting.Selftest;
using LatencyTuner.Core.Reporting.Series;
using LatencyTuner.Core.Reporting.Settings;
using LatencyTuner.Core.Reporting.Sweep;
using LatencyTuner.Core.Reporting.UnderLoad;
using LatencyTuner.Core.Text;
using LatencyTuner.Core.Tuning;

namespace LatencyTuner.Core.Reporting.Writers;

/// <summary>Writes the gates of a report as JUnit XML, which build servers show: one suite, one case per gate.</summary>
public static class JUnitReportWriter
{
    /// <summary>Writes a report.</summary>
    /// <param name="report">One of the published documents.</param>
    /// <param name="failOn">Severity that fails: <c>none</c>, <c>info</c>, <c>warning</c>, <c>error</c>. A check brings its own and ignores it.</param>
    /// <returns>The XML.</returns>
    /// <exception cref="ArgumentException">The object is not a published document.</exception>
    public static string Write(object report, string failOn = "none") => report switch
    {
        CheckReport check => Suite("check", check.StartedUtc, Seconds(check.Measurements), [.. Cases(check)]),
        MeasurementReport measurement =>
            Suite(
                "measure", measurement.StartedUtc, Seconds([measurement]),
                Findings(measurement.Target.Name, measurement.Findings, failOn, measurement.Complete)),
        DiagnosisReport diagnosis =>
            Suite("diagnose", diagnosis.StartedUtc, 0, Findings(diagnosis.Target.Name, diagnosis.Findings, failOn, diagnosis.Complete)),
        SweepReport sweep => Suite("sweep", sweep.StartedUtc, 0, Findings(sweep.Target.Name, sweep.Findings, failOn, sweep.Complete)),
        SeriesReport series =>
            Suite(
                "series", series.Series.Count > 0 ? series.Series[0].StartUtc : null, 0,
                Findings(string.Join(", ", series.Series.Select(s => s.Name)), series.Findings, failOn, series.Complete)),
        ProtocolsReport protocols => Suite("measure", protocols.StartedUtc, protocols.DurationMs / 1000, [.. protocols.Targets.Select(t => new JUnitCase(
            t.Target.Name,
            ProtocolsPage.Kind(t),
            t.Answered == 0 ? string.Join(" ", t.Failures.Select(f => f.Example).DefaultIfEmpty("It was not asked.")) : null))]),
        UnderLoadReport loaded =>
            Suite("measure", loaded.StartedUtc, loaded.DurationMs / 1000, Findings(loaded.Target.Name, loaded.Findings, failOn, loaded.Complete)),
        ChangeReport change => Suite(change.Operation, change.StartedUtc, 0, Changes(change)),
        ComparisonReport comparison => Suite("compare", null, 0, [Comparison(comparison)]),
        SettingsReport settings =>
            Suite("settings", settings.TakenUtc, 0, Findings(settings.Machine ?? settings.Source, settings.Findings, failOn, complete: true)),
        HostSnapshot snapshot =>
            Suite("snapshot", snapshot.TakenUtc, 0, [new(snapshot.Machine ?? "host", "snapshot taken", Output: ReportDocuments.From(snapshot).Verdict.Text)]),
        SelftestReport selftest => Suite("selftest", selftest.TakenUtc, 0, [.. selftest.Probes.Select(p => new JUnitCase(
            p.Group,
            p.Id,
            p.Result == AssumptionState.DoesNotHold ? p.Because : null,
            p.Result == AssumptionState.CannotTell ? p.Because : null,
            string.Join(" ", p.Evidence)))]),
        AnalysisReport analysis =>
            Suite(
                "analyze", analysis.Inputs.Count > 0 ? analysis.Inputs[0].StartUtc : null, 0,
                Findings(string.Join(" ", analysis.Inputs.Select(i => i.Path)), analysis.Findings, failOn, analysis.Complete)),
        ProfilesReport profiles => Suite("profiles", null, 0, [new("profiles", "profiles listed", Output: ReportDocuments.From(profiles).Verdict.Text)]),
        SnapshotComparisonReport snapshots => Suite("compare", null, 0, [new("compare", "snapshots compared", Output: snapshots.Text)]),
        RecommendationReport recommendation => Suite("recommend", null, 0, Recommendations(recommendation, failOn)),
        _ => throw new ArgumentException($"{report?.GetType().Name ?? "null"} has no gates.", nameof(report)),
    };

    private static IEnumerable<JUnitCase> Cases(CheckReport report)
    {
        string reasons = string.Join(" ", report.Reasons.Prepend(report.VerdictText));
        yield return new("check", "verdict", report.Verdict == "fail" ? reasons : null, report.Verdict == "cannot-tell" ? reasons : null, reasons);
        foreach (MeasurementReport measurement in report.Measurements)
        {
            string name = measurement.Target.Name;
            string seen = ReportDocuments.From(measurement).Verdict.Text;
            yield return new(name, "measured", measurement.Received > 0 ? null : measurement.EndedBecause ?? "No request was answered.", Output: seen);
            if (!CheckGate.IsTarget(measurement))
            {
                continue;
            }

            if (report.Thresholds.MaxP99Us is { } p99)
            {
                yield return Limit(name, $"99th percentile at most {Format.Us(p99)}", CheckGate.P99Passes(measurement, report), seen);
            }

            if (report.Thresholds.MaxStallShare is { } share)
            {
                yield return Limit(
                    name, $"stalled requests at most {Format.Share(share)}", CheckGate.StallsPass(measurement, report),
                    MeasurementPage.Stalls(measurement));
            }
        }

        IReadOnlyList<Finding> failing = CheckGate.Failing(report);
        foreach (JUnitCase gate in Findings("findings", report.Findings, report.Thresholds.FailOn, complete: true, failing.Contains))
        {
            yield return gate;
        }
    }

    private static JUnitCase Limit(string target, string name, bool? passes, string seen) =>
        new(target, name, passes == false ? seen : null, passes is null ? "Too few samples to judge. " + seen : null, seen);

    private static JUnitCase[] Findings(string owner, IReadOnlyList<Finding> findings, string failOn, bool complete, Func<Finding, bool>? fails = null)
    {
        if (findings.Count == 0)
        {
            return [new(owner, $"no finding at or above {failOn}", Skipped: complete ? null : "Ended early, nothing was found until then.")];
        }

        return [.. findings.WorstFirst().Select((f, i) =>
        {
            ListItem item = FindingBlocks.Item(f);
            string text = item.Text + ". " + string.Join(" ", item.Details);
            return new JUnitCase(owner, $"{f.Id} {FindingWords.Of(f.Cause)} #{i + 1}", (fails?.Invoke(f) ?? CheckGate.Fails(f, failOn)) ? text : null, Output: text);
        })];
    }

    private static JUnitCase Comparison(ComparisonReport report) =>
        new(
            "compare", "B is not worse than A", report.Verdict == "worse" ? report.Text : null, report.Verdict == "cannot-tell" ? report.Text : null,
            report.Text);

    /// <summary>One case per finding, with what to do about it; those at or above the severity fail.</summary>
    private static JUnitCase[] Recommendations(RecommendationReport report, string failOn)
    {
        if (report.Findings.Count == 0)
        {
            return [new("recommend", $"no finding at or above {failOn}", Output: report.Text)];
        }

        return
        [
            .. report.Findings.OrderByDescending(f => f.Severity).ThenByDescending(f => f.CostMs ?? 0).Select((f, i) =>
            {
                List<string> cures = report.Recommendations.Where(r => r.Findings.Contains(f.Id) && r.Target == f.Target)
                    .Select(r => $"{r.Id}: {r.Title} ({r.Where})").ToList();
                string text =
                    $"{f.Id} {f.Cause}, {FindingWords.Of(f.Severity)}, {FindingWords.Of(f.Confidence)}. "
                    + $"{(cures.Count > 0 ? "Recommended: " + string.Join(" ", cures) : "Nothing is recommended for it.")}";
                bool fails = Enum.TryParse<Severity>(failOn, ignoreCase: true, out Severity limit) && f.Severity >= limit;
                return new JUnitCase(f.Target ?? f.File, $"{f.Id} {f.Cause} #{i + 1}", fails ? text : null, Output: text);
            }),
        ];
    }

    private static JUnitCase[] Changes(ChangeReport report)
    {
        bool isDone = report.Outcome is TuningOutcome.Done or TuningOutcome.NoChange or TuningOutcome.WhatIf;
        return
        [
            new(report.Machine, report.Operation, isDone ? null : report.Text, Output: report.Text),
            .. report.Changes.Select((c, i) => new JUnitCase(
                report.Machine, $"{c.SettingId} #{i + 1}", c.Status is ChangeStatus.Failed or ChangeStatus.Drifted ? c.Text : null, Output: c.Text)),
        ];
    }

    private static double Seconds(IEnumerable<MeasurementReport> measurements) => measurements.Sum(m => m.DurationMs) / 1000;

    private static string Suite(string name, DateTimeOffset? started, double seconds, JUnitCase[] cases)
    {
        int failures = cases.Count(c => c.Failure is not null);
        int skipped = cases.Count(c => c.Failure is null && c.Skipped is not null);
        string time = started is { } at ? $" timestamp=\"{at.UtcDateTime.ToString("yyyy-MM-ddTHH:mm:ss", CultureInfo.InvariantCulture)}\"" : "";
        string counts =
            $"tests=\"{cases.Length}\" failures=\"{failures}\" errors=\"0\" skipped=\"{skipped}\" "
            + $"time=\"{seconds.ToString("0.###", CultureInfo.InvariantCulture)}\"";
        StringBuilder xml = new("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n");
        xml.Append(CultureInfo.InvariantCulture, $"<testsuites name=\"latencytuner\" {counts}>\n  <testsuite name=\"latencytuner.{name}\" {counts}{time}>\n");
        foreach (JUnitCase one in cases)
        {
            xml.Append(
                CultureInfo.InvariantCulture,
                $"    <testcase classname=\"latencytuner.{name}.{Markup.Escape(one.Class)}\" name=\"{Markup.Escape(one.Name)}\">\n");
            if (one.Failure is { } failure)
            {
                xml.Append(CultureInfo.InvariantCulture, $"      <failure message=\"{Markup.Escape(failure)}\">{Markup.Escape(failure)}</failure>\n");
            }
            else if (one.Skipped is { } reason)
            {
                xml.Append(CultureInfo.InvariantCulture, $"      <skipped message=\"{Markup.Escape(reason)}\"/>\n");
            }

            if (one.Output is { } output)
            {
                xml.Append(CultureInfo.InvariantCulture, $"      <system-out>{Markup.Escape(output)}</system-out>\n");
            }

            xml.Append("    </testcase>\n");
        }

        return xml.Append("  </testsuite>\n</testsuites>\n").ToString();
    }
}

/// <summary>A gate as a test case.</summary>
/// <param name="Class">What it is about, for example a target.</param>
/// <param name="Name">The gate.</param>
/// <param name="Failure">Why it failed; null when it passed.</param>
/// <param name="Skipped">Why it could not be judged; null when it could.</param>
/// <param name="Output">What was seen.</param>
internal sealed record JUnitCase(string Class, string Name, string? Failure = null, string? Skipped = null, string? Output = null);
