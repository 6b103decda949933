namespace LatencyTuner.Core.Reporting.Model;

/// <summary>One example step by step: what waited for what.</summary>
public sealed record AnalysisLadder
{
    /// <summary>What it shows.</summary>
    public required string Title { get; init; }

    /// <summary>The connection's id.</summary>
    public required string Connection { get; init; }

    /// <summary>The steps in order of time.</summary>
    public required IReadOnlyList<LadderStep> Steps { get; init; }

    /// <summary>False when the meaning of its events rests on a manifest alone.</summary>
    public bool Verified { get; init; } = true;
}
