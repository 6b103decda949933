using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting.Diagnosis;
using LatencyTuner.Core.Reporting.Measurement;
using LatencyTuner.Core.Statistics;

namespace LatencyTuner.Core.Reporting.Check;

/// <summary>How the gates of a check are read from its report, so that every output marks the same figures.</summary>
internal static class CheckGate
{
    /// <summary>True when a finding is at or above the severity that fails.</summary>
    internal static bool Fails(Finding finding, string failOn) => failOn switch
    {
        "none" => false,
        // Thin evidence fails nothing; it makes the verdict "cannot tell".
        _ when finding.Cause == Cause.EvidenceIncomplete => false,
        "info" => true,
        "warning" => finding.Severity >= Severity.Warning,
        _ => finding.Severity >= Severity.Error,
    };

    /// <summary>
    /// The findings that fail a check: those of the declared workload on its targets. What an experiment found other workloads would meet,
    /// and what loopback shows, never fails it.
    /// </summary>
    internal static IReadOnlyList<Finding> Failing(CheckReport report) =>
        report.Verdict != "fail" ? []
        : [.. report.Findings.Where(f => Fails(f, report.Thresholds.FailOn) && f.Cause != Cause.EvidenceIncomplete
            && (report.Measurements.Where(IsTarget).SelectMany(m => m.Findings).Any(m => Same(m, f))
                || !report.MoreDiagnoses.Append(report.Diagnosis).OfType<DiagnosisReport>().SelectMany(d => d.Findings).Any(d => Same(d, f))))];

    /// <summary>
    /// Whether the 99th percentile is within its limit; null when there is no limit, too few samples to say, or an interval that reaches
    /// from above the limit to below it.
    /// </summary>
    internal static bool? P99Passes(MeasurementReport measurement, CheckReport report)
    {
        if (report.Thresholds.MaxP99Us is not { } limit || !IsTarget(measurement))
        {
            return null;
        }

        LatencyFigures figures = measurement.ResponseTime;
        double? low = figures.Intervals.GetValueOrDefault("p99Us")?.LowUs ?? figures.P99Us;
        return low > limit ? false : figures.P99Us <= limit ? true : null;
    }

    /// <summary>Whether the share of stalls is within its limit; null when there is no limit or nothing was measured.</summary>
    internal static bool? StallsPass(MeasurementReport measurement, CheckReport report) =>
        report.Thresholds.MaxStallShare is { } limit && IsTarget(measurement) && measurement.Received > 0 ? measurement.Stalls.Share <= limit : null;

    /// <summary>True when the limits are for this measurement: loopback is only a reference.</summary>
    internal static bool IsTarget(MeasurementReport measurement) => measurement.Target.Name != "loopback";

    // A report read from a file has instances of its own for the same finding.
    private static bool Same(Finding a, Finding b) =>
        (a.Id, a.Side, a.Severity, a.Count, a.CostMs) == (b.Id, b.Side, b.Severity, b.Count, b.CostMs);
}
