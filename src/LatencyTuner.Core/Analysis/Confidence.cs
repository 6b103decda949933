using System.Text.Json.Serialization;

namespace LatencyTuner.Core.Analysis;

/// <summary>How sure a finding is. A setting alone never gives more than <see cref="Possible"/>.</summary>
[JsonConverter(typeof(KebabCaseEnumConverter<Confidence>))]
public enum Confidence
{
    /// <summary>Consistent with the evidence, mechanism not seen.</summary>
    Possible,

    /// <summary>The mechanism was seen; something that would exclude the alternatives is missing.</summary>
    Likely,

    /// <summary>The mechanism was seen and switching it off removed the effect, or both ends were seen.</summary>
    Confirmed,
}
