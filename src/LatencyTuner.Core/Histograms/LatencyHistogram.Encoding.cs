using System.Buffers;
using System.Buffers.Binary;
using System.IO.Compression;
using System.Numerics;

namespace LatencyTuner.Core.Histograms;

/// <content>
/// The HdrHistogram V2 encoding, plain and compressed: AbstractHistogram.encodeIntoByteBuffer and encodeIntoCompressedByteBuffer of the Java original.
/// </content>
public sealed partial class LatencyHistogram
{
    private const uint CompressedCookie = 0x1c849304;
    private const uint PlainCookie = 0x1c849303;
    private const uint WordSizeMark = 0x10;
    private const uint WordSizeMask = 0xf0;
    private const int OuterHeaderLength = 8;
    private const int InnerHeaderLength = 40;
    private const int MaxWordLength = 9;
    private const long MaxDecodedCount = 1L << 44;

    /// <summary>Encodes as the HdrHistogram projects do (V2, big-endian), without compression: of some hundred bytes zlib spares little.</summary>
    public byte[] EncodeV2()
    {
        ArrayBufferWriter<byte> plain = new(4096);
        Span<byte> header = plain.GetSpan(InnerHeaderLength)[..InnerHeaderLength];
        header.Clear();
        BinaryPrimitives.WriteUInt32BigEndian(header, PlainCookie | WordSizeMark);
        BinaryPrimitives.WriteInt32BigEndian(header[12..], SignificantDigits);
        BinaryPrimitives.WriteInt64BigEndian(header[16..], 1);
        BinaryPrimitives.WriteInt64BigEndian(header[24..], HighestTrackableNs);
        BinaryPrimitives.WriteDoubleBigEndian(header[32..], 1.0);
        plain.Advance(InnerHeaderLength);

        int limit = IndexOf(_max) + 1;
        for (int i = 0; i < limit;)
        {
            long word = _counts[i++];
            if (word == 0)
            {
                int zeros = 1;
                while (i < limit && _counts[i] == 0)
                {
                    zeros++;
                    i++;
                }
                word = zeros > 1 ? -zeros : 0;
            }
            WriteZigZag(plain, word);
        }

        byte[] content = plain.WrittenSpan.ToArray();
        BinaryPrimitives.WriteInt32BigEndian(content.AsSpan(4), content.Length - InnerHeaderLength);
        return content;
    }

    /// <summary>The same, compressed (zlib); Base64 of it is what an interval log carries.</summary>
    public byte[] EncodeCompressedV2()
    {
        using MemoryStream compressed = new();
        compressed.Write(stackalloc byte[OuterHeaderLength]);
        using (ZLibStream zlib = new(compressed, CompressionLevel.Optimal, leaveOpen: true))
        {
            zlib.Write(EncodeV2());
        }

        byte[] result = compressed.ToArray();
        BinaryPrimitives.WriteUInt32BigEndian(result, CompressedCookie | WordSizeMark);
        BinaryPrimitives.WriteInt32BigEndian(result.AsSpan(4), result.Length - OuterHeaderLength);
        return result;
    }

    /// <summary>
    /// Decodes a histogram that any HdrHistogram project encoded, also with another lowest discernible value, number of digits or range: such buckets
    /// are recorded again at their middle. Minimum and maximum become the ends of the outermost buckets, mean and standard deviation those
    /// of the bucket middles.
    /// </summary>
    /// <param name="bytes">Untrusted. Memory stays fixed and work is bounded by the number of buckets the header declares.</param>
    /// <exception cref="ExpectedFailureException">The bytes are not a V2 compressed histogram, or are damaged; the message names the offset.</exception>
    public static LatencyHistogram DecodeCompressedV2(ReadOnlySpan<byte> bytes)
    {
        LatencyHistogram histogram = new();
        DecodeCompressedV2(bytes, histogram);
        return histogram;
    }

    internal static void DecodeCompressedV2(ReadOnlySpan<byte> bytes, LatencyHistogram target)
    {
        target.Reset();
        target.Add(DecodeBuckets(bytes));
    }

