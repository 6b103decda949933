using System.Text.Json.Serialization;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>Where a capture was made.</summary>
[JsonConverter(typeof(KebabCaseEnumConverter<Vantage>))]
internal enum Vantage
{
    /// <summary>No round trip tells.</summary>
    Unknown,

    /// <summary>At the client.</summary>
    Client,

    /// <summary>At the server.</summary>
    Server,

    /// <summary>On the path between them.</summary>
    Middle,

    /// <summary>Both ends are so near that the side cannot be told.</summary>
    Local,
}
