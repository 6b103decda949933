namespace LatencyTuner.Core.Capture;

/// <summary>
/// Frames in the order of the container, whatever it is: pcap, pcapng, or packets inside an .etl. A reader allocates nothing per frame,
/// never throws for what the container holds, and ends at the first byte it cannot make sense of.
/// </summary>
internal interface ICaptureReader : IDisposable
{
    /// <summary>The container by name, such as <c>pcap</c>.</summary>
    string Kind { get; }

    /// <summary>Smallest step of its clock in nanoseconds; the coarsest where interfaces differ.</summary>
    long ClockStepNs { get; }

    /// <summary>Bytes read so far, after decompression.</summary>
    long BytesRead { get; }

    /// <summary>Where and why reading ended before the end; null while all is well.</summary>
    CaptureDamage? Damage { get; }

    /// <summary>Frames that the capturing program says it lost; null when it does not say.</summary>
    long? FramesLost { get; }

    /// <summary>Reads the next frame.</summary>
    /// <param name="frame">The frame, valid until the next call.</param>
    /// <returns>False at the end, which <see cref="Damage"/> may have brought.</returns>
    bool TryRead(out CapturedFrame frame);
}
