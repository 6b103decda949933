namespace LatencyTuner.Core.Capture;

/// <summary>
/// Frames in the order of the container, whatever it is: pcap, pcapng, or packets inside an .etl. A reader allocates nothing per frame,
/// never throws for what the container holds, and ends where its structure is lost. What is broken inside an intact record costs that record only.
/// </summary>
internal interface ICaptureReader : IDisposable
{
    /// <summary>The container by name, such as <c>pcap</c>.</summary>
    string Kind { get; }

    /// <summary>Smallest step of its clock in nanoseconds; the coarsest where interfaces differ.</summary>
    long ClockStepNs { get; }

    /// <summary>Bytes read so far, after decompression.</summary>
    long BytesRead { get; }

    /// <summary>The first place that made no sense; null while all is well. Reading may have gone on behind it.</summary>
    CaptureDamage? Damage { get; }

    /// <summary>Frames that the capturing program says it lost; null when it does not say.</summary>
    long? FramesLost { get; }

    /// <summary>Frames whose container holds no time for them: the time is 0 and says nothing.</summary>
    long FramesWithoutTime => 0;

    /// <summary>Reads the next frame.</summary>
    /// <param name="frame">The frame, valid until the next call.</param>
    /// <returns>False at the end of the file, or where its structure is lost.</returns>
    bool TryRead(out CapturedFrame frame);
}

/// <summary>Where a file stopped making sense.</summary>
/// <param name="Offset">Offset in bytes of the record that could not be read, after decompression.</param>
/// <param name="Reason">What is wrong there, a clause with the offending value.</param>
public sealed record CaptureDamage(long Offset, string Reason);
