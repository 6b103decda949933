namespace LatencyTuner.Core.Capture;

/// <summary>
/// Frames in the order of the container: pcap, pcapng, snoop, or packets inside an .etl. A reader allocates nothing per frame, never throws because of
/// the content, and ends where the structure of the file is broken. A damaged value inside an intact record affects that record only.
/// </summary>
internal interface ICaptureReader : IDisposable
{
    /// <summary>The name of the container format, for example <c>pcap</c>.</summary>
    string Kind { get; }

    /// <summary>Smallest step of the capture clock in nanoseconds; the coarsest step where interfaces differ.</summary>
    long ClockStepNs { get; }

    /// <summary>Bytes read so far, after decompression.</summary>
    long BytesRead { get; }

    /// <summary>The first damaged place of the file; null without damage. Reading may have continued after it.</summary>
    CaptureDamage? Damage { get; }

    /// <summary>Number of frames that the capturing program reports as lost; null when it does not report this.</summary>
    long? FramesLost { get; }

    /// <summary>Number of frames without a time in the container: their time is 0 and has no meaning.</summary>
    long FramesWithoutTime => 0;

    /// <summary>Reads the next frame.</summary>
    /// <param name="frame">The frame, valid until the next call.</param>
    /// <returns>False at the end of the file, or where its structure is lost.</returns>
    bool TryRead(out CapturedFrame frame);
}

/// <summary>The place where a file is damaged.</summary>
/// <param name="Offset">Offset in bytes of the record that could not be read, after decompression.</param>
/// <param name="Reason">What is wrong there: a clause with the wrong value.</param>
public sealed record CaptureDamage(long Offset, string Reason);
