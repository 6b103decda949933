using System.Net;
using System.Net.Sockets;
using LatencyTuner.Core;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.FarEnds;
using LatencyTuner.Hosting;

namespace LatencyTuner.Commands;

/// <summary>A responder that this process has started on another host through a command, for one run.</summary>
internal sealed class FarEnd : IDisposable
{
    private const int MostBannerLines = 20;
    private const int MostEndpoints = 8;
    private static readonly IPEndPoint Nowhere = new(IPAddress.None, 0);
    private static readonly TimeSpan LinePatience = TimeSpan.FromSeconds(60);
    private readonly FarProcess _process;
    private readonly FarEndLease _lease;
    private readonly string _command;
    private readonly CliHost _host;
    private readonly FarCopy? _copy;
    private string? _lost;

    private FarEnd(CliHost host, FarProcess process, FarEndLease lease, FarCopy? copy, string command, int? httpPort)
    {
        _host = host;
        _process = process;
        _lease = lease;
        _copy = copy;
        _command = command;
        MeasurementTarget target = lease.Target with { WhyLost = WhyLost };
        Target = httpPort is { } http ? target with { Endpoint = new IPEndPoint(target.Endpoint.Address, http) } : target;
    }

    /// <summary>The target at the address that answered; its port is that of HTTP where that was asked for.</summary>
    public MeasurementTarget Target { get; }

    /// <summary>Starts the responder and opens the lease.</summary>
    /// <param name="host">The streams and the machine.</param>
    /// <param name="via">The options of --via.</param>
    /// <param name="name">The target as the user gave it.</param>
    /// <param name="family">The address family asked for; null for both.</param>
    /// <param name="resolve">The addresses of the host; empty when the name is known to the command only.</param>
    /// <param name="cancellation">Ends the start.</param>
    /// <exception cref="ExpectedFailureException">It could not be started or reached: a sentence for each way to fail.</exception>
    public static FarEnd Start(
        CliHost host, ViaValues via, string name, AddressFamily? family, Func<IReadOnlyList<IPAddress>> resolve, CancellationToken cancellation)
    {
        FarCopy? copy = via.Copy ? FarCopy.Of(via.CopyFrom, via.Shell, host.RandomBytes) : null;
        IReadOnlyList<string> words = copy is null ? via.Command.WordsFor(via.Host, via.Program, via.Arguments, via.Shell)
            : via.Command.WordsForLine(via.Host, copy.Line(via.Arguments));
        FarProcess process = FarProcess.Start(words, copy is null ? null : to => copy.Feed(to, via.Arguments));
        FarEndLease? lease = null;
        try
        {
            TimeSpan patience = copy is null ? LinePatience : LinePatience + FarCopy.Patience;
            using CopyNotice? notice = copy is null || via.Quiet ? null : CopyNotice.Begin(host, copy, via.Host);
            StartLine line = process.WaitForLine(patience, cancellation)
                ?? throw NoLine(host, via, copy, process, patience);
            if (FarEndFailures.OtherVersion(line, CliHost.VersionText) is { } other)
            {
                throw Failed(other);
            }

            if (via.Http && line.HttpPort is null)
            {
                throw Failed(FarEndFailures.WithoutHttp(line, CliHost.VersionText));
            }

            SharedToken token = SharedToken.Parse(line.Token, "the start line of the far end");
            FarEndStart start = new(via.Command.Text, line.AllAddresses, copy?.Sha256);
            List<DialFailure> failures = [];
            List<IPEndPoint> endpoints = Endpoints(resolve(), line, family);
            lease = FarEndLease.Open(name, endpoints, token, start, host.Measuring, failures, cancellation);
            if (lease is null)
            {
                // A far end that died meanwhile is no firewall.
                throw Failed(process.ExitCodeWithin(TimeSpan.FromMilliseconds(500)) is { } code
                    ? FarEndFailures.Lost(name, endpoints.Count > 0 ? endpoints[0] : Nowhere, via.Command.Text, code, process.Errors)
                    : FarEndFailures.Unreachable(line, failures, Rule(line, failures, copy is not null)));
            }

            return new FarEnd(host, process, lease, copy, via.Command.Text, via.Http ? line.HttpPort : null);
        }
        catch
        {
            lease?.Dispose();
            // Nothing tells a far end that was not reached to end now; without a client its lease ends it within a minute.
            process.Kill();
            process.Dispose();
            throw;
        }
    }

