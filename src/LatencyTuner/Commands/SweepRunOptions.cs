using System.CommandLine;
using LatencyTuner.Core;
using LatencyTuner.Core.Analysis;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Measurement.Sweeps;
using LatencyTuner.Core.Reporting.Sweep;
using LatencyTuner.Hosting;

namespace LatencyTuner.Commands;

/// <summary>What all sweeps share: the target, the rounds, the state file, the report and its gate.</summary>
internal sealed class SweepRunOptions
{
    private readonly Option<string?> _state = new("--state")
    {
        Description = "Store every finished round in this file; after an interruption, the same command continues there.",
        HelpName = "file",
    };

    private readonly Option<string> _failOn = FailOn.Option("none");
    private readonly Option<string?> _severity = SeverityOption.Create();
    private readonly TargetOptions _targets = new();
    private readonly CommonOptions _common = new();

    public Argument<string> Target { get; } = new("target")
    {
        Description = "loopback (default) or HOST[:PORT] of a responder.",
        DefaultValueFactory = _ => TargetOptions.Loopback,
    };

    public Option<int> Rounds { get; } =
        Symbols.Option("--rounds", "Number of rounds, each in a new random order.", "n", (t, o) => (int)Quantities.Count(t, o, 1, 100), 3);

    public void AddTo(Command command)
    {
        command.Options.Add(_state);
        command.Options.Add(_failOn);
        command.Options.Add(_severity);
        _targets.AddTo(command);
        _common.AddTo(command);
    }

    public ExitCode Run(ParseResult parse, CliHost host, SweepPlan plan, CancellationToken cancellation)
    {
        SeverityLimits limits = SeverityOption.Read(host, parse.GetValue(_severity));
        using ReportOutput output = new(host, _common.Values(parse), parse.GetValue(_failOn)!);
        string target = parse.GetValue(Target)!;
        TimeSpan? longest = plan.Cells.Count * plan.Rounds * (plan.Base.Duration + plan.Base.Warmup);
        using OpenTarget opened = plan.Streams is null ? _targets.Open(parse, host, target, longest, cancellation)
            : _targets.OpenHttp(parse, host, target, longest, cancellation);
        using SweepLog? log = parse.GetValue(_state) is { } path ? SweepLog.Open(path, opened.Target, plan) : null;
        if (log is { Count: > 0 } && !output.Common.Quiet)
        {
            host.Complain($"{parse.GetValue(_state)}: continues after {log.Count} of {plan.Cells.Count * plan.Rounds} measurements.");
        }

        SweepResult result = ProgressLine.Run(host, output.Common, progress => Sweep.Run(opened.Target, plan, host.Measuring, log, cancellation, progress));
        SweepReport report = SweepReportBuilder.From(
            result, limits, new Gate { FailOn = FailOn.Parse(parse.GetValue(_failOn)), Cancelled = result.Cancelled, Failure = result.EndedBecause });
        output.Write(report);
        if (result.EndedBecause is { } why)
        {
            host.Complain(why);
        }

        if (!result.Complete && log is not null)
        {
            host.Complain($"Run the same command with --state {parse.GetValue(_state)} to continue where this run ended.");
        }

        return report.Judgement.ExitCode;
    }
}
