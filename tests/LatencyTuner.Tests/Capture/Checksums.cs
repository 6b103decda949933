using System.Buffers.Binary;
using LatencyTuner.Core.Capture;
using Xunit;

namespace LatencyTuner.Tests.Capture;

/// <summary>The checksums of segments, of captures that others made.</summary>
public sealed class Checksums
{
    [Theory]
    [InlineData("d01_modbus.pcap")]
    public void AnyChangedBit_MakesThemWrong(string file)
    {
        (int right, int wrong) = (0, 0);
        SegmentDecoder decoder = new();
        string path = Samples.Pcap(file);
        using ICaptureReader reader = CaptureContainer.Open(File.OpenRead(path), path);
        while (reader.TryRead(out CapturedFrame frame))
        {
            if (decoder.Decode(in frame, out TcpSegment segment) != DecodeOutcome.Tcp || segment.PayloadLength == 0)
            {
                continue;
            }

            wrong += segment.IsChecksumWrong ? 1 : 0;
            byte[] bytes = frame.Data.ToArray();
            for (int bit = 0; bit < 8 * segment.PayloadLength && !segment.IsChecksumWrong; bit += 11, right++)
            {
                bytes[^(1 + (bit / 8))] ^= (byte)(1 << (bit % 8));
                CapturedFrame changed = new()
                {
                    Number = 1,
                    TimeNs = 0,
                    LinkType = frame.LinkType,
                    OriginalLength = frame.OriginalLength,
                    Data = bytes,
                };
                Assert.Equal(DecodeOutcome.Tcp, decoder.Decode(in changed, out TcpSegment damaged));
                Assert.True(damaged.IsChecksumWrong);
                bytes[^(1 + (bit / 8))] ^= (byte)(1 << (bit % 8));
            }
        }

        Assert.Equal(0, wrong);
        Assert.InRange(right, 100, int.MaxValue);
    }

    // 172.17.0.4:45996 > 172.17.0.5:25, "QUIT": what Linux leaves for the adapter, nothing, and anything else.
    [Theory]
    [InlineData(0x584C, false)]
    [InlineData(0x5832, false)]
    [InlineData(0, false)]
    [InlineData(0x150C, true)]
    public void WhatTheAdapterIsToComplete_IsNotWrong(ushort field, bool wrong)
    {
        byte[] tcp = [0xB3, 0xAC, 0, 25, 0, 0, 1, 0, 0, 0, 2, 0, 0x50, 0x18, 1, 0, 0, 0, 0, 0, (byte)'Q', (byte)'U', (byte)'I', (byte)'T', 13, 10];
        BinaryPrimitives.WriteUInt16BigEndian(tcp.AsSpan(16), field);
        TcpSegment segment = new() { Source = IpAddressValue.V4([172, 17, 0, 4]), Destination = IpAddressValue.V4([172, 17, 0, 5]) };

        Assert.Equal(wrong, TcpHeader.IsChecksumWrong(tcp, in segment));
    }

    // Every length around that of a vector, and one that fills the sums.
    [Theory]
    [InlineData(0, 200, 0x5A)]
    [InlineData(1_100_000, 1_100_003, 0xFF)]
    public void TheSum_IsThatOfItsWords(int from, int to, byte last)
    {
        byte[] bytes = new byte[to];
        Array.Fill(bytes, last);
        for (int i = 0; i < bytes.Length && last != 0xFF; i++)
        {
            bytes[i] = (byte)(i * 37);
        }

        for (int length = from; length < to; length++)
        {
            ulong sum = 0;
            for (int i = 0; i < length; i++)
            {
                sum += (ulong)bytes[i] << (i % 2 == 0 ? 8 : 0);
            }

            Assert.Equal(InternetChecksum.Fold(sum), InternetChecksum.Fold(InternetChecksum.Sum(bytes.AsSpan(0, length))));
        }
    }
}
