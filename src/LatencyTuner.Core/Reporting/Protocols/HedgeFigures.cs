using System.ComponentModel.DataAnnotations;
using LatencyTuner.Core.Analysis.Hedging;
using LatencyTuner.Core.Statistics;

namespace LatencyTuner.Core.Reporting.Protocols;

/// <summary>Hedged requests (best of two): a first target, and a second one that is asked when the first is slow.</summary>
public sealed record HedgeFigures
{
    /// <summary>
    /// How long a request waited for the first target before it asked the second, in microseconds; the median where this followed the times of the first.
    /// </summary>
    public required double AfterUs { get; init; }

    /// <summary>The shortest of these waits, in microseconds; null when all were equal.</summary>
    public double? AfterLowUs { get; init; }

    /// <summary>The longest of these waits, in microseconds; null when all were equal.</summary>
    public double? AfterHighUs { get; init; }

    /// <summary>Number of hedged requests.</summary>
    [Range(0, double.MaxValue)]
    public required long Hedged { get; init; }

    /// <summary>Share (0 to 1) of hedged requests that also asked the second target: the extra load.</summary>
    public double? ExtraLoadShare { get; init; }

    /// <summary>The extra load that the percentile of the delay plans, 0 to 1: 0.05 with p95; null when the delay is a fixed time.</summary>
    public double? PlannedExtraLoadShare { get; init; }

    /// <summary>Why the extra load is more than twice the planned one and what to do, a few sentences; null when it is not.</summary>
    public string? ExtraLoadBecause { get; init; }

    /// <summary>Number of hedged requests that neither target answered.</summary>
    [Range(0, double.MaxValue)]
    public required long Unanswered { get; init; }

    /// <summary>Times until the faster of both targets had answered.</summary>
    public required LatencyFigures Measured { get; init; }

    /// <summary>The prediction from both targets measured alone, beside the measured values.</summary>
    public IReadOnlyList<HedgeQuantile> Quantiles { get; init; } = [];

    /// <summary>
    /// <c>independent</c>, <c>shared</c> (client or path delay both), <c>better-than-independent</c>, <c>nothing-to-gain</c> or <c>cannot-tell</c>.
    /// </summary>
    public required string Verdict { get; init; }

    /// <summary>What the verdict means, a sentence.</summary>
    public required string Because { get; init; }
}
