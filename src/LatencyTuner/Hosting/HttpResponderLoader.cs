using System.Net;
using System.Net.Sockets;
using System.Reflection;
using System.Security.Cryptography;
using LatencyTuner.Core.Measurement.Http;
using LatencyTuner.Core.Measurement.Responding;

namespace LatencyTuner.Hosting;

/// <summary>Starts the HTTP responder; the one place from which its assembly and ASP.NET Core are loaded.</summary>
internal static class HttpResponderLoader
{
    private const string AssemblyName = "LatencyTuner.Http";

    private static readonly Lazy<Func<ResponderOptions, TimeProvider, RandomNumberGenerator, HttpResponder>> Starter = new(() =>
        AspNetCoreContext.Load(AssemblyName).GetType($"{AssemblyName}.KestrelResponder", throwOnError: true)!
            .GetMethod("Start", BindingFlags.Public | BindingFlags.Static)!
            .CreateDelegate<Func<ResponderOptions, TimeProvider, RandomNumberGenerator, HttpResponder>>());

    /// <summary>Starts the HTTP responder, which listens at once.</summary>
    /// <exception cref="Core.ExpectedFailureException">ASP.NET Core is not installed, or the port is not available.</exception>
    public static HttpResponder Start(ResponderOptions options, TimeProvider time) => Starter.Value(options, time, RandomNumberGenerator.Create());

    /// <summary>Starts one on a free loopback port that the system chooses, for the sweeps of this process.</summary>
    public static HttpResponder StartLoopback(AddressFamily family, TimeProvider time) => Start(
        new ResponderOptions
        {
            Addresses = [family == AddressFamily.InterNetworkV6 ? IPAddress.IPv6Loopback : IPAddress.Loopback],
            Software = CliHost.Software,
            Os = CliHost.Tool.Os,
            Limits = new ResponderLimits { Connections = 1024, StreamBytes = 1L << 40, Stream = TimeSpan.FromHours(1), Idle = TimeSpan.FromHours(2) },
        },
        time);
}
