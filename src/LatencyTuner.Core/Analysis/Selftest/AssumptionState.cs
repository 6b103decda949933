using System.Text.Json.Serialization;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Analysis.Selftest;

/// <summary>The result of the probe of an assumption.</summary>
[JsonConverter(typeof(KebabCaseEnumConverter<AssumptionState>))]
public enum AssumptionState
{
    /// <summary>Windows does what is assumed.</summary>
    Holds,

    /// <summary>Windows does something else than assumed.</summary>
    DoesNotHold,

    /// <summary>The probe cannot decide it, in general or on this machine.</summary>
    CannotTell,
}
