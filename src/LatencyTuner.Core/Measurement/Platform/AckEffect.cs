using System.Text.Json.Serialization;

namespace LatencyTuner.Core.Measurement.Platform;

/// <summary>What became of a request for an ACK behaviour.</summary>
[JsonConverter(typeof(KebabCaseEnumConverter<AckEffect>))]
public enum AckEffect
{
    /// <summary>Nothing was asked; the operating system decides.</summary>
    Default,

    /// <summary>The option took and can be read back (Linux).</summary>
    Immediate,

    /// <summary>The call succeeded, but no query exists (Windows): only the ACKs seen can tell.</summary>
    Unknown,

    /// <summary>The platform refused or lacks the call.</summary>
    Unsupported,
}
