using System.Runtime.Versioning;

namespace LatencyTuner.Core.Measurement.Platform.Windows;

/// <summary>Asks Windows for a 1 ms timer instead of the 15.6 ms tick, and gives it back.</summary>
[SupportedOSPlatform("windows")]
internal sealed class WindowsTimerResolution : IDisposable
{
    internal WindowsTimerResolution() => _ = WindowsNative.TimeBeginPeriod(1);

    public void Dispose() => _ = WindowsNative.TimeEndPeriod(1);
}
