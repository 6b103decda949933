namespace LatencyTuner.Core.Reporting.Model;

/// <summary>A report that recommendations are drawn from.</summary>
public sealed record RecommendationSource
{
    /// <summary>The file.</summary>
    public required string File { get; init; }

    /// <summary>What it is: <c>diagnosis</c>, <c>measurement</c> and so on.</summary>
    public required string Kind { get; init; }

    /// <summary>What it measured.</summary>
    public IReadOnlyList<string> Targets { get; init; } = [];

    /// <summary>How many findings it has.</summary>
    public required long Findings { get; init; }
}
