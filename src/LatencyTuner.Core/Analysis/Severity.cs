using System.Text.Json.Serialization;

namespace LatencyTuner.Core.Analysis;

/// <summary>What a finding costs, by measured time and never by opinion.</summary>
[JsonConverter(typeof(KebabCaseEnumConverter<Severity>))]
public enum Severity
{
    /// <summary>Under 5 % of the active time, or nothing waited.</summary>
    Info,

    /// <summary>From 5 % of the active time.</summary>
    Warning,

    /// <summary>From 20 % of the active time, or from three stalls of 100 ms and more in a minute.</summary>
    Error,
}
