using System.CommandLine;
using System.CommandLine.Parsing;
using LatencyTuner.Core;
using LatencyTuner.Core.Analysis;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings;
using LatencyTuner.Core.Reporting.Sockets;
using LatencyTuner.Core.Sockets;
using LatencyTuner.Hosting;

namespace LatencyTuner.Commands;

/// <summary><c>sockets</c>: the TCP connections of this host with their options, counters and processes.</summary>
internal static class SocketsCommand
{
    private static readonly TimeSpan DefaultInterval = TimeSpan.FromSeconds(2);

    public static Command Create(CliHost host)
    {
        Option<uint[]> pid = ProcessIdOption.Create("Only sockets of this process; may be repeated.");
        Option<string[]> process = ProcessNameOption.Create("Only sockets of processes or services of this name; may be repeated.");
        Option<int[]> port = new("--port")
        {
            Description = "Only sockets with this port at either end; may be repeated.",
            HelpName = "n",
            AllowMultipleArgumentsPerToken = false,
            CustomParser = result => [.. result.Tokens.Select(t => Port(result, t.Value))],
        };
        Option<string[]> remote = new("--remote")
        {
            Description = "Only connections to or from this host, by name or address; may be repeated.",
            HelpName = "host",
            AllowMultipleArgumentsPerToken = false,
        };
        Option<TimeSpan?> watch = new("--watch")
        {
            Description = "Read again and again, and show what changed in each interval (2s); with --format json one document on each line.",
            HelpName = "time",
            Arity = ArgumentArity.ZeroOrOne,
            CustomParser = result => result.Tokens.Count == 0 ? DefaultInterval : Quantities.Parse<TimeSpan?>(
                result, text => Quantities.Duration(text, "--watch", TimeSpan.FromMilliseconds(100), TimeSpan.FromHours(1))),
        };
        Option<TimeSpan?> duration = Symbols.Optional(
            "--for", "End --watch after this time (default: it runs until Ctrl-C).", "time",
            (t, o) => Quantities.Duration(t, o, TimeSpan.FromMilliseconds(100), TimeSpan.FromDays(366)));
        Option<string[]> capture = new("--with-capture")
        {
            Description = "A capture or trace of the same connections: it shows which of them Nagle's algorithm held back; may be repeated.",
            HelpName = "file",
            AllowMultipleArgumentsPerToken = false,
        };
        Option<bool> all = new("--all") { Description = "List connections without a process too, such as those in TIME_WAIT." };
        Option<bool> allUsers = new("--all-users")
        {
            Description = "Windows, elevated: reach processes of other users (SeDebugPrivilege). On Linux, root always does.",
        };
        Option<bool> templates = new("--templates") { Description = "Windows: read the TCP template of each connection, which takes some seconds." };
        Option<bool> allowInconclusive = new("--allow-inconclusive") { Description = "Exit with 0 when the evidence allows no verdict." };
        Option<string> failOn = FailOn.Option("none");
        Option<string?> severity = SeverityOption.Create();
        CommonOptions common = new();
        Command command = new(
            "sockets", "Lists TCP connections with their process, Nagle's algorithm, buffers and counters, now. Changes nothing.")
        {
            pid, process, port, remote, watch, duration, capture, all, allUsers, templates, allowInconclusive, failOn, severity,
        };
        common.AddTo(command);
        command.SetAction((parse, cancellation) => Cli.Start(() =>
        {
            SeverityLimits limits = SeverityOption.Read(host, parse.GetValue(severity));
            SocketSelection selection = new()
            {
                Pids = [.. (parse.GetValue(pid) ?? []).Select(p => (int)p)],
                Names = parse.GetValue(process) ?? [],
                Ports = parse.GetValue(port) ?? [],
                Remotes = SocketsRun.Resolve(host, parse.GetValue(remote) ?? [], cancellation),
                WithoutProcess = parse.GetValue(all),
                AllUsers = parse.GetValue(allUsers),
                Templates = parse.GetValue(templates),
            };
            if (parse.GetValue(duration) is not null && parse.GetResult(watch) is null)
            {
                throw new ExpectedFailureException(ExitCode.Usage, "--for needs --watch: without it, the sockets are read once.");
            }

            using ReportOutput output = new(host, common.Values(parse), parse.GetValue(failOn)!);
            SocketsRun run = new()
            {
                Host = host,
                Read = SocketsRun.Require(host),
                Selection = selection,
                Limits = limits,
                Gate = new Gate { FailOn = FailOn.Parse(parse.GetValue(failOn)), AllowInconclusive = parse.GetValue(allowInconclusive) },
                Captured = parse.GetValue(capture) is { Length: > 0 } files
                    ? AnalyzeRun.Run(host, output.Common, files, RecordingFilter.All, limits, cancellation).Findings : [],
            };
            SocketsReport report = parse.GetResult(watch) is null ? run.Once(output)
                : run.Watch(output, parse.GetValue(watch) ?? DefaultInterval, parse.GetValue(duration), cancellation);
            return report.Judgement.ExitCode;
        }));
        return command;
    }

    private static int Port(ArgumentResult result, string text)
    {
        try
        {
            return (int)Quantities.Count(text, "--port", 1, 65_535);
        }
        catch (ExpectedFailureException e)
        {
            result.AddError(e.Message);
            return 0;
        }
    }
}
