using System.Buffers.Binary;
using System.Numerics;

namespace LatencyTuner.Core.Etw;

/// <summary>Plain LZ77 of the XPRESS family (MS-XCA 2.3 and 2.4), the compression of trace buffers.</summary>
internal static class XpressDecompressor
{
    private const int ShortCopy = 16;

    /// <summary>Decompresses until the output is full.</summary>
    /// <param name="input">The compressed bytes; up to 4 bytes can remain unused.</param>
    /// <param name="output">Receives the data: exactly as long as the data, or shorter when only its start is needed.</param>
    /// <returns>Number of valid bytes in the output: all of them, or those before the first fault.</returns>
    internal static int Decompress(ReadOnlySpan<byte> input, Span<byte> output)
    {
        int at = 0;
        int to = 0;
        int sharedNibble = -1;
        uint flags = 0;
        int left = 0;
        while (to < output.Length)
        {
            if (left == 0)
            {
                if (input.Length - at < 4)
                {
                    return to;
                }

                flags = BinaryPrimitives.ReadUInt32LittleEndian(input[at..]);
                at += 4;
                left = 32;
            }

            int literals = Math.Min(BitOperations.LeadingZeroCount(flags), left);
            if (literals > 0)
            {
                int run = Math.Min(literals, output.Length - to);
                if (input.Length - at < run)
                {
                    return to + CopyWhatIsThere(input[at..], output[to..]);
                }

                input.Slice(at, run).CopyTo(output[to..]);
                at += run;
                to += run;
                left -= literals;
                flags = literals == 32 ? 0 : flags << literals;
                continue;
            }

            if (input.Length - at < 2)
            {
                return to;
            }

            int symbol = BinaryPrimitives.ReadUInt16LittleEndian(input[at..]);
            at += 2;
            flags <<= 1;
            left--;
            int distance = (symbol >> 3) + 1;
            int length = symbol & 7;
            if (length == 7 && !TryReadLength(input, ref at, ref sharedNibble, ref length))
            {
                return to;
            }

            length += 3;
            if (distance > to)
            {
                return to;
            }

            length = Math.Min(length, output.Length - to);
            CopyMatch(output, to, distance, length);
            to += length;
        }

        return to;
    }

    private static int CopyWhatIsThere(ReadOnlySpan<byte> input, Span<byte> output)
    {
        input.CopyTo(output);
        return input.Length;
    }

    private static bool TryReadLength(ReadOnlySpan<byte> input, ref int at, ref int sharedNibble, ref int length)
    {
        if (sharedNibble >= 0)
        {
            length = input[sharedNibble] >> 4;
            sharedNibble = -1;
        }
        else
        {
            if (at >= input.Length)
            {
                return false;
            }

            sharedNibble = at;
            length = input[at++] & 15;
        }

        if (length != 15)
        {
            length += 7;
            return true;
        }

        if (at >= input.Length)
        {
            return false;
        }

        length = input[at++];
        if (length != 255)
        {
            length += 15 + 7;
            return true;
        }

        // The two- and four-byte forms hold the whole length; the values above are not added to it.
        if (input.Length - at < 2)
        {
            return false;
        }

        long whole = BinaryPrimitives.ReadUInt16LittleEndian(input[at..]);
        at += 2;
        if (whole == 0)
        {
            if (input.Length - at < 4)
            {
                return false;
            }

            whole = BinaryPrimitives.ReadUInt32LittleEndian(input[at..]);
            at += 4;
        }

        length = (int)Math.Min(whole, EtlBufferHeader.MaxBytes);
        return whole >= 15 + 7;
    }

    private static void CopyMatch(Span<byte> output, int to, int distance, int length)
    {
        int from = to - distance;
        if (distance >= ShortCopy && length <= ShortCopy && to + ShortCopy <= output.Length)
        {
            // The following data overwrites the bytes that are copied in excess.
            output.Slice(from, ShortCopy).CopyTo(output.Slice(to, ShortCopy));
            return;
        }

        if (distance == 1)
        {
            output.Slice(to, length).Fill(output[from]);
            return;
        }

        while (length > 0)
        {
            int piece = Math.Min(distance, length);
            output.Slice(from, piece).CopyTo(output[to..]);
            to += piece;
            length -= piece;

            // The source repeats with the same period, so each round can copy twice as many bytes.
            distance += piece;
        }
    }
}
