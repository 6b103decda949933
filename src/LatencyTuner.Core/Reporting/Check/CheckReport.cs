using System.ComponentModel.DataAnnotations;
using System.Text.Json.Serialization;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting.Diagnosis;
using LatencyTuner.Core.Reporting.Measurement;
using LatencyTuner.Core.Reporting.Model;
using LatencyTuner.Core.Reporting.Settings;

namespace LatencyTuner.Core.Reporting.Check;

/// <summary>The <c>check</c> document.</summary>
public sealed record CheckReport : Report
{
    /// <summary><c>latencytuner/check/2</c>.</summary>
    [JsonPropertyOrder(-2)]
    public string Schema { get; init; } = "latencytuner/check/2";

    /// <summary>Why the check is not complete, a sentence; null when it is.</summary>
    public string? EndedBecause { get; init; }

    /// <summary>The reasons for the verdict, a sentence each; the deciding one first.</summary>
    [Required]
    public IReadOnlyList<string> Reasons { get; init; } = [];

    /// <summary>The limits of the check.</summary>
    public required CheckThresholds Thresholds { get; init; }

    /// <summary>The measurements of the declared workload: loopback first, then each target.</summary>
    [Required]
    public IReadOnlyList<MeasurementReport> Measurements { get; init; } = [];

    /// <summary>The experiment on the first target, or on loopback where no target was given; null when none could be made.</summary>
    [Required]
    public DiagnosisReport? Diagnosis { get; init; }

    /// <summary>The experiments on the other targets.</summary>
    public IReadOnlyList<DiagnosisReport> MoreDiagnoses { get; init; } = [];

    /// <summary>The settings audit.</summary>
    public SettingsAudit? Settings { get; init; }

    /// <summary>Whether each of <see cref="Measurements"/> keeps the limits. Not part of the document.</summary>
    [JsonIgnore]
    public IReadOnlyList<MeasurementGates> Gates { get; init; } = [];

    /// <summary>Findings about the declared workload and, as <c>info</c>, about what other workloads would cost.</summary>
    [Required]
    public IReadOnlyList<Finding> Findings { get; init; } = [];

    /// <inheritdoc/>
    internal override Report Sealed(DocumentSeal seal)
    {
        CheckReport report = (CheckReport)base.Sealed(seal);
        return report with
        {
            Measurements = [.. report.Measurements.Select(m => m with { Tool = report.Tool })],
            Diagnosis = report.Diagnosis is { } diagnosis ? diagnosis with { Tool = report.Tool } : null,
            MoreDiagnoses = [.. report.MoreDiagnoses.Select(d => d with { Tool = report.Tool })],
        };
    }
}

/// <summary>The limits of a <c>check</c>.</summary>
public sealed record CheckThresholds
{
    /// <summary>Maximum 99th percentile of a target in microseconds; null when no limit was given.</summary>
    public double? MaxP99Us { get; init; }

    /// <summary>Maximum share (0 to 1) of stalled requests; null when no limit was given.</summary>
    public double? MaxStallShare { get; init; }

    /// <summary>Severity from which a finding fails the check: <c>none</c>, <c>info</c>, <c>warning</c> or <c>error</c>.</summary>
    [AllowedValues("none", "info", "warning", "error")]
    public required string FailOn { get; init; }
}

/// <summary>Whether a measurement keeps the limits of a check.</summary>
/// <param name="IsTarget">True when the limits apply to it; loopback is only a reference.</param>
/// <param name="P99Passes">Whether the 99th percentile is within its limit; null without a limit or with too few samples to say.</param>
/// <param name="StallsPass">Whether the share of stalled requests is within its limit; null without a limit.</param>
public readonly record struct MeasurementGates(bool IsTarget, bool? P99Passes, bool? StallsPass);
