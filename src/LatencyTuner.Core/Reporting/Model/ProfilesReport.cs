namespace LatencyTuner.Core.Reporting.Model;

/// <summary>The <c>profiles</c> document.</summary>
public sealed record ProfilesReport
{
    /// <summary><c>latencytuner/profiles/1</c>.</summary>
    public string Schema { get; init; } = "latencytuner/profiles/1";

    /// <summary>Requests per second that the estimates are for.</summary>
    public required double RatePerSecond { get; init; }

    /// <summary>The profiles, the one with the fewest events first.</summary>
    public required IReadOnlyList<ReportedProfile> Profiles { get; init; }

    /// <summary>What the reader must know, a sentence each.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];
}
