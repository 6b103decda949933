using System.CommandLine;
using LatencyTuner.Core;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Sweeps;
using LatencyTuner.Hosting;

namespace LatencyTuner.Commands;

/// <summary><c>sweep rate</c>: latency over the rate of an open loop.</summary>
internal static class SweepRateCommand
{
    public static Command Create(CliHost host)
    {
        Option<double> from = Symbols.Option("--from", "Lowest rate.", "n/s", (t, o) => Quantities.Rate(t, o, 0.1, 5_000_000), 10);
        Option<double> to = Symbols.Option("--to", "Highest rate.", "n/s", (t, o) => Quantities.Rate(t, o, 0.1, 5_000_000), 40_000);
        Option<int> steps = Symbols.Option("--steps", "Number of rates, in logarithmic steps.", "n", (t, o) => (int)Quantities.Count(t, o, 2, 100), 9);
        WorkloadOptions workload = new();
        PaceOptions pace = new(TimeSpan.FromSeconds(1), TimeSpan.FromMilliseconds(100));
        SweepRunOptions run = new();
        Command command = new(
            "rate", "Latency percentiles over the request rate. --duration is per rate and round.") { run.Target, from, to, steps, run.Rounds };
        workload.AddTo(command);
        pace.AddTo(command, withRate: false);
        run.AddTo(command);
        command.SetAction((parse, cancellation) => Cli.Start(() =>
        {
            (double low, double high) = (parse.GetValue(from), parse.GetValue(to));
            if (low >= high)
            {
                throw new ExpectedFailureException(ExitCode.Usage, $"--from {low}/s must be below --to {high}/s.");
            }

            Workload work = workload.Values(parse);
            if (work.Pattern == WritePattern.Stream)
            {
                throw new ExpectedFailureException(ExitCode.Usage, "sweep rate needs replies: --pattern single or split.");
            }

            IReadOnlyList<double?> rates = [.. SweepPlan.LogSteps(low, high, parse.GetValue(steps)).Select(r => (double?)r)];
            return run.Run(
                parse, host,
                SweepPlan.Make(
                    pace.Values(parse, host, work, withRate: false), null, [(SweepDimension.Rate, rates)], parse.GetValue(run.Rounds),
                    parse.GetValue(pace.Seed)),
                cancellation);
        }));
        return command;
    }
}