    public void Dispose()
    {
        _lease.Dispose();
        if (_copy is not null)
        {
            // 255 and the codes of signals are those of a remote shell that did not see the end.
            bool seen = _process.ExitCodeWithin(FarCopy.RemovalPatience) is >= 0 and < 128;
            if (!seen || _copy.IsLeft(_process.Errors))
            {
                _host.Complain($"The copy of this program may be left on {Target.Name}; this command removes it there: {_copy.RemovalCommand}");
            }
        }

        _process.Dispose();
    }

    private static ExpectedFailureException NoLine(CliHost host, ViaValues via, FarCopy? copy, FarProcess process, TimeSpan patience)
    {
        int? code = process.ExitCodeWithin(TimeSpan.Zero);
        IReadOnlyList<string> banner = process.Banner;
        foreach (string line in banner.Where(l => copy?.IsOwn(l) != true).TakeLast(MostBannerLines))
        {
            host.Complain($"  | {line}");
        }

        FarEndEnding ending = new()
        {
            Command = via.Command.Text,
            IsSsh = via.Command.IsSsh,
            Program = copy?.Program ?? via.Program,
            ExitCode = code,
            Errors = [.. process.Errors.TakeLast(3)],
            Problem = process.Problem,
            Waited = patience,
        };
        return Failed(copy?.Failure(ending, banner) ?? FarEndFailures.NotStarted(ending, CliHost.VersionText));
    }

    private static ExpectedFailureException Failed(string sentence) => new(ExitCode.Measurement, sentence);

    /// <summary>Where to try: the host as the user named it, then what the far end says of itself.</summary>
    private static List<IPEndPoint> Endpoints(IReadOnlyList<IPAddress> named, StartLine line, AddressFamily? family)
    {
        // An address that means another host, or needs a scope, at this end is none.
        bool local = named.Any(IPAddress.IsLoopback);
        IEnumerable<IPAddress> told = line.Addresses.Where(a => !a.IsIPv6LinkLocal && !a.IsIPv6Multicast && (local || !IPAddress.IsLoopback(a)));
        return [.. named.Concat(told).Where(a => family is not { } wanted || a.AddressFamily == wanted).Distinct().Take(MostEndpoints)
            .Select(a => new IPEndPoint(a, line.Port))];
    }

    /// <summary>The firewall rule; a copy has another path in each run, so that its rule is for the port alone.</summary>
    private static string? Rule(StartLine line, List<DialFailure> failures, bool copied)
    {
        if (line.Program is null || failures.Count == 0)
        {
            return null;
        }

        IPEndPoint there = failures[0].Endpoint;
        string rule = ServeCommand.FirewallRule(there, copied ? null : line.Program);
        try
        {
            // Sends nothing: a datagram socket that is connected knows its own address.
            using Socket socket = new(there.AddressFamily, SocketType.Dgram, ProtocolType.Udp);
            socket.Connect(there);
            return rule.Replace("CLIENT", ((IPEndPoint)socket.LocalEndPoint!).Address.ToString(), StringComparison.Ordinal);
        }
        catch (SocketException)
        {
            return rule;
        }
    }

    /// <summary>A sentence when the far end has ended or cannot be reached any more; null when it still answers.</summary>
    private string? WhyLost()
    {
        if (_lost is null && !_lease.IsAlive())
        {
            _lost = FarEndFailures.Lost(
                Target.Name, Target.Endpoint, _command, _process.ExitCodeWithin(TimeSpan.FromSeconds(1)), [.. _process.Errors.TakeLast(3)]);
        }

        return _lost;
    }
}
