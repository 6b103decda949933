using System.CommandLine;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using LatencyTuner.Core;
using LatencyTuner.Core.Inputs;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Http;
using LatencyTuner.Core.Measurement.Responding;
using LatencyTuner.Hosting;

namespace LatencyTuner.Commands;

/// <summary>How a target is named and reached.</summary>
internal sealed class TargetOptions
{
    public const int DefaultPort = 7117;

    private const int MaxTokenFileBytes = 65_536;

    /// <summary>The default port of the responder for sweeps over HTTP/2.</summary>
    public const int DefaultHttpPort = 7118;

    public const string Loopback = "loopback";

    public Option<string?> TokenFile { get; } = new("--token-file") { Description = "File with the token that the responder was given.", HelpName = "file" };

    public Option<bool> V4 { get; } = new("-4") { Description = "IPv4 only." };

    public Option<bool> V6 { get; } = new("-6") { Description = "IPv6 only." };

    private readonly ViaOptions _via = new();

    public void AddTo(Command command)
    {
        command.Options.Add(TokenFile);
        _via.AddTo(command);
        command.Options.Add(V4);
        command.Options.Add(V6);
        command.Validators.Add(result =>
        {
            if (result.GetValue(V4) && result.GetValue(V6))
            {
                result.AddError("-4 and -6 exclude each other: give one of them.");
            }
        });
    }

    /// <summary>Says what is wrong with a target or the token before anything is measured.</summary>
    public void Validate(ParseResult parse, CliHost host, string name, IReadOnlyList<string> others)
    {
        if (name != Loopback)
        {
            _ = Via(parse, name, others, null, http: false);
            _ = Literal(Split(name).Host, Family(parse));
        }

        _ = Token(parse, host);
    }

    /// <summary>Opens the HTTP side of a target: starts the responder of loopback, or resolves the name.</summary>
    /// <param name="parse">The command line.</param>
    /// <param name="host">The streams and the machine.</param>
    /// <param name="name">The target.</param>
    /// <param name="longest">How long it is measured; null until the user ends it.</param>
    /// <param name="cancellation">Ends the start.</param>
    public OpenTarget OpenHttp(ParseResult parse, CliHost host, string name, TimeSpan? longest, CancellationToken cancellation)
    {
        if (name == Loopback)
        {
            HttpResponder responder = HttpResponderLoader.StartLoopback(Family(parse) ?? AddressFamily.InterNetwork, host.Time);
            return new OpenTarget(new MeasurementTarget(Loopback, responder.Endpoints[0], null, IsLoopback: true), responder);
        }

        if (Via(parse, name, [], longest, http: true) is { } via)
        {
            return Start(host, via, name, Family(parse), cancellation);
        }

        (string hostName, int port) = Split(name, DefaultHttpPort);
        SharedToken? token = Token(parse, host);
        return new OpenTarget(new MeasurementTarget(name, new IPEndPoint(Resolve(parse, host, hostName, cancellation), port), token, IsLoopback: false), null);
    }

    /// <summary>Opens a target: starts the responder of loopback, or resolves the name.</summary>
    /// <param name="parse">The command line.</param>
    /// <param name="host">The streams and the machine.</param>
    /// <param name="name">The target.</param>
    /// <param name="longest">How long it is measured; null until the user ends it.</param>
    /// <param name="cancellation">Ends the start.</param>
    public OpenTarget Open(ParseResult parse, CliHost host, string name, TimeSpan? longest, CancellationToken cancellation)
    {
        AddressFamily? family = Family(parse);
        if (Via(parse, name, [], longest, http: false) is { } via)
        {
            return Start(host, via, name, family, cancellation);
        }

        if (name == Loopback)
        {
            LoopbackResponder responder = LoopbackResponder.Start(
                family ?? AddressFamily.InterNetwork, CliHost.Software, CliHost.Tool.Os, null, host.Time);
            return new OpenTarget(responder.Target, responder);
        }

        (string hostName, int port) = Split(name);
        SharedToken? token = Token(parse, host);
        IPAddress address = Resolve(parse, host, hostName, cancellation);
        return new OpenTarget(new MeasurementTarget(name, new IPEndPoint(address, port), token, IsLoopback: false), null);
    }

    /// <summary>The address of a host, of the family that -4 or -6 selects.</summary>
    public IPAddress Resolve(ParseResult parse, CliHost host, string name, CancellationToken cancellation) =>
        Literal(name, Family(parse)) ?? Resolve(host, name, Family(parse), cancellation);

    public static SharedToken ReadToken(CliHost host, string path)
    {
        try
        {
            return SharedToken.Read(InputFile.ReadAll(path, host.OpenNamed, MaxTokenFileBytes, "a token file"), path);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException)
        {
            throw new ExpectedFailureException(ExitCode.Input, $"--token-file '{path}' cannot be read: {e.Message.TrimEnd('.')}.", e);
        }
    }

