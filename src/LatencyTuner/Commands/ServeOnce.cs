using System.Net;
using System.Net.NetworkInformation;
using System.Net.Sockets;
using System.Security.Cryptography;
using LatencyTuner.Core;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.FarEnds;
using LatencyTuner.Core.Measurement.Http;
using LatencyTuner.Core.Measurement.Responding;
using LatencyTuner.Hosting;

namespace LatencyTuner.Commands;

/// <summary>
/// <c>serve --once</c>: a responder for one run of one client, which started it through a remote shell. It makes its token itself and prints it once, on the
/// stream that only the client reads: standard input may be closed from the start, and arguments and environments can be read by others. It reads nothing,
/// and lives by its lease alone.
/// </summary>
internal static class ServeOnce
{
    /// <summary>The longest life without --for.</summary>
    public static readonly TimeSpan Standard = TimeSpan.FromMinutes(30);

    /// <summary>The longest life of all.</summary>
    public static readonly TimeSpan Longest = TimeSpan.FromDays(30);

    private const int TokenBytes = 32;
    private const int Attempts = 5;

    /// <summary>Serves until the lease ends.</summary>
    /// <param name="host">The streams and the machine.</param>
    /// <param name="bind">The addresses to listen on; null to choose.</param>
    /// <param name="port">The port; 0 lets the system choose.</param>
    /// <param name="httpPort">The port of HTTP, 0 lets the system choose; null without HTTP.</param>
    /// <param name="longest">How long at most.</param>
    /// <param name="limits">The operator's limits.</param>
    /// <param name="cancellation">Ends it early.</param>
    public static ExitCode Run(
        CliHost host, IReadOnlyList<IPAddress>? bind, int port, int? httpPort, TimeSpan longest, ResponderLimits limits,
        CancellationToken cancellation)
    {
        string token = Convert.ToBase64String(host.RandomBytes(TokenBytes));
        using ServingLease lease = new(host.Time, longest);
        ResponderOptions options = new()
        {
            Addresses = bind ?? [],
            Port = port,
            Token = SharedToken.Parse(token, "this run"),
            Software = CliHost.Software,
            Os = CliHost.Tool.Os,
            Limits = limits,
            Budget = new ClientBudget(limits),
            Lease = lease,
        };
        IPAddress? asked = bind is null ? ServerOf(host.SshConnection) : null;
        using Responder responder = (asked is null ? null : TryStart(host, options with { Addresses = [asked] }))
            ?? (bind is not null ? Responder.Start(options, host.Time, RandomNumberGenerator.Create()) : StartEverywhere(host, options));
        IPAddress[] listening = [.. responder.Endpoints.Select(e => e.Address)];
        bool everywhere = listening.Any(IsAny);
        // One address: each of several would get a port of its own. IPv6's 'any' takes IPv4 as well.
        using HttpResponder? http = httpPort is { } number
            ? HttpResponderLoader.Start(options with { Addresses = [listening.LastOrDefault(IsAny) ?? listening[0]], Port = number }, host.Time) : null;
        host.Out.WriteLine(new StartLine
        {
            Port = responder.Endpoints[0].Port,
            HttpPort = http?.Endpoints[0].Port,
            Token = token,
            Version = CliHost.VersionText,
            Protocol = StartLine.OwnProtocol,
            Pid = Environment.ProcessId,
            Addresses = everywhere ? OfThisHost() : listening,
            AllAddresses = everywhere,
            Program = OperatingSystem.IsWindows() ? Environment.ProcessPath : null,
        }.Write());
        host.Out.Flush();
        _ = WaitHandle.WaitAny([lease.Ended, cancellation.WaitHandle]);
        return ExitCode.Done;
    }

    /// <summary>The address at which the ssh session of this process arrived: the third word of SSH_CONNECTION (ssh(1)).</summary>
    internal static IPAddress? ServerOf(string? connection) =>
        connection?.Split(' ') is [_, _, var address, _] && IPAddress.TryParse(address, out IPAddress? server) ? server : null;

    private static bool IsAny(IPAddress address) => address.Equals(IPAddress.Any) || address.Equals(IPAddress.IPv6Any);

    /// <summary>Null when the address is not of this machine: the session came through a tunnel or another namespace.</summary>
    private static Responder? TryStart(CliHost host, ResponderOptions options)
    {
        try
        {
            return Responder.Start(options, host.Time, RandomNumberGenerator.Create());
        }
        catch (ExpectedFailureException e) when (e.InnerException is SocketException
        {
            SocketErrorCode: SocketError.AddressNotAvailable or SocketError.AddressFamilyNotSupported,
        })
        {
            return null;
        }
    }

    private static Responder StartEverywhere(CliHost host, ResponderOptions options)
    {
        for (int attempt = 1; Socket.OSSupportsIPv6; attempt++)
        {
            try
            {
                return Responder.Start(options with { Addresses = [IPAddress.Any, IPAddress.IPv6Any] }, host.Time, RandomNumberGenerator.Create());
            }
            catch (ExpectedFailureException e) when (
                e.InnerException is SocketException { SocketErrorCode: SocketError.AddressAlreadyInUse } && options.Port == 0 && attempt < Attempts)
            {
                // The port that the system chose for IPv4 is taken for IPv6.
            }
            catch (ExpectedFailureException e) when (
                e.InnerException is SocketException { SocketErrorCode: SocketError.AddressNotAvailable or SocketError.AddressFamilyNotSupported })
            {
                break;
            }
        }

        return Responder.Start(options with { Addresses = [IPAddress.Any] }, host.Time, RandomNumberGenerator.Create());
    }

    /// <summary>The addresses that other hosts may reach this one at, IPv4 first.</summary>
    private static IPAddress[] OfThisHost()
    {
        try
        {
            return [.. NetworkInterface.GetAllNetworkInterfaces()
                .Where(i => i.OperationalStatus is OperationalStatus.Up or OperationalStatus.Unknown)
                .SelectMany(i => i.GetIPProperties().UnicastAddresses).Select(a => a.Address)
                .Where(a => !a.IsIPv6LinkLocal).OrderBy(IPAddress.IsLoopback).ThenBy(a => a.AddressFamily).Distinct()];
        }
        catch (NetworkInformationException)
        {
            return [];
        }
    }
}