    /// <summary>As <see cref="DecodeCompressedV2(ReadOnlySpan{byte})"/>, without a histogram's memory; takes the plain encoding as well.</summary>
    /// <param name="bytes">Untrusted.</param>
    /// <exception cref="ExpectedFailureException">The same.</exception>
    internal static DecodedBuckets DecodeBuckets(ReadOnlySpan<byte> bytes)
    {
        if (bytes.Length < OuterHeaderLength)
        {
            throw Damaged(bytes.Length, $"it ends after {bytes.Length} of the 8 header bytes");
        }

        uint cookie = BinaryPrimitives.ReadUInt32BigEndian(bytes);
        if ((cookie & ~WordSizeMask) == PlainCookie)
        {
            return DecodePlain(new MemoryStream(bytes.ToArray(), writable: false));
        }

        if ((cookie & ~WordSizeMask) != CompressedCookie)
        {
            throw Damaged(0, $"0x{cookie:x8} is not the V2 compressed mark 0x{CompressedCookie | WordSizeMark:x8}");
        }

        int length = BinaryPrimitives.ReadInt32BigEndian(bytes[4..]);
        if (length < 0 || length > bytes.Length - OuterHeaderLength)
        {
            throw Damaged(4, $"length {length} does not fit the {bytes.Length - OuterHeaderLength} bytes that follow");
        }

        using MemoryStream compressed = new(bytes.Slice(OuterHeaderLength, length).ToArray(), writable: false);
        using ZLibStream zlib = new(compressed, CompressionMode.Decompress);
        try
        {
            return DecodePlain(zlib);
        }
        catch (InvalidDataException e)
        {
            throw new ExpectedFailureException(
                ExitCode.Input,
                $"The histogram is damaged in the compressed bytes from offset {OuterHeaderLength}: they are not a zlib stream.",
                e);
        }
    }

    private static DecodedBuckets DecodePlain(Stream zlib)
    {
        Span<byte> header = stackalloc byte[InnerHeaderLength];
        int got = zlib.ReadAtLeast(header, InnerHeaderLength, throwOnEndOfStream: false);
        if (got < InnerHeaderLength)
        {
            throw DamagedInside(got, $"it ends after {got} of the {InnerHeaderLength} header bytes");
        }

        uint cookie = BinaryPrimitives.ReadUInt32BigEndian(header);
        if ((cookie & ~WordSizeMask) != PlainCookie)
        {
            throw DamagedInside(0, $"0x{cookie:x8} is not the V2 mark 0x{PlainCookie | WordSizeMark:x8}");
        }

        int payload = BinaryPrimitives.ReadInt32BigEndian(header[4..]);
        int normalizing = BinaryPrimitives.ReadInt32BigEndian(header[8..]);
        // hdr-histogram-js always writes 1 here and ignores it; other values mean the shifted counts of a floating-point histogram.
        if (normalizing is not (0 or 1))
        {
            throw DamagedInside(8, $"normalizing offset {normalizing} belongs to a floating-point histogram; only 0 is supported");
        }

        int digits = BinaryPrimitives.ReadInt32BigEndian(header[12..]);
        long lowest = BinaryPrimitives.ReadInt64BigEndian(header[16..]);
        long highest = BinaryPrimitives.ReadInt64BigEndian(header[24..]);
        if (digits is < 0 or > 5)
        {
            throw DamagedInside(12, $"{digits} significant digits were found; 0 to 5 are valid");
        }

        if (lowest is < 1 or > long.MaxValue / 2)
        {
            throw DamagedInside(16, $"lowest value {lowest} is not in the range 1 to {long.MaxValue / 2}");
        }

        if (highest < 2 * lowest)
        {
            throw DamagedInside(24, $"highest value {highest} is below twice the lowest, {lowest}");
        }

        ForeignLayout layout = new(lowest, highest, digits);
        if (payload < 0 || payload > (long)layout.Length * MaxWordLength)
        {
            throw DamagedInside(4, $"length {payload} is not in the range 0 to {(long)layout.Length * MaxWordLength} bytes, the size of all buckets");
        }

        return ReadCounts(zlib, payload, layout);
    }

    private static DecodedBuckets ReadCounts(Stream zlib, int payload, ForeignLayout layout)
    {
        DecodedBuckets target = new();
        WordReader words = new(zlib, payload);
        long index = 0;
        while (words.Position < payload)
        {
            int at = InnerHeaderLength + words.Position;
            long word = words.Next();
            if (word < 0)
            {
                // Compared before negating: −long.MinValue would overflow.
                if (word < index - layout.Length)
                {
                    throw DamagedInside(at, $"a run of empty buckets goes past the last of {layout.Length} buckets");
                }

                index -= word;
                continue;
            }
            if (index >= layout.Length)
            {
                throw DamagedInside(at, $"there are more than the {layout.Length} buckets the header declares");
            }

            if (word > MaxDecodedCount - target.Count)
            {
                throw DamagedInside(at, $"the count {word} takes the total above {MaxDecodedCount}");
            }

            if (word > 0)
            {
                target.Add(layout.LowOf((int)index), layout.WidthOf((int)index), word);
            }
            index++;
        }

        return target;
    }

