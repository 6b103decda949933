using System.Diagnostics;
using System.Globalization;
using LatencyTuner.CaptureBench;
using LatencyTuner.Core.Capture;

// usage: latencytuner-capture-bench make FILE MEGABYTES | decode FILE [RUNS]
switch (args)
{
    case ["make", string file, string megabytes]:
        Make(file, long.Parse(megabytes, CultureInfo.InvariantCulture) * 1_000_000);
        return 0;
    case ["decode", string file, .. string[] runs]:
        for (int i = runs is [string n] ? int.Parse(n, CultureInfo.InvariantCulture) : 1; i > 0; i--)
        {
            Decode(file);
        }

        return 0;
    default:
        Console.Error.WriteLine("usage: latencytuner-capture-bench make FILE MEGABYTES | decode FILE [RUNS]");
        return 2;
}

static void Make(string file, long bytes)
{
    const int Open = 300;
    const long BeginUs = 1_700_000_000_000_000;
    Random random = new(20260101);
    using PcapWriter writer = new(new FileStream(file, FileMode.Create, FileAccess.Write, FileShare.None, 1 << 20));
    PriorityQueue<(Conversation Conversation, Packet Next), long> next = new();
    int number = 0;
    void Begin(long us)
    {
        Conversation conversation = new(number++, us + random.Next(2_000_000), random);
        conversation.TryNext(out Packet first);
        next.Enqueue((conversation, first), first.TimeUs);
    }

    for (int i = 0; i < Open; i++)
    {
        Begin(BeginUs);
    }

    while (writer.Bytes < bytes)
    {
        (Conversation conversation, Packet packet) = next.Dequeue();
        writer.Write(in packet);
        if (conversation.TryNext(out Packet following))
        {
            next.Enqueue((conversation, following), following.TimeUs);
        }
        else
        {
            Begin(packet.TimeUs);
        }
    }

    Console.WriteLine($"{writer.Packets} packets, {number} connections, {writer.Bytes} bytes");
}

static void Decode(string file)
{
    long begin = Stopwatch.GetTimestamp();
    using ICaptureReader reader = CaptureContainer.Open(new FileStream(file, FileMode.Open, FileAccess.Read, FileShare.Read, bufferSize: 0), file);
    SegmentDecoder decoder = new();
    long frames = 0;
    long payload = 0;
    long before = GC.GetAllocatedBytesForCurrentThread();
    while (reader.TryRead(out CapturedFrame frame))
    {
        frames++;
        if (decoder.Decode(in frame, out TcpSegment segment) == DecodeOutcome.Tcp)
        {
            payload += segment.PayloadLength;
        }
    }

    double seconds = Stopwatch.GetElapsedTime(begin).TotalSeconds;
    long allocated = GC.GetAllocatedBytesForCurrentThread() - before;
    Console.WriteLine(
        $"{frames} frames, {decoder.CountOf(DecodeOutcome.Tcp)} segments, {payload} bytes of payload in {seconds:0.000} s: {frames / seconds / 1e6:0.00} "
        + $"million frames/s, {reader.BytesRead / seconds / 1e6:0} MB/s, {allocated} bytes allocated meanwhile");
}
