namespace LatencyTuner.Core.Histograms;

/// <summary>One interval of the time series, given to the caller while the measurement runs.</summary>
/// <param name="Start">Start of the interval.</param>
/// <param name="Duration">Its length.</param>
/// <param name="Response">Its response times; valid only during the call.</param>
public readonly record struct SeriesInterval(DateTimeOffset Start, TimeSpan Duration, LatencyHistogram Response);
