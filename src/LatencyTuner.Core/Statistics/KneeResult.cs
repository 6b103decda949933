namespace LatencyTuner.Core.Statistics;

/// <summary>A knee of a sweep. It holds for the swept range only: another range may move it.</summary>
/// <param name="X">The level of the knee.</param>
/// <param name="LowX">Lower end of its interval.</param>
/// <param name="HighX">Upper end of its interval; both ends equal the knee when each level has one run.</param>
/// <param name="Found">Share of the bootstrap resamples that have a knee, from 0 to 1.</param>
/// <param name="LineX">Where two line segments fit best: the cross-check.</param>
/// <param name="P">p-value of two segments against one line.</param>
public sealed record KneeResult(double X, double LowX, double HighX, double Found, double LineX, double P);
