namespace LatencyTuner.Core.Capture;

/// <summary>One captured frame. It points into the reader's buffer and is valid until the next one is read.</summary>
internal readonly ref struct CapturedFrame
{
    /// <summary>Frame number as analysers show it: 1 for the first frame of the file.</summary>
    public required long Number { get; init; }

    /// <summary>
    /// Capture time in nanoseconds since 1970-01-01 UTC, within ±<see cref="CaptureClock.Latest"/>, so that the difference of two times always fits.
    /// </summary>
    public required long TimeNs { get; init; }

    /// <summary>Link type of the frame, see <see cref="LinkTypes"/>.</summary>
    public required int LinkType { get; init; }

    /// <summary>Number of the interface it was captured on; 0 where the container has only one.</summary>
    public int InterfaceId { get; init; }

    /// <summary>Length of the frame on the wire in bytes; never less than the captured length.</summary>
    public required int OriginalLength { get; init; }

    /// <summary>The captured bytes.</summary>
    public required ReadOnlySpan<byte> Data { get; init; }
}
