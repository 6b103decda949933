using System.Text.Json.Serialization;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Analysis.Selftest;

/// <summary>What a probe found of an assumption.</summary>
[JsonConverter(typeof(KebabCaseEnumConverter<AssumptionState>))]
public enum AssumptionState
{
    /// <summary>It is as assumed.</summary>
    Holds,

    /// <summary>It is not as assumed.</summary>
    DoesNotHold,

    /// <summary>This probe cannot tell, or not here.</summary>
    CannotTell,
}
