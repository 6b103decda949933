namespace LatencyTuner.Core.Reporting.Analysis;

/// <summary>One example step by step: what waited for what.</summary>
public sealed record AnalysisLadder
{
    /// <summary>What the example shows.</summary>
    public required string Title { get; init; }

    /// <summary>Id of the connection.</summary>
    public required string Connection { get; init; }

    /// <summary>The steps in order of time.</summary>
    public required IReadOnlyList<LadderStep> Steps { get; init; }

    /// <summary>False when the meaning of its events is known only from a manifest.</summary>
    public bool Verified { get; init; } = true;
}

/// <summary>One step of an example.</summary>
public sealed record LadderStep
{
    /// <summary>Time after the first step, milliseconds.</summary>
    public required double AtMs { get; init; }

    /// <summary>The end that acted: client or server.</summary>
    public required string From { get; init; }

    /// <summary>What that end did.</summary>
    public required string Text { get; init; }

    /// <summary>Frame number; null when no single frame did it.</summary>
    public long? Frame { get; init; }

    /// <summary>The reason for the time since the step before; null when nothing waited.</summary>
    public string? Because { get; init; }
}
