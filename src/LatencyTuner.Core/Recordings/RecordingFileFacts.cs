using LatencyTuner.Core.Capture;

namespace LatencyTuner.Core.Recordings;

/// <summary>What was read of one file.</summary>
public sealed record RecordingFileFacts
{
    /// <summary>Its path.</summary>
    public required string Path { get; init; }

    /// <summary>SHA-256 of its bytes in hexadecimal; null when unknown. Waits where it is still under way.</summary>
    public string? Sha256 => Hash?.GetAwaiter().GetResult();

    /// <summary>The same, which is worked out beside the analysis; null when it will not be known.</summary>
    public Task<string?>? Hash { get; init; }

    /// <summary>The container.</summary>
    public required string Kind { get; init; }

    /// <summary>Packets of every protocol.</summary>
    public required long Packets { get; init; }

    /// <summary>TCP segments.</summary>
    public required long Segments { get; init; }

    /// <summary>Bytes read, after decompression.</summary>
    public required long Bytes { get; init; }

    /// <summary>Packets left out by reason.</summary>
    public required IReadOnlyDictionary<string, long> Skipped { get; init; }

    /// <summary>Packets that the capturing program says it lost; null when it does not say.</summary>
    public long? FramesLost { get; init; }

    /// <summary>Where it stopped making sense; null when it did not.</summary>
    public CaptureDamage? Damage { get; init; }

    /// <summary>Capture time of the first and the last packet, nanoseconds since 1970; null without a packet.</summary>
    public long? FirstNs { get; init; }

    /// <summary>Capture time of the last packet.</summary>
    public long? LastNs { get; init; }

    /// <summary>Step of its clock in nanoseconds.</summary>
    public long ClockStepNs { get; init; }

    /// <summary>The same as its packets show it, when that is a millisecond or more; null when it is finer or too few packets tell.</summary>
    public long? CoarseStepNs { get; init; }

    /// <summary>Events of a trace, headers and metadata included; 0 for captures.</summary>
    public long Events { get; init; }

    /// <summary>Events that the session of a trace lost.</summary>
    public long EventsLost { get; init; }

    /// <summary>Buffers that the session of a trace lost.</summary>
    public long BuffersLost { get; init; }

    /// <summary>How often each event is in a trace, the most frequent first; empty for captures.</summary>
    public IReadOnlyList<TraceEventCount> EventCounts { get; init; } = [];
}

/// <summary>How often one event is in a trace.</summary>
/// <param name="Provider">Name of its provider or class; its id where no name is known.</param>
/// <param name="IsClassic">True when the number is an opcode.</param>
/// <param name="Number">Id or opcode.</param>
/// <param name="Version">Version of the payload.</param>
/// <param name="Count">How often.</param>
/// <param name="Name">Its name; null when neither the trace nor the tables tell it.</param>
public sealed record TraceEventCount(string Provider, bool IsClassic, int Number, int Version, long Count, string? Name);
