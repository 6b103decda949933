namespace LatencyTuner.Tests.Etw;

/// <summary>Packets as pktmon writes them: each one once for every component it passes.</summary>
internal static class PktMonEvents
{
    internal static readonly Guid Provider = new("4d4f80d9-c8bd-4d73-bb5b-19c90402c5ac");

    /// <summary>The records of one packet.</summary>
    /// <param name="time">Clock value.</param>
    /// <param name="group">Number of the packet.</param>
    /// <param name="frame">Ethernet frame.</param>
    /// <param name="components">How often it is written.</param>
    /// <param name="cut">Most bytes that are written of it.</param>
    /// <param name="original">Bytes of the packet, when the frame is only its beginning.</param>
    internal static IEnumerable<EtlRecord> Packet(long time, ulong group, byte[] frame, int components = 1, int cut = 128, int? original = null)
    {
        for (ushort i = 1; i <= components; i++)
        {
            Span<byte> logged = frame.AsSpan(0, Math.Min(cut, frame.Length));
            yield return EtlRecord.Manifest(time + i, 0, Provider, 160, 0, new ByteWriter()
                .U64(group).U16(1).U16((ushort)(components == 1 ? 0 : i)).U16(1).U16(1).U16((ushort)(10 + i)).U16(1).U16(0)
                .U32(0).U32(0).U16((ushort)(original ?? frame.Length)).U16((ushort)logged.Length).Raw(logged).ToArray());
        }
    }

    /// <summary>One appearance, as builds from 24H2 on write it: each has a group of its own.</summary>
    /// <param name="time">Clock value.</param>
    /// <param name="group">Number of the appearance.</param>
    /// <param name="frame">The frame.</param>
    /// <param name="component">Component, whose edge is 1.</param>
    /// <param name="direction">Direction tag: 1, 3 and 5 in, 2, 4 and 6 out.</param>
    /// <param name="type">1 Ethernet, 2 Wi-Fi, 3 IP.</param>
    /// <param name="cut">Most bytes that are written of the frame.</param>
    /// <param name="dropReason">Reason of a drop; 0 for a packet that passes.</param>
    internal static EtlRecord Appearance(
        long time, ulong group, byte[] frame, ushort component, ushort direction = 1, ushort type = 1, int cut = 128, uint dropReason = 0)
    {
        Span<byte> logged = frame.AsSpan(0, Math.Min(cut, frame.Length));
        return EtlRecord.Manifest(time, 0, Provider, (ushort)(dropReason == 0 ? 160 : 170), 0, new ByteWriter()
            .U64(group).U16(1).U16(0).U16(direction).U16(type).U16(component).U16(1).U16(0)
            .U32(dropReason).U32(0xE000_4000).U16((ushort)frame.Length).U16((ushort)logged.Length).Raw(logged).ToArray());
    }

    /// <summary>A TCP segment over IPv4 in an Ethernet frame.</summary>
    internal static byte[] Segment(uint sequence, int payload, ushort checksum = 0, byte ttl = 128) => new ByteWriter()
        .Raw([0x02, 0, 0, 0, 0, 1]).Raw([0x02, 0, 0, 0, 0, 2]).BigEndian16(0x0800)
        .Raw([0x45, 0]).BigEndian16((ushort)(40 + payload)).BigEndian16(77).BigEndian16(0x4000).Raw([ttl, 6]).BigEndian16(checksum)
        .Raw([10, 0, 0, 5]).Raw([10, 0, 0, 9]).BigEndian16(50_000).BigEndian16(443)
        .BigEndian16((ushort)(sequence >> 16)).BigEndian16((ushort)sequence).U32(0).Raw([0x50, 0x18]).BigEndian16(1_000).BigEndian16(checksum).U16(0)
        .Raw([.. Enumerable.Range(0, payload).Select(i => (byte)i)]).ToArray();

    /// <summary>The same packet as an access point sends it, with a QoS header.</summary>
    internal static byte[] Wifi(byte[] ethernet) => new ByteWriter()
        .Raw([0x88, 0x02, 0, 0]).Raw(ethernet.AsSpan(0, 6).ToArray()).Raw([0x06, 0, 0, 0, 0, 9]).Raw(ethernet.AsSpan(6, 6).ToArray()).U16(0).U16(0)
        .Raw([0xAA, 0xAA, 0x03, 0, 0, 0]).Raw(ethernet.AsSpan(12).ToArray()).ToArray();
}
