using System.Buffers.Binary;

namespace LatencyTuner.Core.Etw;

/// <summary>
/// Finds the packets in a trace: from pktmon (event 160, one event for every component that the packet passes; only the first is used) and from
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
    private const ulong Native80211 = 0x10000;
    private const ulong Wwan = 0x200;
    private const ulong PacketStart = 0x4000_0000;
    private const ulong PacketEnd = 0x8000_0000;

    // Packet numbers are reused only after a long time.
    private const long SamePacketNs = 1_000_000_000;

    private readonly Dictionary<(ulong Group, ushort Number), long> _seen = [];
    private readonly Queue<(ulong Group, ushort Number)> _order = new();
    private readonly Dictionary<(int Processor, int Thread), List<byte>> _pending = [];

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

        return header.Id == 160 && header.Provider == PktMonProvider ? TryPktMon(header, payload, out packet)
            : header.Id == 1001 && header.Provider == NdisProvider && TryNdis(header, payload, out packet);
    }

    private bool TryPktMon(in EtwEventHeader header, ReadOnlySpan<byte> payload, out TracePacket packet)
    {
        packet = default;
        if (payload.Length < PktMonHead)
        {
            Malformed++;
            return false;
        }

        (ulong, ushort) key = (BinaryPrimitives.ReadUInt64LittleEndian(payload), U16(payload, 8));
        int original = U16(payload, 30);
        int logged = U16(payload, 32);
        if (logged > payload.Length - PktMonHead)
        {
            Malformed++;
            return false;
        }

        if (_seen.TryGetValue(key, out long before) && header.TimeNs - before < SamePacketNs)
        {
            Repeated++;
            return false;
        }

        if (_seen.TryAdd(key, header.TimeNs))
        {
            _order.Enqueue(key);
        }
        else
        {
            _seen[key] = header.TimeNs;
        }

        if (_order.Count > MostRemembered)
        {
            _seen.Remove(_order.Dequeue());
        }

        packet = new TracePacket
        {
            Data = payload.Slice(PktMonHead, logged),
            OriginalLength = Math.Max(original, logged),
            LinkType = U16(payload, 14) switch { 2 => 105, 3 => 101, _ => 1 },
            Interface = U16(payload, 16),
        };
        return true;
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
        if (starts && ends)
        {
            packet = new TracePacket { Data = part, OriginalLength = part.Length, LinkType = link, Interface = at };
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
        packet = new TracePacket { Data = whole.ToArray(), OriginalLength = whole.Count, LinkType = link, Interface = at };
        return true;
    }

    private static ushort U16(ReadOnlySpan<byte> bytes, int at) => BinaryPrimitives.ReadUInt16LittleEndian(bytes[at..]);
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

    /// <summary>The component number (pktmon) or interface index (NDIS) where it was captured.</summary>
    public required uint Interface { get; init; }
}
