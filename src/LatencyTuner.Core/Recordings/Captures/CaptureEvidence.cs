using LatencyTuner.Core.Capture;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Histograms;

namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>The evidence that the rules about captures use.</summary>
internal sealed class CaptureEvidence
{
    private readonly Dictionary<IpAddressValue, HostTimer?> _timers = [];
    private readonly LatencyHistogram _delays = new();
    private IReadOnlyList<SideOfConnection>? _sides;
    private ILookup<IpAddressValue, SideOfConnection>? _sidesByHost;

    /// <summary>Connections that were analysed and kept.</summary>
    public required IReadOnlyList<ConnectionFacts> Connections { get; init; }

    /// <summary>Number of connections that were analysed but are not in <see cref="Connections"/>, because there are too many.</summary>
    public long NotKept { get; init; }

    /// <summary>Number of transactions of the connections that were not kept.</summary>
    public long NotKeptTransactions { get; init; }

    /// <summary>Number of connections that a filter hides.</summary>
    public long Hidden { get; init; }

    /// <summary>The evidence of all connections, when a filter hides some: it knows timers and ends of hosts. Null when nothing is hidden.</summary>
    public CaptureEvidence? Whole { get; init; }

    /// <summary>Hosts by address.</summary>
    public required IReadOnlyDictionary<IpAddressValue, CapturedHost> Hosts { get; init; }

    /// <summary>What makes a finding a warning or an error.</summary>
    public required SeverityLimits Limits { get; init; }

    /// <summary>The step of a coarse clock, nanoseconds, at least 1 ms; null when the clock is finer.</summary>
    public long? CoarseStepNs { get; init; }

    /// <summary>What could not be read or was not captured, one sentence each.</summary>
    public IReadOnlyList<string> Gaps { get; init; } = [];

    /// <summary>Both ends of every connection.</summary>
    public IReadOnlyList<SideOfConnection> Sides => _sides ??= SideOfConnection.All(Connections);

    /// <summary>The ends of connections that are at a host.</summary>
    public IEnumerable<SideOfConnection> SidesAt(IpAddressValue host) =>
        Whole is { } whole ? whole.SidesAt(host) : (_sidesByHost ??= Sides.ToLookup(s => s.Host))[host];

    /// <summary>The connections of the same host, as the same end and to the same port, whose small segments did not wait for ACKs.</summary>
    public int WithoutNagle(SideOfConnection end) => SidesAt(end.Host)
        .Count(s => s.Index == end.Index && s.Connection.ServerPort == end.Connection.ServerPort && !s.Facts.MayHaveHeld);

    /// <summary>The delayed-ACK timer of a host; null when its ACKs show none.</summary>
    public HostTimer? TimerOf(IpAddressValue host)
    {
        if (Whole is { } whole)
        {
            return whole.TimerOf(host);
        }

        if (!_timers.TryGetValue(host, out HostTimer? timer))
        {
            // A host that acknowledges when its application reads, again and again, does so where its answer is not ready yet as well.
            const int FewestRead = 4;
            timer = Hosts.TryGetValue(host, out CapturedHost? facts) ? HostTimer.Of(facts, _delays) : null;
            timer = timer is not null && (facts!.AnsweredLate * FewestRead >= timer.Total || HandshakesVary(host, timer)) ? null : timer;
            _timers.Add(host, timer);
        }

        return timer;
    }

    /// <summary>
    /// True when a good part of this host's answers in the handshake, which no timer delays, vary by as much as the timer, and only a part of its late ACKs
    /// fit it, or it is no known one: then the path or the host is slow now and then.
    /// </summary>
    private bool HandshakesVary(IpAddressValue host, HostTimer timer)
    {
        const int OneOf = 5;
        const double NearlyAll = 0.8;
        if (timer.Known is not null && timer.Fired >= NearlyAll * timer.Total)
        {
            return false;
        }

        long[] late = [.. SidesAt(host).GroupBy(s => s.Peer).SelectMany(peer => BeyondTheLeast([.. peer]))];
        return late.Length > 0 && late.Count(ns => ns >= NearlyAll * timer.Ms * 1e6) * OneOf >= late.Length;
    }

    /// <summary>By how much an end's answers in the handshakes with one peer took longer than the shortest round trip between the two, nanoseconds.</summary>
    private static IEnumerable<long> BeyondTheLeast(SideOfConnection[] sides)
    {
        (long? HandshakeNs, long? BaseNs)[] times =
            [.. sides.Select(s => s.Index == 0 ? (s.Connection.ClientHandshakeNs, s.Connection.ClientBaseNs)
                : (s.Connection.ServerHandshakeNs, s.Connection.ServerBaseNs))];
        long? least = times.Min(t => t.BaseNs);
        return times.Select(t => t.HandshakeNs - least).OfType<long>();
    }

    /// <summary>The evidence of the connections that a filter shows, with hosts and timers as in the whole.</summary>
    /// <param name="gaps">What could not be read or was not captured, one sentence each.</param>
    public CaptureEvidence OfShown(IReadOnlyList<string> gaps)
    {
        ConnectionFacts[] shown = [.. Connections.Where(c => c.IsShown)];
        HashSet<IpAddressValue> ends = [.. shown.SelectMany(c => new[] { c.Client, c.Server })];
        return new CaptureEvidence
        {
            Connections = shown,
            NotKept = NotKept,
            NotKeptTransactions = NotKeptTransactions,
            Hidden = Hidden,
            Hosts = Hosts.Where(h => ends.Contains(h.Key)).ToDictionary(h => h.Key, h => h.Value),
            CoarseStepNs = CoarseStepNs,
            Limits = Limits,
            Gaps = gaps,
            Whole = this,
        };
    }
}
