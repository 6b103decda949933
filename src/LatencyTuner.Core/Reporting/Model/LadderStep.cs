namespace LatencyTuner.Core.Reporting.Model;

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
