using System.Text.Json.Serialization;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Settings.Audit;

/// <summary>One value of a setting with the verdict of the audit.</summary>
public sealed record AuditedSetting
{
    /// <summary>Id of the setting.</summary>
    public required string Id { get; init; }

    /// <summary>What the value applies to: <c>machine</c>, <c>interface</c>, <c>template</c>, <c>filter</c>, <c>adapter</c>.</summary>
    public required string Scope { get; init; }

    /// <summary>GUID of the interface; null when it belongs to none.</summary>
    public string? Interface { get; init; }

    /// <summary>Alias of the interface; null when it has none.</summary>
    public string? InterfaceAlias { get; init; }

    /// <summary>The TCP template; null when it belongs to none.</summary>
    public string? Template { get; init; }

    /// <summary>The place where it is stored: registry path, CIM property or keyword.</summary>
    public required string Path { get; init; }

    /// <summary>True when no value is stored.</summary>
    public required bool Absent { get; init; }

    /// <summary>Registry name of its type; null when absent or not read.</summary>
    public string? Type { get; init; }

    /// <summary>The value; null when absent or not read.</summary>
    public string? Value { get; init; }

    /// <summary>The default of this Windows version, for explanation only.</summary>
    public required string Default { get; init; }

    /// <summary>The value in force; null when it is unknown.</summary>
    public string? Effective { get; init; }

    /// <summary>The value that suits the profile; null when the facts support no recommendation.</summary>
    public string? Recommended { get; init; }

    /// <summary>The verdict of the audit.</summary>
    public required AuditState State { get; init; }

    /// <summary>True for a value that an administrator should review.</summary>
    [JsonIgnore]
    public bool NeedsReview =>
        State is AuditState.NotRecommended or AuditState.NoEffect or AuditState.Misplaced or AuditState.Conflict or AuditState.PendingRestart;

    /// <summary>True for a value to review, and for one that someone set to something else than the default.</summary>
    [JsonIgnore]
    public bool WorthALook => NeedsReview || (Value is { } set && Default.Split(' ', ',', ';')[0] is var standard && set.Split(' ')[0] != standard);

    /// <summary>The reason for the verdict, a clause; null when there is no remark.</summary>
    public string? Because { get; init; }

    /// <summary><c>can-apply</c>, <c>advise-only</c> or <c>flag-only</c>.</summary>
    public required string Action { get; init; }

    /// <summary>
    /// When a changed value is in force: <c>immediate</c>, <c>new-connections</c>, <c>adapter-restart</c>, <c>service-restart</c>, <c>reboot</c>, <c>n/a</c>.
    /// </summary>
    public required string TakesEffect { get; init; }

    /// <summary>Where the facts about it come from.</summary>
    public required string Source { get; init; }

    /// <summary>How well the source supports the facts: <c>high</c>, <c>medium</c>, <c>low</c>.</summary>
    public required string Confidence { get; init; }
}

/// <summary>The verdict of the audit on one value.</summary>
[JsonConverter(typeof(KebabCaseEnumConverter<AuditState>))]
public enum AuditState
{
    /// <summary>The value needs no remark.</summary>
    Ok,

    /// <summary>It works, but does not suit the profile.</summary>
    NotRecommended,

    /// <summary>The value has no effect.</summary>
    NoEffect,

    /// <summary>It is in a place that nothing reads, or on an adapter that carries none of the host's connections.</summary>
    Misplaced,

    /// <summary>Another setting for the same purpose has a different value, and it is not documented which one wins.</summary>
    Conflict,

    /// <summary>It was written after the last restart and takes effect with the next one.</summary>
    PendingRestart,

    /// <summary>It could not be read, or its effect is unknown.</summary>
    Unknown,
}

/// <summary>The result of the audit of a host.</summary>
/// <param name="Entries">Every value, in the order of the snapshot.</param>
/// <param name="Findings">LT201 to LT204, one per setting and kind.</param>
public sealed record HostAuditResult(IReadOnlyList<AuditedSetting> Entries, IReadOnlyList<Finding> Findings);
