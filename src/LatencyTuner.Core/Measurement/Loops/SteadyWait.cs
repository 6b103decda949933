namespace LatencyTuner.Core.Measurement.Loops;

/// <summary>Waits on the steady clock.</summary>
internal static class SteadyWait
{
    private const double LongestSeconds = 60;

    // A wait may end this much too early where the timer of the system is coarse.
    private const double TimerSeconds = 0.0005;

    /// <summary>Waits until a timestamp of the clock; false when cancelled before.</summary>
    internal static bool Until(long timestamp, TimeProvider time, CancellationToken cancellation)
    {
        while (!cancellation.IsCancellationRequested)
        {
            double left = (timestamp - time.GetTimestamp()) / (double)time.TimestampFrequency;
            if (left <= 0)
            {
                return true;
            }

            cancellation.WaitHandle.WaitOne(TimeSpan.FromSeconds(Math.Min(left + TimerSeconds, LongestSeconds)));
        }
        return false;
    }
}
