using System.Net;

namespace LatencyTuner.Core.Measurement.Probes;

/// <summary>One way to ask one target.</summary>
/// <param name="Name">The target as the user gave it.</param>
/// <param name="Scheme">The protocol used to ask it.</param>
/// <param name="Address">Its IP address and port; the port is 0 for ICMP.</param>
/// <param name="Open">Opens the probe; called again after a failure.</param>
public sealed record ProbeTarget(string Name, ProbeScheme Scheme, IPEndPoint Address, Func<CancellationToken, MonitorProbe> Open)
{
    /// <summary>Requested version of HTTP; null for other schemes.</summary>
    public Version? HttpVersion { get; init; }

    /// <summary>Whether the connection is kept; null where there is none.</summary>
    public bool? Kept { get; init; }

    /// <summary>How the responder was started for this run; null where it ran already, or the other end is none.</summary>
    public FarEndStart? Via { get; init; }

    /// <summary>True when its probes never block.</summary>
    public bool Polled => Scheme is ProbeScheme.Responder or ProbeScheme.Tcp;

    /// <summary>True when the other end is not a responder and has not agreed to be measured, so that the request rate is limited.</summary>
    public bool Agentless => Scheme != ProbeScheme.Responder;
}

/// <summary>Makes the targets of a run.</summary>
public static class ProbeTargetFactory
{
    /// <summary>The ways to ask an address: one, or several for HTTP.</summary>
    /// <param name="address">The target.</param>
    /// <param name="resolved">The address that its host resolved to.</param>
    /// <param name="http">The settings for HTTP: one entry for each way to ask.</param>
    /// <param name="context">Clock, platform, randomness.</param>
    public static IEnumerable<ProbeTarget> Of(ProbeAddress address, IPAddress resolved, IReadOnlyList<HttpProbeOptions> http, MeasuringContext context)
    {
        ArgumentNullException.ThrowIfNull(address);
        ArgumentNullException.ThrowIfNull(http);
        ArgumentNullException.ThrowIfNull(context);
        IPEndPoint endpoint = new(resolved, address.Port);
        ProbeTarget Make(Func<CancellationToken, MonitorProbe> open) => new(address.Text, address.Scheme, endpoint, open);
        return address.Scheme switch
        {
            ProbeScheme.Icmp => [Make(_ => IcmpProbe.Open(address.Text, resolved, http[0].Timeout, context))],
            ProbeScheme.Tcp => [Make(_ => new TcpConnectProbe(address.Text, endpoint, http[0].Timeout, context))],
            ProbeScheme.Ws or ProbeScheme.Wss => [Make(stop => WebSocketProbe.Open(address, endpoint, http[0], context, stop)) with { Kept = true }],
            _ => http.Select(o => Make(_ => new HttpProbe(address, endpoint, o, context.Time)) with { HttpVersion = o.Version, Kept = o.Kept }),
        };
    }

    /// <summary>A responder of this program, asked on one connection with TCP_NODELAY at both ends.</summary>
    /// <param name="target">The responder.</param>
    /// <param name="workload">Sizes of request and reply.</param>
    /// <param name="timeout">Longest wait for a reply.</param>
    /// <param name="context">Clock, platform, randomness.</param>
    public static ProbeTarget Of(MeasurementTarget target, Workload workload, TimeSpan timeout, MeasuringContext context)
    {
        ArgumentNullException.ThrowIfNull(target);
        MeasurementPlan plan = new() { Workload = workload, ReplyTimeout = timeout };
        return new ProbeTarget(target.Name, ProbeScheme.Responder, target.Endpoint, stop => ResponderProbe.Open(target, plan, context, stop))
        {
            Kept = true,
            Via = target.Via,
        };
    }
}
