using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting.Measurement;
using LatencyTuner.Core.Reporting.Writers;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.Check;

/// <summary>The gates of a check.</summary>
internal static class CheckJUnit
{
    internal static JUnitSuite From(CheckReport report) =>
        new("check", report.StartedUtc, report.Measurements.Sum(m => m.DurationMs) / 1000, [.. Verdict(report), .. Cases(report)]);

    /// <summary>The verdict as a case, unless another case fails: a build server would count one failure twice.</summary>
    private static JUnitCase[] Verdict(CheckReport report)
    {
        string reasons = string.Join(" ", report.Reasons.Prepend(report.Text).Distinct());
        // A target that did not answer was not judged: a build that skips it is green and blind.
        bool blind = report.Verdict == VerdictKind.CannotTell && report.Judgement.ExitCode == ExitCode.Measurement;
        string? failed = report.Verdict == VerdictKind.Fail ? reasons : null;
        string? skipped = report.Verdict == VerdictKind.CannotTell && !blind ? reasons : null;
        return Cases(report).Any(c => c.Failure is not null) ? [] : [new("check", "verdict", failed, skipped, reasons, blind ? reasons : null)];
    }

    private static IEnumerable<JUnitCase> Cases(CheckReport report)
    {
        foreach ((MeasurementReport measurement, MeasurementGates gates) in report.Measurements.Zip(report.Gates))
        {
            string name = measurement.Target.Name;
            string seen = measurement.Judgement.Text;
            yield return new(name, "measured", measurement.Received > 0 ? null : measurement.EndedBecause ?? "No request was answered.", Output: seen);
            if (!gates.IsTarget)
            {
                continue;
            }

            if (report.Thresholds.MaxP99Us is { } p99)
            {
                yield return Limit(name, $"99th percentile at most {Format.Us(p99)}", gates.P99Passes, seen);
            }

            if (report.Thresholds.MaxStallShare is { } share)
            {
                yield return Limit(name, $"stalled requests at most {Format.Share(share)}", gates.StallsPass, MeasurementPage.Stalls(measurement));
            }
        }

        foreach (JUnitCase gate in JUnitSuite.CasesOf("findings", report.Findings, report.Failing, report.Thresholds.FailOn, complete: true))
        {
            yield return gate;
        }
    }

    private static JUnitCase Limit(string target, string name, bool? passes, string seen) =>
        new(target, name, passes == false ? seen : null, passes is null ? "Too few samples to judge. " + seen : null, seen);
}
