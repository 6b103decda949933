using System.Buffers.Binary;

namespace LatencyTuner.Core.Inputs;

/// <summary>
/// Unpacks short zlib streams (RFC 1950, RFC 1951) without a stream's memory: for a hundred bytes, ZLibStream needs ten times as long to begin as to unpack,
/// and a week of a monitor has a million of them. What it does not accept, ZLibStream is to judge.
/// </summary>
internal static class ShortZlib
{
    private const int LongestCode = 15;
    private const int Literals = 288;
    private const int Distances = 32;
    private const int EndOfBlock = 256;

    private static readonly ushort[] LengthBases = Bases(first: 3, groups: 4, count: 28);
    private static readonly ushort[] DistanceBases = Bases(first: 1, groups: 2, count: 30);
    private static readonly byte[] LengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

    /// <summary>Unpacks a stream.</summary>
    /// <param name="packed">The whole stream; untrusted.</param>
    /// <param name="output">Receives the content.</param>
    /// <param name="written">Bytes of the content.</param>
    /// <returns>False when the stream is damaged, uses a dictionary, or its content does not fit.</returns>
    internal static bool TryUnpack(ReadOnlySpan<byte> packed, Span<byte> output, out int written)
    {
        const int Header = 2;
        const int Checksum = 4;
        written = 0;
        if (packed.Length < Header + Checksum || (packed[0] & 0x0F) != 8 || ((packed[0] << 8) | packed[1]) % 31 != 0 || (packed[1] & 0x20) != 0)
        {
            return false;
        }

        Bits bits = new(packed[Header..]);
        bool isLast;
        do
        {
            isLast = bits.Take(1) == 1;
            bool good = bits.Take(2) switch
            {
                0 => Stored(ref bits, output, ref written),
                1 => Fixed(ref bits, output, ref written),
                2 => Dynamic(ref bits, output, ref written),
                _ => false,
            };
            if (!good || bits.IsOver)
            {
                return false;
            }
        }
        while (!isLast);

        ReadOnlySpan<byte> rest = bits.Rest();
        return rest.Length >= Checksum && BinaryPrimitives.ReadUInt32BigEndian(rest) == Adler(output[..written]);
    }

    private static bool Stored(ref Bits bits, scoped Span<byte> output, ref int written)
    {
        ReadOnlySpan<byte> rest = bits.Rest();
        if (rest.Length < 4)
        {
            return false;
        }

        int length = BinaryPrimitives.ReadUInt16LittleEndian(rest);
        if (length != (ushort)~BinaryPrimitives.ReadUInt16LittleEndian(rest[2..]) || rest.Length - 4 < length || output.Length - written < length)
        {
            return false;
        }

        rest.Slice(4, length).CopyTo(output[written..]);
        written += length;
        bits = new(rest[(4 + length)..]);
        return true;
    }

    private static bool Fixed(ref Bits bits, scoped Span<byte> output, ref int written)
    {
        Span<byte> lengths = stackalloc byte[Literals];
        lengths[..144].Fill(8);
        lengths[144..256].Fill(9);
        lengths[256..280].Fill(7);
        lengths[280..].Fill(8);
        Span<byte> ofDistances = stackalloc byte[Distances];
        ofDistances.Fill(5);
        return Block(ref bits, lengths, ofDistances, output, ref written);
    }

    private static bool Dynamic(ref Bits bits, scoped Span<byte> output, ref int written)
    {
        int literals = bits.Take(5) + 257;
        int distances = bits.Take(5) + 1;
        int codes = bits.Take(4) + 4;
        Span<byte> lengths = stackalloc byte[Literals + Distances];
        Span<byte> ofLengths = stackalloc byte[LengthOrder.Length];
        lengths.Clear();
        ofLengths.Clear();
        for (int i = 0; i < codes; i++)
        {
            ofLengths[LengthOrder[i]] = (byte)bits.Take(3);
        }

        Span<ushort> symbols = stackalloc ushort[LengthOrder.Length];
        Span<ushort> counts = stackalloc ushort[LongestCode + 1];
        if (literals > 286 || distances > 30 || !Order(ofLengths, counts, symbols))
        {
            return false;
        }

        for (int i = 0; i < literals + distances;)
        {
            int symbol = Next(ref bits, counts, symbols);
            (int times, byte length) = symbol switch
            {
                >= 0 and < 16 => (1, (byte)symbol),
                16 when i > 0 => (bits.Take(2) + 3, lengths[i - 1]),
                17 => (bits.Take(3) + 3, (byte)0),
                18 => (bits.Take(7) + 11, (byte)0),
                _ => (0, (byte)0),
            };
            if (times == 0 || bits.IsOver || i + times > literals + distances)
            {
                return false;
            }

            lengths.Slice(i, times).Fill(length);
            i += times;
        }

        return lengths[EndOfBlock] > 0 && Block(ref bits, lengths[..literals], lengths.Slice(literals, distances), output, ref written);
    }

