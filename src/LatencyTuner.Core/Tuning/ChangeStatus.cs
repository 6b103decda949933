using System.Text.Json.Serialization;

namespace LatencyTuner.Core.Tuning;

/// <summary>What became of a change.</summary>
[JsonConverter(typeof(KebabCaseEnumConverter<ChangeStatus>))]
public enum ChangeStatus
{
    /// <summary>Nothing was written, or an interruption left it unknown whether it was.</summary>
    Planned,

    /// <summary>Written and read back, or as wanted already.</summary>
    Done,

    /// <summary>The value is as before again.</summary>
    RolledBack,

    /// <summary>It could not be written or not be put back.</summary>
    Failed,

    /// <summary>The value is neither as before nor as after: someone else changed it.</summary>
    Drifted,
}
