using System.Buffers.Binary;
using System.Net;
using LatencyTuner.Core.Capture;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings.Captures;

namespace LatencyTuner.Tests.Capture;

/// <summary>A connection told packet by packet, times in milliseconds: what the analysis makes of it.</summary>
internal sealed class SegmentSequence
{
    private readonly CaptureAnalyser _analyser = new();
    private readonly ConnectionTracker _tracker;
    private readonly bool _timestamps;
    private readonly List<TcpSegment> _segments = [];
    private IpAddressValue _client = IpAddressValue.From(IPAddress.Parse("10.0.0.1"));
    private IpAddressValue _server = IpAddressValue.From(IPAddress.Parse("10.0.0.2"));
    private ushort _clientPort = 40000;
    private ushort _serverPort = 80;
    private byte _ttl;
    private ushort _mss = 1460;
    private ushort _id = 100;
    private uint _ticks;
    private uint _echo;
    private SackBlock? _sack;
    private TcpFlags _push;
    private bool _cut;
    private bool _isChecksumWrong;
    private readonly bool _sackPermitted;

    public SegmentSequence(bool timestamps = false, bool sackPermitted = false)
    {
        _tracker = new ConnectionTracker(_analyser);
        (_timestamps, _sackPermitted) = (timestamps, sackPermitted);
    }

    /// <summary>IP identification of the packet added last.</summary>
    public ushort LastId => _id;

    /// <summary>The packets from here on have this time to live.</summary>
    public SegmentSequence Ttl(byte ttl)
    {
        _ttl = ttl;
        return this;
    }

    /// <summary>The SYNs from here on have no options, as those that tools write; or have them again.</summary>
    public SegmentSequence Handmade(bool handmade = true)
    {
        _mss = (ushort)(handmade ? 0 : 1460);
        return this;
    }

    /// <summary>The packets from here on belong to another connection.</summary>
    public SegmentSequence To(string server, ushort clientPort = 40000, string client = "10.0.0.1", ushort serverPort = 80)
    {
        (_server, _client) = (IpAddressValue.From(IPAddress.Parse(server)), IpAddressValue.From(IPAddress.Parse(client)));
        (_clientPort, _serverPort) = (clientPort, serverPort);
        return this;
    }

    public SegmentSequence Syn(double ms, ushort? id = null, sbyte scale = -1, bool cut = false, int length = 0, ushort window = 64000) =>
        Add(ms, true, 999, 0, length, TcpFlags.Syn, window, id, scale, cut);

    public SegmentSequence SynAck(
        double ms, sbyte scale = -1, bool cut = false, uint sequence = 4999, ushort mss = 1460, ushort window = 64000, ushort? id = null) =>
        Add(ms, false, sequence, 1000, 0, TcpFlags.Syn | TcpFlags.Ack, window, id, scale, cut, mss);

    public SegmentSequence FromClient(double ms, uint sequence, int length, uint ack = 5000, ushort? id = null, ushort window = 64000) =>
        Add(ms, true, sequence, ack, length, TcpFlags.Ack, window, id);

    /// <summary>An id of 0 is none, as with IPv6.</summary>
    public SegmentSequence FromServer(double ms, uint ack, int length = 0, uint sequence = 5000, ushort window = 64000, ushort? id = null) =>
        Add(ms, false, sequence, ack, length, TcpFlags.Ack, window, id);

    public SegmentSequence Fin(double ms, bool client, uint sequence, uint ack) =>
        Add(ms, client, sequence, ack, 0, TcpFlags.Fin | TcpFlags.Ack, 64000, null);

    /// <summary>What a tool writes as packets of a server: payload alone, without a flag.</summary>
    public SegmentSequence Flagless(double ms, int length) => Add(ms, false, 0, 0, length, 0, 0, null);

    /// <summary>A host that knows no such connection answers.</summary>
    public SegmentSequence Reset(double ms, uint sequence = 5000, bool client = false, uint ack = 0) =>
        Add(ms, client, sequence, ack, 0, ack == 0 ? TcpFlags.Rst : TcpFlags.Rst | TcpFlags.Ack, 0, null);

