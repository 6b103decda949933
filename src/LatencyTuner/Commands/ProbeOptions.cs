using System.CommandLine;
using System.Net;
using LatencyTuner.Core;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Probes;
using LatencyTuner.Hosting;

namespace LatencyTuner.Commands;

/// <summary>The options for targets without a responder, and for several targets measured in turn.</summary>
internal sealed class ProbeOptions
{
    public Option<string> Http { get; } = Symbols.Words("--http", "HTTP version to use; 'both' measures the two in turn.", "1.1", "1.1", "2", "both");

    public Option<string> HttpConnections { get; } =
        Symbols.Words("--http-connections", "HTTP on one kept connection, on a new one for each request, or both in turn.", "both", "kept", "new", "both");

    public Option<bool> Insecure { get; } = new("--insecure") { Description = "Accept any certificate of https:// and wss://." };

    public Option<string?> Hedge { get; } = new("--hedge")
    {
        Description = "Second target, used when the first takes too long; the first reply counts.",
        HelpName = "target",
    };

    public Option<HedgeDelay?> HedgeAfter { get; } =
        Symbols.Optional(
            "--hedge-after", "Wait before the second target is used: a time, or a percentile of the first target's latest times (default: p95).", "time|pNN",
            HedgeDelay.Parse);

    public void AddTo(Command command)
    {
        command.Options.Add(Hedge);
        command.Options.Add(HedgeAfter);
        command.Options.Add(Http);
        command.Options.Add(HttpConnections);
        command.Options.Add(Insecure);
    }

    /// <summary>True when targets are probed in turn; false when one responder is measured.</summary>
    public static bool Wanted(IReadOnlyList<string> names) => names.Count > 1 || ProbeAddress.IsProbeAddress(names[0]);

    /// <summary>Refuses options that apply only to the measurement of one responder.</summary>
    public static void Refuse(ParseResult parse, IEnumerable<Option> options)
    {
        foreach (Option option in options)
        {
            if (parse.GetResult(option) is { Implicit: false })
            {
                throw new ExpectedFailureException(
                    ExitCode.Usage,
                    $"{option.Name} needs one responder as the target: it does not go with several targets or with tcp://, http://, ws:// and icmp://.");
            }
        }
    }

    /// <summary>Refuses a hedge that would ask the server of the first target again.</summary>
    public static void RefuseOneServer(ProbeTarget first, ProbeTarget second)
    {
        if (first.Address.Equals(second.Address))
        {
            string where = first.Address.Port == 0 ? first.Address.Address.ToString() : first.Address.ToString();
            throw new ExpectedFailureException(
                ExitCode.Usage, $"--hedge '{second.Name}' is the same server as '{first.Name}', {where}: a hedge needs a second server.");
        }
    }

    /// <summary>The combinations of HTTP version and connection mode that are measured, ordered by version.</summary>
    public IReadOnlyList<HttpProbeOptions> Ways(ParseResult parse, TimeSpan timeout)
    {
        Version[] versions = parse.GetValue(Http) switch
        {
            "2" => [new(2, 0)],
            "both" when parse.GetValue(Hedge) is null => [new(1, 1), new(2, 0)],
            _ =>
            [new(1, 1)]
        };
        bool[] kept = parse.GetValue(HttpConnections) switch
        {
            "kept" => [true],
            "new" => [false],
            _ =>
            parse.GetValue(Hedge) is null ? [true, false] : [true]
        };
        return [.. versions.SelectMany(
            v => kept.Select(k => new HttpProbeOptions { Version = v, Kept = k, AnyCertificate = parse.GetValue(Insecure), Timeout = timeout }))];
    }

    /// <summary>Resolves the targets and opens those that are responders with the workload.</summary>
    public List<ProbeTarget> Open(
        ParseResult parse, CliHost host, IReadOnlyList<string> names, TargetOptions targets, Workload workload, TimeSpan timeout, TimeSpan? longest,
        List<OpenTarget> opened, CancellationToken cancellation)
    {
        return Open(parse, host, names, targets, Ways(parse, timeout), workload, timeout, longest, opened, cancellation);
    }

    /// <summary>Resolves the targets; each combination of HTTP version and connection mode is a target of its own.</summary>
    public static List<ProbeTarget> Open(
        ParseResult parse, CliHost host, IReadOnlyList<string> names, TargetOptions targets, IReadOnlyList<HttpProbeOptions> ways, Workload workload,
        TimeSpan timeout, TimeSpan? longest, List<OpenTarget> opened, CancellationToken cancellation)
    {
        ProbeAddress?[] addresses = [.. names.Select(n => ProbeAddress.IsProbeAddress(n) ? ProbeAddress.Parse(n) : null)];
        for (int i = 0; i < addresses.Length; i++)
        {
            if (addresses[i] is null)
            {
                targets.Validate(parse, host, names[i], names);
            }
        }

        List<ProbeTarget> found = [];
        for (int i = 0; i < addresses.Length; i++)
        {
            if (addresses[i] is { } address)
            {
                IPAddress resolved = targets.Resolve(parse, host, address.Host, cancellation);
                if (address.Scheme == ProbeScheme.Icmp)
                {
                    // A user who may not send ICMP gets the error before anything is measured.
                    IcmpProbe.Open(address.Text, resolved, timeout, host.Measuring).Dispose();
                }

                found.AddRange(ProbeTargetFactory.Of(address, resolved, ways, host.Measuring));
            }
            else
            {
                opened.Add(targets.Open(parse, host, names[i], longest, cancellation));
                found.Add(ProbeTargetFactory.Of(opened[^1].Target, workload, timeout, host.Measuring));
            }
        }

        return found;
    }

    /// <summary>Turns of the first target alone, the second alone and both, within the highest rate for hosts without a responder.</summary>
    public HedgePlan HedgePlan(ParseResult parse, IReadOnlyList<ProbeTarget> pair, double? rate, TimeSpan duration, long? count, int seed)
    {
        ProbePlan turns = Plan(pair, rate ?? Math.Min(ProbePlan.MostRate(pair), 100), duration, null, seed);
        HedgeDelay delay = parse.GetValue(HedgeAfter) ?? new HedgeDelay(null, 95);
        return new HedgePlan
        {
            RatePerSecond = turns.RatePerSecond,
            Rounds = count ?? Math.Max(1, turns.Rounds / 3),
            After = delay.Time,
            AfterPercentile = delay.Percentile,
            Seed = seed,
        };
    }

    /// <summary>The rate and the number of rounds, within the highest rate for hosts without a responder.</summary>
    public static ProbePlan Plan(IReadOnlyList<ProbeTarget> targets, double? rate, TimeSpan duration, long? count, int seed)
    {
        double most = CheckRate(targets, rate);
        double each = rate ?? Math.Min(most, ProbePlan.MostAgentlessPerSecond);
        long rounds = Math.Max(1, (long)Math.Round(duration.TotalSeconds * each));
        return new ProbePlan { RatePerSecond = each, Rounds = count is { } n ? n : rounds, Seed = seed };
    }

    /// <summary>Refuses a rate above the highest one for hosts without a responder.</summary>
    /// <returns>The highest rate for each target, in requests per second.</returns>
    public static double CheckRate(IReadOnlyList<ProbeTarget> targets, double? rate)
    {
        double most = ProbePlan.MostRate(targets);
        return !(rate > most) ? most : throw new ExpectedFailureException(
            ExitCode.Usage,
            $"--rate {rate}/s is too high: a host without a responder gets at most {ProbePlan.MostAgentlessPerSecond} requests per second in total. "
            + $"For each target and protocol given here, the highest rate is {most:0.##}/s.");
    }
}
