using System.CommandLine;
using LatencyTuner.Core.Analysis.Checks;
using LatencyTuner.Core.Analysis.Sockets;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Reporting.Check;
using LatencyTuner.Hosting;

namespace LatencyTuner.Commands;

/// <summary><c>check</c>: the main command, also a gate for deployments.</summary>
internal static class CheckCommand
{
    public static Command Create(CliHost host)
    {
        Argument<string[]> targets = new("target")
        {
            Description = "HOST[:PORT] of responders; without a target, only this machine is checked.",
            Arity = ArgumentArity.ZeroOrMore,
        };
        Option<TimeSpan?> maxP99 =
            Symbols.Optional(
                "--max-p99", "Fail when a target's p99 is above this time.", "time",
                (t, o) => Quantities.Duration(t, o, TimeSpan.FromMicroseconds(1), TimeSpan.FromHours(1)));
        Option<double?> maxStallShare = Symbols.Optional(
            "--max-stall-share", "Fail when a larger share of a target's requests stalls.", "share", Quantities.Share);
        Option<string> failOn = FailOn.Option("error");
        Option<string?> severity = SeverityOption.Create();
        Option<bool> allowInconclusive = new("--allow-inconclusive") { Description = "Exit with 0 when the evidence allows no verdict." };
        Option<bool> noDiagnosis = new("--no-diagnosis") { Description = "Measure the declared workload only." };
        Option<string> profile = ProfileOption.Create();
        Option<string?> process = new("--process") { Description = ProcessWorkload.Description, HelpName = "name" };
        WorkloadOptions workload = new();
        PaceOptions pace = new(TimeSpan.FromSeconds(3), TimeSpan.FromMilliseconds(300));
        TargetOptions reach = new();
        CommonOptions common = new();
        Command command = new(
            "check",
            "Checks this machine and the path to each target; one verdict, one exit code.") {
                targets, maxP99, maxStallShare, failOn, severity, allowInconclusive, noDiagnosis, profile, process };
        workload.AddTo(command);
        pace.AddTo(command);
        reach.AddTo(command);
        common.AddTo(command);
        command.SetAction((parse, cancellation) => Cli.Start(() =>
        {
            string[] names = [.. (parse.GetValue(targets) ?? []).Where(t => t != TargetOptions.Loopback).Distinct()];
            ApplicationSockets? application = ProcessWorkload.Read(host, parse.GetValue(process), names, cancellation);
            MeasurementPlan plan = pace.Values(parse, host, ProcessWorkload.Of(workload.Values(parse), application));
            foreach (string name in names)
            {
                reach.Validate(parse, host, name, names);
            }

            using ReportOutput output = new(host, common.Values(parse), parse.GetValue(failOn)!);
            SeverityLimits limits = SeverityOption.Read(host, parse.GetValue(severity));
            CheckInputs inputs = ProgressLine.Run(host, output.Common, progress => new CheckRun
            {
                Plan = plan,
                Measuring = host.Measuring,
                Severity = limits,
                Diagnose = !parse.GetValue(noDiagnosis),
                Profile = ProfileOption.Value(parse, profile),
                Progress = progress,
                LiveSnapshot = host.LiveSnapshot,
                Application = application,
            }.Run(names, name => reach.Open(parse, host, name, plan.Duration, cancellation), cancellation)) with
            {
                Limits = new CheckLimits
                {
                    MaxP99Us = parse.GetValue(maxP99)?.TotalMicroseconds,
                    MaxStallShare = parse.GetValue(maxStallShare),
                    FailOn = FailOn.Parse(parse.GetValue(failOn)),
                    Severities = limits,
                    AllowInconclusive = parse.GetValue(allowInconclusive),
                },
            };
            CheckReport report = CheckReportBuilder.From(inputs);
            output.Write(report);
            return report.Judgement.ExitCode;
        }));
        return command;
    }
}
