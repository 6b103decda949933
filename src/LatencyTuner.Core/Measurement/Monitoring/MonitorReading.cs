using LatencyTuner.Core.Histograms;

namespace LatencyTuner.Core.Measurement.Monitoring;

/// <summary>The results of one target in one interval, as they were stored.</summary>
/// <param name="Target">Its name.</param>
/// <param name="StartUtc">Start of the interval by the wall clock.</param>
/// <param name="Duration">Its length by the steady clock.</param>
/// <param name="Response">Response times.</param>
/// <param name="Errors">Exchanges and connects that failed.</param>
/// <param name="Missed">Planned requests that were not sent.</param>
/// <param name="ClockStep">How far the wall clock moved more than the steady clock.</param>
/// <param name="StoodStill">How long this machine was suspended or not scheduled after the interval.</param>
internal sealed record MonitorReading(
    string Target, DateTimeOffset StartUtc, TimeSpan Duration, DecodedBuckets Response, int Errors, int Missed, TimeSpan ClockStep, TimeSpan StoodStill);
