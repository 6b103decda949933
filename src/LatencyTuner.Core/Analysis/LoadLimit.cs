using System.Text.Json.Serialization;

namespace LatencyTuner.Core.Analysis;

/// <summary>What kept a load from being larger.</summary>
[JsonConverter(typeof(KebabCaseEnumConverter<LoadLimit>))]
public enum LoadLimit
{
    /// <summary>The evidence does not tell.</summary>
    Unknown,

    /// <summary>The path: it was full.</summary>
    Path,

    /// <summary>Both ends are one machine: there is no path.</summary>
    NoPath,

    /// <summary>The processors of the client.</summary>
    ClientProcessors,

    /// <summary>The processors of the server.</summary>
    ServerProcessors,

    /// <summary>The window of the receiving end.</summary>
    ReceiveWindow,

    /// <summary>The send buffer of the sending end.</summary>
    SendBuffer,

    /// <summary>The throughput was still rising when the time was over.</summary>
    Time,

    /// <summary>The bytes that were allowed.</summary>
    Bytes,

    /// <summary>Connections broke.</summary>
    Failures,
}
