using System.Text.Json.Serialization;

namespace LatencyTuner.Core.Tuning.Recommendations;

/// <summary>What is changed, the cheapest first.</summary>
[JsonConverter(typeof(KebabCaseEnumConverter<RecommendationKind>))]
public enum RecommendationKind
{
    /// <summary>How the application writes or reads.</summary>
    Code,

    /// <summary>An option of its sockets.</summary>
    SocketOption,

    /// <summary>A control call on its sockets that Windows alone has.</summary>
    SocketCall,

    /// <summary>A TCP template: all new connections that use it.</summary>
    Template,

    /// <summary>A registry value: an interface or the machine.</summary>
    Registry,

    /// <summary>A setting that stands out in a snapshot; no measurement speaks of it.</summary>
    Setting,
}
