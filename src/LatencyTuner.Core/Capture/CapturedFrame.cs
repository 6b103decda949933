namespace LatencyTuner.Core.Capture;

/// <summary>One captured frame. It points into the reader's buffer and is valid until the next one is read.</summary>
internal readonly ref struct CapturedFrame
{
    /// <summary>1 for the first frame of the file, as analysers number them.</summary>
    public required long Number { get; init; }

    /// <summary>
    /// Capture time in nanoseconds since 1970-01-01 UTC, at most <see cref="CaptureClock.Latest"/> from it: the difference of two always fits.
    /// </summary>
    public required long TimeNs { get; init; }

    /// <summary>Link type of the frame, see <see cref="LinkTypes"/>.</summary>
    public required int LinkType { get; init; }

    /// <summary>Interface it was captured on, 0 where the container has only one.</summary>
    public int InterfaceId { get; init; }

    /// <summary>Length of the frame on the wire in bytes; never shorter than what was captured.</summary>
    public required int OriginalLength { get; init; }

    /// <summary>The captured bytes.</summary>
    public required ReadOnlySpan<byte> Data { get; init; }
}
