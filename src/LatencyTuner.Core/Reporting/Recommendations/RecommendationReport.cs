using System.ComponentModel.DataAnnotations;
using System.Text.Json.Serialization;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting.Model;
using LatencyTuner.Core.Tuning.Recommendations;

namespace LatencyTuner.Core.Reporting.Recommendations;

/// <summary>The <c>recommendation</c> document.</summary>
public sealed record RecommendationReport : Report
{
    /// <summary><c>latencytuner/recommendation/2</c>.</summary>
    [JsonPropertyOrder(-2)]
    public string Schema { get; init; } = "latencytuner/recommendation/2";

    /// <summary>The reports that the recommendations are based on.</summary>
    public IReadOnlyList<RecommendationSource> From { get; init; } = [];

    /// <summary>Where the snapshot comes from; null without one.</summary>
    public string? Snapshot { get; init; }

    /// <summary>Name of the machine of the snapshot; null when unknown.</summary>
    public string? Machine { get; init; }

    /// <summary>The workload profile of the host: <c>low-latency</c>, <c>balanced</c> or <c>throughput</c>.</summary>
    public required string Profile { get; init; }

    /// <summary>What to do, the cheapest effective cure first; settings without evidence last.</summary>
    public IReadOnlyList<Recommendation> Recommendations { get; init; } = [];

    /// <summary>Findings that no setting cures, and where to look.</summary>
    public IReadOnlyList<Explanation> NotCured { get; init; } = [];

    /// <summary>The findings that were considered.</summary>
    public IReadOnlyList<Finding> Findings { get; init; } = [];

    /// <summary>What the reader must know, a sentence each.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];
}

/// <summary>A report that recommendations are based on.</summary>
public sealed record RecommendationSource
{
    /// <summary>Path of the file.</summary>
    public required string File { get; init; }

    /// <summary>Kind of document: <c>diagnosis</c>, <c>measurement</c> and so on.</summary>
    public required string Kind { get; init; }

    /// <summary>The targets that it measured.</summary>
    public IReadOnlyList<string> Targets { get; init; } = [];

    /// <summary>Number of findings in it.</summary>
    [Range(0, double.MaxValue)]
    public required long Findings { get; init; }
}
