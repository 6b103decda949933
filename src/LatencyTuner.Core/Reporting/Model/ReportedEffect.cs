namespace LatencyTuner.Core.Reporting.Model;

/// <summary>Whether a change helped.</summary>
public sealed record ReportedEffect
{
    /// <summary><c>better</c>, <c>same</c>, <c>worse</c> or <c>cannot-tell</c>.</summary>
    public required string Verdict { get; init; }

    /// <summary>The verdict in a sentence.</summary>
    public required string Text { get; init; }
}
