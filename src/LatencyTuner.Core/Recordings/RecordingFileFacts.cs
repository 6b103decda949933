using LatencyTuner.Core.Capture;

namespace LatencyTuner.Core.Recordings;

/// <summary>What was read from one file.</summary>
public sealed record RecordingFileFacts
{
    /// <summary>Path of the file as it was given.</summary>
    public required string Path { get; init; }

    /// <summary>SHA-256 of its bytes in hexadecimal; null when unknown. Waits until the hash has been computed.</summary>
    public string? Sha256 => Hash?.GetAwaiter().GetResult();

    /// <summary>The task that computes the hash beside the analysis; null when no hash is computed.</summary>
    public Task<string?>? Hash { get; init; }

    /// <summary>The file format, for example <c>pcap</c> or <c>etl</c>.</summary>
    public required string Kind { get; init; }

    /// <summary>Number of packets of every protocol.</summary>
    public required long Packets { get; init; }

    /// <summary>Number of TCP segments.</summary>
    public required long Segments { get; init; }

    /// <summary>Bytes read, after decompression.</summary>
    public required long Bytes { get; init; }

    /// <summary>Number of packets left out, by reason.</summary>
    public required IReadOnlyDictionary<string, long> Skipped { get; init; }

    /// <summary>Packets that the capturing program reports as lost; null when it does not report any number.</summary>
    public long? FramesLost { get; init; }

    /// <summary>Where the file is damaged; null when it is not.</summary>
    public CaptureDamage? Damage { get; init; }

    /// <summary>Capture time of the first packet, nanoseconds since 1970; null without a packet.</summary>
    public long? FirstNs { get; init; }

    /// <summary>Capture time of the last packet, nanoseconds since 1970; null without a packet.</summary>
    public long? LastNs { get; init; }

    /// <summary>Resolution of its timestamps in nanoseconds.</summary>
    public long ClockStepNs { get; init; }

    /// <summary>The clock step that its packets show, in nanoseconds, when it is 1 ms or more; null when it is finer or there are too few packets.</summary>
    public long? CoarseStepNs { get; init; }

    /// <summary>Events of a trace, headers and metadata included; 0 for captures.</summary>
    public long Events { get; init; }

    /// <summary>Events that the session of a trace lost.</summary>
    public long EventsLost { get; init; }

    /// <summary>Packets that the recording machine dropped, by component and reason; empty where the recording does not show it.</summary>
    public IReadOnlyList<string> DroppedHere { get; init; } = [];

    /// <summary>Buffers that the session of a trace lost.</summary>
    public long BuffersLost { get; init; }

    /// <summary>How many of each event a trace holds, the most frequent first; empty for captures.</summary>
    public IReadOnlyList<TraceEventCount> EventCounts { get; init; } = [];
}

/// <summary>How many of one event a trace holds.</summary>
/// <param name="Provider">Name of its provider or class; its id where no name is known.</param>
/// <param name="IsClassic">True when the number is an opcode, false when it is an event id.</param>
/// <param name="Number">Event id or opcode.</param>
/// <param name="Version">Version of the payload.</param>
/// <param name="Count">Number of events.</param>
/// <param name="Name">Its name; null when neither the trace nor the built-in layouts name it.</param>
public sealed record TraceEventCount(string Provider, bool IsClassic, int Number, int Version, long Count, string? Name);
