using System.Text.Json.Serialization;
using LatencyTuner.Core.Settings;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Tuning;

/// <summary>A change of one value. The values before and after, and the keys created, are all that an exact undo needs.</summary>
public sealed record Change
{
    /// <summary>Id of the setting in the catalogue, for example <c>tcp.ackfrequency</c>.</summary>
    public required string SettingId { get; init; }

    /// <summary>What it governs: <c>machine</c>, <c>interface</c>, <c>template</c> and so on.</summary>
    public required string Scope { get; init; }

    /// <summary>The interface as the admin knows it (alias and GUID); null when the change belongs to no interface.</summary>
    public string? Interface { get; init; }

    /// <summary>The TCP template; null when the change belongs to no template.</summary>
    public string? Template { get; init; }

    /// <summary>The transport filter, prefix and port; null for none.</summary>
    public string? Filter { get; init; }

    /// <summary>Where the value is stored.</summary>
    public required SettingLocation Location { get; init; }

    /// <summary>The value before the change.</summary>
    public required SettingValue Before { get; init; }

    /// <summary>The value after the change.</summary>
    public required SettingValue After { get; init; }

    /// <summary>What must happen before it takes effect.</summary>
    public RestartNeed Restart { get; init; }

    /// <summary>The state of the change.</summary>
    public ChangeStatus Status { get; init; }

    /// <summary>The containers (registry keys) it created, outermost first.</summary>
    public IReadOnlyList<string> CreatedContainers { get; init; } = [];

    /// <summary>The setting with the place it applies to: <c>tcp.ackfrequency of Ethernet 2</c>.</summary>
    public string Name => Interface is not null ? $"{SettingId} of {Interface}" : Template is not null ? $"{SettingId} of {Template}" : SettingId;
}

/// <summary>The state of a change.</summary>
/// <param name="Change">The change with its status.</param>
/// <param name="Batch">Its batch; null while it is only planned.</param>
/// <param name="Actual">The value that is there now; null when it was not read.</param>
/// <param name="Text">A sentence for the admin.</param>
/// <param name="ChangedUtc">When it was written or put back; null when it was not or when the time is unknown.</param>
/// <param name="Pending">What still has to happen before it is in force; null when that is unknown or was not asked.</param>
public sealed record ChangeOutcome(
    Change Change, string? Batch, SettingValue? Actual, string Text, DateTimeOffset? ChangedUtc = null, RestartNeed? Pending = null);

/// <summary>The state of a change.</summary>
[JsonConverter(typeof(KebabCaseEnumConverter<ChangeStatus>))]
public enum ChangeStatus
{
    /// <summary>The value was not written, or after an interruption it is unknown whether it was.</summary>
    Planned,

    /// <summary>The value was written and read back, or was already as wanted.</summary>
    Done,

    /// <summary>The value is as before again.</summary>
    RolledBack,

    /// <summary>The value could not be written or could not be put back.</summary>
    Failed,

    /// <summary>The value is neither as before nor as after: someone else changed it.</summary>
    Drifted,
}
