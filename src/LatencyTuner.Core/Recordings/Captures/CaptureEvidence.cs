using LatencyTuner.Core.Capture;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Histograms;

namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>Everything the rules about captures reason about.</summary>
internal sealed class CaptureEvidence
{
    private readonly Dictionary<IpAddressValue, HostTimer?> _timers = [];
    private readonly LatencyHistogram _delays = new();
    private IReadOnlyList<SideOfConnection>? _sides;
    private ILookup<IpAddressValue, SideOfConnection>? _sidesByHost;

    /// <summary>Connections that were judged.</summary>
    public required IReadOnlyList<ConnectionFacts> Connections { get; init; }

    /// <summary>Connections that were judged and are not among <see cref="Connections"/>, because there are so many.</summary>
    public long NotKept { get; init; }

    /// <summary>Their transactions.</summary>
    public long NotKeptTransactions { get; init; }

    /// <summary>TCP packets that the filter left out.</summary>
    public long FilteredOut { get; init; }

    /// <summary>Hosts by address.</summary>
    public required IReadOnlyDictionary<IpAddressValue, CapturedHost> Hosts { get; init; }

    /// <summary>What makes a finding a warning or an error.</summary>
    public required SeverityLimits Limits { get; init; }

    /// <summary>What could not be read or seen, a sentence each.</summary>
    public IReadOnlyList<string> Gaps { get; init; } = [];

    /// <summary>Both ends of every connection.</summary>
    public IReadOnlyList<SideOfConnection> Sides => _sides ??= SideOfConnection.All(Connections);

    /// <summary>The ends of connections that are at a host.</summary>
    public IEnumerable<SideOfConnection> SidesAt(IpAddressValue host) => (_sidesByHost ??= Sides.ToLookup(s => s.Host))[host];

    /// <summary>The delayed-ACK timer of a host; null when none shows.</summary>
    public HostTimer? TimerOf(IpAddressValue host)
    {
        if (!_timers.TryGetValue(host, out HostTimer? timer))
        {
            timer = Hosts.TryGetValue(host, out CapturedHost? facts) ? HostTimer.Of(facts, _delays) : null;
            _timers.Add(host, timer);
        }

        return timer;
    }
}
