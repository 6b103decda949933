using LatencyTuner.Core.Histograms;

namespace LatencyTuner.Core.Measurement.Monitoring;

/// <summary>What happened with one target in one interval.</summary>
/// <param name="Target">Its name.</param>
/// <param name="StartUtc">Start of the interval by the wall clock.</param>
/// <param name="Duration">Its length by the steady clock.</param>
/// <param name="Response">Response times, from the planned send time where the answer before was late.</param>
/// <param name="Errors">Exchanges and connects that failed.</param>
/// <param name="Missed">Planned requests that were not sent, because the target was not connected or this machine stood still.</param>
/// <param name="ClockStep">How far the wall clock moved more than the steady one: it was set, or the machine slept; zero within half a second.</param>
/// <param name="LastError">Why the last one failed; null when none did.</param>
public sealed record MonitorInterval(
    string Target, DateTimeOffset StartUtc, TimeSpan Duration, LatencyHistogram Response, int Errors, int Missed, TimeSpan ClockStep, string? LastError)
{
    /// <summary>How long this machine stood still (it slept, or nothing ran) between the end of the interval and the next; zero within two seconds.</summary>
    public TimeSpan StoodStill { get; init; }
}
