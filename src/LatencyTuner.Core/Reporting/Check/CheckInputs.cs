using LatencyTuner.Core.Analysis.Checks;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting.Diagnosis;
using LatencyTuner.Core.Reporting.Measurement;
using LatencyTuner.Core.Reporting.Settings;

namespace LatencyTuner.Core.Reporting.Check;

/// <summary>Everything <c>check</c> judges.</summary>
public sealed record CheckInputs
{
    /// <summary>When it started.</summary>
    public required DateTimeOffset StartedUtc { get; init; }

    /// <summary>The loopback measurement and experiment: context, never a reason to fail.</summary>
    public required CheckedTarget Loopback { get; init; }

    /// <summary>The targets.</summary>
    public IReadOnlyList<CheckedTarget> Targets { get; init; } = [];

    /// <summary>What was allowed.</summary>
    public CheckLimits Limits { get; init; } = new() { FailOn = Severity.Error };

    /// <summary>The settings audit.</summary>
    public required SettingsAudit Settings { get; init; }

    /// <summary>
    /// What the audit found: a warning at most, because a setting alone proves no stall; it fails a check only where the limit is a warning or less.
    /// </summary>
    public IReadOnlyList<Finding> SettingsFindings { get; init; } = [];

    /// <summary>True when it was cancelled.</summary>
    public bool Cancelled { get; init; }
}

/// <summary>What <c>check</c> found out about one target.</summary>
/// <param name="Name">As the user gave it.</param>
/// <param name="Measurement">The declared workload measured; null when it could not be.</param>
/// <param name="Diagnosis">The experiment; null when it could not be made.</param>
/// <param name="Failure">Why something is missing, a sentence; null when nothing is.</param>
public sealed record CheckedTarget(string Name, MeasurementReport? Measurement, DiagnosisReport? Diagnosis, string? Failure);
