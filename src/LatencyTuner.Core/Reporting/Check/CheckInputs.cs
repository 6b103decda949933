using LatencyTuner.Core.Analysis.Checks;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting.Diagnosis;
using LatencyTuner.Core.Reporting.Measurement;
using LatencyTuner.Core.Reporting.Settings;

namespace LatencyTuner.Core.Reporting.Check;

/// <summary>The input of <c>check</c>: measurements, limits and the settings audit.</summary>
public sealed record CheckInputs
{
    /// <summary>When the check started.</summary>
    public required DateTimeOffset StartedUtc { get; init; }

    /// <summary>The loopback measurement and experiment: for comparison only, never a reason to fail.</summary>
    public required CheckedTarget Loopback { get; init; }

    /// <summary>The targets.</summary>
    public IReadOnlyList<CheckedTarget> Targets { get; init; } = [];

    /// <summary>The limits that the measurements must keep.</summary>
    public CheckLimits Limits { get; init; } = new() { FailOn = Severity.Error };

    /// <summary>The settings audit.</summary>
    public required SettingsAudit Settings { get; init; }

    /// <summary>
    /// The findings of the audit: warnings at most, because a setting alone proves no stall. They fail a check only where its limit is warning or
    /// info.
    /// </summary>
    public IReadOnlyList<Finding> SettingsFindings { get; init; } = [];

    /// <summary>How the application that the workload is set like has set its sockets, a sentence; null without one.</summary>
    public string? Application { get; init; }

    /// <summary>True when the user cancelled the check.</summary>
    public bool Cancelled { get; init; }
}

/// <summary>What <c>check</c> found out about one target.</summary>
/// <param name="Name">The target as the user gave it.</param>
/// <param name="Measurement">The declared workload measured; null when it could not be.</param>
/// <param name="Diagnosis">The experiment; null when it could not be made.</param>
/// <param name="Failure">Why something is missing, a sentence; null when nothing is missing.</param>
public sealed record CheckedTarget(string Name, MeasurementReport? Measurement, DiagnosisReport? Diagnosis, string? Failure)
{
    /// <summary>The option without which the target cannot be measured, for example <c>--token-file</c>; null for other failures.</summary>
    public string? Missing { get; init; }
}
