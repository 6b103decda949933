using System.CommandLine;
using LatencyTuner.Core.Analysis;
using LatencyTuner.Core.Analysis.Recordings;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings;
using LatencyTuner.Core.Reporting.Analysis;
using LatencyTuner.Hosting;

namespace LatencyTuner.Commands;

/// <summary><c>analyze</c>: causes, cost and side at fault from captures.</summary>
internal static class AnalyzeCommand
{
    public static Command Create(CliHost host)
    {
        Argument<string[]> files = new("file")
        {
            Description =
                "Captures, or traces (.etl); - reads standard input. Files that follow each other in time are one capture; files of the same time, made "
                + "at two places, are paired.",
            Arity = ArgumentArity.OneOrMore,
        };
        Option<TimeSpan> slower =
            Symbols.Option(
                "--slower-than", "List only transactions that took at least this time.", "time",
                (t, o) => Quantities.Duration(t, o, TimeSpan.Zero, TimeSpan.FromDays(1)), TimeSpan.Zero);
        Option<string[]> filter = new("--filter")
        {
            Description =
                "host=ADDRESS[/BITS] or port=N[-M] (several with commas), after=TIME or before=TIME (UTC, such as 2026-11-20T17:40Z); may be repeated.",
            HelpName = "what",
            AllowMultipleArgumentsPerToken = false,
        };
        Option<uint[]> processes = ProcessIdOption.Create("Only connections that a trace assigns to this process; may be repeated.");
        Option<int> most =
            Symbols.Option(
                "--max-transactions", "Most transactions in the report; the slowest are kept.", "n", (t, o) => (int)Quantities.Count(t, o, 0, 1_000_000),
                10_000);
        Option<string?> sockets = SocketsOption.Create("A document of 'latencytuner sockets' of the host that was captured");
        Option<bool> allowInconclusive = new("--allow-inconclusive") { Description = "Exit with 0 when the evidence allows no verdict." };
        Option<string> failOn = FailOn.Option("none");
        Option<string?> severity = SeverityOption.Create();
        CommonOptions common = new();
        Command command = new(
            "analyze",
            "Finds what stalled, at which end, and what it cost, in captures of network packets.") {
                files, slower, filter, processes, most, sockets, allowInconclusive };
        command.Options.Add(failOn);
        command.Options.Add(severity);
        common.AddTo(command);
        command.SetAction((parse, cancellation) => Cli.Start(() =>
        {
            RecordingFilter chosen = AnalyzeFilter.Parse(parse.GetValue(filter) ?? []) with { Processes = parse.GetValue(processes) ?? [] };
            SeverityLimits limits = SeverityOption.Read(host, parse.GetValue(severity));
            string[] paths = parse.GetValue(files)!;
            IReadOnlyList<HostSocket> read = SocketsOption.Read(host, parse.GetValue(sockets));
            using ReportOutput output = new(host, common.Values(parse), parse.GetValue(failOn)!);
            host.PostponeCollections();
            RecordingResult result = AnalyzeRun.Run(host, output.Common, paths, chosen, limits, cancellation);
            AnalysisReport report =
                AnalysisReportBuilder.From(
                    result, new AnalysisOptions { SlowerThan = parse.GetValue(slower), MostTransactions = parse.GetValue(most), Sockets = read },
                    new Gate
                    {
                        FailOn = FailOn.Parse(parse.GetValue(failOn)),
                        AllowInconclusive = parse.GetValue(allowInconclusive),
                        Cancelled = result.Cancelled,
                    });
            output.Write(report);
            return report.Judgement.ExitCode;
        }));
        return command;
    }
}
