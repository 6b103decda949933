namespace LatencyTuner.Core.Tuning.Recommendations;

/// <summary>A finding, or a verdict, that no setting cures: what it means and where to look.</summary>
public sealed record Explanation
{
    /// <summary>Id of the finding; null for a verdict without one.</summary>
    public string? FindingId { get; init; }

    /// <summary>What was measured; null when the report names no target.</summary>
    public string? Target { get; init; }

    /// <summary>The file it comes from.</summary>
    public required string File { get; init; }

    /// <summary>What it means, a sentence.</summary>
    public required string Text { get; init; }

    /// <summary>The recommendations that do not apply, by id.</summary>
    public IReadOnlyList<string> DoesNotApply { get; init; } = [];

    /// <summary>Where to look instead, a sentence; null for nowhere.</summary>
    public string? LookAt { get; init; }
}
