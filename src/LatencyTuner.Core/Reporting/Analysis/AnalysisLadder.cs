namespace LatencyTuner.Core.Reporting.Analysis;

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

/// <summary>One step of an example.</summary>
public sealed record LadderStep
{
    /// <summary>Milliseconds from the first step.</summary>
    public required double AtMs { get; init; }

    /// <summary>Who acted: client or server.</summary>
    public required string From { get; init; }

    /// <summary>What happened.</summary>
    public required string Text { get; init; }

    /// <summary>Frame number; null when no single frame did it.</summary>
    public long? Frame { get; init; }

    /// <summary>Why the time since the step before passed; null when nothing waited.</summary>
    public string? Because { get; init; }
}
