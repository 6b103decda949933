using System.IO.Compression;
using LatencyTuner.Core.Inputs;
using Xunit;

namespace LatencyTuner.Tests.Histograms;

/// <summary>Short zlib streams are unpacked as the framework's ZLibStream unpacks them.</summary>
public sealed class ShortStreams
{
    private static readonly byte[] Content = new byte[8192];

    private static byte[] Pack(byte[] content, CompressionLevel level)
    {
        using MemoryStream packed = new();
        using (ZLibStream zlib = new(packed, level, leaveOpen: true))
        {
            zlib.Write(content);
        }

        return packed.ToArray();
    }

    private static byte[]? Framework(byte[] packed)
    {
        try
        {
            using ZLibStream zlib = new(new MemoryStream(packed), CompressionMode.Decompress);
            using MemoryStream content = new();
            zlib.CopyTo(content);
            return content.ToArray();
        }
        catch (InvalidDataException)
        {
            return null;
        }
    }

    /// <summary>Random bytes, few different ones, long repetitions, text: stored, fixed and dynamic blocks.</summary>
    [Fact]
    public void TryUnpack_WhatTheFrameworkPacked_IsTheContent()
    {
        Random random = new(1);
        for (int i = 0; i < 1500; i++)
        {
            byte[] content = new byte[1 + random.Next(i % 3 == 0 ? 60 : 8191)];
            int most = new[] { 1, 2, 5, 40, 256 }[i % 5];
            int run = 1 + random.Next(i % 7 == 0 ? 300 : 3);
            for (int k = 0; k < content.Length; k++)
            {
                content[k] = k % run == 0 ? (byte)random.Next(most) : content[k - 1];
            }

            CompressionLevel level = (CompressionLevel)(i % 4);
            Assert.True(ShortZlib.TryUnpack(Pack(content, level), Content, out int written));
            Assert.True(content.AsSpan().SequenceEqual(Content.AsSpan(0, written)));
        }
    }

    /// <summary>Damage is refused, or was none: never another content, never an exception.</summary>
    [Fact]
    public void TryUnpack_OfDamage_NeverGivesWhatTheFrameworkDoesNot()
    {
        Random random = new(2);
        int refused = 0;
        for (int i = 0; i < 20_000; i++)
        {
            byte[] content = new byte[random.Next(200)];
            random.NextBytes(content.AsSpan(0, random.Next(content.Length + 1)));
            byte[] packed = Pack(content, (CompressionLevel)(i % 4));
            byte[] damaged = i % 3 == 0 ? packed[..random.Next(packed.Length)] : packed;
            for (int k = random.Next(4); k > 0 && damaged.Length > 0; k--)
            {
                damaged[random.Next(damaged.Length)] ^= (byte)(1 << random.Next(8));
            }

            if (ShortZlib.TryUnpack(damaged, Content, out int written))
            {
                Assert.Equal(Framework(damaged), Content[..written]);
            }
            else
            {
                refused++;
            }
        }

        Assert.InRange(refused, 10_000, 19_000);
    }

    [Fact]
    public void TryUnpack_ContentThatDoesNotFit_IsRefused() =>
        Assert.False(ShortZlib.TryUnpack(Pack(new byte[Content.Length + 1], CompressionLevel.Optimal), Content, out _));
}
