using LatencyTuner.Core.Histograms;

namespace LatencyTuner.Core.Measurement.Monitoring;

/// <summary>The results of one target in one interval.</summary>
/// <param name="Target">Its name.</param>
/// <param name="StartUtc">Start of the interval by the wall clock.</param>
/// <param name="Duration">Its length by the steady clock.</param>
/// <param name="Response">Response times; they count from the planned send time where the previous answer was late.</param>
/// <param name="Errors">Exchanges and connects that failed.</param>
/// <param name="Missed">Planned requests that were not sent, because the target was not connected, or this machine was suspended or not scheduled.</param>
/// <param name="ClockStep">How far the wall clock moved more than the steady clock: it was set, or the machine was suspended; zero up to 0.5 s.</param>
/// <param name="LastError">Why the last failed exchange or connect failed; null when none did.</param>
public sealed record MonitorInterval(
    string Target, DateTimeOffset StartUtc, TimeSpan Duration, LatencyHistogram Response, int Errors, int Missed, TimeSpan ClockStep, string? LastError)
{
    /// <summary>How long this machine was suspended or not scheduled between this interval and the next; zero up to 2 s.</summary>
    public TimeSpan StoodStill { get; init; }
}
