using LatencyTuner.Core.Etw;
using Xunit;

namespace LatencyTuner.Tests.Etw;

/// <summary>Packets out of the events of pktmon and of NDIS.</summary>
public sealed class TracePacketEvents
{
    private const ulong Start = 0x4000_0001;
    private const ulong Middle = 0x1;
    private const ulong End = 0x8000_0001;
    private const ulong Whole = 0xC000_0001;

    private static (List<(byte[] Data, int Length, int Link, uint Place)> Packets, TracePacketReader Counts) Take(params EtlRecord[] records)
    {
        EtlWriter writer = new();
        using EtlReader reader = EtlReader.Open(writer.Add(records).ToArray(), "made.etl");
        TracePacketReader packets = new();
        List<(byte[], int, int, uint)> taken = [];
        reader.Read((in EtwEventHeader header, ReadOnlySpan<byte> payload) =>
        {
            if (packets.TryTake(in header, payload, out TracePacket packet))
            {
                taken.Add((packet.Data.ToArray(), packet.OriginalLength, packet.LinkType, packet.Interface));
            }
        });
        return (taken, packets);
    }

    private static EtlRecord Ndis(long at, ulong keyword, byte[] bytes, int processor = 0, uint adapter = 6) =>
        EtlRecord.Manifest(
            5_000_000_000 + at, processor, TracePacketReader.NdisProvider, 1001, 0,
            new ByteWriter().U32(adapter).U32(7).U32((uint)bytes.Length).Raw(bytes).U64(0).U64(0).ToArray(), keyword: keyword);

    private static byte[] Bytes(int from, int count) => [.. Enumerable.Range(from, count).Select(i => (byte)i)];

    [Fact]
    public void Ndis_InOneEvent_Whole() =>
    Assert.Equal((20, 20, 1, 6u), Take(Ndis(1, Whole, Bytes(0, 20))).Packets.Select(p => (p.Data.Length, p.Length, p.Link, p.Place)).Single());

    [Theory]
    [InlineData(0x1_0000UL, 105)]
    [InlineData(0x200UL, 101)]
    [InlineData(0x1UL, 1)]
    public void Ndis_KindOfLink_IsInTheKeyword(ulong keyword, int link) =>
    Assert.Equal(link, Take(Ndis(1, (Whole & ~1UL) | keyword, Bytes(0, 20))).Packets.Single().Link);

    /// <summary>Two packets in three parts each, at the same time on two processors.</summary>
    [Fact]
    public void Ndis_InParts_JoinedPerProcessor()
    {
        (List<(byte[] Data, int Length, int Link, uint Place)>? packets, TracePacketReader? counts) = Take(
            Ndis(1, Start, Bytes(0, 10)), Ndis(2, Start, Bytes(100, 5), processor: 1), Ndis(3, Middle, Bytes(10, 10)),
            Ndis(4, Middle, Bytes(105, 5), processor: 1), Ndis(5, End, Bytes(20, 10)), Ndis(6, End, Bytes(110, 5), processor: 1));

        Assert.Equal([Bytes(0, 30), Bytes(100, 15)], packets.Select(p => p.Data));
        Assert.Equal(0, counts.Malformed);
    }

    [Fact]
    public void Ndis_PartsMissing_AreCountedAndTheNextPacketIsWhole()
    {
        (List<(byte[] Data, int Length, int Link, uint Place)>? packets, TracePacketReader? counts) = Take(
            Ndis(1, End, Bytes(0, 10)), Ndis(2, Start, Bytes(0, 10)), Ndis(3, Start, Bytes(50, 10)), Ndis(4, End, Bytes(60, 10)), Ndis(5, Middle, Bytes(0, 3)));

        Assert.Equal(Bytes(50, 20), Assert.Single(packets).Data);
        Assert.Equal(3, counts.Malformed);
    }

    [Fact]
    public void Ndis_LengthBeyondTheEvent_IsCounted()
    {
        EtlRecord lying =
            EtlRecord.Manifest(
                5_000_000_001, 0, TracePacketReader.NdisProvider, 1001, 0, new ByteWriter().U32(6).U32(7).U32(999).Zeros(20).ToArray(), keyword: Whole);
        (List<(byte[] Data, int Length, int Link, uint Place)>? packets, TracePacketReader? counts) = Take(
            lying, EtlRecord.Manifest(5_000_000_002, 0, TracePacketReader.NdisProvider, 1001, 0, new byte[5], keyword: Whole));

        Assert.Empty(packets);
        Assert.Equal(2, counts.Malformed);
    }

    [Fact]
    public void PktMon_AtEveryComponent_Once()
    {
        (List<(byte[] Data, int Length, int Link, uint Place)>? packets, TracePacketReader? counts) = Take(
            [.. PktMonEvents.Packet(5_000_000_010, 1, Bytes(0, 60), components: 13), .. PktMonEvents.Packet(5_000_000_100, 2, Bytes(0, 60), components: 4)]);

        Assert.Equal((2, 15L), (packets.Count, counts.Repeated));
        Assert.Equal([11u, 11u], packets.Select(p => p.Place));
    }

    /// <summary>The parts that segmentation makes of one large packet share its group and differ in their number.</summary>
    [Fact]
    public void PktMon_SameGroupOtherNumber_IsAnotherPacket()
    {
        EtlRecord first = PktMonEvents.Packet(5_000_000_010, 1, Bytes(0, 60)).Single();
        EtlRecord second = first with { Time = first.Time + 1, Bytes = (byte[])first.Bytes.Clone() };
        second.Bytes[0x50 + 8] = 2;

        Assert.Equal((2, 0L), (Take(first, second).Packets.Count, Take(first, second).Counts.Repeated));
    }

