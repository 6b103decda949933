namespace LatencyTuner.Core.Etw;

/// <summary>Counts of what was read from a trace, what its session lost, and what could not be read.</summary>
public sealed record EtlCounts
{
    /// <summary>Size of the file in bytes; for a packed file, of the unpacked data.</summary>
    public long FileBytes { get; init; }

    /// <summary>Number of buffers in the file.</summary>
    public int Buffers { get; init; }

    /// <summary>Number of compressed buffers.</summary>
    public int CompressedBuffers { get; init; }

    /// <summary>Number of bytes in the file that belong to no buffer.</summary>
    public long SkippedBytes { get; init; }

    /// <summary>Number of events that were delivered, including headers and metadata of the trace; 0 before the events are read.</summary>
    public long Events { get; init; }

    /// <summary>Size of the buffers that were read, after decompression, in bytes.</summary>
    public long DecodedBytes { get; init; }

    /// <summary>Number of events that the session lost, from its log file header; the header contains 0 while the session runs.</summary>
    public long EventsLost { get; init; }

    /// <summary>Number of buffers that the session lost, from its log file header.</summary>
    public long BuffersLost { get; init; }

    /// <summary>Number of buffers whose flags report a loss before them.</summary>
    public int BuffersAfterLoss { get; init; }

    /// <summary>True when the session had not ended when the file was copied, or never ended: no end time, or fewer buffers than the header says.</summary>
    public bool IsUnfinished { get; init; }

    /// <summary>Number of damaged places of each kind; kinds that did not occur are absent.</summary>
    public required IReadOnlyDictionary<EtlDamageKind, long> Damages { get; init; }

    /// <summary>The first damaged places of each kind.</summary>
    public required IReadOnlyList<EtlDamage> Located { get; init; }

    /// <summary>True when nothing was lost, skipped or damaged.</summary>
    public bool IsComplete => Damages.Count == 0 && EventsLost == 0 && BuffersLost == 0 && BuffersAfterLoss == 0 && SkippedBytes == 0 && !IsUnfinished;
}
