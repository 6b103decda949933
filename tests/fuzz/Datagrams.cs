using System.Buffers.Binary;

namespace LatencyTuner.Fuzz;

/// <summary>Datagrams and frames byte by byte, as the standards draw them; nothing of the decoder is used.</summary>
internal static class Datagrams
{
    public const int Payload = 100;

    /// <summary>A TCP segment with a payload: ports 1000 to 2000, sequence 3000, acknowledgement 4000, ACK and PSH, window 5000.</summary>
    public static byte[] Tcp(int payload = Payload, int dataOffset = -1, params byte[] options)
    {
        byte[] tcp = new byte[20 + options.Length + payload];
        U16(tcp, 0, 1000);
        U16(tcp, 2, 2000);
        U32(tcp, 4, 3000);
        U32(tcp, 8, 4000);
        tcp[12] = (byte)((dataOffset < 0 ? 5 + (options.Length / 4) : dataOffset) << 4);
        tcp[13] = 0x18;
        U16(tcp, 14, 5000);
        options.CopyTo(tcp, 20);
        return tcp;
    }

    public static byte[] V4(byte[] payload, byte protocol = 6, ushort id = 7, int fragmentOffset = 0, bool more = false, int? total = null, int headerWords = 5)
    {
        byte[] ip = new byte[20 + payload.Length];
        ip[0] = (byte)(0x40 | headerWords);
        U16(ip, 2, total ?? ip.Length);
        U16(ip, 4, id);
        U16(ip, 6, (fragmentOffset / 8) | (more ? 0x2000 : 0));
        ip[8] = 64;
        ip[9] = protocol;
        U32(ip, 12, 0x0A000001);
        U32(ip, 16, 0x0A000002);
        payload.CopyTo(ip, 20);
        return ip;
    }

    public static byte[] V6(byte[] payload, byte next = 6, int? length = null)
    {
        byte[] ip = new byte[40 + payload.Length];
        ip[0] = 0x60;
        U16(ip, 4, length ?? payload.Length);
        ip[6] = next;
        ip[7] = 64;
        ip[8] = 0x20;
        ip[23] = 1;
        ip[24] = 0x20;
        ip[39] = 2;
        payload.CopyTo(ip, 40);
        return ip;
    }

    /// <summary>An extension header of IPv6 of eight bytes.</summary>
    public static byte[] Extension(byte next, byte[] rest) => [next, 0, 1, 4, 0, 0, 0, 0, .. rest];

    public static byte[] FragmentHeader(byte next, int offset, bool more, uint id, byte[] rest)
    {
        byte[] header = [next, 0, 0, 0, 0, 0, 0, 0];
        U16(header, 2, offset | (more ? 1 : 0));
        U32(header, 4, id);
        return [.. header, .. rest];
    }

    public static byte[] Ethernet(ushort type, params byte[] rest) => [2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, .. Big(type), .. rest];

    public static byte[] Big(int value) => [(byte)(value >> 8), (byte)value];

    public static void U16(Span<byte> bytes, int at, int value) => BinaryPrimitives.WriteUInt16BigEndian(bytes[at..], (ushort)value);

    public static void U32(Span<byte> bytes, int at, uint value) => BinaryPrimitives.WriteUInt32BigEndian(bytes[at..], value);
}
