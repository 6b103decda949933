using LatencyTuner.Core;
using LatencyTuner.Core.Capture;

namespace LatencyTuner.Fuzz;

/// <summary>Reads one input to its end and holds what came out against what must hold for any input.</summary>
internal static class FuzzCase
{
    /// <summary>What reading may allocate whatever the input: buffers, and the tables of fragments and interfaces.</summary>
    public const long FixedAllowance = 4 << 20;

    /// <summary>And for each of its bytes; compressed ones become up to a thousand.</summary>
    public const long AllowancePerByte = 64;

    /// <summary>Runs one input.</summary>
    /// <param name="bytes">The file.</param>
    /// <param name="analyse">Gets every segment; what comes behind the decoder.</param>
    /// <exception cref="InvalidOperationException">Something that must hold does not.</exception>
    public static FuzzOutcome Run(byte[] bytes, ISegmentAnalysis? analyse = null)
    {
        long before = GC.GetAllocatedBytesForCurrentThread();
        FuzzOutcome outcome = Read(bytes, analyse);
        long allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        return analyse is not null || allocated <= FixedAllowance + (AllowancePerByte * bytes.Length) ? outcome
            : throw new InvalidOperationException($"{allocated} bytes were allocated for an input of {bytes.Length}");
    }

    private static FuzzOutcome Read(byte[] bytes, ISegmentAnalysis? analyse)
    {
        ICaptureReader reader;
        try
        {
            reader = CaptureContainer.Open(new MemoryStream(bytes, writable: false), "fuzz");
        }
        catch (ExpectedFailureException failure)
        {
            return failure.Code == ExitCode.Input && IsSentence(failure.Message) ? new FuzzOutcome(true, false, 0, 0)
                : throw new InvalidOperationException($"refused with {failure.Code}: {failure.Message}");
        }

        using (reader)
        {
            return Read(reader, analyse);
        }
    }

    private static FuzzOutcome Read(ICaptureReader reader, ISegmentAnalysis? analyse)
    {
        SegmentDecoder decoder = new();
        long frames = 0;
        long segments = 0;
        long number = 0;
        while (reader.TryRead(out CapturedFrame frame))
        {
            frames++;
            if (frame.Number <= number || frame.Data.Length > frame.OriginalLength || frame.InterfaceId < 0)
            {
                throw new InvalidOperationException(
                    $"frame {frame.Number} after {number}, {frame.Data.Length} of {frame.OriginalLength} bytes, interface {frame.InterfaceId}");
            }

            number = frame.Number;
            DecodeOutcome outcome = decoder.Decode(in frame, out TcpSegment segment);
            if (outcome == DecodeOutcome.Tcp && !MakesSense(in segment, in frame))
            {
                throw new InvalidOperationException($"segment of {segment.PayloadLength} bytes in frame {number} of {frame.OriginalLength}");
            }

            if (outcome == DecodeOutcome.Tcp)
            {
                segments++;
                analyse?.Add(in segment);
            }
        }

        analyse?.Finish();
        return !reader.TryRead(out _) && MakesSense(reader.Damage, reader.BytesRead) && reader.ClockStepNs > 0 && reader.FramesLost is null or >= 0
            && reader.FramesWithoutTime <= frames
            ? new FuzzOutcome(false, reader.Damage is not null, frames, segments)
            : throw new InvalidOperationException(
                $"damage at {reader.Damage?.Offset} of {reader.BytesRead}: {reader.Damage?.Reason}; {reader.FramesLost} lost, step {reader.ClockStepNs}");
    }

    private static bool MakesSense(in TcpSegment segment, in CapturedFrame frame) =>
        segment.PayloadLength >= 0 && segment.PayloadLength <= Math.Max(frame.OriginalLength, 1 << 16)
        && segment.FrameNumber == frame.Number && segment.TimeNs == frame.TimeNs && segment.SackCount <= SackBlockBuffer.Most;

    private static bool MakesSense(CaptureDamage? damage, long bytesRead) =>
        damage is null || (damage.Offset >= 0 && damage.Offset <= bytesRead && IsSentence(damage.Reason));

    /// <summary>What a user may be shown: one line of text.</summary>
    public static bool IsSentence(string text) => text.Length is > 0 and < 400 && !text.Any(char.IsControl);
}
