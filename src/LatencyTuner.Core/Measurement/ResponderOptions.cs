using System.Net;

namespace LatencyTuner.Core.Measurement;

/// <summary>How a responder is to run.</summary>
public sealed record ResponderOptions
{
    /// <summary>Addresses to listen on.</summary>
    public required IReadOnlyList<IPAddress> Addresses { get; init; }

    /// <summary>TCP port; 0 lets the system choose.</summary>
    public int Port { get; init; }

    /// <summary>The shared token; null serves anyone who can connect.</summary>
    public SharedToken? Token { get; init; }

    /// <summary>The operator's limits.</summary>
    public ResponderLimits Limits { get; init; } = new();

    /// <summary>True when a client may bind the serving thread to a processor: only for the responder inside the client's own process.</summary>
    public bool AllowPin { get; init; }

    /// <summary>What the responder calls itself in its hello, for example <c>latencytuner 0.1.0</c>.</summary>
    public string Software { get; init; } = "latencytuner";

    /// <summary>The operating system it names in its hello.</summary>
    public string Os { get; init; } = "";

    /// <summary>Takes one sentence per connection accepted, refused or ended; called from the responder's threads.</summary>
    public Action<string>? Log { get; init; }
}
