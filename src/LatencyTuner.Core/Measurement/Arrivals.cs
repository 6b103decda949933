using System.Text.Json.Serialization;

namespace LatencyTuner.Core.Measurement;

/// <summary>How the planned send times of an open loop are spaced.</summary>
[JsonConverter(typeof(KebabCaseEnumConverter<Arrivals>))]
public enum Arrivals
{
    /// <summary>Evenly.</summary>
    Constant,

    /// <summary>As independent clients would: exponential gaps.</summary>
    Poisson,
}
