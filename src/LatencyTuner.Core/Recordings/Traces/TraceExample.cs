namespace LatencyTuner.Core.Recordings.Traces;

/// <summary>The longest wait of its kind on a connection. Times in nanoseconds since 1970.</summary>
/// <param name="FromNs">When it began.</param>
/// <param name="ToNs">When it ended.</param>
internal sealed record TraceExample(long FromNs, long ToNs)
{
    /// <summary>Sequence number of the data that waited; null when no event shows it.</summary>
    public uint? Sequence { get; init; }

    /// <summary>Number of bytes that waited.</summary>
    public long Bytes { get; init; }

    /// <summary>Bytes sent but not acknowledged when the wait began.</summary>
    public long Outstanding { get; init; }

    /// <summary>The window that had no room for the data, bytes.</summary>
    public uint Window { get; init; }

    public long DurationNs => ToNs - FromNs;

    public static TraceExample Longer(TraceExample? before, TraceExample now) => before is null || now.DurationNs > before.DurationNs ? now : before;
}
