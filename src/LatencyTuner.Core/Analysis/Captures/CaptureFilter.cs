using System.Net;
using LatencyTuner.Core.Capture;

namespace LatencyTuner.Core.Analysis.Captures;

/// <summary>Which packets to look at. Values of one kind widen the choice, kinds narrow it.</summary>
public sealed record CaptureFilter
{
    /// <summary>Everything.</summary>
    public static readonly CaptureFilter All = new();

    /// <summary>Hosts, at either end; empty for all.</summary>
    public IReadOnlyList<IPAddress> Hosts { get; init; } = [];

    /// <summary>Ports, at either end; empty for all.</summary>
    public IReadOnlyList<int> Ports { get; init; } = [];

    /// <summary>Processes that own the connection at this end, which only events tell; empty for all.</summary>
    public IReadOnlyList<uint> Processes { get; init; } = [];

    /// <summary>Nothing before this.</summary>
    public DateTimeOffset? After { get; init; }

    /// <summary>Nothing from this on.</summary>
    public DateTimeOffset? Before { get; init; }

    /// <summary>True when every packet passes.</summary>
    public bool IsAll => Hosts.Count == 0 && Ports.Count == 0 && After is null && Before is null;

    /// <summary>The test for segments; null when every one passes.</summary>
    internal SegmentTest? Test() => IsAll ? null : new SegmentTest(this);

    internal sealed class SegmentTest(CaptureFilter filter)
    {
        private readonly IpAddressValue[] _hosts = [.. filter.Hosts.Select(IpAddressValue.From)];
        private readonly ushort[] _ports = [.. filter.Ports.Select(p => (ushort)p)];
        private readonly long _after = filter.After is { } a ? Nanoseconds(a) : long.MinValue;
        private readonly long _before = filter.Before is { } b ? Nanoseconds(b) : long.MaxValue;

        public bool Passes(in TcpSegment segment) =>
            segment.TimeNs >= _after && segment.TimeNs < _before
            && (_hosts.Length == 0 || Array.IndexOf(_hosts, segment.Source) >= 0 || Array.IndexOf(_hosts, segment.Destination) >= 0)
            && (_ports.Length == 0 || Array.IndexOf(_ports, segment.SourcePort) >= 0 || Array.IndexOf(_ports, segment.DestinationPort) >= 0);

        private static long Nanoseconds(DateTimeOffset time) => (time - DateTimeOffset.UnixEpoch).Ticks * 100;
    }
}
