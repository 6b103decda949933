using LatencyTuner.Core.Analysis.Selftest;

namespace LatencyTuner.Core.Reporting.Model;

/// <summary>An assumption about Windows with what its probe found.</summary>
public sealed record SelftestProbe
{
    /// <summary>Stable id of the assumption, as in the documentation.</summary>
    public required string Id { get; init; }

    /// <summary>The group it is listed in.</summary>
    public required string Group { get; init; }

    /// <summary>What is assumed.</summary>
    public required string Assumption { get; init; }

    /// <summary>Whether it is so.</summary>
    public required AssumptionState Result { get; init; }

    /// <summary>Why, a sentence.</summary>
    public required string Because { get; init; }

    /// <summary>What was seen, without names or addresses of the machine.</summary>
    public IReadOnlyList<string> Evidence { get; init; } = [];

    /// <summary>What settles it; null when the probe did.</summary>
    public string? Run { get; init; }
}
