using System.Buffers.Binary;

namespace LatencyTuner.Core.Etw;

/// <summary>
/// What makes appearances of a packet at several components the same packet: its IP headers and first bytes, without what the components change
/// (checksums, traffic class, a length that segmentation offload leaves out, the link layer).
/// </summary>
internal static class PacketContent
{
    private const int Ethernet = 14;
    private const int Compared = 72;
    private const ulong FnvBasis = 14_695_981_039_346_656_037;
    private const ulong FnvPrime = 1_099_511_628_211;

    /// <summary>A number that appearances of one packet share.</summary>
    /// <param name="frame">The captured bytes.</param>
    /// <param name="linkType">Link type of the frame (pcap LINKTYPE value).</param>
    /// <param name="original">Length on the wire, bytes.</param>
    public static ulong Of(ReadOnlySpan<byte> frame, int linkType, int original)
    {
        int at = linkType == 101 ? 0 : linkType == 1 ? IpAt(frame) : -1;
        Span<byte> bytes = stackalloc byte[Compared];
        if (at < 0 || frame.Length < at + 20)
        {
            return Hash(frame[..Math.Min(frame.Length, Compared)], original);
        }

        ReadOnlySpan<byte> packet = frame[at..];
        bytes = bytes[..Math.Min(packet.Length, Compared)];
        packet[..bytes.Length].CopyTo(bytes);
        int length = original - at;
        bool six = packet[0] >> 4 == 6;
        int given = BinaryPrimitives.ReadUInt16BigEndian(packet[(six ? 4 : 2)..]);
        length = given == 0 ? length : six ? given + 40 : given;
        bytes[1] = 0;
        bytes.Slice(six ? 4 : 2, 2).Clear();
        if (six)
        {
            bytes[0] = 0x60;
        }
        else
        {
            bytes.Slice(10, 2).Clear();
        }

        int transport = six ? 40 : (packet[0] & 15) * 4;
        int checksum = (six ? packet[6] : packet[9]) switch { 6 => transport + 16, 17 => transport + 6, _ => Compared };
        if (checksum + 2 <= bytes.Length)
        {
            bytes.Slice(checksum, 2).Clear();
        }

        return Hash(bytes, length);
    }

    /// <summary>Turns a data frame of Wi-Fi (IEEE 802.11 with LLC and SNAP) into the Ethernet frame with the same packet; null for other frames.</summary>
    /// <param name="frame">The captured bytes, from the frame control on.</param>
    /// <param name="removed">Bytes by which the Ethernet frame is shorter.</param>
    public static byte[]? ToEthernet(ReadOnlySpan<byte> frame, out int removed)
    {
        removed = 0;
        if (frame.Length < 32 || (frame[0] & 0x4C) != 0x08)
        {
            return null;
        }

        (bool to, bool from, bool qos) = ((frame[1] & 1) != 0, (frame[1] & 2) != 0, (frame[0] & 0x80) != 0);
        int header = 24 + (to && from ? 6 : 0) + (qos ? 2 : 0) + (qos && (frame[1] & 0x80) != 0 ? 4 : 0);

        // The header of the encryption, if it is still there, has eight bytes.
        int snap = IsSnap(frame, header) ? header : (frame[1] & 0x40) != 0 && IsSnap(frame, header + 8) ? header + 8 : -1;
        if (snap < 0)
        {
            return null;
        }

        ReadOnlySpan<byte> target = frame.Slice(to ? 16 : 4, 6);
        ReadOnlySpan<byte> source = to && from ? frame.Slice(24, 6) : from ? frame.Slice(16, 6) : frame.Slice(10, 6);
        removed = snap + 8 - Ethernet;
        return [.. target, .. source, .. frame[(snap + 6)..]];
    }

    private static bool IsSnap(ReadOnlySpan<byte> frame, int at) =>
        at + 8 <= frame.Length && frame.Slice(at, 6).SequenceEqual((ReadOnlySpan<byte>)[0xAA, 0xAA, 0x03, 0, 0, 0]);

    /// <summary>Where the IP header of an Ethernet frame begins; -1 when there is none.</summary>
    private static int IpAt(ReadOnlySpan<byte> frame)
    {
        for (int at = Ethernet - 2; at + 2 <= frame.Length && at <= Ethernet + 6; at += 4)
        {
            switch (BinaryPrimitives.ReadUInt16BigEndian(frame[at..]))
            {
                case 0x0800 or 0x86DD:
                    return at + 2;
                case 0x8100 or 0x88A8:
                    continue;
                default:
                    return -1;
            }
        }

        return -1;
    }

    /// <summary>FNV-1a.</summary>
    private static ulong Hash(ReadOnlySpan<byte> bytes, int length)
    {
        ulong hash = (FnvBasis ^ (uint)length) * FnvPrime;
        foreach (byte b in bytes)
        {
            hash = (hash ^ b) * FnvPrime;
        }

        return hash;
    }
}
