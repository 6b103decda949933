using System.Runtime.Versioning;

namespace LatencyTuner.Core.Measurement.Platform.Linux;

/// <summary>Sets the calling thread's timer slack to the minimum and restores it; the default of 50 µs would be added to every wait.</summary>
[SupportedOSPlatform("linux")]
internal sealed class LinuxTimerSlack : IDisposable
{
    private readonly int _before = LinuxNative.Prctl(LinuxNative.PrGetTimerSlack, 0, 0, 0, 0);

    internal LinuxTimerSlack() => _ = LinuxNative.Prctl(LinuxNative.PrSetTimerSlack, 1, 0, 0, 0);

    public void Dispose()
    {
        if (_before > 0)
        {
            _ = LinuxNative.Prctl(LinuxNative.PrSetTimerSlack, (nuint)_before, 0, 0, 0);
        }
    }
}
