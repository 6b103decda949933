using LatencyTuner.Core.Statistics;

namespace LatencyTuner.Core.Reporting.Protocols;

/// <summary>Best of two: a first target with a second one as its hedge.</summary>
public sealed record HedgeFigures
{
    /// <summary>How long the first was waited for before the second was asked, in microseconds.</summary>
    public required double AfterUs { get; init; }

    /// <summary>Hedged requests made.</summary>
    public required long Hedged { get; init; }

    /// <summary>Share (0 to 1) of them for which the second was asked: the extra load.</summary>
    public double? ExtraLoadShare { get; init; }

    /// <summary>Hedged requests that neither answered.</summary>
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

/// <summary>One quantile of the quicker of two answers, predicted and measured.</summary>
public sealed record HedgeQuantile
{
    /// <summary>For example 0.99.</summary>
    public required double Quantile { get; init; }

    /// <summary>The first alone in microseconds; null for want of samples.</summary>
    public double? FirstUs { get; init; }

    /// <summary>Predicted from the series measured apart, if both are independent.</summary>
    public required double PredictedUs { get; init; }

    /// <summary>95 % bootstrap interval of the prediction.</summary>
    public required IntervalFigures Predicted { get; init; }

    /// <summary>The least possible whatever the dependence (Fréchet bound).</summary>
    public required double BestUs { get; init; }

    /// <summary>The most possible whatever the dependence (Fréchet bound).</summary>
    public required double WorstUs { get; init; }

    /// <summary>Measured; null for want of samples.</summary>
    public double? MeasuredUs { get; init; }

    /// <summary>95 % interval of the measured value.</summary>
    public IntervalFigures? Measured { get; init; }
}
