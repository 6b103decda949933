using LatencyTuner.Core.Analysis;
using LatencyTuner.Core.Analysis.Checks;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting.Diagnosis;
using LatencyTuner.Core.Reporting.Measurement;

namespace LatencyTuner.Core.Reporting.Check;

/// <summary>Builds the <c>check</c> document.</summary>
public static class CheckReportBuilder
{
    /// <summary>Builds the document.</summary>
    /// <param name="inputs">What was measured and audited.</param>
    public static CheckReport From(CheckInputs inputs)
    {
        ArgumentNullException.ThrowIfNull(inputs);
        CheckOutcome outcome = CheckOutcome.From(new()
        {
            Loopback = PathOf(inputs.Loopback),
            Targets = [.. inputs.Targets.Select(PathOf)],
            Limits = inputs.Limits,
            SettingsFindings = inputs.SettingsFindings,
            SettingsNotAudited = inputs.Settings.Audited ? null : inputs.Settings.NotAuditedBecause,
            Cancelled = inputs.Cancelled,
            Application = inputs.Application,
        });
        CheckedTarget[] diagnosed = inputs.Targets.Count > 0 ? [.. inputs.Targets] : [inputs.Loopback];
        return WithGates(new CheckReport
        {
            Complete = !inputs.Cancelled && inputs.Targets.Append(inputs.Loopback).All(t => t.Failure is null && t.Measurement is { Complete: true }),
            EndedBecause = inputs.Cancelled ? "It was cancelled." : inputs.Targets.Append(inputs.Loopback).FirstOrDefault(t => t.Failure is not null)?.Failure,
            Reasons = outcome.Reasons,
            StartedUtc = inputs.StartedUtc.UtcDateTime,
            Thresholds = new CheckThresholds
            {
                MaxP99Us = inputs.Limits.MaxP99Us,
                MaxStallShare = inputs.Limits.MaxStallShare,
                FailOn = inputs.Limits.FailOn?.ToString().ToLowerInvariant() ?? "none",
            },
            Measurements = [.. inputs.Targets.Prepend(inputs.Loopback).Select(t => t.Measurement).OfType<MeasurementReport>()],
            Diagnosis = diagnosed[0].Diagnosis,
            MoreDiagnoses = [.. diagnosed.Skip(1).Select(t => t.Diagnosis).OfType<DiagnosisReport>()],
            Settings = inputs.Settings,
            Findings =
            [
                .. inputs.Targets.SelectMany(t => (t.Measurement?.Findings ?? []).Concat(t.Diagnosis?.Findings ?? [])),
                .. inputs.Targets.Count == 0 ? inputs.Loopback.Diagnosis?.Findings ?? [] : [],
                .. inputs.SettingsFindings,
            ],
            Judgement = outcome.Verdict,
            Failing = outcome.Failing,
        }, inputs.Limits);
    }

    /// <summary>A document that was read: it keeps its verdict, and the limits are judged again from its figures.</summary>
    /// <param name="report">The document.</param>
    /// <param name="gate">The gate that the user sets now; it decides only the exit code.</param>
    internal static CheckReport Judge(CheckReport report, Gate gate)
    {
        CheckLimits limits = new()
        {
            MaxP99Us = report.Thresholds.MaxP99Us,
            MaxStallShare = report.Thresholds.MaxStallShare,
            FailOn = Enum.TryParse(report.Thresholds.FailOn, ignoreCase: true, out Severity limit) ? limit : null,
        };
        // The list of all findings repeats the findings of the measurements and experiments; only those of the settings, at its end, are its own.
        MeasurementReport[] measured = [.. report.Measurements.Select(m => MeasurementReportBuilder.Judge(m, Gate.Open))];
        Finding[] declared = [.. measured.Where(IsTarget).SelectMany(m => m.Findings)];
        Finding[] exposures = [.. report.MoreDiagnoses.Prepend(report.Diagnosis!).Where(d => d is not null).SelectMany(d => d.Findings)];
        Finding[] ofSettings = [.. report.Findings.Skip(declared.Length + exposures.Length)];
        // A stricter gate than that of the run may fail what passed: then the headline names what fails.
        Finding? lead = report.Verdict == VerdictKind.Fail ? null : gate.Failing(report.Findings).WorstFirst().FirstOrDefault();
        return WithGates(report with
        {
            Measurements = measured,
            Diagnosis = report.Diagnosis is { } diagnosis ? DiagnosisReportBuilder.Judge(diagnosis, Gate.Open) : null,
            MoreDiagnoses = [.. report.MoreDiagnoses.Select(d => DiagnosisReportBuilder.Judge(d, Gate.Open))],
            Findings = [.. declared, .. exposures, .. ofSettings],
            Judgement = CheckOutcome.InWords(
                lead is null ? report.Verdict : VerdictKind.Fail, lead is null ? report.Text : $"{lead.Id} {CheckOutcome.Describe(lead)}",
                gate.Judge(report.Findings), []),
            Failing = report.Verdict == VerdictKind.Fail ? [.. declared.Concat(ofSettings).Where(limits.Fails)] : [],
        }, limits);
    }

    private static CheckReport WithGates(CheckReport report, CheckLimits limits) => report with
    {
        Gates =
        [
            .. report.Measurements.Select(m => !IsTarget(m) ? default
                : new MeasurementGates(true, limits.P99Passes(m.ResponseTime), limits.StallsPass(m.Received, m.Stalls.Share))),
        ],
    };

    /// <summary>True when the limits apply to this measurement; loopback is only a reference.</summary>
    private static bool IsTarget(MeasurementReport measurement) => measurement.Target.Name != "loopback";

    private static CheckedPath PathOf(CheckedTarget target) => target.Measurement is not { } measured
        ? new() { Name = target.Name, Measured = false, Failure = target.Failure, Missing = target.Missing }
        : new()
        {
            Name = target.Name,
            Measured = true,
            Complete = measured.Complete,
            EndedBecause = measured.EndedBecause,
            Failure = target.Failure,
            Received = measured.Received,
            Response = measured.ResponseTime,
            Stalls = measured.Stalls.Count,
            StallShare = measured.Stalls.Share,
            StallThresholdMs = measured.Stalls.ThresholdMs,
            IsSplit = measured.Pattern == "split",
            Findings = measured.Findings,
            Exposure = target.Diagnosis?.Diagnosis.Cause,
            ReplyExposure = target.Diagnosis?.ReplyDiagnosis?.Cause,
            IsReplySplit = measured.Options.Requested.PeerWrites > 1,
        };
}