    /// <summary>HOST, HOST:PORT, IPv6, [IPv6]:PORT, each with an optional scope id.</summary>
    internal static (string Host, int Port) Split(string target, int defaultPort = DefaultPort)
    {
        if (target.Contains("://", StringComparison.Ordinal))
        {
            throw Bad(target, "only measure and monitor take other servers; this command takes 'loopback' or HOST[:PORT] of a latencytuner responder");
        }

        if (IPAddress.TryParse(target, out IPAddress? bare) && !target.StartsWith('['))
        {
            return (bare.ToString(), defaultPort);
        }

        int colon = target.LastIndexOf(':');
        bool bracketed = target.StartsWith('[');
        int close = target.IndexOf(']');
        if (bracketed && (close < 0 || (close < target.Length - 1 && target[close + 1] != ':') || !IsV6(target[1..close])))
        {
            throw Bad(target, "an IPv6 address with a port is written [ADDRESS]:PORT");
        }

        bool hasPort = bracketed ? close < target.Length - 1 : colon >= 0;
        string host = bracketed ? target[1..close] : hasPort ? target[..colon] : target;
        if (host.Length == 0 || host.Length > 253 || (!bracketed && host.AsSpan().IndexOfAny(":[]") >= 0)
            || host.Any(c => char.IsWhiteSpace(c) || char.IsControl(c)))
        {
            throw Bad(target, "HOST or HOST:PORT is expected");
        }

        return !hasPort ? (host, defaultPort)
            : int.TryParse(target[((bracketed ? close + 1 : colon) + 1)..], NumberStyles.None, CultureInfo.InvariantCulture, out int port)
                && port is > 0 and <= 65535 ? (host, port)
            : throw Bad(target, "a port from 1 to 65535 is expected after the colon");
    }

    private static bool IsV6(string text) => IPAddress.TryParse(text, out IPAddress? address) && address.AddressFamily == AddressFamily.InterNetworkV6;

    private AddressFamily? Family(ParseResult parse) =>
        parse.GetValue(V4) ? AddressFamily.InterNetwork : parse.GetValue(V6) ? AddressFamily.InterNetworkV6 : null;

    private SharedToken? Token(ParseResult parse, CliHost host) => parse.GetValue(TokenFile) is { } path ? ReadToken(host, path) : null;

    /// <summary>The values of --via for a target; null without it.</summary>
    /// <exception cref="ExpectedFailureException">The target does not go with them (<see cref="ExitCode.Usage"/>).</exception>
    private ViaValues? Via(ParseResult parse, string name, IReadOnlyList<string> others, TimeSpan? longest, bool http)
    {
        if (!_via.IsGiven(parse) || name == Loopback)
        {
            return null;
        }

        (string host, int port) = Split(name, 0);
        ViaValues via = _via.Values(parse, host, longest, http)!;
        return port != 0 ? throw Bad(name, "with --via the other host chooses the port; to choose it, give HOST and --via-port N")
            : others.Count > 1 && !via.Command.TakesHost ? throw new ExpectedFailureException(
                ExitCode.Usage, $"--via '{via.Command.Text}' starts one responder and goes with one target; for {others.Count} targets give --via ssh.")
            : parse.GetValue(TokenFile) is not null ? throw new ExpectedFailureException(
                ExitCode.Usage, "--via and --token-file exclude each other: a responder that is started for one run makes its own token.")
            : via;
    }

    private static OpenTarget Start(CliHost host, ViaValues via, string name, AddressFamily? family, CancellationToken cancellation)
    {
        FarEnd started = FarEnd.Start(host, via, name, family, () => Addresses(host, via.Host, family, cancellation), cancellation);
        return new OpenTarget(started.Target, started);
    }

    /// <summary>The addresses of a host that a command may know by another name: none when the name does not resolve.</summary>
    private static IPAddress[] Addresses(CliHost host, string name, AddressFamily? family, CancellationToken cancellation)
    {
        if (Literal(name, family) is { } literal)
        {
            return [literal];
        }

        try
        {
            return host.Resolve(name, family ?? AddressFamily.Unspecified, cancellation).GetAwaiter().GetResult();
        }
        catch (Exception e) when (e is SocketException or ArgumentException)
        {
            return [];
        }
    }

    private static IPAddress? Literal(string name, AddressFamily? family) =>
        !IPAddress.TryParse(name, out IPAddress? literal) ? null
        : family is { } wanted && literal.AddressFamily != wanted
            ? throw new ExpectedFailureException(
                ExitCode.Usage, $"{name} is not an {(wanted == AddressFamily.InterNetwork ? "IPv4" : "IPv6")} address, as -4 or -6 requires.")
            : literal;

    private static IPAddress Resolve(CliHost host, string name, AddressFamily? family, CancellationToken cancellation)
    {
        try
        {
            // The blocking form would not react to Ctrl-C while a name server does not answer.
            IPAddress[] addresses = host.Resolve(name, family ?? AddressFamily.Unspecified, cancellation).GetAwaiter().GetResult();
            IPAddress first = addresses.FirstOrDefault(a => a.AddressFamily is AddressFamily.InterNetwork or AddressFamily.InterNetworkV6)
                ?? throw new ExpectedFailureException(
                    ExitCode.Measurement, $"'{name}' has no {(family == AddressFamily.InterNetworkV6 ? "IPv6" : "IPv4")} address.");
            if (Array.Find(addresses, a => a.AddressFamily != first.AddressFamily) is { } other)
            {
                host.Hints.Add($"'{name}' was tried at {first}; {(other.AddressFamily == AddressFamily.InterNetwork ? "-4" : "-6")} tries {other}.");
            }

            return first;
        }
        catch (Exception e) when (e is SocketException or ArgumentException)
        {
            throw new ExpectedFailureException(ExitCode.Measurement, $"'{name}' does not resolve to an address: {e.Message.TrimEnd('.')}.", e);
        }
    }

    private static ExpectedFailureException Bad(string target, string valid) => new(ExitCode.Usage, $"Target '{target}' is not valid: {valid}.");
}
