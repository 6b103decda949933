using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography;

namespace LatencyTuner.Core.Measurement.Responding;

/// <summary>A responder inside this process on a loopback port of the system's choice, and the target that reaches it.</summary>
public sealed class LoopbackResponder : IDisposable
{
    private readonly Responder _responder;

    private LoopbackResponder(Responder responder, MeasurementTarget target)
    {
        _responder = responder;
        Target = target;
    }

    /// <summary>The target that reaches the responder.</summary>
    public MeasurementTarget Target { get; }

    /// <summary>Starts a responder.</summary>
    /// <param name="family">IPv4 or IPv6.</param>
    /// <param name="software">Name and version that it reports.</param>
    /// <param name="os">The operating system that it reports.</param>
    /// <param name="limits">Its limits; null for high ones, since its only client is this process.</param>
    /// <param name="time">The clock.</param>
    /// <exception cref="ExpectedFailureException">This machine has no loopback of that family.</exception>
    public static LoopbackResponder Start(AddressFamily family, string software, string os, ResponderLimits? limits, TimeProvider time)
    {
        IPAddress address = family == AddressFamily.InterNetworkV6 ? IPAddress.IPv6Loopback : IPAddress.Loopback;
        Responder responder = Responder.Start(
            new ResponderOptions
            {
                Addresses = [address],
                AllowPin = true,
                Software = software,
                Os = os,
                Limits = limits ?? new ResponderLimits
                {
                    Connections = 1024,
                    TotalMemoryBytes = 4L << 30,
                    SocketBufferBytes = 64 << 20,
                    SpinningConnections = 1024,
                    Think = TimeSpan.FromHours(1),
                    Idle = TimeSpan.FromHours(2),
                },
            },
            time,
            RandomNumberGenerator.Create());
        return new LoopbackResponder(responder, new MeasurementTarget("loopback", responder.Endpoints[0], null, IsLoopback: true));
    }

    /// <summary>Stops the responder.</summary>
    public void Dispose() => _responder.Dispose();
}
