namespace LatencyTuner.Core.Reporting.Model;

/// <summary>A file that was analysed.</summary>
public sealed record AnalysedInput
{
    /// <summary>Its path; <c>-</c> for standard input.</summary>
    public required string Path { get; init; }

    /// <summary>SHA-256 of its bytes in hexadecimal; null when they could not be read to the end.</summary>
    public string? Sha256 { get; init; }

    /// <summary>The container, such as pcap.</summary>
    public required string Kind { get; init; }

    /// <summary>Packets, of every protocol.</summary>
    public required long Packets { get; init; }

    /// <summary>Records, header and metadata included; 0 for captures.</summary>
    public long Events { get; init; }

    /// <summary>Records by provider; empty for captures.</summary>
    public IReadOnlyList<EventCount> EventCounts { get; init; } = [];

    /// <summary>Bytes read, after decompression.</summary>
    public required long Bytes { get; init; }

    /// <summary>Packets left out by reason.</summary>
    public IReadOnlyDictionary<string, long> Skipped { get; init; } = new Dictionary<string, long>();

    /// <summary>What was lost by kind: packets the capture dropped, bytes acknowledged but never captured.</summary>
    public IReadOnlyDictionary<string, long> Lost { get; init; } = new Dictionary<string, long>();

    /// <summary>Where and why reading ended early, a sentence; null when it did not.</summary>
    public string? Damage { get; init; }

    /// <summary>First packet.</summary>
    public DateTimeOffset? StartUtc { get; init; }

    /// <summary>Time from the first packet to the last, milliseconds.</summary>
    public double DurationMs { get; init; }

    /// <summary>Step of its clock in nanoseconds.</summary>
    public long ClockStepNs { get; init; }
}
