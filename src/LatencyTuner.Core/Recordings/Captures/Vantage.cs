using System.Text.Json.Serialization;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>Where a capture was made.</summary>
[JsonConverter(typeof(KebabCaseEnumConverter<Vantage>))]
internal enum Vantage
{
    /// <summary>Unknown, because no round trip to both ends was seen.</summary>
    Unknown,

    /// <summary>At the client.</summary>
    Client,

    /// <summary>At the server.</summary>
    Server,

    /// <summary>On the path between them.</summary>
    Middle,

    /// <summary>At one of the ends; both ends are too near to decide at which.</summary>
    Local,
}
