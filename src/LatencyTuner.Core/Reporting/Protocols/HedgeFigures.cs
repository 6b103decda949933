using System.ComponentModel.DataAnnotations;
using LatencyTuner.Core.Analysis.Hedging;
using LatencyTuner.Core.Statistics;

namespace LatencyTuner.Core.Reporting.Protocols;

/// <summary>Best of two: a first target with a second one as its hedge.</summary>
public sealed record HedgeFigures
{
    /// <summary>How long the first was waited for before the second was asked, in microseconds.</summary>
    public required double AfterUs { get; init; }

    /// <summary>Hedged requests made.</summary>
    [Range(0, double.MaxValue)]
    public required long Hedged { get; init; }

    /// <summary>Share (0 to 1) of them for which the second was asked: the extra load.</summary>
    public double? ExtraLoadShare { get; init; }

    /// <summary>Hedged requests that neither answered.</summary>
    [Range(0, double.MaxValue)]
    public required long Unanswered { get; init; }

    /// <summary>Measured times until the quicker of both had answered.</summary>
    public required LatencyFigures Measured { get; init; }

    /// <summary>What the series measured apart predict, against what was measured.</summary>
    public IReadOnlyList<HedgeQuantile> Quantiles { get; init; } = [];

    /// <summary>
    /// <c>independent</c>, <c>shared</c> (client or path hold both up), <c>better-than-independent</c>, <c>nothing-to-gain</c> or <c>cannot-tell</c>.
    /// </summary>
    public required string Verdict { get; init; }

    /// <summary>What that means, a sentence.</summary>
    public required string Because { get; init; }
}