    [Fact]
    public void PktMon_SameNumbersAfterASecond_AreAnotherPacket() =>
        Assert.Equal(
            2, Take(
                [.. PktMonEvents.Packet(5_000_000_010, 1, Bytes(0, 60)), .. PktMonEvents.Packet(5_000_000_010 + 10_000_001, 1, Bytes(0, 60))]).Packets.Count);

    [Fact]
    public void PktMon_Cut_KeepsTheLengthOnTheWire() =>
        Assert.Equal((128, 1_500), Take([.. PktMonEvents.Packet(5_000_000_010, 1, new byte[1_500])]).Packets.Select(p => (p.Data.Length, p.Length)).Single());

    /// <summary>
    /// From 24H2 on every appearance has a number of its own: a packet is known by its content and the component. Between components, checksums change.
    /// </summary>
    [Theory]
    [InlineData(9, 40)]
    [InlineData(3, 7)]
    public void PktMon_EveryAppearanceNumbered_IsOnePacket(int components, int packets)
    {
        ulong group = 0;
        List<EtlRecord> records = [];
        for (int i = 0; i < packets; i++)
        {
            for (ushort c = 1; c <= components; c++)
            {
                // Two packets pass the components at the same time.
                long at = 5_000_000_010 + (i / 2 * 5_000) + (c * 100) + (i % 2);
                records.Add(PktMonEvents.Appearance(at, ++group, PktMonEvents.Segment((uint)i * 300, 300, checksum: c), (ushort)(20 + c)));
            }
        }

        (List<(byte[] Data, int Length, int Link, uint Place)>? taken, TracePacketReader? counts) = Take([.. records.OrderBy(r => r.Time)]);

        Assert.Equal((packets, (long)packets * (components - 1)), (taken.Count, counts.Repeated));
        Assert.All(taken, p => Assert.Equal((354, 128, 21u), (p.Length, p.Data.Length, p.Place)));
    }

    /// <summary>A segment that is sent again is another packet, at once or later, though nothing in it differs; so is a forwarded one.</summary>
    [Theory]
    [InlineData(20)]
    [InlineData(3_000_000)]
    public void PktMon_SameContentAtTheSameComponent_IsAnotherPacket(long later)
    {
        byte[] frame = PktMonEvents.Segment(900, 120);
        List<EtlRecord> records = [];
        for (ushort c = 1; c <= 4; c++)
        {
            records.Add(PktMonEvents.Appearance(5_000_000_010 + (c * 100), c, frame, c));
            records.Add(PktMonEvents.Appearance(5_000_000_010 + (c * 100) + later, 10ul + c, frame, c));
        }

        records.Add(PktMonEvents.Appearance(5_000_000_900, 30, PktMonEvents.Segment(900, 120, ttl: 127), 5));
        (List<(byte[] Data, int Length, int Link, uint Place)>? taken, TracePacketReader? counts) = Take([.. records.OrderBy(r => r.Time)]);

        Assert.Equal((3, 6L), (taken.Count, counts.Repeated));
    }

    /// <summary>The appearance at the Wi-Fi adapter is the same packet in another form.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void PktMon_WifiAppearance_IsReadAsEthernet(bool sameGroup)
    {
        byte[] frame = PktMonEvents.Segment(900, 600);
        (List<(byte[] Data, int Length, int Link, uint Place)>? taken, TracePacketReader? counts) = Take(
            PktMonEvents.Appearance(5_000_000_010, 1, PktMonEvents.Wifi(frame), 3, type: 2),
            PktMonEvents.Appearance(5_000_000_020, sameGroup ? 1ul : 2, frame, 4));

        (byte[] Data, int Length, int Link, uint Place) packet = Assert.Single(taken);
        Assert.Equal((1, 1L, frame.Length), (packet.Link, counts.Repeated, packet.Length));
        Assert.Equal(frame[..packet.Data.Length], packet.Data);
    }

    /// <summary>A frame of Wi-Fi that holds no packet that can be read, beside the Ethernet frame of the same number.</summary>
    [Fact]
    public void PktMon_UnreadableWifiAppearance_DoesNotHideTheEthernetOne()
    {
        byte[] encrypted = PktMonEvents.Wifi(PktMonEvents.Segment(900, 60));
        encrypted.AsSpan(24).Fill(0x5A);

        Assert.Equal(
            [105, 1], Take(
                PktMonEvents.Appearance(5_000_000_010, 1, encrypted, 3, type: 2),
                PktMonEvents.Appearance(5_000_000_020, 1, PktMonEvents.Segment(900, 60), 4)).Packets.Select(p => p.Link));
    }

    [Fact]
    public void PktMon_Drops_AreCountedByComponentAndReason()
    {
        byte[] one = PktMonEvents.Segment(900, 60), other = PktMonEvents.Segment(1_900, 60);
        (List<(byte[] Data, int Length, int Link, uint Place)>? taken, TracePacketReader? counts) = Take(
            PktMonEvents.Appearance(5_000_000_010, 1, one, 3), PktMonEvents.Appearance(5_000_000_020, 2, one, 4, dropReason: 210),
            PktMonEvents.Appearance(5_000_000_030, 3, other, 4, dropReason: 210));

        Assert.Equal(2, taken.Count);
        Assert.Equal((((ushort)4, 210u), 2L), counts.Drops.Select(d => (d.Key, d.Value)).Single());
        Assert.Equal([1L, 2L], counts.DropOf.Keys.Order());
    }
}
