using LatencyTuner.Core.Sockets;

namespace LatencyTuner.Core.Measurement.Loops;

/// <summary>Waits until a point in time: sleeps while it is far away, then spins, since a sleep ends late.</summary>
internal static class Pacing
{
    /// <summary>How long before a planned time the thread starts to spin, in nanoseconds: the timer of Windows counts whole milliseconds.</summary>
    internal static readonly long SpinNs = OperatingSystem.IsWindows() ? 2_000_000 : 100_000;

    internal static void WaitUntil(long timestamp, TimeProvider time, ISocketPlatform platform, RunControl control)
    {
        double nsPerTick = 1e9 / time.TimestampFrequency;
        while (!control.Stopped)
        {
            long leftNs = (long)((timestamp - time.GetTimestamp()) * nsPerTick);
            if (leftNs <= 0)
            {
                return;
            }

            if (leftNs > SpinNs)
            {
                platform.Wait([], [], Math.Min(leftNs - SpinNs, 50_000_000));
            }
        }
    }
}
