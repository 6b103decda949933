using LatencyTuner.Core.Histograms;

namespace LatencyTuner.Core.Measurement.Probes;

/// <summary>The settings of a run that asks several targets on one schedule.</summary>
public sealed record ProbePlan
{
    /// <summary>Most requests per second to a host whose targets have not agreed to be measured.</summary>
    public const double MostAgentlessPerSecond = 10;

    /// <summary>Requests per second to each target.</summary>
    public required double RatePerSecond { get; init; }

    /// <summary>Number of requests to each target.</summary>
    public required long Rounds { get; init; }

    /// <summary>Seed of the order within each round.</summary>
    public int Seed { get; init; } = 1;

    /// <summary>The highest rate at which no host with agentless targets gets more than <see cref="MostAgentlessPerSecond"/> requests per second.</summary>
    /// <param name="targets">All targets.</param>
    /// <returns>Requests per second to each; infinite when every target is a responder.</returns>
    public static double MostRate(IEnumerable<ProbeTarget> targets)
    {
        int most = targets.Where(t => t.Agentless).GroupBy(t => t.Address.Address).Select(g => g.Count()).DefaultIfEmpty(0).Max();
        return most == 0 ? double.PositiveInfinity : MostAgentlessPerSecond / most;
    }
}

/// <summary>The times of one part of the exchanges with a target.</summary>
/// <param name="name">The part, such as <c>connect</c> or <c>first byte</c>.</param>
public sealed class ProbePhase(string name)
{
    private const int MostFirst = 4096;
    private readonly List<long> _first = [];

    /// <summary>The part, such as <c>connect</c> or <c>first byte</c>.</summary>
    public string Name => name;

    /// <summary>All times from the start of the exchange, nanoseconds.</summary>
    public LatencyHistogram Times { get; } = new();

    /// <summary>The first times one by one, for their autocorrelation.</summary>
    public ReadOnlySpan<long> First => System.Runtime.InteropServices.CollectionsMarshal.AsSpan(_first);

    internal void Record(long ns)
    {
        Times.Record(ns);
        if (_first.Count < MostFirst)
        {
            _first.Add(ns);
        }
    }
}

/// <summary>The results of all targets, before any verdict.</summary>
/// <param name="StartedUtc">Start of the run, UTC.</param>
/// <param name="Elapsed">Duration of the run.</param>
/// <param name="Plan">The settings of the run.</param>
/// <param name="Series">The results of each target, in the order given.</param>
/// <param name="Cancelled">True when it was cancelled.</param>
public sealed record ProbeResult(DateTimeOffset StartedUtc, TimeSpan Elapsed, ProbePlan Plan, IReadOnlyList<ProbeSeries> Series, bool Cancelled);
