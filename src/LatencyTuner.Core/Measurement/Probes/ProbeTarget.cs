using System.Net;
using LatencyTuner.Core.Measurement.Monitoring;

namespace LatencyTuner.Core.Measurement.Probes;

/// <summary>One way to ask one target.</summary>
/// <param name="Name">The target as the user gave it.</param>
/// <param name="Scheme">What it is asked with.</param>
/// <param name="Address">Where it is; the port is 0 for ICMP.</param>
/// <param name="Open">Makes the probe; called again after a failure.</param>
public sealed record ProbeTarget(string Name, ProbeScheme Scheme, IPEndPoint Address, Func<CancellationToken, MonitorProbe> Open)
{
    /// <summary>Version of HTTP asked for; null for other schemes.</summary>
    public Version? HttpVersion { get; init; }

    /// <summary>Whether the connection is kept; null where there is none.</summary>
    public bool? Kept { get; init; }

    /// <summary>True when its probes never wait themselves.</summary>
    public bool Polled => Scheme is ProbeScheme.Responder or ProbeScheme.Tcp;

    /// <summary>True when the other end has not agreed to be measured, so that it is asked sparingly.</summary>
    public bool Agentless => Scheme != ProbeScheme.Responder;
}