    /// <summary>The next packet has this SACK block.</summary>
    public SegmentSequence Sack(uint left, uint right)
    {
        _sack = new SackBlock(left, right);
        return this;
    }

    /// <summary>The packets from here on are cut off before their options.</summary>
    public SegmentSequence Cut()
    {
        _cut = true;
        return this;
    }

    /// <summary>The next packet has the push flag.</summary>
    public SegmentSequence Push()
    {
        _push = TcpFlags.Psh;
        return this;
    }

    /// <summary>The next packet has a wrong checksum.</summary>
    public SegmentSequence Wrong(bool wrong = true)
    {
        _isChecksumWrong = wrong;
        return this;
    }

    /// <summary>The timestamp clocks of both ends from here on, and what they echo, milliseconds; the same when not given.</summary>
    public SegmentSequence Ticks(double ms, double? echoMs = null)
    {
        (_ticks, _echo) = ((uint)ms, (uint)(echoMs ?? ms));
        return this;
    }

    /// <summary>The packets as a pcap file of raw IP packets, in the resolution of microseconds or nanoseconds, by a clock that may go in steps.</summary>
    public byte[] Pcap(bool nanoseconds = true, double stepMs = 0)
    {
        using MemoryStream file = new();
        using BinaryWriter writer = new(file);
        foreach (uint word in new uint[] { nanoseconds ? 0xA1B23C4D : 0xA1B2C3D4, 0x0004_0002, 0, 0, 65535, 101 })
        {
            writer.Write(word);
        }

        foreach (TcpSegment segment in _segments)
        {
            byte[] packet = segment.ReportedMtu == 0 ? Packet(in segment) : Report(in segment);
            long ns = stepMs == 0 ? segment.TimeNs : segment.TimeNs / (long)(stepMs * 1e6) * (long)(stepMs * 1e6);
            writer.Write((uint)(ns / 1_000_000_000));
            writer.Write((uint)(ns % 1_000_000_000 / (nanoseconds ? 1 : 1000)));
            writer.Write(packet.Length);
            writer.Write(packet.Length);
            writer.Write(packet);
        }

        return file.ToArray();
    }

    /// <summary>A router reports to the client that the path takes packets of this size; it quotes what the client sent from a number on.</summary>
    public SegmentSequence Reported(double ms, uint sequence, ushort mtu = 1440)
    {
        TcpSegment report = new()
        {
            TimeNs = 1_000_000_000_000 + (long)(ms * 1e6),
            FrameNumber = _segments.Count + 1,
            Source = _client,
            Destination = _server,
            SourcePort = _clientPort,
            DestinationPort = _serverPort,
            Sequence = sequence,
            ReportedMtu = mtu,
        };
        _tracker.Add(in report);
        _segments.Add(report);
        return this;
    }

    public CaptureEvidence Evidence()
    {
        _tracker.Finish();
        _analyser.Finish(_tracker.Silences);
        return new CaptureEvidence { Connections = _analyser.Connections, Hosts = _analyser.Hosts, Limits = SeverityLimits.Standard };
    }

    private SegmentSequence Add(
        double ms, bool client, uint sequence, uint ack, int length, TcpFlags flags, ushort window, ushort? id, sbyte scale = -1, bool cut = false,
        ushort mss = 1460)
    {
        _id = id is > 0 ? id.Value : (ushort)(_id + 1);
        TcpSegment segment = new()
        {
            TimeNs = 1_000_000_000_000 + (long)(ms * 1e6),
            Source = client ? _client : _server,
            Destination = client ? _server : _client,
            SourcePort = client ? _clientPort : _serverPort,
            DestinationPort = client ? _serverPort : _clientPort,
            Sequence = sequence,
            Acknowledgement = ack,
            Flags = flags | _push,
            Window = window,
            PayloadLength = length,
            Ttl = _ttl,
            IpId = id == 0 ? (ushort)0 : _id,
            IsChecksumWrong = _isChecksumWrong,
            WindowScale = scale,
            OptionsCut = cut,
            HasTimestamp = _timestamps,
            TimestampValue = 77_000 + _ticks,
            TimestampEcho = 77_000 + _echo,
            Mss = (flags & TcpFlags.Syn) != 0 ? Math.Min(mss, _mss) : (ushort)0,
            SackPermitted = (flags & TcpFlags.Syn) != 0 && _sackPermitted,
        };
        (_push, _isChecksumWrong) = (0, false);
        if (_sack is { } block)
        {
            (segment.Sack[0], segment.SackCount, _sack) = (block, 1, null);
        }

        segment.OptionBytes = (byte)Options(in segment).Length;
        if (_cut)
        {
            (segment.OptionsCut, segment.SackCount, segment.HasTimestamp) = (true, 0, false);
        }

        _tracker.Add(in segment);
        _segments.Add(segment);
        return this;
    }

