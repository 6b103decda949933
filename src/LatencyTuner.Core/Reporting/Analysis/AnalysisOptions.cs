namespace LatencyTuner.Core.Reporting.Analysis;

/// <summary>What of an analysis goes into its document.</summary>
public sealed record AnalysisOptions
{
    /// <summary>Transactions shorter than this are left out; zero for none.</summary>
    public TimeSpan SlowerThan { get; init; }

    /// <summary>Transactions listed at most; the slowest stay.</summary>
    public int MostTransactions { get; init; } = 10_000;

    /// <summary>Connections listed at most; those that lost most time stay.</summary>
    public int MostConnections { get; init; } = 1000;

    /// <summary>Findings of one cause listed at most; the costliest stay.</summary>
    public int MostFindings { get; init; } = 100;
}
