using System.Text.Json.Serialization;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Settings.Audit;

/// <summary>One value of a setting with what the audit says of it.</summary>
public sealed record AuditedSetting
{
    /// <summary>Id of the setting.</summary>
    public required string Id { get; init; }

    /// <summary>How far the value reaches: <c>machine</c>, <c>interface</c>, <c>template</c>, <c>filter</c>, <c>adapter</c>.</summary>
    public required string Scope { get; init; }

    /// <summary>GUID of the interface; null when it belongs to none.</summary>
    public string? Interface { get; init; }

    /// <summary>Alias of the interface; null when it has none.</summary>
    public string? InterfaceAlias { get; init; }

    /// <summary>The TCP template; null when it belongs to none.</summary>
    public string? Template { get; init; }

    /// <summary>Where it is stored.</summary>
    public required string Path { get; init; }

    /// <summary>True when there is no value.</summary>
    public required bool Absent { get; init; }

    /// <summary>Registry name of its type; null when absent or not read.</summary>
    public string? Type { get; init; }

    /// <summary>The value; null when absent or not read.</summary>
    public string? Value { get; init; }

    /// <summary>The default of this Windows version, for explanation only.</summary>
    public required string Default { get; init; }

    /// <summary>What is in force; null when it cannot be told.</summary>
    public string? Effective { get; init; }

    /// <summary>What suits the profile; null when the facts support no recommendation.</summary>
    public string? Recommended { get; init; }

    /// <summary>What the audit says.</summary>
    public required AuditState State { get; init; }

    /// <summary>True for a value that someone should look at.</summary>
    [JsonIgnore]
    public bool NeedsReview =>
        State is AuditState.NotRecommended or AuditState.NoEffect or AuditState.Misplaced or AuditState.Conflict or AuditState.PendingRestart;

    /// <summary>Why, a clause; null when there is nothing to remark.</summary>
    public string? Because { get; init; }

    /// <summary><c>can-apply</c>, <c>advise-only</c> or <c>flag-only</c>.</summary>
    public required string Action { get; init; }

    /// <summary>
    /// When a change is in force: <c>immediate</c>, <c>new-connections</c>, <c>adapter-restart</c>, <c>service-restart</c>, <c>reboot</c>, <c>n/a</c>.
    /// </summary>
    public required string TakesEffect { get; init; }

    /// <summary>Where the facts about it come from.</summary>
    public required string Source { get; init; }

    /// <summary>How well founded they are: <c>high</c>, <c>medium</c>, <c>low</c>.</summary>
    public required string Confidence { get; init; }
}

/// <summary>What the audit says of one value.</summary>
[JsonConverter(typeof(KebabCaseEnumConverter<AuditState>))]
public enum AuditState
{
    /// <summary>Nothing to remark.</summary>
    Ok,

    /// <summary>It works, and does not suit the profile.</summary>
    NotRecommended,

    /// <summary>It does nothing.</summary>
    NoEffect,

    /// <summary>It is where nothing reads it, or on an adapter that carries none of the host's connections.</summary>
    Misplaced,

    /// <summary>Another setting of the same thing differs, and which one wins is not documented.</summary>
    Conflict,

    /// <summary>It was written after the last start and takes effect with the next.</summary>
    PendingRestart,

    /// <summary>It could not be read, or what it does cannot be told.</summary>
    Unknown,
}

/// <summary>What the audit of a host says.</summary>
/// <param name="Entries">Every value, in the order of the snapshot.</param>
/// <param name="Findings">LT201 to LT204, one per setting and kind.</param>
public sealed record HostAuditResult(IReadOnlyList<AuditedSetting> Entries, IReadOnlyList<Finding> Findings);
