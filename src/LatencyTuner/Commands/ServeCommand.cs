using System.CommandLine;
using System.Net;
using System.Security.Cryptography;
using LatencyTuner.Core;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Http;
using LatencyTuner.Core.Measurement.Responding;
using LatencyTuner.Core.Text;
using LatencyTuner.Hosting;

namespace LatencyTuner.Commands;

/// <summary><c>serve</c>: the responder at the other end.</summary>
internal static class ServeCommand
{
    // The connections that a measurement may have at most: its own user asks for them.
    private const int MostOfOneRun = 1024;

    public static Command Create(CliHost host)
    {
        ResponderLimits standard = new();
        Option<string[]> bind = new("--bind")
        {
            Description = "Address to listen on; may be repeated.",
            HelpName = "address",
            DefaultValueFactory = _ => ["127.0.0.1"],
            AllowMultipleArgumentsPerToken = true,
            Arity = ArgumentArity.OneOrMore,
        };
        Option<int> port = Symbols.Option("--port", "TCP port.", "n", (t, o) => (int)Quantities.Count(t, o, 0, 65535), TargetOptions.DefaultPort);
        Option<int?> httpPort =
            Symbols.Optional(
                "--http-port",
                $"Also serve HTTP/1.1 and HTTP/2 in clear text, on this TCP port (sweeps use {TargetOptions.DefaultHttpPort}).", "n",
                (t, o) => (int)Quantities.Count(t, o, 0, 65535));
        Option<string?> tokenFile = new("--token-file")
        {
            Description = "File with the token that clients must know, at least 16 characters.",
            HelpName = "file",
        };
        Option<bool> noAuth = new("--no-auth") { Description = "Serve anyone who can connect, also on addresses other than loopback." };
        Option<TimeSpan?> @for =
            Symbols.Optional(
                "--for", "Stop after this time.", "time", (t, o) => Quantities.Duration(t, o, TimeSpan.FromMilliseconds(100), TimeSpan.FromDays(30)));
        Option<int> connections =
            Symbols.Option(
                "--max-connections", "Most connections measured at the same time.", "n", (t, o) => (int)Quantities.Count(t, o, 1, 4096), standard.Connections);
        Option<int?> perClient =
            Symbols.Optional(
                "--max-per-client", "Most connections measured at the same time from one address.", "n", (t, o) => (int)Quantities.Count(t, o, 1, 4096));
        Option<int> message =
            Symbols.Option("--max-message", "Largest request or reply.", "bytes", (t, o) => Quantities.Size(t, o, 1, 1 << 30), standard.MessageBytes);
        Option<int> memory =
            Symbols.Option(
                "--max-memory", "Most memory for all connections together.", "bytes", (t, o) => Quantities.Size(t, o, 1 << 20, int.MaxValue),
                (int)standard.TotalMemoryBytes);
        Option<int> buffer =
            Symbols.Option(
                "--max-buffer", "Largest socket buffer that a client may request.", "bytes", (t, o) => Quantities.Size(t, o, 0, 1 << 30),
                standard.SocketBufferBytes);
        Option<TimeSpan> think =
            Symbols.Option(
                "--max-think", "Longest think time that a client may request.", "time",
                (t, o) => Quantities.Duration(t, o, TimeSpan.Zero, TimeSpan.FromHours(1)),
                standard.Think);
        Option<long> stream =
            Symbols.Option(
                "--max-stream", "Largest HTTP response stream.", "bytes", (t, o) => Quantities.LongSize(t, o, 1, 1L << 40), standard.StreamBytes);
        Option<TimeSpan> handshake =
            Symbols.Option(
                "--handshake-timeout", "Longest time for the handshake of a client.", "time",
                (t, o) => Quantities.Duration(t, o, TimeSpan.FromMilliseconds(50), TimeSpan.FromMinutes(5)), standard.Handshake);
        Option<TimeSpan> idle =
            Symbols.Option(
                "--idle-timeout", "Longest time that a measured connection may be idle.", "time",
                (t, o) => Quantities.Duration(t, o, TimeSpan.FromMilliseconds(100), TimeSpan.FromHours(24)), standard.Idle);
        Option<int> spinning =
            Symbols.Option(
                "--max-spinning", "Most connections that may spin; each takes a whole processor.", "n", (t, o) => (int)Quantities.Count(t, o, 0, 4096),
                standard.SpinningConnections);
        Option<bool> once = new("--once")
        {
            Description = "Serve one run of one client, which starts it with --via: prints port and token in one line, and ends with its client.",
        };
        Option<bool> quiet = new("--quiet", "-q") { Description = "No line per client on stderr." };
        Command command = new("serve", "Runs the responder that the other host measures; Ctrl-C ends it.")
        {
            bind, port, httpPort, tokenFile, noAuth, once, @for, connections, perClient, message, memory, buffer, stream, think, handshake, idle, spinning,
            quiet,
        };
        command.SetAction((parse, cancellation) => Cli.Start(() =>
        {
            IReadOnlyList<IPAddress> addresses = Addresses(parse.GetValue(bind)!);
            bool single = parse.GetValue(once);
            if (single && Array.Find((Option[])[tokenFile, noAuth], o => parse.GetResult(o) is { Implicit: false }) is { } other)
            {
                throw new ExpectedFailureException(
                    ExitCode.Usage, $"--once makes its own token and serves one client: it does not go with {other.Name}.");
            }

            SharedToken? token = parse.GetValue(tokenFile) is { } path ? TargetOptions.ReadToken(host, path) : null;
            bool open = parse.GetValue(noAuth);
            if (token is not null && open)
            {
                throw new ExpectedFailureException(ExitCode.Usage, "--token-file and --no-auth exclude each other: give one of them.");
            }

            if (token is null && !open && !single && addresses.FirstOrDefault(a => !IPAddress.IsLoopback(a)) is { } wide)
            {
                throw new ExpectedFailureException(
                    ExitCode.Usage, $"--bind {wide} can be reached from other machines: give --token-file FILE, or --no-auth to serve anyone.");
            }

            int? withHttp = parse.GetValue(httpPort);
            ResponderLimits asked = standard with
            {
                Connections = single && parse.GetResult(connections) is not { Implicit: false } ? MostOfOneRun : parse.GetValue(connections),
                MessageBytes = parse.GetValue(message),
                TotalMemoryBytes = parse.GetValue(memory),
                SocketBufferBytes = parse.GetValue(buffer),
                StreamBytes = parse.GetValue(stream),
                Think = parse.GetValue(think),
                Handshake = parse.GetValue(handshake),
                Idle = parse.GetValue(idle),
                SpinningConnections = parse.GetValue(spinning),
            };
            asked = parse.GetValue(perClient) is { } places ? asked with { ConnectionsPerClient = places } : asked;
            long? files = OpenFileLimit.Read();
            ResponderLimits limits = asked.FitInto(files, withHttp is null ? 1 : 2);
            if (single)
            {
                return ServeOnce.Run(
                    host, parse.GetResult(bind) is { Implicit: false } ? addresses : null,
                    parse.GetResult(port) is { Implicit: false } ? parse.GetValue(port) : 0, withHttp, parse.GetValue(@for) ?? ServeOnce.Standard, limits,
                    cancellation);
            }

            if (limits.Connections < asked.Connections)
            {
                host.Complain(
                    $"This process may have {files} files open, which is too few for {Counted.Of(asked.Connections, "connection")}: {limits.Connections} are "
                        + "measured at the "
                    + "same time. To allow more, raise the limit with 'ulimit -n' before the start.");
            }

            using ServeLog log = new(host);
            ResponderOptions options = new()
            {
                Budget = new ClientBudget(limits),
                Addresses = addresses,
                Port = parse.GetValue(port),
                Token = token,
                Software = CliHost.Software,
                Os = CliHost.Tool.Os,
                Log = parse.GetValue(quiet) ? null : log.Add,
                Limits = limits,
            };
            if (withHttp is > 0 && withHttp == options.Port)
            {
                throw new ExpectedFailureException(ExitCode.Usage, $"--http-port {withHttp} is the port of the responder's own protocol: give another.");
            }

            using Responder responder = Responder.Start(options, host.Time, RandomNumberGenerator.Create());
            using HttpResponder? http = withHttp is { } number ? HttpResponderLoader.Start(options with { Port = number }, host.Time) : null;
            Announce(host, responder, http, token is not null);
            _ = parse.GetValue(@for) is { } life ? cancellation.WaitHandle.WaitOne(life) : cancellation.WaitHandle.WaitOne();
            responder.Dispose();
            ResponderStatistics done = responder.Statistics;
            http?.Dispose();
            log.Dispose();
            string streams = http is null ? "" : $" Over HTTP: {Counted.Of(http.Served, "stream")} served, {Counted.Of(http.Refused, "request")} refused.";
            host.Complain(
                $"Stopped: {Counted.Of(done.Served, "connection")} and {Counted.Of(done.Messages, "message")} served, {done.Refused} refused.{streams}");
            return ExitCode.Done;
        }));
        return command;
    }

