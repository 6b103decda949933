namespace LatencyTuner.Core.Measurement.TimeSeries;

/// <summary>A known outage: what lies in it is left out of everything.</summary>
/// <param name="FromUtc">Its start, inclusive.</param>
/// <param name="ToUtc">Its end, exclusive.</param>
public readonly record struct ExcludedSpan(DateTimeOffset FromUtc, DateTimeOffset ToUtc)
{
    internal bool Holds(double unixSeconds) =>
        unixSeconds >= FromUtc.ToUnixTimeMilliseconds() / 1e3 && unixSeconds < ToUtc.ToUnixTimeMilliseconds() / 1e3;
}
