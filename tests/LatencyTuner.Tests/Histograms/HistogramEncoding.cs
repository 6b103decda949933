using System.Buffers.Binary;
using System.IO.Compression;
using System.Text.Json;
using LatencyTuner.Core;
using LatencyTuner.Core.Histograms;
using Xunit;

namespace LatencyTuner.Tests.Histograms;

public sealed class HistogramEncoding
{
    private const string Describe = """
        const h = hdr.decodeFromCompressedBase64(input.encoded, 64);
        output = { count: h.totalCount, min: h.minNonZeroValue, max: h.maxValue,
                   p: [50, 99, 99.9, 100].map(p => h.getValueAtPercentile(p)) };
        """;

    public static TheoryData<string, long[]> Cases => new()
    {
        { "random", SampleLatencies.LogNormal(new Random(7), 50_000, 120_000, 1.5) },
        { "gaps", [1, 2, 2, 5000, 5000, 1_000_000_000, LatencyHistogram.HighestTrackableNs] },
        { "one", [100] },
    };

    [Theory]
    [MemberData(nameof(Cases), DisableDiscoveryEnumeration = true)]
    public void Encode_IsReadByHdrHistogramJs(string name, long[] values)
    {
        Assert.NotEmpty(name);
        LatencyHistogram histogram = SampleLatencies.ToHistogram(values);
        JsonElement js = HdrHistogramJs.Run(Describe, new { encoded = Convert.ToBase64String(histogram.EncodeCompressedV2()) });
        Assert.Equal(histogram.Count, js.GetProperty("count").GetInt64());
        Assert.Equal(LatencyHistogram.LowOf(LatencyHistogram.IndexOf(histogram.MinNs)), js.GetProperty("min").GetInt64());
        Assert.Equal(LatencyHistogram.HighOf(LatencyHistogram.IndexOf(histogram.MaxNs)), js.GetProperty("max").GetInt64());
        double[] percentiles = [50, 99, 99.9, 100];
        for (int i = 0; i < percentiles.Length; i++)
        {
            Assert.Equal(histogram.ValueAtPercentile(percentiles[i]), Math.Min(histogram.MaxNs, js.GetProperty("p")[i].GetInt64()));
        }
    }

    [Fact]
    public void Encode_Empty_IsReadByHdrHistogramJs()
    {
        JsonElement js = HdrHistogramJs.Run(
            Describe, new { encoded = Convert.ToBase64String(new LatencyHistogram().EncodeCompressedV2()) });
        Assert.Equal(0, js.GetProperty("count").GetInt64());
        Assert.Equal(0, js.GetProperty("max").GetInt64());
    }

    [Theory]
    [InlineData(1, 3_600_000_000_000, 3)]
    [InlineData(1, 10_000_000_000, 2)]
    [InlineData(1000, 60_000_000_000, 3)]
    [InlineData(1, 1_000_000_000_000, 4)]
    [InlineData(500, 3_600_000_000_000_000, 1)]
    public void Decode_ReadsWhatHdrHistogramJsWrote(long lowest, long highest, int digits)
    {
        long[] values = SampleLatencies.LogNormal(new Random(8), 5000, 2e6, 1);
        JsonElement js = HdrHistogramJs.Run(
            """
            const h = hdr.build({ bitBucketSize: 64, autoResize: false, lowestDiscernibleValue: input.lowest,
                highestTrackableValue: input.highest, numberOfSignificantValueDigits: input.digits });
            input.values.forEach(v => h.recordValue(v));
            output = { encoded: hdr.encodeIntoCompressedBase64(h), p: [50, 99, 99.9].map(p => h.getValueAtPercentile(p)),
                       min: h.minNonZeroValue, max: h.maxValue };
            """,
            new { lowest, highest, digits, values });
        LatencyHistogram decoded = LatencyHistogram.DecodeCompressedV2(
            Convert.FromBase64String(js.GetProperty("encoded").GetString()!));
        Assert.Equal(values.Length, decoded.Count);
        // The middle of a foreign bucket is at most half of its width, 10^−digits, below the value the other library names.
        double error = Math.Max(0.0011, Math.Pow(10, -digits));
        double[] percentiles = [50, 99, 99.9];
        for (int i = 0; i < percentiles.Length; i++)
        {
            double expected = js.GetProperty("p")[i].GetDouble();
            Assert.InRange(decoded.ValueAtPercentile(percentiles[i]), (expected * (1 - error)) - (lowest - 1), expected * 1.0011);
        }
        Assert.InRange(decoded.MinNs, (values.Min() * (1 - (2 * error))) - (lowest - 1), values.Min());
        Assert.InRange(decoded.MaxNs, values.Max(), values.Max() * (1 + (2 * error)));
        Assert.InRange(decoded.MeanNs, values.Average() * (1 - error), values.Average() * (1 + error));
        if (digits == 3 && lowest == 1)
        {
            Assert.True(SampleLatencies.ToHistogram(values).Counts.SequenceEqual(decoded.Counts));
        }
    }

