using LatencyTuner.Core.Etw;
using Xunit;

namespace LatencyTuner.Tests.Etw;

public sealed class Compressions
{
    /// <summary>The two examples of MS-XCA 3.1.</summary>
    [Theory]
    [InlineData("3f0000006162636465666768696a6b6c6d6e6f707172737475767778797a", "abcdefghijklmnopqrstuvwxyz", 1)]
    [InlineData("ffffff1f61626317000fff2601", "abc", 100)]
    public void Decompress_ExamplesOfTheSpecification(string packed, string piece, int times)
    {
        byte[] expected = string.Concat(Enumerable.Repeat(piece, times)).Select(c => (byte)c).ToArray();
        byte[] output = new byte[expected.Length];

        Assert.Equal(expected.Length, XpressDecompressor.Decompress(Convert.FromHexString(packed), output));
        Assert.Equal(expected, output);
    }

    [Fact]
    public void Decompress_WhatACompressorMade()
    {
        Random random = new(11);
        for (int i = 0; i < 300; i++)
        {
            byte[] data = Sample(random, i);
            byte[] packed = XpressCompressor.Compress(data);
            byte[] output = new byte[data.Length];

            Assert.Equal(data.Length, XpressDecompressor.Decompress(packed, output));
            Assert.True(data.AsSpan().SequenceEqual(output));

            // The beginning alone, as the index of buffers wants it.
            byte[] start = new byte[Math.Min(100, data.Length)];
            Assert.Equal(start.Length, XpressDecompressor.Decompress(packed, start));
            Assert.True(data.AsSpan(0, start.Length).SequenceEqual(start));
        }
    }

    [Fact]
    public void Decompress_CutInput_KeepsWhatIsBeforeTheCut()
    {
        byte[] data = Sample(new Random(3), 4);
        byte[] packed = XpressCompressor.Compress(data);
        for (int length = 0; length < packed.Length; length += 7)
        {
            byte[] output = new byte[data.Length];
            int good = XpressDecompressor.Decompress(packed.AsSpan(0, length), output);

            Assert.InRange(good, 0, data.Length);
            Assert.True(data.AsSpan(0, good).SequenceEqual(output.AsSpan(0, good)));
        }
    }

    [Theory]
    [InlineData("00000080ffff", 0)]
    [InlineData("0000004061f8ff", 1)]
    [InlineData("0000004061070fff0100", 1)]
    [InlineData("000000406107", 1)]
    [InlineData("", 0)]
    public void Decompress_MatchBeforeTheStartOrWithAnImpossibleLength_Stops(string packed, int good)
    {
        // Each example's flag word is written with its most significant byte last.
        Assert.Equal(good, XpressDecompressor.Decompress(Convert.FromHexString(packed), new byte[1_000]));
    }

    [Fact]
    public void Decompress_RandomInput_NeverLeavesItsBounds()
    {
        Random random = new(5);
        byte[] output = new byte[10_000];
        for (int i = 0; i < 50_000; i++)
        {
            byte[] input = new byte[random.Next(200)];
            random.NextBytes(input);
            int length = random.Next(output.Length);

            Assert.InRange(XpressDecompressor.Decompress(input, output.AsSpan(0, length)), 0, length);
        }
    }

    /// <summary>From noise to long repetitions, so that every form of a length occurs.</summary>
    private static byte[] Sample(Random random, int kind)
    {
        byte[] data = new byte[kind % 10 == 9 ? 200_000 : random.Next(1, 20_000)];
        for (int at = 0; at < data.Length;)
        {
            int run = Math.Min(data.Length - at, kind % 10 == 9 ? 150_000 : random.Next(1, 2 + (kind * 10)));
            if (random.Next(2) == 0)
            {
                data.AsSpan(at, run).Fill((byte)random.Next(256));
            }
            else
            {
                random.NextBytes(data.AsSpan(at, Math.Min(run, 50)));
            }

            at += run;
        }

        return data;
    }
}
