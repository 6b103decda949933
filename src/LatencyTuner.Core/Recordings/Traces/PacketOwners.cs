using System.Net;
using LatencyTuner.Core.Capture;
using LatencyTuner.Core.Etw;
using LatencyTuner.Core.Evidence;

namespace LatencyTuner.Core.Recordings.Traces;

/// <summary>The processes that own the connections of a trace, for its packets; from the events that name both ends and a process.</summary>
internal sealed class PacketOwners(TcpEventDecoder decoder)
{
    private const int MostConnections = 1_000_000;

    private readonly Dictionary<(TcpEndpoint Local, TcpEndpoint Remote), uint> _owners = [];
    private readonly SegmentDecoder _segments = new();

    public void Take(in EtwEventHeader header, ReadOnlySpan<byte> payload)
    {
        if (decoder.TryDecode(in header, payload, out TcpEvent e, out _) && e.Has(TcpFields.ProcessId) && e.ProcessId != 0 && e.Local.IsKnown
            && e.Remote.IsKnown
            && (_owners.Count < MostConnections || _owners.ContainsKey((e.Local, e.Remote))))
        {
            _owners[(e.Local, e.Remote)] = e.ProcessId;
        }
    }

    /// <summary>The ids of the processes that own the connection of a packet: two when both ends are on this machine, none when no event shows it.</summary>
    public IReadOnlyList<uint> Of(in CapturedFrame frame)
    {
        if (_owners.Count == 0 || _segments.Decode(in frame, out TcpSegment segment) != DecodeOutcome.Tcp)
        {
            return [];
        }

        TcpEndpoint source = End(segment.Source, segment.SourcePort);
        TcpEndpoint destination = End(segment.Destination, segment.DestinationPort);
        List<uint> found = [];
        if (_owners.TryGetValue((source, destination), out uint sender))
        {
            found.Add(sender);
        }

        if (_owners.TryGetValue((destination, source), out uint receiver) && !found.Contains(receiver))
        {
            found.Add(receiver);
        }

        return found;
    }

    private static TcpEndpoint End(IpAddressValue value, ushort port)
    {
        IPAddress address = value.ToAddress();
        return TcpEndpoint.Of(address.GetAddressBytes(), port);
    }
}
