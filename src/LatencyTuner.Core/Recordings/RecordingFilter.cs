using System.Net;
using LatencyTuner.Core.Capture;

namespace LatencyTuner.Core.Recordings;

/// <summary>
/// Which connections to show. Several values of one kind widen the choice; several kinds narrow it. Connections in packets are judged with all others
/// of the recording, so that a filter never changes what is found on one.
/// </summary>
public sealed record RecordingFilter
{
    /// <summary>The filter that every connection passes.</summary>
    public static readonly RecordingFilter All = new();

    /// <summary>Hosts or networks at either end of the connection; empty for all.</summary>
    public IReadOnlyList<IPNetwork> Hosts { get; init; } = [];

    /// <summary>Ports at either end of the connection; empty for all.</summary>
    public IReadOnlyList<PortRange> Ports { get; init; } = [];

    /// <summary>Ids of processes that own the connection at this end, which only ETW events show; empty for all.</summary>
    public IReadOnlyList<uint> Processes { get; init; } = [];

    /// <summary>Leaves out connections that ended before this time, and events before it; null for no limit.</summary>
    public DateTimeOffset? After { get; init; }

    /// <summary>Leaves out connections that began at or after this time, and events from it on; null for no limit.</summary>
    public DateTimeOffset? Before { get; init; }

    /// <summary>True when every connection passes, whatever process it belongs to.</summary>
    public bool IsAll => Hosts.Count == 0 && Ports.Count == 0 && After is null && Before is null;

    /// <summary>The test for connections; null when every one passes.</summary>
    internal ConnectionTest? Test() => IsAll ? null : new ConnectionTest(this);

    /// <summary>Tests connections by their ends and their time.</summary>
    internal sealed class ConnectionTest(RecordingFilter filter)
    {
        private readonly AddressRange[] _hosts = [.. filter.Hosts.Select(AddressRange.From)];
        private readonly PortRange[] _ports = [.. filter.Ports];
        private readonly long _after = filter.After is { } a ? Nanoseconds(a) : long.MinValue;
        private readonly long _before = filter.Before is { } b ? Nanoseconds(b) : long.MaxValue;

        /// <summary>True when a connection was there in the time of the filter.</summary>
        /// <param name="firstNs">Its first packet, nanoseconds since 1970.</param>
        /// <param name="lastNs">Its last packet, nanoseconds since 1970.</param>
        public bool Passes(long firstNs, long lastNs) => lastNs >= _after && firstNs < _before;

        /// <summary>True when the address of one end and the port of one end pass the filter.</summary>
        public bool Passes(IpAddressValue address, IpAddressValue other, int port, int otherPort)
        {
            bool host = _hosts.Length == 0;
            for (int i = 0; i < _hosts.Length && !host; i++)
            {
                host = _hosts[i].Contains(address) || _hosts[i].Contains(other);
            }

            bool chosen = _ports.Length == 0;
            for (int i = 0; i < _ports.Length && !chosen; i++)
            {
                chosen = _ports[i].Contains(port) || _ports[i].Contains(otherPort);
            }

            return host && chosen;
        }

        private static long Nanoseconds(DateTimeOffset time) => (time - DateTimeOffset.UnixEpoch).Ticks * 100;
    }
}

/// <summary>A range of ports.</summary>
/// <param name="First">The first port, 1 to 65535.</param>
/// <param name="Last">The last port, not below the first.</param>
public readonly record struct PortRange(int First, int Last)
{
    /// <summary>True when a port is in the range.</summary>
    public bool Contains(int port) => port >= First && port <= Last;
}