    [Fact]
    public void Decode_OfEncode_KeepsEveryBucket()
    {
        LatencyHistogram histogram = SampleLatencies.ToHistogram(SampleLatencies.LogNormal(new Random(9), 30_000, 5e6, 3));
        histogram.RecordMany(77, 1L << 40);
        LatencyHistogram decoded = LatencyHistogram.DecodeCompressedV2(histogram.EncodeCompressedV2());
        Assert.True(histogram.Counts.SequenceEqual(decoded.Counts));
        Assert.Equal(histogram.Count, decoded.Count);
        Assert.Equal(0, LatencyHistogram.DecodeCompressedV2(new LatencyHistogram().EncodeCompressedV2()).Count);
    }

    [Fact]
    public void Decode_DamagedAnywhere_FailsInOneSentenceOrReads()
    {
        byte[] good = SampleLatencies.ToHistogram(SampleLatencies.LogNormal(new Random(10), 200, 5e4, 1)).EncodeCompressedV2();
        Random random = new(11);
        int failures = 0;
        int tries = Repository.Times(6000);
        for (int i = 0; i < tries; i++)
        {
            byte[] bad = good[..(i % 3 == 0 ? random.Next(good.Length) : good.Length)];
            if (bad.Length > 0 && i % 3 != 0)
            {
                bad[random.Next(bad.Length)] ^= (byte)(1 << random.Next(8));
            }

            failures += FailsProperly(bad) ? 1 : 0;
            byte[] plain = Mutated(Unwrap(good), random);
            failures += FailsProperly(Wrap(plain)) ? 1 : 0;
            failures += FailsProperly(plain) ? 1 : 0;
        }
        Assert.InRange(failures, tries / 3, 3 * tries);
    }

    [Theory]
    [InlineData(0, 0x1c849403, "offset 0 of its content")]
    [InlineData(4, -1, "offset 4 of its content")]
    [InlineData(4, int.MaxValue, "offset 4 of its content")]
    [InlineData(4, 3, "offset 40 of its content")]
    [InlineData(8, 5, "offset 8 of its content")]
    [InlineData(12, 6, "offset 12 of its content")]
    [InlineData(16, -1, "offset 16 of its content")]
    [InlineData(24, int.MinValue, "offset 24 of its content")]
    [InlineData(40, -1, "offset 40 of its content")]
    public void Decode_BadField_NamesTheOffset(int offset, int value, string where)
    {
        byte[] plain = Unwrap(SampleLatencies.ToHistogram([900_000, 900_000, 5_000_000]).EncodeCompressedV2());
        if (offset == 40)
        {
            plain.AsSpan(40, 4).Fill(0xff);
        }
        else
        {
            BinaryPrimitives.WriteInt32BigEndian(plain.AsSpan(offset), value);
        }

        if (offset == 4 && value == 3)
        {
            plain[42] |= 0x80;
        }

        ExpectedFailureException e = Assert.Throws<ExpectedFailureException>(() => LatencyHistogram.DecodeCompressedV2(Wrap(plain)));
        Assert.Equal(ExitCode.Input, e.Code);
        Assert.Contains(where, e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Decode_RunPastTheLastBucket_Fails()
    {
        byte[] plain = [.. Unwrap(new LatencyHistogram().EncodeCompressedV2())[..40], .. Enumerable.Repeat((byte)0xff, 9)];
        BinaryPrimitives.WriteInt32BigEndian(plain.AsSpan(4), 9);
        ExpectedFailureException e = Assert.Throws<ExpectedFailureException>(() => LatencyHistogram.DecodeCompressedV2(Wrap(plain)));
        Assert.Contains("past the last", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Decode_CountBeyondTheTotal_Fails()
    {
        byte[] plain = [.. Unwrap(new LatencyHistogram().EncodeCompressedV2())[..40], 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff];
        BinaryPrimitives.WriteInt32BigEndian(plain.AsSpan(4), 9);
        ExpectedFailureException e = Assert.Throws<ExpectedFailureException>(() => LatencyHistogram.DecodeCompressedV2(Wrap(plain)));
        Assert.Contains("takes the total above", e.Message, StringComparison.Ordinal);
    }

    private static bool FailsProperly(byte[] bytes)
    {
        try
        {
            LatencyHistogram read = LatencyHistogram.DecodeCompressedV2(bytes);
            Assert.InRange(read.MinNs, 0, read.MaxNs);
            return false;
        }
        catch (ExpectedFailureException e)
        {
            Assert.Equal(ExitCode.Input, e.Code);
            Assert.Contains("offset", e.Message, StringComparison.Ordinal);
            return true;
        }
    }

    private static byte[] Mutated(byte[] plain, Random random)
    {
        plain[random.Next(plain.Length)] = (byte)random.Next(256);
        return plain;
    }

    private static byte[] Unwrap(byte[] encoded)
    {
        using ZLibStream zlib = new(new MemoryStream(encoded[8..]), CompressionMode.Decompress);
        using MemoryStream plain = new();
        zlib.CopyTo(plain);
        return plain.ToArray();
    }

    private static byte[] Wrap(byte[] plain)
    {
        using MemoryStream compressed = new();
        using (ZLibStream zlib = new(compressed, CompressionLevel.Fastest, leaveOpen: true))
        {
            zlib.Write(plain);
        }

        byte[] outer = new byte[8];
        BinaryPrimitives.WriteUInt32BigEndian(outer, 0x1c849314);
        BinaryPrimitives.WriteInt32BigEndian(outer.AsSpan(4), (int)compressed.Length);
        return [.. outer, .. compressed.ToArray()];
    }
}
