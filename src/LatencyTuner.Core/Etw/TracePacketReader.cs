using System.Buffers.Binary;

namespace LatencyTuner.Core.Etw;

/// <summary>
/// Finds the packets in a trace: from pktmon (event 160, or 170 where it was
/// dropped: one event for every component that the packet passes, of which only the first is used) and from
/// Microsoft-Windows-NDIS-PacketCapture (event 1001; a long packet is split into several events, which are joined).
/// </summary>
internal sealed class TracePacketReader
{
    /// <summary>Microsoft-Windows-PktMon.</summary>
    public static readonly Guid PktMonProvider = new("4d4f80d9-c8bd-4d73-bb5b-19c90402c5ac");

    /// <summary>Microsoft-Windows-NDIS-PacketCapture.</summary>
    public static readonly Guid NdisProvider = new("2ed6006e-4729-4609-b423-3ee7bcd678ef");

    private const int PktMonHead = 34;
    private const int MostPending = 256 * 1024;
    private const int MostRemembered = 65_536;
    private const int PktMonPacket = 160;
    private const int PktMonDrop = 170;
    private const int Wifi = 105;
    private const ulong SendPath = 0x1_0000_0000;
    private const ulong ReceivePath = 0x2_0000_0000;
    private const ulong Native80211 = 0x10000;
    private const ulong Wwan = 0x200;
    private const ulong PacketStart = 0x4000_0000;
    private const ulong PacketEnd = 0x8000_0000;

    // Packet numbers are reused only after a long time.
    private const long SamePacketNs = 1_000_000_000;

    private readonly Dictionary<(ulong Group, ushort Number), (long Ns, int Link, Appearances Content)> _seen = [];
    private readonly Queue<(ulong Group, ushort Number)> _order = new();
    private readonly Dictionary<ulong, Appearances> _contents = [];
    private readonly Queue<ulong> _contentOrder = new();
    private readonly Dictionary<(int Processor, int Thread), List<byte>> _pending = [];

    private long _ordinal;

    /// <summary>Number of events of dropped packets (170), by component and reason.</summary>
    public Dictionary<(ushort Component, uint Reason), long> Drops { get; } = [];

    /// <summary>Component and reason of dropped packets, by the ordinal of the packet; the first ones.</summary>
    public Dictionary<long, (ushort Component, uint Reason)> DropOf { get; } = [];

    /// <summary>Number of packet events at further components, which are left out.</summary>
    public long Repeated { get; private set; }

    /// <summary>Number of packet events that do not fit their layout, or that are parts of packets with missing parts.</summary>
    public long Malformed { get; private set; }

    /// <summary>Gets the packet from an event.</summary>
    /// <param name="header">The event.</param>
    /// <param name="payload">Its payload.</param>
    /// <param name="packet">The packet.</param>
    /// <returns>False when the event holds no packet, not the last part of a packet, or a packet that was delivered before.</returns>
    public bool TryTake(in EtwEventHeader header, ReadOnlySpan<byte> payload, out TracePacket packet)
    {
        packet = default;
        if (header.Kind != EtwEventKind.Manifest)
        {
            return false;
        }

        return header.Id is PktMonPacket or PktMonDrop && header.Provider == PktMonProvider ? TryPktMon(header, payload, out packet)
            : header.Id == 1001 && header.Provider == NdisProvider && TryNdis(header, payload, out packet);
    }

    private bool TryPktMon(in EtwEventHeader header, ReadOnlySpan<byte> payload, out TracePacket packet)
    {
        packet = default;
        if (payload.Length < PktMonHead || U16(payload, 32) > payload.Length - PktMonHead)
        {
            Malformed++;
            return false;
        }

        ReadOnlySpan<byte> data = payload.Slice(PktMonHead, U16(payload, 32));
        int original = Math.Max(U16(payload, 30), data.Length);
        int link = U16(payload, 14) switch { 2 => Wifi, 3 => 101, _ => 1 };
        if (link == Wifi && PacketContent.ToEthernet(data, out int removed) is { } ethernet)
        {
            data = ethernet;
            (original, link) = (original - removed, 1);
        }

        // Older builds number a packet once for all of its appearances; from 24H2 on each appearance has a number of its own.
        (ulong, ushort) key = (BinaryPrimitives.ReadUInt64LittleEndian(payload), U16(payload, 8));
        Appearances content = Of(PacketContent.Of(data, link, original), header.TimeNs);
        bool known = _seen.TryGetValue(key, out (long Ns, int Link, Appearances Content) before) && header.TimeNs - before.Ns < SamePacketNs;
        bool hides = known && (before.Link != Wifi || link == Wifi);
        bool repeated = !content.Add((U16(payload, 16), U16(payload, 18), U16(payload, 12)), hides) || hides;
        if (!known)
        {
            Remember(key, (header.TimeNs, link, content));
        }
        else if (!repeated)
        {
            _seen[key] = (before.Ns, link, content);
        }

        content.Ordinal = repeated ? content.Ordinal : ++_ordinal;
        if (header.Id == PktMonDrop)
        {
            Drop((hides ? before.Content : content).Ordinal, U16(payload, 16), BinaryPrimitives.ReadUInt32LittleEndian(payload[22..]));
        }

        if (repeated)
        {
            Repeated++;
            return false;
        }

        int direction = U16(payload, 12);
        packet = new TracePacket
        {
            Data = data,
            OriginalLength = original,
            LinkType = link,
            Interface = U16(payload, 16),
            Direction = direction is 0 or > 6 ? 0 : direction % 2 == 1 ? 1 : 2,
            Ordinal = _ordinal,
        };
        return true;
    }

