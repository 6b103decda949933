namespace LatencyTuner.Core.Reporting.Model;

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
