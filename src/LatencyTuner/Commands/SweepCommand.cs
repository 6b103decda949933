using System.CommandLine;
using LatencyTuner.Core;
using LatencyTuner.Core.Analysis;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Reporting.Building;
using LatencyTuner.Core.Reporting.Model;
using LatencyTuner.Hosting;

namespace LatencyTuner.Commands;

/// <summary><c>sweep</c>: latency over one dimension.</summary>
internal static class SweepCommand
{
    public static Command Create(CliHost host) => new("sweep", "Measures latency over one dimension: the table, the knee, the anomaly.") { Rate(host) };

    private static Command Rate(CliHost host)
    {
        Argument<string> target = new("target") { Description = "loopback (default) or HOST[:PORT] of a responder.", DefaultValueFactory = _ => TargetOptions.Loopback };
        Option<double> from = Symbols.Option("--from", "Lowest rate.", "n/s", (t, o) => Quantities.Rate(t, o, 0.1, 5_000_000), 10);
        Option<double> to = Symbols.Option("--to", "Highest rate.", "n/s", (t, o) => Quantities.Rate(t, o, 0.1, 5_000_000), 40_000);
        Option<int> steps = Symbols.Option("--steps", "Rates, in even steps of their logarithm.", "n", (t, o) => (int)Quantities.Count(t, o, 2, 100), 9);
        Option<int> rounds = Symbols.Option("--rounds", "Rounds, each in a new random order.", "n", (t, o) => (int)Quantities.Count(t, o, 1, 100), 3);
        Option<string> failOn = FailOn.Option("none");
        Option<string?> severity = SeverityOption.Create();
        WorkloadOptions workload = new();
        PaceOptions pace = new(TimeSpan.FromSeconds(1), TimeSpan.FromMilliseconds(100));
        TargetOptions targets = new();
        CommonOptions common = new();
        Command command = new("rate", "Latency percentiles over the request rate. --duration is per rate and round.") { target, from, to, steps, rounds };
        workload.AddTo(command);
        pace.AddTo(command, withRate: false);
        command.Options.Add(failOn);
        command.Options.Add(severity);
        targets.AddTo(command);
        common.AddTo(command);
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

            RateSweepPlan plan = new()
            {
                Base = pace.Values(parse, work, withRate: false),
                Rates = RateSweepPlan.LogSteps(low, high, parse.GetValue(steps)),
                Rounds = parse.GetValue(rounds),
                PointTime = parse.GetValue(pace.Duration),
                Seed = parse.GetValue(pace.Seed),
            };
            SeverityLimits limits = SeverityOption.Read(host, parse.GetValue(severity));
            using ReportOutput output = new(host, common.Values(parse), parse.GetValue(failOn)!);
            using OpenTarget opened = targets.Open(parse, host, parse.GetValue(target)!, cancellation);
            RateSweepResult result = ProgressLine.Run(host, output.Common, progress => RateSweep.Run(opened.Target, plan, host.Measuring, cancellation, progress));
            SweepReport report = SweepReports.From(result, limits);
            output.Write(report);
            if (result.EndedBecause is { } why)
            {
                host.Complain(why);
            }

            return FailOn.Judge(report.Findings, FailOn.Parse(parse.GetValue(failOn)), result.Cancelled, result.EndedBecause);
        }));
        return command;
    }
}
