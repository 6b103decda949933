using LatencyTuner.Core.Analysis;
using LatencyTuner.Core.Evidence;

namespace LatencyTuner.Core.Reporting.Model;

/// <summary>The <c>settings</c> document.</summary>
public sealed record SettingsReport
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
