using System.Text.Json.Serialization;

namespace LatencyTuner.Core.Measurement;

/// <summary>How an application writes its requests.</summary>
[JsonConverter(typeof(KebabCaseEnumConverter<WritePattern>))]
public enum WritePattern
{
    /// <summary>One write per request.</summary>
    Single,

    /// <summary>Write, write, read: two or more writes per request, then the reply. The pattern that Nagle's algorithm stalls.</summary>
    Split,

    /// <summary>Messages one way, acknowledged once at the end.</summary>
    Stream,
}
