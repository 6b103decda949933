namespace LatencyTuner.Core.Tuning.Recommendations;

/// <summary>A value of the snapshot beside the recommended one.</summary>
public sealed record CurrentSetting
{
    /// <summary>Id of the setting.</summary>
    public required string SettingId { get; init; }

    /// <summary>GUID of the interface; null when it belongs to none.</summary>
    public string? Interface { get; init; }

    /// <summary>How the interface is called, with its first address; null when it belongs to none.</summary>
    public string? InterfaceName { get; init; }

    /// <summary>The TCP template; null when it belongs to none.</summary>
    public string? Template { get; init; }

    /// <summary>How it stands to the recommended value.</summary>
    public required CurrentState State { get; init; }

    /// <summary>The value; null when absent or unknown.</summary>
    public string? Value { get; init; }

    /// <summary>Why it cannot be told, or what else is to be known of it, a clause; null for nothing.</summary>
    public string? Because { get; init; }
}
