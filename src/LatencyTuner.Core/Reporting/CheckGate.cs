using LatencyTuner.Core.Analysis;
using LatencyTuner.Core.Reporting.Model;

namespace LatencyTuner.Core.Reporting;

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
    /// Whether the 99th percentile is within its limit; null when there is no limit, too few samples to say, or an interval that reaches
    /// from above the limit to below it.
    /// </summary>
    internal static bool? P99Passes(MeasurementReport measurement, CheckReport report)
    {
        if (report.Thresholds.MaxP99Us is not { } limit || !IsTarget(measurement, report))
            return null;

        var figures = measurement.ResponseTime;
        var low = figures.Intervals.GetValueOrDefault("p99Us")?.LowUs ?? figures.P99Us;
        return low > limit ? false : figures.P99Us <= limit ? true : null;
    }

    /// <summary>Whether the share of stalls is within its limit; null when there is no limit or nothing was measured.</summary>
    internal static bool? StallsPass(MeasurementReport measurement, CheckReport report) =>
        report.Thresholds.MaxStallShare is { } limit && IsTarget(measurement, report) && measurement.Received > 0 ? measurement.Stalls.Share <= limit : null;

    /// <summary>True when the limits are for this measurement: loopback beside a target is only a reference.</summary>
    internal static bool IsTarget(MeasurementReport measurement, CheckReport report) =>
        measurement.Target.Name != "loopback" || report.Measurements.All(m => m.Target.Name == "loopback");
}
