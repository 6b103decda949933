using LatencyTuner.Core.Findings;

namespace LatencyTuner.Core.Tuning.Recommendations;

/// <summary>A finding as a report file has it. The cause is a word, so that a report of a newer version is read as far as it is understood.</summary>
public sealed record EvidencedFinding
{
    /// <summary>Stable id, <c>LT101</c> and so on.</summary>
    public required string Id { get; init; }

    /// <summary>The cause by name.</summary>
    public required string Cause { get; init; }

    /// <summary>The side at fault; null when it could not be told.</summary>
    public Side? Side { get; init; }

    /// <summary>The address of the host at fault; null when unknown.</summary>
    public string? Host { get; init; }

    /// <summary>The process at fault; null when unknown.</summary>
    public string? Process { get; init; }

    /// <summary>How sure.</summary>
    public required Confidence Confidence { get; init; }

    /// <summary>How much it costs.</summary>
    public required Severity Severity { get; init; }

    /// <summary>How many times it was seen.</summary>
    public long Count { get; init; }

    /// <summary>Delayed-ACK firings, harmful or not; null where it does not apply.</summary>
    public long? Fired { get; init; }

    /// <summary>Firings that something waited for; null where it does not apply.</summary>
    public long? Harmful { get; init; }

    /// <summary>The time lost in milliseconds over the whole evidence; null when it could not be told.</summary>
    public double? CostMs { get; init; }

    /// <summary>The time lost as a share (0 to 1) of the active time; null when it could not be told.</summary>
    public double? CostShare { get; init; }

    /// <summary>The connections concerned.</summary>
    public IReadOnlyList<string> Connections { get; init; } = [];

    /// <summary>The evidence for it, a sentence each.</summary>
    public IReadOnlyList<string> For { get; init; } = [];

    /// <summary>The evidence against it, a sentence each.</summary>
    public IReadOnlyList<string> Against { get; init; } = [];

    /// <summary>What the report says to do, a sentence; null when nothing.</summary>
    public string? Recommendation { get; init; }

    /// <summary>The file it comes from.</summary>
    public string File { get; init; } = "";

    /// <summary>What was measured, by the name that was given; null when the report names no target.</summary>
    public string? Target { get; init; }
}
