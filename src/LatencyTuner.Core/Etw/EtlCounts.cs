namespace LatencyTuner.Core.Etw;

/// <summary>What was read of a trace, what its session lost, and what could not be read.</summary>
public sealed record EtlCounts
{
    /// <summary>Bytes of the file; of the unpacked file when it was packed.</summary>
    public long FileBytes { get; init; }

    /// <summary>Buffers of the file.</summary>
    public int Buffers { get; init; }

    /// <summary>Buffers that are compressed.</summary>
    public int CompressedBuffers { get; init; }

    /// <summary>Bytes of the file that belong to no buffer.</summary>
    public long SkippedBytes { get; init; }

    /// <summary>Events delivered, headers and metadata of the trace included; 0 before the events were read.</summary>
    public long Events { get; init; }

    /// <summary>Bytes of buffers walked, after decompression.</summary>
    public long DecodedBytes { get; init; }

    /// <summary>Events the session lost, by its log file header; 0 there while the session runs.</summary>
    public long EventsLost { get; init; }

    /// <summary>Buffers the session lost, by its log file header.</summary>
    public long BuffersLost { get; init; }

    /// <summary>Buffers whose flags say that something was lost before them.</summary>
    public int BuffersAfterLoss { get; init; }

    /// <summary>True when the session had not ended when the file was copied, or was never ended: no end time, or fewer buffers than announced.</summary>
    public bool IsUnfinished { get; init; }

    /// <summary>How often each kind of damage was met; kinds not met are absent.</summary>
    public required IReadOnlyDictionary<EtlDamageKind, long> Damages { get; init; }

    /// <summary>The first places of each kind.</summary>
    public required IReadOnlyList<EtlDamage> Located { get; init; }

    /// <summary>True when nothing was lost, skipped or damaged.</summary>
    public bool IsComplete => Damages.Count == 0 && EventsLost == 0 && BuffersLost == 0 && BuffersAfterLoss == 0 && SkippedBytes == 0 && !IsUnfinished;
}
