namespace LatencyTuner.Core.Tuning.Recommendations;

/// <summary>A report that recommendations are drawn from.</summary>
public sealed record EvidenceFile
{
    /// <summary>Its name.</summary>
    public required string File { get; init; }

    /// <summary>What it is: <c>diagnosis</c>, <c>measurement</c>, <c>check</c> and so on.</summary>
    public required string Kind { get; init; }

    /// <summary>False when the measurement in it ended early.</summary>
    public bool Complete { get; init; } = true;

    /// <summary>The paths that it measured.</summary>
    public IReadOnlyList<EvidencedPath> Paths { get; init; } = [];

    /// <summary>Its findings.</summary>
    public IReadOnlyList<EvidencedFinding> Findings { get; init; } = [];

    /// <summary>The experiments in it.</summary>
    public IReadOnlyList<EvidencedExperiment> Experiments { get; init; } = [];
}
