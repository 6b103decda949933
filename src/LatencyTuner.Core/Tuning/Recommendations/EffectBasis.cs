using System.Text.Json.Serialization;

namespace LatencyTuner.Core.Tuning.Recommendations;

/// <summary>What an effect rests on.</summary>
[JsonConverter(typeof(KebabCaseEnumConverter<EffectBasis>))]
public enum EffectBasis
{
    /// <summary>It was measured with the remedy in place.</summary>
    Measured,

    /// <summary>The mechanism says so; the cost it removes was measured.</summary>
    Expected,

    /// <summary>Nothing was measured that it would change.</summary>
    Unknown,
}
