
namespace LatencyTuner.Core.Tuning;

/// <summary>A change of a plan.</summary>
public sealed record PlannedChange
{
    /// <summary>Id of the setting in the catalogue.</summary>
    public required string SettingId { get; init; }

    /// <summary>What it governs, for example <c>interface</c>.</summary>
    public required string Scope { get; init; }

    /// <summary>The interface; null when it is not about one.</summary>
    public string? Interface { get; init; }

    /// <summary>The TCP template; null when it is not about one.</summary>
    public string? Template { get; init; }

    /// <summary>The transport filter; null for none.</summary>
    public string? Filter { get; init; }

    /// <summary><c>registry</c>, <c>template</c> or <c>filter</c>.</summary>
    public required string Store { get; init; }

    /// <summary>The registry key, the name of the template, or the prefix of the filter.</summary>
    public required string Container { get; init; }

    /// <summary>The name of the value or property, or the ports of the filter.</summary>
    public required string Name { get; init; }

    /// <summary>What was there when the plan was made.</summary>
    public required StoredValue Before { get; init; }

    /// <summary>What shall be there.</summary>
    public required StoredValue After { get; init; }

    /// <summary>What must happen before it takes effect.</summary>
    public required RestartNeed Restart { get; init; }
}
