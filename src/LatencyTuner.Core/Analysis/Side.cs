using System.Text.Json.Serialization;

namespace LatencyTuner.Core.Analysis;

/// <summary>Where the cause of a finding lives.</summary>
[JsonConverter(typeof(KebabCaseEnumConverter<Side>))]
public enum Side
{
    /// <summary>The end that connected.</summary>
    Client,

    /// <summary>The end that accepted.</summary>
    Server,

    /// <summary>The path between them.</summary>
    Network,

    /// <summary>One machine, whichever role it has.</summary>
    Host,
}
