using LatencyTuner.Core.Evidence;

namespace LatencyTuner.Core.Reporting.Analysis;

/// <summary>Which parts of an analysis go into its document.</summary>
public sealed record AnalysisOptions
{
    /// <summary>Transactions shorter than this are left out; zero leaves none out.</summary>
    public TimeSpan SlowerThan { get; init; }

    /// <summary>Maximum number of transactions listed; the slowest are kept.</summary>
    public int MostTransactions { get; init; } = 10_000;

    /// <summary>Maximum number of connections listed; those that lost the most time are kept.</summary>
    public int MostConnections { get; init; } = 1000;

    /// <summary>Sockets of the host that was captured, read at the same time: they name processes and their TCP_NODELAY. Empty without a document.</summary>
    public IReadOnlyList<HostSocket> Sockets { get; init; } = [];

    /// <summary>Maximum number of findings of one cause listed; the costliest are kept.</summary>
    public int MostFindings { get; init; } = 100;
}
