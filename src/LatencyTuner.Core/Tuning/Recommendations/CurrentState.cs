using System.Text.Json.Serialization;

namespace LatencyTuner.Core.Tuning.Recommendations;

/// <summary>How a value of a snapshot stands to the recommended one.</summary>
[JsonConverter(typeof(KebabCaseEnumConverter<CurrentState>))]
public enum CurrentState
{
    /// <summary>It is there already.</summary>
    AlreadySet,

    /// <summary>There is no value: the default holds.</summary>
    Absent,

    /// <summary>There is another value.</summary>
    Differs,

    /// <summary>It cannot be told.</summary>
    Unknown,
}
