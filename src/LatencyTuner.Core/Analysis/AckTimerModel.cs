using System.Text.Json.Serialization;

namespace LatencyTuner.Core.Analysis;

/// <summary>How a host's delayed-ACK timer runs.</summary>
[JsonConverter(typeof(KebabCaseEnumConverter<AckTimerModel>))]
public enum AckTimerModel
{
    /// <summary>A fixed time after the first unacknowledged segment.</summary>
    Fixed,

    /// <summary>A periodic tick: the ACK comes at the next one, so holds spread below the value.</summary>
    Tick,
}
