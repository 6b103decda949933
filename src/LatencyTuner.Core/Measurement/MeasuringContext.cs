using System.Security.Cryptography;
using LatencyTuner.Core.Sockets;
using LatencyTuner.Core.Sockets.Linux;
using LatencyTuner.Core.Sockets.Windows;

namespace LatencyTuner.Core.Measurement;

/// <summary>The external services that a measurement uses.</summary>
/// <param name="Time">The clock.</param>
/// <param name="Platform">The socket calls of this system.</param>
/// <param name="Random">Source of nonces.</param>
public sealed record MeasuringContext(TimeProvider Time, ISocketPlatform Platform, RandomNumberGenerator Random);

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
