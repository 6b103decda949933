using LatencyTuner.Core.Capture;

namespace LatencyTuner.Tests.Capture;

/// <summary>All segments of a capture, and how its reading ended.</summary>
internal sealed record DecodedCapture(
    List<TcpSegment> Segments, long Frames, string Kind, CaptureDamage? Damage, long? FramesLost, long FramesWithoutTime, long ClockStepNs,
    SegmentDecoder Decoder)
{
    public static DecodedCapture Read(string path) => Read(File.OpenRead(path), path);

    public static DecodedCapture Read(byte[] bytes) => Read(new MemoryStream(bytes), "x.pcap");

    public static DecodedCapture Read(Stream stream, string path)
    {
        List<TcpSegment> segments = [];
        SegmentDecoder decoder = new();
        using ICaptureReader reader = CaptureContainer.Open(stream, path);
        long frames = 0;
        while (reader.TryRead(out CapturedFrame frame))
        {
            frames++;
            if (decoder.Decode(in frame, out TcpSegment segment) == DecodeOutcome.Tcp)
            {
                segments.Add(segment);
            }
        }

        return new DecodedCapture(segments, frames, reader.Kind, reader.Damage, reader.FramesLost, reader.FramesWithoutTime, reader.ClockStepNs, decoder);
    }
}
