using System.Text.Json.Serialization;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Tuning;

/// <summary>The result of apply, rollback, verify or history.</summary>
public sealed record TuningResult
{
    /// <summary><c>apply</c>, <c>rollback</c>, <c>verify</c> or <c>history</c>.</summary>
    public required string Operation { get; init; }

    /// <summary>How it ended.</summary>
    public required TuningOutcome Outcome { get; init; }

    /// <summary>One or two sentences that say what was done and what state the machine is in.</summary>
    public required string Text { get; init; }

    /// <summary>The batch; null when it is about several or none.</summary>
    public string? Batch { get; init; }

    /// <summary>The changes in the order in which they were treated.</summary>
    public IReadOnlyList<ChangeOutcome> Changes { get; init; } = [];

    /// <summary>What the reader must know, a sentence or two each.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];

    /// <summary>Path of the journal.</summary>
    public required string JournalPath { get; init; }

    /// <summary>Path of the backup; null when none was written.</summary>
    public string? BackupPath { get; init; }

    /// <summary>The changes as PowerShell, one command per element; after a failure what can be done by hand.</summary>
    public IReadOnlyList<string> PowerShell { get; init; } = [];

    /// <summary>The changes as the text of a .reg file; null when there is nothing to write.</summary>
    public string? Reg { get; init; }

    /// <summary>Whether the changes helped; null when that was not asked.</summary>
    public MeasuredEffect? Effect { get; init; }

    /// <summary>The verdict as it is printed.</summary>
    public Verdict Verdict => TuningVerdict.From(Operation, Outcome, Text, Effect?.Verdict, Batch, AllowInconclusive);

    /// <summary>True when an unknown effect is no failure.</summary>
    public bool AllowInconclusive { get; init; }
}

/// <summary>How applying, rolling back or verifying ended.</summary>
[JsonConverter(typeof(KebabCaseEnumConverter<TuningOutcome>))]
public enum TuningOutcome
{
    /// <summary>All of it was done; for verify: all is as written.</summary>
    Done,

    /// <summary>Every value was already as wanted.</summary>
    NoChange,

    /// <summary>The changes were only shown.</summary>
    WhatIf,

    /// <summary>It could not be done and nothing was changed.</summary>
    Refused,

    /// <summary>It failed on the way and every value was put back.</summary>
    RolledBack,

    /// <summary>It failed on the way and not every value is as it was; for verify: not all is as written.</summary>
    Incomplete,

    /// <summary>The journal is damaged or has lost records, so what was applied is not wholly known.</summary>
    Damaged,
}
