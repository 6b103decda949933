using System.Buffers.Binary;

namespace LatencyTuner.Core.Inputs;

/// <summary>
/// CRC-32 of IEEE 802.3, as gzip (RFC 1952 8), zip and this program's own records use it; eight bytes at a time. The framework has none outside of packages.
/// </summary>
internal static class Crc32
{
    private const int Slices = 8;
    private const uint Polynomial = 0xEDB8_8320;

    private static readonly uint[] Table = Build();

    /// <summary>Continues a checksum.</summary>
    /// <param name="crc">The checksum so far, 0 at the beginning.</param>
    /// <param name="bytes">The next bytes.</param>
    public static uint Append(uint crc, ReadOnlySpan<byte> bytes)
    {
        uint[] t = Table;
        crc = ~crc;
        while (bytes.Length >= Slices)
        {
            uint a = BinaryPrimitives.ReadUInt32LittleEndian(bytes) ^ crc;
            uint b = BinaryPrimitives.ReadUInt32LittleEndian(bytes[4..]);
            crc = t[0x700 + (int)(a & 0xFF)] ^ t[0x600 + (int)((a >> 8) & 0xFF)] ^ t[0x500 + (int)((a >> 16) & 0xFF)] ^ t[0x400 + (int)(a >> 24)]
                ^ t[0x300 + (int)(b & 0xFF)] ^ t[0x200 + (int)((b >> 8) & 0xFF)] ^ t[0x100 + (int)((b >> 16) & 0xFF)] ^ t[(int)(b >> 24)];
            bytes = bytes[Slices..];
        }

        foreach (byte one in bytes)
        {
            crc = (crc >> 8) ^ t[(int)((crc ^ one) & 0xFF)];
        }

        return ~crc;
    }

    private static uint[] Build()
    {
        uint[] table = new uint[Slices * 256];
        for (uint n = 0; n < 256; n++)
        {
            uint value = n;
            for (int bit = 0; bit < 8; bit++)
            {
                value = (value & 1) != 0 ? (value >> 1) ^ Polynomial : value >> 1;
            }

            table[n] = value;
        }

        for (int i = 256; i < table.Length; i++)
        {
            uint before = table[i - 256];
            table[i] = (before >> 8) ^ table[(int)(before & 0xFF)];
        }

        return table;
    }
}
