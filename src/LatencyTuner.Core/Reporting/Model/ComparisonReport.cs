namespace LatencyTuner.Core.Reporting.Model;

/// <summary>The <c>comparison</c> document.</summary>
public sealed record ComparisonReport
{
    /// <summary><c>latencytuner/comparison/1</c>.</summary>
    public string Schema { get; init; } = "latencytuner/comparison/1";

    /// <summary>Path of the first measurement.</summary>
    public required string A { get; init; }

    /// <summary>Path of the second measurement.</summary>
    public required string B { get; init; }

    /// <summary>Responses in A.</summary>
    public required long CountA { get; init; }

    /// <summary>Responses in B.</summary>
    public required long CountB { get; init; }

    /// <summary>Independent parts of A.</summary>
    public required int RunsA { get; init; }

    /// <summary>Independent parts of B.</summary>
    public required int RunsB { get; init; }

    /// <summary><c>better</c>, <c>same</c>, <c>worse</c> or <c>cannot-tell</c>: B against A.</summary>
    public required string Verdict { get; init; }

    /// <summary>The verdict in a sentence.</summary>
    public required string Text { get; init; }

    /// <summary>The shift function.</summary>
    public IReadOnlyList<ComparedQuantile> Quantiles { get; init; } = [];

    /// <summary>What the reader must know, a sentence each.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];
}
