using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting.Model;
using LatencyTuner.Core.Settings.Audit;

namespace LatencyTuner.Core.Reporting.Settings;

/// <summary>The <c>settings</c> document.</summary>
public sealed record SettingsReport : Report
{
    /// <summary><c>latencytuner/settings/1</c>.</summary>
    public string Schema { get; init; } = "latencytuner/settings/1";

    /// <summary>What the values come from: <c>this machine</c>, or the file of a snapshot or registry export.</summary>
    public required string Source { get; init; }

    /// <summary>When the values were read; null when unknown.</summary>
    public DateTimeOffset? TakenUtc { get; init; }

    /// <summary>Name of the machine; null when unknown.</summary>
    public string? Machine { get; init; }

    /// <summary>Its operating system.</summary>
    public required HostOs Os { get; init; }

    /// <summary>What it was judged for: <c>low-latency</c>, <c>balanced</c> or <c>throughput</c>.</summary>
    public required string Profile { get; init; }

    /// <summary>The values with what the audit says of them.</summary>
    public IReadOnlyList<AuditedSetting> Entries { get; init; } = [];

    /// <summary>What is known of the setting that was asked for; null when it was a list.</summary>
    public SettingExplanation? Explanation { get; init; }

    /// <summary>LT201 to LT204.</summary>
    public IReadOnlyList<Finding> Findings { get; init; } = [];

    /// <summary>What the reader must know, a sentence each.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];
}

/// <summary>What the catalogue knows of one setting.</summary>
public sealed record SettingExplanation
{
    /// <summary>Id of the setting.</summary>
    public required string Id { get; init; }

    /// <summary>The name Windows gives it.</summary>
    public required string Title { get; init; }

    /// <summary>What it is.</summary>
    public required string What { get; init; }

    /// <summary>How it acts on latency.</summary>
    public required string Effect { get; init; }

    /// <summary>Why it does nothing, or is not recommended; null when this program may recommend it.</summary>
    public string? WhyNot { get; init; }

    /// <summary>What it costs.</summary>
    public required string Cost { get; init; }

    /// <summary>How far one value reaches.</summary>
    public required string Scope { get; init; }

    /// <summary>Where it is stored.</summary>
    public required string Where { get; init; }

    /// <summary>What no value means; null where there always is one.</summary>
    public string? AbsentMeans { get; init; }

    /// <summary>What is valid.</summary>
    public required string Range { get; init; }

    /// <summary>The default per Windows version, for explanation only.</summary>
    public required IReadOnlyDictionary<string, string> Defaults { get; init; }

    /// <summary>What suits each profile and why; empty where the facts support no recommendation.</summary>
    public IReadOnlyDictionary<string, string> Recommended { get; init; } = new Dictionary<string, string>();

    /// <summary><c>can-apply</c>, <c>advise-only</c>, <c>advise-app</c> or <c>flag-only</c>.</summary>
    public required string Action { get; init; }

    /// <summary>When a change is in force.</summary>
    public required string TakesEffect { get; init; }

    /// <summary>The same in words.</summary>
    public required string TakesEffectText { get; init; }

    /// <summary>Documented, undocumented, ignored or myth, in words.</summary>
    public required string Status { get; init; }

    /// <summary>How an admin reads it.</summary>
    public required string Read { get; init; }

    /// <summary>How an admin sets it.</summary>
    public required string Set { get; init; }

    /// <summary>How an admin undoes it.</summary>
    public required string Undo { get; init; }

    /// <summary>When it is worth touching; may be empty.</summary>
    public required string Advice { get; init; }

    /// <summary>Further remarks; may be empty.</summary>
    public required string Notes { get; init; }

    /// <summary>Where the facts come from.</summary>
    public required IReadOnlyList<string> Sources { get; init; }

    /// <summary>How well founded they are: <c>high</c>, <c>medium</c>, <c>low</c>.</summary>
    public required string Confidence { get; init; }
}

/// <summary>Whether the settings of this machine were audited.</summary>
public sealed record SettingsAudit
{
    /// <summary>True when they were.</summary>
    public required bool Audited { get; init; }

    /// <summary>Why not, a sentence.</summary>
    public string? NotAuditedBecause { get; init; }
}
