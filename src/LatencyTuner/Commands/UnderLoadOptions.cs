using System.CommandLine;
using LatencyTuner.Core;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Load;
using LatencyTuner.Core.Measurement.Probes;
using LatencyTuner.Core.Text;
using LatencyTuner.Hosting;

namespace LatencyTuner.Commands;

/// <summary>How a responder is measured while the path to it is full.</summary>
internal sealed class UnderLoadOptions
{
    private const double DefaultRate = 100;
    private const double MostRate = 1000;
    private static readonly string[] Directions = ["up", "down", "both"];

    public Option<string?> Direction { get; } = new("--under-load")
    {
        Description =
            "Measure idle and loaded phases in turn: fill the path to the responder (up), from it (down) or both, with bulk data, and show what that adds.",
        HelpName = string.Join('|', Directions),
        CustomParser = result => Symbols.OneOf(result, "--under-load", Directions),
    };

    public Option<int> Connections { get; } =
        Symbols.Option(
            "--load-connections", "With --under-load: connections that carry the load, each way.", "n", (t, o) => (int)Quantities.Count(t, o, 1, 64), 8);

    public Option<long> Limit { get; } =
        Symbols.Option(
            "--load-limit", "With --under-load: most bytes of load.", "bytes", (t, o) => Quantities.LongSize(t, o, 1 << 20, 1L << 50), 16L << 30);

    public Option<int> Rounds { get; } =
        Symbols.Option(
            "--load-rounds", "With --under-load: number of loaded phases; --duration is the time of all of them.", "n",
            (t, o) => (int)Quantities.Count(t, o, 1, 100), 2);

    public void AddTo(Command command)
    {
        Direction.CompletionSources.Add(Directions);
        foreach (Option option in (Option[])[Direction, Connections, Limit, Rounds])
        {
            command.Options.Add(option);
        }
    }

    /// <summary>The plan; null when no load was asked for.</summary>
    /// <exception cref="ExpectedFailureException">Options that do not go together, or a target that is no responder.</exception>
    public LoadPlan? Plan(ParseResult parse, IReadOnlyList<string> targets, MeasurementPlan plan, IEnumerable<Option> foreign)
    {
        if (parse.GetValue(Direction) is not { } direction)
        {
            foreach (Option option in (Option[])[Connections, Limit, Rounds])
            {
                if (IsGiven(parse, option))
                {
                    throw new ExpectedFailureException(ExitCode.Usage, $"{option.Name} needs --under-load: up, down or both.");
                }
            }

            return null;
        }

        if (targets.Count > 1)
        {
            throw new ExpectedFailureException(ExitCode.Usage, $"--under-load takes one target, not {targets.Count}.");
        }

        if (ProbeAddress.IsProbeAddress(targets[0]))
        {
            throw new ExpectedFailureException(
                ExitCode.Usage,
                $"--under-load needs a responder: HOST[:PORT] where 'latencytuner serve' runs. '{targets[0]}' is another kind of target.");
        }

        foreach (Option option in foreign)
        {
            if (IsGiven(parse, option))
            {
                throw new ExpectedFailureException(ExitCode.Usage, $"{option.Name} does not go with --under-load.");
            }
        }

        if (plan.Workload.Pattern == WritePattern.Stream)
        {
            throw new ExpectedFailureException(
                ExitCode.Usage, "--pattern stream does not go with --under-load, which measures requests with replies beside the load.");
        }

        double rate = plan.RatePerSecond ?? DefaultRate;
        TimeSpan loaded = plan.Duration ?? TimeSpan.FromSeconds(10);
        int rounds = parse.GetValue(Rounds);
        if (rate > MostRate)
        {
            throw new ExpectedFailureException(
                ExitCode.Usage,
                $"--rate {rate}/s is too high with --under-load: at most {MostRate}/s is valid, so that the measured requests add little load.");
        }

        if (loaded / rounds < TimeSpan.FromMilliseconds(200) || loaded / rounds > TimeSpan.FromMinutes(10))
        {
            throw new ExpectedFailureException(
                ExitCode.Usage,
                $"--duration {Quantities.Format(loaded)} makes {Counted.Of(rounds, "loaded phase")} of {Quantities.Format(loaded / rounds)}: "
                + "200ms to 10m each are valid.");
        }

        return new LoadPlan
        {
            // With Nagle on, a request would wait for the acknowledgement of the one before, which is what the load delays.
            Probe = plan with
            {
                RatePerSecond = rate,
                Duration = null,
                Workload = plan.Workload with { NoDelay = plan.Workload.NoDelay ?? true, PeerNoDelay = plan.Workload.PeerNoDelay ?? true },
            },
            Direction = Enum.Parse<LoadDirection>(direction, ignoreCase: true),
            Connections = parse.GetValue(Connections),
            MostBytes = parse.GetValue(Limit),
            Rounds = rounds,
            Loaded = loaded,
        };
    }

    private static bool IsGiven(ParseResult parse, Option option) => parse.GetResult(option) is { Implicit: false };
}
