using System.Text.Json.Serialization;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting.Model;
using LatencyTuner.Core.Settings;
using LatencyTuner.Core.Settings.Audit;

namespace LatencyTuner.Core.Reporting.Settings;

/// <summary>The <c>settings</c> document.</summary>
public sealed record SettingsReport : Report
{
    /// <summary><c>latencytuner/settings/2</c>.</summary>
    [JsonPropertyOrder(-2)]
    public string Schema { get; init; } = "latencytuner/settings/2";

    /// <summary>What the values come from: <c>this machine</c>, or the file of a snapshot or registry export.</summary>
    public required string Source { get; init; }

    /// <summary>When the values were read; null when unknown.</summary>
    public DateTimeOffset? TakenUtc { get; init; }

    /// <summary>Name of the machine; null when unknown.</summary>
    public string? Machine { get; init; }

    /// <summary>Operating system of the machine.</summary>
    public required HostOs Os { get; init; }

    /// <summary>The workload profile that the values were judged for: <c>low-latency</c>, <c>balanced</c> or <c>throughput</c>.</summary>
    public required string Profile { get; init; }

    /// <summary>The values with the result of the audit.</summary>
    public IReadOnlyList<AuditedSetting> Entries { get; init; } = [];

    /// <summary>The facts about the one setting that was asked for; null when a list was asked for.</summary>
    public SettingExplanation? Explanation { get; init; }

    /// <summary>The findings: LT201 to LT204.</summary>
    public IReadOnlyList<Finding> Findings { get; init; } = [];

    /// <summary>What the reader must know, a sentence each.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];
}

/// <summary>The facts that the catalogue has about one setting.</summary>
public sealed record SettingExplanation
{
    /// <summary>Id of the setting.</summary>
    public required string Id { get; init; }

    /// <summary>The name that Windows gives the setting.</summary>
    public required string Title { get; init; }

    /// <summary>What the setting is.</summary>
    public required string What { get; init; }

    /// <summary>How the setting affects latency.</summary>
    public required string Effect { get; init; }

    /// <summary>Why the setting has no effect or is not recommended; null when this program may recommend it.</summary>
    public string? WhyNot { get; init; }

    /// <summary>What a change of the setting costs, for example throughput.</summary>
    public required string Cost { get; init; }

    /// <summary>What one value applies to, for example one interface.</summary>
    public required string Scope { get; init; }

    /// <summary>Where the value is stored.</summary>
    public required string Where { get; init; }

    /// <summary>What Windows does when the value is absent; null where a value is always present.</summary>
    public string? AbsentMeans { get; init; }

    /// <summary>The valid values.</summary>
    public required string Range { get; init; }

    /// <summary>The default of each Windows version, for explanation only.</summary>
    public required IReadOnlyDictionary<string, string> Defaults { get; init; }

    /// <summary>The value that suits each profile, and why; empty where the facts support no recommendation.</summary>
    public IReadOnlyDictionary<string, string> Recommended { get; init; } = new Dictionary<string, string>();

    /// <summary>What this program does with the setting: <c>can-apply</c>, <c>advise-only</c>, <c>advise-app</c> or <c>flag-only</c>.</summary>
    public required string Action { get; init; }

    /// <summary>True for a setting that each application makes for itself: no host has a value of it.</summary>
    [JsonIgnore]
    public bool IsOfTheApplication => Action == SettingNames.Of(SettingAction.AdviseApp);

    /// <summary>When a change takes effect, in one word.</summary>
    public required string TakesEffect { get; init; }

    /// <summary>When a change takes effect, in a sentence.</summary>
    public required string TakesEffectText { get; init; }

    /// <summary>Whether the setting is documented, undocumented, ignored or a myth, in words.</summary>
    public required string Status { get; init; }

    /// <summary>How an administrator reads the value.</summary>
    public required string Read { get; init; }

    /// <summary>How an administrator sets the value.</summary>
    public required string Set { get; init; }

    /// <summary>How an administrator restores the value.</summary>
    public required string Undo { get; init; }

    /// <summary>When to consider a change; may be empty.</summary>
    public required string Advice { get; init; }

    /// <summary>Further remarks; may be empty.</summary>
    public required string Notes { get; init; }

    /// <summary>The sources of the facts.</summary>
    public required IReadOnlyList<string> Sources { get; init; }

    /// <summary>How well the sources support the facts: <c>high</c>, <c>medium</c> or <c>low</c>.</summary>
    public required string Confidence { get; init; }
}

/// <summary>Whether the settings of this machine were audited.</summary>
public sealed record SettingsAudit
{
    /// <summary>True when the settings were audited.</summary>
    public required bool Audited { get; init; }

    /// <summary>Why the settings were not audited, a sentence; null when they were.</summary>
    public string? NotAuditedBecause { get; init; }
}
