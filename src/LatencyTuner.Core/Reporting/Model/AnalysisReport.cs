using LatencyTuner.Core.Analysis;

namespace LatencyTuner.Core.Reporting.Model;

/// <summary>The <c>analysis</c> document: what captures show.</summary>
public sealed record AnalysisReport
{
    /// <summary><c>latencytuner/analysis/1</c>.</summary>
    public string Schema { get; init; } = "latencytuner/analysis/1";

    /// <summary>False when reading ended early.</summary>
    public required bool Complete { get; init; }

    /// <summary>The result in a sentence.</summary>
    public required string Text { get; init; }

    /// <summary>The files.</summary>
    public required IReadOnlyList<AnalysedInput> Inputs { get; init; }

    /// <summary>Hosts by how long their ACKs were held, the slowest first.</summary>
    public IReadOnlyList<AnalysedHost> Hosts { get; init; } = [];

    /// <summary>Processes by the bytes they moved, the most first; empty for captures.</summary>
    public IReadOnlyList<AnalysedProcess> Processes { get; init; } = [];

    /// <summary>Connections by lost time, the worst first; at most as many as asked for.</summary>
    public IReadOnlyList<AnalysedConnection> Connections { get; init; } = [];

    /// <summary>Connections that were seen, listed or not.</summary>
    public long ConnectionCount { get; init; }

    /// <summary>Requests with their responses, in order of time; the slowest when there are more than asked for.</summary>
    public IReadOnlyList<AnalysedTransaction> Transactions { get; init; } = [];

    /// <summary>Transactions that were seen, listed or not.</summary>
    public long TransactionCount { get; init; }

    /// <summary>Figures behind the findings.</summary>
    public IReadOnlyList<AnalysisObservation> Observations { get; init; } = [];

    /// <summary>Findings.</summary>
    public IReadOnlyList<Finding> Findings { get; init; } = [];

    /// <summary>One example stall step by step; null without one.</summary>
    public AnalysisLadder? Example { get; init; }

    /// <summary>Connections that were captured at two places.</summary>
    public IReadOnlyList<PairedConnection> Pairs { get; init; } = [];

    /// <summary>What the reader must know, a sentence each.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];
}
