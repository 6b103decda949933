using LatencyTuner.Core.Histograms;

namespace LatencyTuner.Core.Measurement.Probes;

/// <summary>How several targets are asked on one schedule.</summary>
public sealed record ProbePlan
{
    /// <summary>Most requests per second to a host whose targets have not agreed to be measured.</summary>
    public const double MostAgentlessPerSecond = 10;

    /// <summary>Requests per second to each target.</summary>
    public required double RatePerSecond { get; init; }

    /// <summary>Requests to each target.</summary>
    public required long Rounds { get; init; }

    /// <summary>Seed of the order within each round.</summary>
    public int Seed { get; init; } = 1;

    /// <summary>The rate at which no host with agentless targets is asked more often than it may be.</summary>
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

    /// <summary>The first times one by one, for their dependence.</summary>
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

/// <summary>What came of all targets, before any judgement.</summary>
/// <param name="StartedUtc">When it began.</param>
/// <param name="Elapsed">How long it took.</param>
/// <param name="Plan">How it was asked.</param>
/// <param name="Series">One for each target, in the order given.</param>
/// <param name="Cancelled">True when it was cancelled.</param>
public sealed record ProbeResult(DateTimeOffset StartedUtc, TimeSpan Elapsed, ProbePlan Plan, IReadOnlyList<ProbeSeries> Series, bool Cancelled);
