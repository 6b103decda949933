using LatencyTuner.Core.Measurement.Platform.Linux;
using LatencyTuner.Core.Measurement.Platform.Windows;

namespace LatencyTuner.Core.Measurement.Platform;

/// <summary>Chooses the implementation for the running system.</summary>
public static class SocketPlatform
{
    /// <summary>The implementation for this system.</summary>
    /// <exception cref="ExpectedFailureException">Neither Windows nor Linux.</exception>
    public static ISocketPlatform Current { get; } =
        OperatingSystem.IsWindows() ? new WindowsSocketPlatform()
        : OperatingSystem.IsLinux() ? new LinuxSocketPlatform()
        : throw new ExpectedFailureException(ExitCode.Platform, "Measuring needs Windows or Linux; this system is neither.");
}
