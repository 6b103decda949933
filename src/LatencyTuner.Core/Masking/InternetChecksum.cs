using System.Buffers.Binary;

namespace LatencyTuner.Core.Masking;

/// <summary>The checksum of IP, TCP, UDP, ICMPv6 and GRE (RFC 1071), changed by what changed below it (RFC 1624).</summary>
internal static class InternetChecksum
{
    /// <summary>The sum of the 16-bit words; an odd last byte counts as the upper half of a word.</summary>
    public static ulong Sum(ReadOnlySpan<byte> bytes)
    {
        ulong sum = 0;
        for (; bytes.Length >= 2; bytes = bytes[2..])
        {
            sum += BinaryPrimitives.ReadUInt16BigEndian(bytes);
        }

        return bytes.Length == 0 ? sum : sum + ((ulong)bytes[0] << 8);
    }

    /// <summary>Changes a checksum so that it is as right, or as wrong, as it was.</summary>
    /// <param name="field">Its two bytes.</param>
    /// <param name="before">The sum of what it covers as it was.</param>
    /// <param name="after">The sum of what it covers as it is.</param>
    public static void Adjust(Span<byte> field, ulong before, ulong after)
    {
        if (before == after)
        {
            return;
        }

        uint kept = (ushort)~BinaryPrimitives.ReadUInt16BigEndian(field);
        BinaryPrimitives.WriteUInt16BigEndian(field, (ushort)~Fold(kept + (ushort)~Fold(before) + Fold(after)));
    }

    private static uint Fold(ulong sum)
    {
        while (sum >> 16 != 0)
        {
            sum = (sum & 0xFFFF) + (sum >> 16);
        }

        return (uint)sum;
    }
}
