using System.Runtime.Versioning;
using Microsoft.Win32.SafeHandles;

namespace LatencyTuner.Core.Sockets.Windows;

/// <summary>
/// Waits with a high-resolution waitable timer, one for each thread (CREATE_WAITABLE_TIMER_HIGH_RESOLUTION, Windows 10 1803 and Server 2019
/// on): it ends within about half a millisecond, where a sleep counts ticks of 1 to 15.6 ms.
/// </summary>
[SupportedOSPlatform("windows")]
internal static unsafe class WindowsThreadTimer
{
    [ThreadStatic]
    private static SafeWaitHandle? _timer;

    private static volatile bool _missing;

    /// <summary>Waits on the timer of the calling thread.</summary>
    /// <param name="nanoseconds">Length of the wait in nanoseconds, at least 1.</param>
    /// <returns>False, without having waited, on a system without such timers.</returns>
    internal static bool TryWait(long nanoseconds)
    {
        if (_missing)
        {
            return false;
        }

        if (_timer is null)
        {
            nint created =
                WindowsNative.CreateWaitableTimer(null, null, WindowsNative.HighResolutionTimer, WindowsNative.Synchronize | WindowsNative.TimerModifyState);
            if (created == 0)
            {
                // Older systems return ERROR_INVALID_PARAMETER; after any error the caller has another way to wait.
                _missing = true;
                return false;
            }

            _timer = new SafeWaitHandle(created, ownsHandle: true);
        }

        // Negative: from now on, in units of 100 ns.
        long due = -Math.Max(nanoseconds / 100, 1);
        nint handle = _timer.DangerousGetHandle();
        return WindowsNative.SetWaitableTimer(handle, &due, 0, null, null, 0) != 0
            && WindowsNative.WaitForSingleObject(handle, WindowsNative.Infinite) == 0;
    }
}

/// <summary>Asks Windows for a 1 ms timer instead of the 15.6 ms tick, and gives it back.</summary>
[SupportedOSPlatform("windows")]
internal sealed class WindowsTimerResolution : IDisposable
{
    internal unsafe WindowsTimerResolution()
    {
        // From Windows 11 on, the request of a program without a visible window is ignored unless it says that it must not be. Older systems refuse.
        WindowsNative.PowerThrottling honoured = new() { Version = 1, ControlMask = WindowsNative.IgnoreTimerResolution };
        _ = WindowsNative.SetProcessInformation(-1, WindowsNative.ProcessPowerThrottling, &honoured, (uint)sizeof(WindowsNative.PowerThrottling));
        _ = WindowsNative.TimeBeginPeriod(1);
    }

    public void Dispose() => _ = WindowsNative.TimeEndPeriod(1);
}
