using System.Net;
using LatencyTuner.Core.Capture;
using LatencyTuner.Core.Recordings.Captures;
using Xunit;

namespace LatencyTuner.Tests.Capture;

/// <summary>Nothing is allocated per packet once a connection is under way.</summary>
public sealed class PacketAllocations
{
    private static readonly IpAddressValue Client = IpAddressValue.From(IPAddress.Parse("10.0.0.1"));
    private static readonly IpAddressValue Server = IpAddressValue.From(IPAddress.Parse("10.0.0.2"));

    [Fact]
    public void Reader_AllocatesNothingPerFrame()
    {
        byte[] file = File.ReadAllBytes(Samples.Truth("bufferbloat.client.pcap"));
        SegmentDecoder decoder = new();
        using ICaptureReader reader = CaptureContainer.Open(new MemoryStream(file), "x");

        // The buffer reaches its size on the way.
        for (int i = 0; i < 1000 && reader.TryRead(out CapturedFrame first); i++)
        {
            decoder.Decode(in first, out _);
        }

        long before = GC.GetAllocatedBytesForCurrentThread();
        int frames = 0;
        while (reader.TryRead(out CapturedFrame frame))
        {
            decoder.Decode(in frame, out _);
            frames++;
        }

        Assert.True(frames > 5_000);
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 1000);
    }

    [Fact]
    public void Analysis_AllocatesNothingPerPacketOfATransfer()
    {
        const int Warm = 100_000;
        const int Measured = 200_000;
        ConnectionTracker tracker = new(new CaptureAnalyser());
        long time = 1_000_000_000;
        uint sequence = 1000;
        Feed(tracker, Warm, ref time, ref sequence);
        long before = GC.GetAllocatedBytesForCurrentThread();

        Feed(tracker, Measured, ref time, ref sequence);

        // What is kept of a connection is bounded: lists of samples may still grow a little.
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, Measured / 2);
    }

    private static void Feed(ConnectionTracker tracker, int packets, ref long time, ref uint sequence)
    {
        for (int i = 0; i < packets; i += 3)
        {
            tracker.Add(Data(time, sequence));
            tracker.Add(Data(time + 1000, sequence + 1448));
            sequence += 2896;
            tracker.Add(Ack(time + 200_000, sequence));
            time += 300_000;
        }
    }

    private static TcpSegment Data(long time, uint sequence) => new()
    {
        TimeNs = time,
        Source = Client,
        Destination = Server,
        SourcePort = 40000,
        DestinationPort = 80,
        Sequence = sequence,
        Acknowledgement = 1,
        Flags = TcpFlags.Ack,
        Window = 500,
        PayloadLength = 1448,
        IpId = (ushort)(sequence / 1448),
        WindowScale = -1,
    };

    private static TcpSegment Ack(long time, uint acknowledgement) => new()
    {
        TimeNs = time,
        Source = Server,
        Destination = Client,
        SourcePort = 80,
        DestinationPort = 40000,
        Sequence = 1,
        Acknowledgement = acknowledgement,
        Flags = TcpFlags.Ack,
        Window = 50_000,
        IpId = (ushort)(acknowledgement / 1448),
        WindowScale = -1,
    };
}
