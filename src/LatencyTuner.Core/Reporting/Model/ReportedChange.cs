using LatencyTuner.Core.Tuning;

namespace LatencyTuner.Core.Reporting.Model;

/// <summary>A change of a <c>change</c> document.</summary>
public sealed record ReportedChange
{
    /// <summary>Its batch; null while it is only planned.</summary>
    public string? Batch { get; init; }

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

    /// <summary><c>registry</c> or <c>template</c>.</summary>
    public required string Store { get; init; }

    /// <summary>Where the value is.</summary>
    public required string Path { get; init; }

    /// <summary>What was there.</summary>
    public required StoredValue Before { get; init; }

    /// <summary>What the change puts there.</summary>
    public required StoredValue After { get; init; }

    /// <summary>What is there now; null when it was not read.</summary>
    public StoredValue? Actual { get; init; }

    /// <summary>What became of it.</summary>
    public required ChangeStatus Status { get; init; }

    /// <summary>A sentence for the admin.</summary>
    public required string Text { get; init; }

    /// <summary>What must happen before it takes effect.</summary>
    public required RestartNeed Restart { get; init; }

    /// <summary>What of that still has to happen; null when it cannot be told or was not asked.</summary>
    public RestartNeed? Pending { get; init; }

    /// <summary>When it was written or put back; null when it was not, or when that is not known.</summary>
    public DateTimeOffset? ChangedUtc { get; init; }

    /// <summary>The containers (registry keys) that were created for it.</summary>
    public IReadOnlyList<string> CreatedContainers { get; init; } = [];
}