    private static byte[] Packet(in TcpSegment segment)
    {
        byte[] options = Options(in segment);
        int header = 20 + options.Length;
        byte[] packet = new byte[20 + header + segment.PayloadLength];
        (packet[0], packet[8], packet[9], packet[32]) = (0x45, segment.Ttl == 0 ? (byte)64 : segment.Ttl, 6, (byte)(header << 2));
        packet[33] = (byte)segment.Flags;
        options.CopyTo(packet, 40);
        BinaryPrimitives.WriteUInt16BigEndian(packet.AsSpan(2), (ushort)packet.Length);
        BinaryPrimitives.WriteUInt16BigEndian(packet.AsSpan(4), segment.IpId);
        IPAddress.Parse(segment.Source.ToString()).TryWriteBytes(packet.AsSpan(12), out _);
        IPAddress.Parse(segment.Destination.ToString()).TryWriteBytes(packet.AsSpan(16), out _);
        BinaryPrimitives.WriteUInt16BigEndian(packet.AsSpan(20), segment.SourcePort);
        BinaryPrimitives.WriteUInt16BigEndian(packet.AsSpan(22), segment.DestinationPort);
        BinaryPrimitives.WriteUInt32BigEndian(packet.AsSpan(24), segment.Sequence);
        BinaryPrimitives.WriteUInt32BigEndian(packet.AsSpan(28), segment.Acknowledgement);
        BinaryPrimitives.WriteUInt16BigEndian(packet.AsSpan(34), segment.Window);
        return packet;
    }

    /// <summary>ICMP of a router to the client, with its right checksum.</summary>
    private static byte[] Report(in TcpSegment segment)
    {
        byte[] quote = Packet(in segment);
        byte[] packet = [.. quote.AsSpan(0, 20), 3, 4, 0, 0, 0, 0, (byte)(segment.ReportedMtu >> 8), (byte)segment.ReportedMtu, .. quote.AsSpan(0, 28)];
        packet[9] = 1;
        BinaryPrimitives.WriteUInt16BigEndian(packet.AsSpan(2), (ushort)packet.Length);
        quote.AsSpan(12, 4).CopyTo(packet.AsSpan(16));
        BinaryPrimitives.WriteUInt32BigEndian(packet.AsSpan(12), 0x0A0000FE);
        InternetChecksum.Adjust(packet.AsSpan(22, 2), 0xFFFF, InternetChecksum.Sum(packet.AsSpan(20)));
        return packet;
    }

    private static byte[] Options(in TcpSegment segment)
    {
        List<byte> options = segment.Mss > 0 ? [2, 4, (byte)(segment.Mss >> 8), (byte)segment.Mss] : [];
        if (segment.WindowScale >= 0)
        {
            options.AddRange([1, 3, 3, (byte)segment.WindowScale]);
        }

        if (segment.SackPermitted)
        {
            options.AddRange([1, 1, 4, 2]);
        }

        if (segment.HasTimestamp)
        {
            options.AddRange([1, 1, 8, 10]);
            Add(segment.TimestampValue, segment.TimestampEcho);
        }

        if (segment.SackCount > 0)
        {
            options.AddRange([1, 1, 5, 10]);
            Add(segment.Sack[0].Left, segment.Sack[0].Right);
        }

        return [.. options];

        void Add(params uint[] words)
        {
            foreach (uint word in words)
            {
                options.AddRange([(byte)(word >> 24), (byte)(word >> 16), (byte)(word >> 8), (byte)word]);
            }
        }
    }
}
