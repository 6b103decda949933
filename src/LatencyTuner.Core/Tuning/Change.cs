using LatencyTuner.Core.Settings;

namespace LatencyTuner.Core.Tuning;

/// <summary>One value, from what it was to what it shall be. Before and after are all that an exact undo needs, with the keys created.</summary>
public sealed record Change
{
    /// <summary>Id of the setting in the catalogue, for example <c>tcp.ackfrequency</c>.</summary>
    public required string SettingId { get; init; }

    /// <summary>What it governs: <c>machine</c>, <c>interface</c>, <c>template</c> and so on.</summary>
    public required string Scope { get; init; }

    /// <summary>The interface as the admin knows it (alias and GUID); null when it is not about one.</summary>
    public string? Interface { get; init; }

    /// <summary>The TCP template; null when it is not about one.</summary>
    public string? Template { get; init; }

    /// <summary>The transport filter, prefix and port; null for none.</summary>
    public string? Filter { get; init; }

    /// <summary>Where the value is stored.</summary>
    public required SettingLocation Location { get; init; }

    /// <summary>What was there.</summary>
    public required SettingValue Before { get; init; }

    /// <summary>What shall be there.</summary>
    public required SettingValue After { get; init; }

    /// <summary>What must happen before it takes effect.</summary>
    public RestartNeed Restart { get; init; }

    /// <summary>What became of it.</summary>
    public ChangeStatus Status { get; init; }

    /// <summary>The containers (registry keys) it created, outermost first.</summary>
    public IReadOnlyList<string> CreatedContainers { get; init; } = [];

    /// <summary>The setting with the place it applies to: <c>tcp.ackfrequency of Ethernet 2</c>.</summary>
    public string Name => Interface is not null ? $"{SettingId} of {Interface}" : Template is not null ? $"{SettingId} of {Template}" : SettingId;
}
