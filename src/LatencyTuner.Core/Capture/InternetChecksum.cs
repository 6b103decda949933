using System.Buffers.Binary;
using System.Numerics;
using System.Runtime.InteropServices;

namespace LatencyTuner.Core.Capture;

/// <summary>The checksum of IP, TCP, UDP, ICMPv6 and GRE (RFC 1071), and its change by what changed below it (RFC 1624).</summary>
internal static class InternetChecksum
{
    // So many vectors of the largest 16-bit words do not overflow their 32-bit sums.
    private const int MostVectors = 16_384;

    /// <summary>The sum of the 16-bit words, modulo 65535; an odd last byte counts as the upper half of a word.</summary>
    public static ulong Sum(ReadOnlySpan<byte> bytes)
    {
        // The order of bytes only turns the sum (RFC 1071 2B).
        ulong sum = 0;
        while (bytes.Length >= Vector<byte>.Count)
        {
            int vectors = Math.Min(bytes.Length / Vector<byte>.Count, MostVectors);
            Vector<uint> sums = Vector<uint>.Zero;
            foreach (Vector<ushort> words in MemoryMarshal.Cast<byte, Vector<ushort>>(bytes[..(vectors * Vector<byte>.Count)]))
            {
                Vector.Widen(words, out Vector<uint> low, out Vector<uint> high);
                sums += low + high;
            }

            Vector.Widen(sums, out Vector<ulong> first, out Vector<ulong> second);
            sum += Vector.Sum(first + second);
            bytes = bytes[(vectors * Vector<byte>.Count)..];
        }

        sum = BitConverter.IsLittleEndian ? BinaryPrimitives.ReverseEndianness(Fold(sum)) : Fold(sum);
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
        BinaryPrimitives.WriteUInt16BigEndian(field, (ushort)~Fold(kept + (ushort)~Fold(before) + (ulong)Fold(after)));
    }

    /// <summary>The sum as a 16-bit word: 0 only of zeros.</summary>
    public static ushort Fold(ulong sum)
    {
        while (sum >> 16 != 0)
        {
            sum = (sum & 0xFFFF) + (sum >> 16);
        }

        return (ushort)sum;
    }
}
