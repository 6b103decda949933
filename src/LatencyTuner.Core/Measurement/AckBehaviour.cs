using System.Text.Json.Serialization;

namespace LatencyTuner.Core.Measurement;

/// <summary>How an end acknowledges what it receives (RFC 1122 4.2.3.2).</summary>
[JsonConverter(typeof(KebabCaseEnumConverter<AckBehaviour>))]
public enum AckBehaviour
{
    /// <summary>Whatever the operating system does by itself.</summary>
    Default,

    /// <summary>Every segment at once: <c>SIO_TCP_SET_ACK_FREQUENCY</c> = 1 on Windows, <c>TCP_QUICKACK</c> re-armed per receive on Linux.</summary>
    Immediate,
}
