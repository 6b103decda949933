using LatencyTuner.Core.Tuning;

namespace LatencyTuner.Core.Reporting.Model;

/// <summary>The <c>change</c> document: apply, verify, rollback, history.</summary>
public sealed record ChangeReport
{
    /// <summary><c>latencytuner/change/1</c>.</summary>
    public string Schema { get; init; } = "latencytuner/change/1";

    /// <summary><c>apply</c>, <c>verify</c>, <c>rollback</c> or <c>history</c>.</summary>
    public required string Operation { get; init; }

    /// <summary>The machine.</summary>
    public required string Machine { get; init; }

    /// <summary>When it was made.</summary>
    public required DateTimeOffset StartedUtc { get; init; }

    /// <summary>The batch; null when it is about several or none.</summary>
    public string? Batch { get; init; }

    /// <summary>True when it was only shown.</summary>
    public required bool WhatIf { get; init; }

    /// <summary>How it ended.</summary>
    public required TuningOutcome Outcome { get; init; }

    /// <summary>What was done and what state the machine is in.</summary>
    public required string Text { get; init; }

    /// <summary>The changes in the order in which they were treated.</summary>
    public required IReadOnlyList<ReportedChange> Changes { get; init; }

    /// <summary>What has to be restarted before all of it is in force, a sentence each.</summary>
    public required IReadOnlyList<string> Restart { get; init; }

    /// <summary>Path of the journal; null where there is none, as for a snapshot.</summary>
    public string? Journal { get; init; }

    /// <summary>Path of the backup as a .reg file; null when none was written.</summary>
    public string? Backup { get; init; }

    /// <summary>Whether it helped; null when that was not asked.</summary>
    public ReportedEffect? Effect { get; init; }

    /// <summary>The same as PowerShell, a command per line.</summary>
    public IReadOnlyList<string> PowerShell { get; init; } = [];

    /// <summary>The same as the text of a .reg file; null when there is none.</summary>
    public string? Reg { get; init; }

    /// <summary>What the reader must know, a sentence each.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];
}