    private static void WriteZigZag(ArrayBufferWriter<byte> output, long word)
    {
        ulong rest = (ulong)((word << 1) ^ (word >> 63));
        Span<byte> bytes = output.GetSpan(MaxWordLength);
        int length = 0;
        // LEB128-64b9B: the ninth byte carries 8 bits, so it needs no continuation mark.
        while (rest > 0x7f && length < MaxWordLength - 1)
        {
            bytes[length++] = (byte)(rest | 0x80);
            rest >>= 7;
        }
        bytes[length++] = (byte)rest;
        output.Advance(length);
    }

    private static ExpectedFailureException Damaged(int offset, string why) =>
        new(ExitCode.Input, $"The histogram is not readable at offset {offset}: {why}.");

    private static ExpectedFailureException DamagedInside(int offset, string why) =>
        new(ExitCode.Input, $"The histogram is not readable at offset {offset} of its content: {why}.");

    /// <summary>The bucket layout of a histogram made with any parameters (AbstractHistogram.init of the Java original).</summary>
    private readonly struct ForeignLayout
    {
        private readonly int _unit;
        private readonly int _halfMagnitude;

        public ForeignLayout(long lowest, long highest, int digits)
        {
            long singleUnit = 2 * (long)Math.Pow(10, digits);
            int magnitude = 64 - BitOperations.LeadingZeroCount((ulong)(singleUnit - 1));
            _unit = BitOperations.Log2((ulong)lowest);
            _halfMagnitude = Math.Max(magnitude, 1) - 1;
            int buckets = 1;
            for (int reach = _halfMagnitude + 1 + _unit; reach < 63 && 1L << reach <= highest; reach++)
            {
                buckets++;
            }

            Length = (buckets + 1) << _halfMagnitude;
        }

        public int Length { get; }

        public long LowOf(int index)
        {
            int bucket = Bucket(index);
            const long Most = long.MaxValue / 4;
            long inBucket = index - (bucket << _halfMagnitude);
            int shift = bucket + _unit;
            return inBucket == 0 ? 0 : shift > 62 || inBucket > Most >> shift ? Most : inBucket << shift;
        }

        public long WidthOf(int index) => 1L << Math.Min(Bucket(index) + _unit, 60);

        private int Bucket(int index) => Math.Max(0, (index >> _halfMagnitude) - 1);
    }

    /// <summary>Reads ZigZag LEB128-64b9B words from a stream whose declared length is not to be trusted.</summary>
    private sealed class WordReader(Stream stream, int length)
    {
        [ThreadStatic]
        private static byte[]? _kept;

        private readonly byte[] _buffer = _kept ??= new byte[8192];
        private int _at;
        private int _filled;

        public int Position { get; private set; }

        public long Next()
        {
            int start = Position;
            ulong value = 0;
            for (int i = 0; i < MaxWordLength; i++)
            {
                byte next = NextByte(start);
                if (i == MaxWordLength - 1)
                {
                    value |= (ulong)next << (7 * i);
                    break;
                }
                value |= (ulong)(next & 0x7f) << (7 * i);
                if ((next & 0x80) == 0)
                {
                    break;
                }
            }
            return (long)(value >> 1) ^ -(long)(value & 1);
        }

        private byte NextByte(int start)
        {
            if (Position >= length)
            {
                throw DamagedInside(InnerHeaderLength + start, $"a number is cut off by the end of the {length} bytes of counts");
            }

            if (_at == _filled)
            {
                _filled = stream.Read(_buffer, 0, Math.Min(_buffer.Length, length - Position));
                _at = 0;
                if (_filled == 0)
                {
                    throw DamagedInside(InnerHeaderLength + Position, $"it ends after {Position} of {length} bytes of counts");
                }
            }
            Position++;
            return _buffer[_at++];
        }
    }
}

/// <summary>One recorded bucket of a <see cref="LatencyHistogram"/>: all values from low to high are counted together.</summary>
/// <param name="LowNs">Lowest value of the bucket, nanoseconds, inclusive.</param>
/// <param name="HighNs">Highest value of the bucket, nanoseconds, inclusive.</param>
/// <param name="Count">Number of recorded values, above 0.</param>
public readonly record struct HistogramBucket(long LowNs, long HighNs, long Count)
{
    /// <summary>The middle of the bucket, nanoseconds.</summary>
    public long MiddleNs => LowNs + ((HighNs - LowNs) / 2);
}
