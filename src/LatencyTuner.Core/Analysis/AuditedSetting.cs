namespace LatencyTuner.Core.Analysis;

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
