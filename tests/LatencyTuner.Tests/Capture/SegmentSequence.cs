using System.Net;
using LatencyTuner.Core.Capture;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings.Captures;

namespace LatencyTuner.Tests.Capture;

/// <summary>A connection told packet by packet, times in milliseconds: what the analysis makes of it.</summary>
internal sealed class SegmentSequence
{
    private static readonly IpAddressValue ClientAddress = IpAddressValue.From(IPAddress.Parse("10.0.0.1"));
    private static readonly IpAddressValue ServerAddress = IpAddressValue.From(IPAddress.Parse("10.0.0.2"));

    private readonly CaptureAnalyser _analyser = new();
    private readonly ConnectionTracker _tracker;
    private readonly bool _timestamps;
    private ushort _id = 100;
    private uint _ticks;

    public SegmentSequence(bool timestamps = false)
    {
        _tracker = new ConnectionTracker(_analyser);
        _timestamps = timestamps;
    }

    /// <summary>IP identification of the packet added last.</summary>
    public ushort LastId => _id;

    public SegmentSequence Syn(double ms, ushort? id = null, sbyte scale = -1, bool cut = false) =>
        Add(ms, true, 999, 0, 0, TcpFlags.Syn, 64000, id, scale, cut);

    public SegmentSequence SynAck(double ms, sbyte scale = -1, bool cut = false) =>
        Add(ms, false, 4999, 1000, 0, TcpFlags.Syn | TcpFlags.Ack, 64000, null, scale, cut);

    public SegmentSequence FromClient(double ms, uint sequence, int length, uint ack = 5000, ushort? id = null, ushort window = 64000) =>
        Add(ms, true, sequence, ack, length, TcpFlags.Ack, window, id);

    /// <summary>An id of 0 is none, as with IPv6.</summary>
    public SegmentSequence FromServer(double ms, uint ack, int length = 0, uint sequence = 5000, ushort window = 64000, ushort? id = null) =>
        Add(ms, false, sequence, ack, length, TcpFlags.Ack, window, id);

    /// <summary>The timestamp clocks of both ends from here on, milliseconds.</summary>
    public SegmentSequence Ticks(double ms)
    {
        _ticks = (uint)ms;
        return this;
    }

    public CaptureEvidence Evidence()
    {
        _tracker.Finish();
        _analyser.Finish();
        return new CaptureEvidence { Connections = _analyser.Connections, Hosts = _analyser.Hosts, Limits = SeverityLimits.Standard };
    }

    private SegmentSequence Add(
        double ms, bool client, uint sequence, uint ack, int length, TcpFlags flags, ushort window, ushort? id, sbyte scale = -1, bool cut = false)
    {
        _id = id is > 0 ? id.Value : (ushort)(_id + 1);
        TcpSegment segment = new()
        {
            TimeNs = 1_000_000_000_000 + (long)(ms * 1e6),
            Source = client ? ClientAddress : ServerAddress,
            Destination = client ? ServerAddress : ClientAddress,
            SourcePort = client ? (ushort)40000 : (ushort)80,
            DestinationPort = client ? (ushort)80 : (ushort)40000,
            Sequence = sequence,
            Acknowledgement = ack,
            Flags = flags,
            Window = window,
            PayloadLength = length,
            IpId = id == 0 ? (ushort)0 : _id,
            WindowScale = scale,
            OptionsCut = cut,
            HasTimestamp = _timestamps,
            TimestampValue = 77_000 + _ticks,
            TimestampEcho = 77_000 + _ticks,
            Mss = (flags & TcpFlags.Syn) != 0 ? (ushort)1460 : (ushort)0,
        };
        _tracker.Add(in segment);
        return this;
    }
}