    private static bool Block(
        ref Bits bits, scoped ReadOnlySpan<byte> lengths, scoped ReadOnlySpan<byte> ofDistances, scoped Span<byte> output, ref int written)
    {
        Span<ushort> symbols = stackalloc ushort[Literals];
        Span<ushort> counts = stackalloc ushort[LongestCode + 1];
        Span<ushort> distances = stackalloc ushort[Distances];
        Span<ushort> distanceCounts = stackalloc ushort[LongestCode + 1];
        if (!Order(lengths, counts, symbols) || !Order(ofDistances, distanceCounts, distances))
        {
            return false;
        }

        while (true)
        {
            int symbol = Next(ref bits, counts, symbols);
            if (symbol == EndOfBlock)
            {
                return !bits.IsOver;
            }

            if (symbol < 0 || bits.IsOver || written == output.Length)
            {
                return false;
            }

            if (symbol < EndOfBlock)
            {
                output[written++] = (byte)symbol;
                continue;
            }

            int length = symbol == 285 ? 258 : symbol > 285 ? 0 : LengthBases[symbol - 257] + bits.Take(Extra(symbol - 257, groups: 4));
            int distance = Next(ref bits, distanceCounts, distances);
            int back = distance is < 0 or > 29 ? 0 : DistanceBases[distance] + bits.Take(Extra(distance, groups: 2));
            if (length == 0 || back == 0 || back > written || output.Length - written < length)
            {
                return false;
            }

            for (; length > 0; length--, written++)
            {
                output[written] = output[written - back];
            }
        }
    }

    /// <summary>The symbols in the order of their codes, and how many codes there are of each length; false when more are said than there are.</summary>
    private static bool Order(ReadOnlySpan<byte> lengths, Span<ushort> counts, Span<ushort> symbols)
    {
        Span<ushort> from = stackalloc ushort[LongestCode + 2];
        counts.Clear();
        from.Clear();
        foreach (byte length in lengths)
        {
            counts[length]++;
        }

        counts[0] = 0;
        int left = 1;
        for (int i = 1; i <= LongestCode; i++)
        {
            left = (2 * left) - counts[i];
            from[i + 1] = (ushort)(from[i] + counts[i]);
            if (left < 0)
            {
                return false;
            }
        }

        int codes = from[LongestCode + 1];
        for (int i = 0; i < lengths.Length; i++)
        {
            if (lengths[i] > 0)
            {
                symbols[from[lengths[i]]++] = (ushort)i;
            }
        }

        // Codes that are missing are damage, but for a block without distances, or with one.
        return left == 0 || codes <= 1;
    }

    /// <summary>The next symbol; -1 for a code that there is not.</summary>
    private static int Next(ref Bits bits, scoped ReadOnlySpan<ushort> counts, scoped ReadOnlySpan<ushort> symbols)
    {
        int above = 0;
        int place = 0;
        for (int length = 1; length <= LongestCode; length++)
        {
            // The distance to the first code of this length; codes of a length follow one another.
            above = (2 * above) + bits.Take(1);
            int count = counts[length];
            if (above < count)
            {
                return symbols[place + above];
            }

            above -= count;
            place += count;
        }

        return -1;
    }

    private static int Extra(int symbol, int groups) => Math.Max(0, (symbol / groups) - 1);

    private static ushort[] Bases(int first, int groups, int count)
    {
        ushort[] bases = new ushort[count];
        for (int i = 0; i < count; i++)
        {
            bases[i] = (ushort)first;
            first += 1 << Extra(i, groups);
        }

        return bases;
    }

    private static uint Adler(ReadOnlySpan<byte> bytes)
    {
        const uint Modulus = 65521;
        // The most bytes whose sums stay within 32 bits.
        const int Most = 5552;
        (uint a, uint b) = (1, 0);
        while (bytes.Length > 0)
        {
            int length = Math.Min(Most, bytes.Length);
            foreach (byte value in bytes[..length])
            {
                a += value;
                b += a;
            }

            (a, b) = (a % Modulus, b % Modulus);
            bytes = bytes[length..];
        }

        return (b << 16) | a;
    }

    /// <summary>Takes bits, the lowest of each byte first; past the end it gives zeros and says so.</summary>
    private ref struct Bits(ReadOnlySpan<byte> bytes)
    {
        private readonly ReadOnlySpan<byte> _bytes = bytes;
        private int _at;
        private uint _held;
        private int _count;

        /// <summary>True after more was taken than there is.</summary>
        internal bool IsOver { get; private set; }

        internal int Take(int count)
        {
            while (_count < count)
            {
                IsOver |= _at >= _bytes.Length;
                _held |= (_at < _bytes.Length ? (uint)_bytes[_at] : 0) << _count;
                _at++;
                _count += 8;
            }

            int taken = (int)(_held & ((1u << count) - 1));
            _held >>= count;
            _count -= count;
            return taken;
        }

        /// <summary>The bytes after the one that bits were taken of last.</summary>
        internal readonly ReadOnlySpan<byte> Rest() => _bytes[Math.Min(_at - (_count / 8), _bytes.Length)..];
    }
}
