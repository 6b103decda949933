using System.ComponentModel.DataAnnotations;
using System.Text.Json.Serialization;
using LatencyTuner.Core.Reporting.Comparison;
using LatencyTuner.Core.Reporting.Model;
using LatencyTuner.Core.Tuning;

namespace LatencyTuner.Core.Reporting.Changes;

/// <summary>The <c>change</c> document: apply, verify, rollback, history.</summary>
public sealed record ChangeReport : Report
{
    /// <summary><c>latencytuner/change/2</c>.</summary>
    [JsonPropertyOrder(-2)]
    public string Schema { get; init; } = "latencytuner/change/2";

    /// <summary><c>apply</c>, <c>verify</c>, <c>rollback</c> or <c>history</c>.</summary>
    [AllowedValues("apply", "verify", "rollback", "history")]
    public required string Operation { get; init; }

    /// <summary>Name of the machine.</summary>
    public required string Machine { get; init; }

    /// <summary>Id of the batch; null when the report is about several batches or none.</summary>
    public string? Batch { get; init; }

    /// <summary>True when the changes were only shown, not made.</summary>
    public required bool WhatIf { get; init; }

    /// <summary>How the operation ended.</summary>
    public required TuningOutcome Outcome { get; init; }

    /// <summary>The changes in the order in which they were processed.</summary>
    public required IReadOnlyList<ReportedChange> Changes { get; init; }

    /// <summary>What has to be restarted before all changes take effect, a sentence each.</summary>
    public required IReadOnlyList<string> Restart { get; init; }

    /// <summary>Path of the journal; null where there is none, for example for a snapshot.</summary>
    public string? Journal { get; init; }

    /// <summary>Path of the backup as a .reg file; null when none was written.</summary>
    public string? Backup { get; init; }

    /// <summary>Whether the changes improved the latency; null when that was not asked.</summary>
    public ReportedEffect? Effect { get; init; }

    /// <summary>The changes as PowerShell commands, one per line.</summary>
    public IReadOnlyList<string> PowerShell { get; init; } = [];

    /// <summary>The changes as the text of a .reg file; null when there is none.</summary>
    public string? Reg { get; init; }

    /// <summary>What the reader must know, a sentence each.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];
}

/// <summary>A change of a <c>change</c> document.</summary>
public sealed record ReportedChange
{
    /// <summary>Id of the batch of the change; null while it is only planned.</summary>
    public string? Batch { get; init; }

    /// <summary>Id of the setting in the catalogue.</summary>
    public required string SettingId { get; init; }

    /// <summary>What the value applies to, for example <c>interface</c>.</summary>
    public required string Scope { get; init; }

    /// <summary>The interface; null when the change is not about one.</summary>
    public string? Interface { get; init; }

    /// <summary>The TCP template; null when the change is not about one.</summary>
    public string? Template { get; init; }

    /// <summary>The transport filter; null for none.</summary>
    public string? Filter { get; init; }

    /// <summary><c>registry</c>, <c>template</c> or <c>filter</c>.</summary>
    [AllowedValues("registry", "template", "filter")]
    public required string Store { get; init; }

    /// <summary>Where the value is stored.</summary>
    public required string Path { get; init; }

    /// <summary>The value before the change.</summary>
    public required StoredValue Before { get; init; }

    /// <summary>The value that the change writes.</summary>
    public required StoredValue After { get; init; }

    /// <summary>The value now; null when it was not read.</summary>
    public StoredValue? Actual { get; init; }

    /// <summary>The state of the change.</summary>
    public required ChangeStatus Status { get; init; }

    /// <summary>The state of the change, a sentence.</summary>
    public required string Text { get; init; }

    /// <summary>What must be restarted before the change takes effect.</summary>
    public required RestartNeed Restart { get; init; }

    /// <summary>What still has to be restarted; null when that is unknown or was not asked.</summary>
    public RestartNeed? Pending { get; init; }

    /// <summary>When the value was written or restored; null when it was not, or when the time is unknown.</summary>
    public DateTimeOffset? ChangedUtc { get; init; }

    /// <summary>The containers (registry keys) that were created for it.</summary>
    public IReadOnlyList<string> CreatedContainers { get; init; } = [];
}

/// <summary>Whether a change improved the latency.</summary>
public sealed record ReportedEffect
{
    /// <summary><c>better</c>, <c>same</c>, <c>worse</c> or <c>cannot-tell</c>.</summary>
    [AllowedValues("better", "same", "worse", "cannot-tell")]
    public required string Verdict { get; init; }

    /// <summary>The verdict in a sentence.</summary>
    public required string Text { get; init; }

    /// <summary>The differences, after minus before, by quantile; empty where nothing was compared.</summary>
    public IReadOnlyList<ComparedQuantile> Quantiles { get; init; } = [];
}
