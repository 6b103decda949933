namespace LatencyTuner.Core.Measurement.TimeSeries;

/// <summary>One row of a series: a single request, or the figures of an interval.</summary>
/// <param name="TimeSeconds">Unix time, seconds.</param>
/// <param name="ValueNs">Its latency, or the median of the interval, nanoseconds.</param>
/// <param name="TailNs">The same, or the 99th percentile of the interval, nanoseconds.</param>
/// <param name="Count">Requests behind it.</param>
/// <param name="Slow">How many of them were slow.</param>
public readonly record struct SeriesPoint(double TimeSeconds, long ValueNs, long TailNs, int Count, int Slow);