    private static IPAddress[] Addresses(string[] texts) => [.. texts.Select(text =>
        text == "localhost" ? IPAddress.Loopback
        : IPAddress.TryParse(text.Trim('[', ']'), out IPAddress? address) ? address
        : throw new ExpectedFailureException(
            ExitCode.Usage, $"--bind '{text}' is not an address; an IPv4 or IPv6 address of this machine is expected, such as 0.0.0.0 or fe80::1%3."))];

    private static void Announce(CliHost host, Responder responder, HttpResponder? http, bool withToken)
    {
        string Who(IPEndPoint endpoint) =>
            withToken ? "token needed" : IPAddress.IsLoopback(endpoint.Address) ? "this machine only, no token"
                : "ANYONE who can connect is served (--no-auth)";
        foreach (IPEndPoint endpoint in responder.Endpoints)
        {
            host.Out.WriteLine($"Listening on {endpoint}, {Who(endpoint)}.");
        }

        foreach (IPEndPoint endpoint in http?.Endpoints ?? [])
        {
            host.Out.WriteLine($"Listening on {endpoint} for HTTP/1.1 and HTTP/2 in clear text, {Who(endpoint)}.");
        }

        if (OperatingSystem.IsWindows() && responder.Endpoints.Any(e => !IPAddress.IsLoopback(e.Address)))
        {
            host.Out.WriteLine("If the Windows firewall blocks it, run this command in PowerShell, elevated, with the client's address for CLIENT:");
            foreach (IPEndPoint endpoint in http is null ? [responder.Endpoints[0]] : (IPEndPoint[])[responder.Endpoints[0], http.Endpoints[0]])
            {
                host.Out.WriteLine($"  {FirewallRule(endpoint, Environment.ProcessPath ?? "latencytuner.exe")}");
            }
        }

        host.Out.Flush();
    }

    /// <summary>The command that makes the firewall rule, limited to this program, this port and one client.</summary>
    /// <param name="endpoint">Where it listens.</param>
    /// <param name="program">Its path; null for any program.</param>
    internal static string FirewallRule(IPEndPoint endpoint, string? program)
    {
        bool everywhere = endpoint.Address.Equals(IPAddress.Any) || endpoint.Address.Equals(IPAddress.IPv6Any);
        string address = everywhere ? "" : $" -LocalAddress {endpoint.Address.ToString().Split('%')[0]}";
        return $"New-NetFirewallRule -DisplayName 'LatencyTuner responder {endpoint.Port}' -Direction Inbound -Action Allow -Protocol TCP"
            + $" -LocalPort {endpoint.Port}{address} -RemoteAddress CLIENT{(program is null ? "" : $" -Program {Quoting.ForPowerShell(program)}")}";
    }
}