    private void Drop(long ordinal, ushort component, uint reason)
    {
        if (Drops.Count < MostRemembered || Drops.ContainsKey((component, reason)))
        {
            Drops[(component, reason)] = Drops.GetValueOrDefault((component, reason)) + 1;
        }

        if (DropOf.Count < MostRemembered)
        {
            DropOf.TryAdd(ordinal, (component, reason));
        }
    }

    private Appearances Of(ulong content, long now)
    {
        if (_contents.TryGetValue(content, out Appearances? known) && now - known.LastNs < SamePacketNs)
        {
            known.LastNs = now;
            return known;
        }

        if (known is null)
        {
            _contentOrder.Enqueue(content);
        }

        if (_contentOrder.Count > MostRemembered)
        {
            _contents.Remove(_contentOrder.Dequeue());
        }

        return _contents[content] = new Appearances { LastNs = now };
    }

    private void Remember((ulong Group, ushort Number) key, (long Ns, int Link, Appearances Content) value)
    {
        if (!_seen.ContainsKey(key))
        {
            _order.Enqueue(key);
        }

        _seen[key] = value;
        if (_order.Count > MostRemembered)
        {
            _seen.Remove(_order.Dequeue());
        }
    }

    private bool TryNdis(in EtwEventHeader header, ReadOnlySpan<byte> payload, out TracePacket packet)
    {
        packet = default;
        if (payload.Length < 12 || BinaryPrimitives.ReadUInt32LittleEndian(payload[8..]) > payload.Length - 12)
        {
            Malformed++;
            return false;
        }

        ReadOnlySpan<byte> part = payload.Slice(12, (int)BinaryPrimitives.ReadUInt32LittleEndian(payload[8..]));
        bool starts = (header.Keyword & PacketStart) != 0;
        bool ends = (header.Keyword & PacketEnd) != 0;
        (int Processor, int ThreadId) key = (header.Processor, header.ThreadId);
        int link = (header.Keyword & Native80211) != 0 ? 105 : (header.Keyword & Wwan) != 0 ? 101 : 1;
        uint at = BinaryPrimitives.ReadUInt32LittleEndian(payload);
        int direction = (header.Keyword & ReceivePath) != 0 ? 1 : (header.Keyword & SendPath) != 0 ? 2 : 0;
        if (starts && ends)
        {
            packet = new TracePacket { Data = part, OriginalLength = part.Length, LinkType = link, Interface = at, Direction = direction };
            return true;
        }

        if (starts)
        {
            Malformed += _pending.TryGetValue(key, out List<byte>? left) && left.Count > 0 ? 1 : 0;
            _pending[key] = [.. part];
            return false;
        }

        if (!_pending.TryGetValue(key, out List<byte>? whole) || whole.Count == 0 || whole.Count + part.Length > MostPending)
        {
            Malformed++;
            _pending.Remove(key);
            return false;
        }

        whole.AddRange(part);
        if (!ends)
        {
            return false;
        }

        _pending.Remove(key);
        packet = new TracePacket { Data = whole.ToArray(), OriginalLength = whole.Count, LinkType = link, Interface = at, Direction = direction };
        return true;
    }

    private static ushort U16(ReadOnlySpan<byte> bytes, int at) => BinaryPrimitives.ReadUInt16LittleEndian(bytes[at..]);

    /// <summary>Where packets of one content appeared. There are as many such packets as the place that saw most of them saw.</summary>
    private sealed class Appearances
    {
        private readonly List<((ushort Component, ushort Edge, ushort Direction) Place, int Count)> _places = [];
        private int _packets;

        public long LastNs { get; set; }

        public long Ordinal { get; set; }

        /// <summary>Adds an appearance; true when it is that of a packet that no place saw before.</summary>
        public bool Add((ushort Component, ushort Edge, ushort Direction) place, bool isKnown)
        {
            int at = _places.FindIndex(p => p.Place == place);
            int count = at < 0 ? 1 : _places[at].Count + (isKnown ? 0 : 1);
            if (at < 0)
            {
                _places.Add((place, count));
            }
            else
            {
                _places[at] = (place, count);
            }

            bool isNew = count > _packets;
            _packets = Math.Max(_packets, count);
            return isNew;
        }
    }
}

/// <summary>A network packet from an event of a trace. It is valid only during the call that delivered the event.</summary>
internal readonly ref struct TracePacket
{
    /// <summary>The captured bytes.</summary>
    public required ReadOnlySpan<byte> Data { get; init; }

    /// <summary>Length on the wire in bytes; never less than the captured length.</summary>
    public required int OriginalLength { get; init; }

    /// <summary>Link type of the frame (pcap LINKTYPE value): 1 Ethernet, 101 raw IP, 105 IEEE 802.11.</summary>
    public required int LinkType { get; init; }

    /// <summary>1 for a packet that was received, 2 for one that was sent, 0 when unknown.</summary>
    public int Direction { get; init; }

    /// <summary>Number of the packet among those of pktmon, from 1; 0 for others.</summary>
    public long Ordinal { get; init; }

    /// <summary>The component number (pktmon) or interface index (NDIS) where it was captured.</summary>
    public required uint Interface { get; init; }
}
