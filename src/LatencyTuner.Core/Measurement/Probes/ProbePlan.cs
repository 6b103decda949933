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
