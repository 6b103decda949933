using System.CommandLine;
using LatencyTuner.Core.Analysis;
using LatencyTuner.Core.Analysis.Sockets;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Experiments;
using LatencyTuner.Core.Measurement.Responding;
using LatencyTuner.Core.Reporting.Diagnosis;
using LatencyTuner.Hosting;

namespace LatencyTuner.Commands;

/// <summary><c>diagnose</c>: the experiment that names the end at fault and measures the fixes.</summary>
internal static class DiagnoseCommand
{
    // More than an experiment has, for how long it takes at most.
    private const int MostCells = 20;

    public static Command Create(CliHost host)
    {
        Argument<string> target = new("target")
        {
            Description = "loopback (default) or HOST[:PORT] of a responder.",
            DefaultValueFactory = _ => TargetOptions.Loopback,
        };
        Option<int> rounds = Symbols.Option("--rounds", "Number of interleaved rounds.", "n", (t, o) => (int)Quantities.Count(t, o, 1, 1000), 5);
        Option<TimeSpan> cellTime =
            Symbols.Option(
                "--cell-time", "Time per combination and round.", "time",
                (t, o) => Quantities.Duration(t, o, TimeSpan.FromMilliseconds(10), TimeSpan.FromMinutes(1)), TimeSpan.FromMilliseconds(120));
        Option<int> size = Symbols.Option("--size", "Request size.", "bytes", (t, o) => Quantities.Size(t, o, 2, 1 << 30), 64);
        Option<int?> splitAt =
            Symbols.Optional(
                "--split-at", "Size of the first write of a split request (default: a quarter of it, at most 16 bytes).", "bytes",
                (t, o) => Quantities.Size(t, o, 1, 1 << 30));
        Option<int> replySize = Symbols.Option("--reply-size", "Reply size.", "bytes", (t, o) => Quantities.Size(t, o, 2, 1 << 30), 64);
        Option<TimeSpan> think =
            Symbols.Option(
                "--peer-think", "Think time of the responder before each reply.", "time",
                (t, o) => Quantities.Duration(t, o, TimeSpan.Zero, TimeSpan.FromSeconds(10)),
                TimeSpan.Zero);
        Option<bool> noLoopback = new("--no-loopback") { Description = "Leave out the comparison with loopback." };
        Option<int> seed = Symbols.Option("--seed", "Seed of the order of the rounds.", "n", (t, o) => (int)Quantities.Count(t, o, 0, int.MaxValue), 1);
        Option<TimeSpan> timeout =
            Symbols.Option(
                "--timeout", "Longest wait for one reply.", "time",
                (t, o) => Quantities.Duration(t, o, TimeSpan.FromMilliseconds(10), TimeSpan.FromHours(1)), TimeSpan.FromSeconds(10));
        Option<string?> process = new("--process") { Description = ProcessWorkload.Description, HelpName = "name" };
        Option<bool> allowInconclusive = new("--allow-inconclusive") { Description = "Exit with 0 when the evidence allows no verdict." };
        Option<string> failOn = FailOn.Option("none");
        TargetOptions targets = new();
        CommonOptions common = new();
        Command command = new("diagnose", "Measures what split writes cost on this path, names the end at fault, and measures each fix.")
        {
            target, rounds, cellTime, size, splitAt, replySize, think, noLoopback, seed, timeout, process, allowInconclusive, failOn,
        };
        targets.AddTo(command);
        common.AddTo(command);
        command.SetAction((parse, cancellation) => Cli.Start(() =>
        {
            ExperimentPlan plan = new()
            {
                Rounds = parse.GetValue(rounds),
                CellTime = parse.GetValue(cellTime),
                Size = parse.GetValue(size),
                FirstWrite = parse.GetValue(splitAt),
                ReplySize = parse.GetValue(replySize),
                PeerThink = parse.GetValue(think),
                Seed = parse.GetValue(seed),
                ReplyTimeout = parse.GetValue(timeout),
            };
            _ = Workload.SplitOf(plan.Size, plan.FirstWrite);
            ApplicationSockets? application = ProcessWorkload.Read(host, parse.GetValue(process), [parse.GetValue(target)!], cancellation);
            using ReportOutput output = new(host, common.Values(parse), parse.GetValue(failOn)!);
            using OpenTarget opened = targets.Open(parse, host, parse.GetValue(target)!, plan.Rounds * plan.CellTime * MostCells, cancellation);
            (ExperimentResult result, ExperimentResult? loopback) = ProgressLine.Run(host, output.Common, progress =>
                (Experiment.Run(opened.Target, plan, host.Measuring, cancellation, progress),
                opened.Target.IsLoopback || parse.GetValue(noLoopback) || cancellation.IsCancellationRequested ? null : Context(host, plan, cancellation)));
            DiagnosisReport report = DiagnosisReportBuilder.From(result, loopback, new Gate
            {
                FailOn = FailOn.Parse(parse.GetValue(failOn)),
                AllowInconclusive = parse.GetValue(allowInconclusive),
                Cancelled = result.Cancelled,
                Failure = result.EndedBecause,
            }, application);
            output.Write(report);
            if (result.EndedBecause is { } why)
            {
                host.Complain(why);
            }

            return report.Judgement.ExitCode;
        }));
        return command;
    }

    /// <summary>The short loopback experiment beside a remote one.</summary>
    public static ExperimentResult Context(CliHost host, ExperimentPlan plan, CancellationToken cancellation)
    {
        using LoopbackResponder responder = LoopbackResponder.Start(
            System.Net.Sockets.AddressFamily.InterNetwork, CliHost.Software, CliHost.Tool.Os, null, host.Time);
        return Experiment.Run(
            responder.Target,
            plan with
            {
                Cells = ExperimentCell.Context,
                Rounds = Math.Min(plan.Rounds, 3),
                CellTime = TimeSpan.FromMilliseconds(60),
                PeerThink = TimeSpan.Zero,
                TickProbes = 0,
            },
            host.Measuring,
            cancellation);
    }
}
