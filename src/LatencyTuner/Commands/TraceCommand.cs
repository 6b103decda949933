using System.CommandLine;
using System.Runtime.InteropServices;
using LatencyTuner.Core;
using LatencyTuner.Core.Analysis;
using LatencyTuner.Core.Analysis.Recordings;
using LatencyTuner.Core.Etw;
using LatencyTuner.Core.Etw.Sessions;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings;
using LatencyTuner.Core.Reporting.Analysis;
using LatencyTuner.Hosting;

namespace LatencyTuner.Commands;

/// <summary><c>trace</c>: the events of this machine, analysed as they arrive.</summary>
internal static class TraceCommand
{
    private const string Default = "Detail";

    public static Command Create(CliHost host)
    {
        TraceBudget standard = new();
        Option<TimeSpan> duration =
            Symbols.Option(
                "--duration", "Length of the trace; Ctrl-C ends it earlier.", "time",
                (t, o) => Quantities.Duration(t, o, TimeSpan.FromSeconds(1), TimeSpan.FromDays(1)), TimeSpan.FromSeconds(60));
        Option<string> profile = new("--profile")
        {
            Description = "The events to capture; 'latencytuner profiles' lists what each profile shows and costs.",
            HelpName = string.Join('|', EtwProfile.All.Select(p => p.Name)),
            DefaultValueFactory = _ => Default,
        };
        profile.CompletionSources.Add(_ => EtwProfile.All.Select(p => new System.CommandLine.Completions.CompletionItem(p.Name, documentation: p.Description)));
        Option<uint[]> pid = ProcessIdOption.Create(
            "Only connections of this process; may be repeated. All events are captured, because timer events do not name the process.");
        Option<string?> file = new("--output", "-o")
        {
            Description = "Also write the events to an .etl file, which wraps around at --max-file-size.",
            HelpName = "file.etl",
        };
        Option<int> fileSize =
            Symbols.Option(
                "--max-file-size", "Largest size of the .etl file.", "bytes", (t, o) => Quantities.Size(t, o, 1 << 20, int.MaxValue), 256 << 20);
        Option<long> free =
            Symbols.Option(
                "--min-free", "End when less disk space is free where the .etl file is.", "bytes",
                (t, o) => Quantities.LongSize(t, o, 0, 1L << 50), standard.MinFreeBytes);
        Option<double> rate =
            Symbols.Option(
                "--max-events-per-second", "End when more events arrive, on average over three seconds.", "n/s", (t, o) => Quantities.Rate(t, o, 1, 10_000_000),
                standard.MaxEventsPerSecond);
        Option<double> lost =
            Symbols.Option("--max-lost-share", "End when a larger share of the events is lost.", "share", Quantities.Share, standard.MaxLostShare);
        Option<string?> report = new("--report") { Description = "Write the report to a file instead, whole or not at all.", HelpName = "file" };
        Option<string?> sockets = SocketsOption.Create("A document of 'latencytuner sockets' of this machine");
        Option<bool> allowInconclusive = new("--allow-inconclusive")
        {
            Description = "Exit with 0 when the evidence allows no verdict, or the trace ended before its time.",
        };
        Option<string> failOn = FailOn.Option("none");
        Option<string?> severity = SeverityOption.Create();
        CommonOptions common = new();
        Command command = new("trace", "Captures TCP events of this machine and shows live what stalls in each process (Windows, elevated).")
        {
            duration, profile, pid, file, fileSize, free, rate, lost, report, sockets, allowInconclusive, failOn, severity, common.Format, common.Quiet,
            common.NoColor, common.Ticket, common.Note, common.Operator, common.Progress, common.StopWith,
        };
        command.SetAction((parse, cancellation) => Cli.Start(() =>
        {
            bool quiet = parse.GetValue(common.Quiet);
            EtwProfile chosen = EtwProfile.Find(parse.GetValue(profile)!);
            SeverityLimits limits = SeverityOption.Read(host, parse.GetValue(severity));
            string? path = parse.GetValue(file) is { } given ? TraceFile(given) : null;
            if (host.LiveTrace is not { } trace)
            {
                throw new ExpectedFailureException(
                    ExitCode.Platform,
                    $"'latencytuner trace' captures events of Windows, and this is {RuntimeInformation.OSDescription.Trim()}. Capture on Windows "
                    + $"('latencytuner profiles {chosen.Name}' shows how); 'latencytuner analyze trace.etl' reads the file here.");
            }

            IReadOnlyList<HostSocket> read = SocketsOption.Read(host, parse.GetValue(sockets));
            using ReportOutput output = new(host, common.Values(parse) with { Output = parse.GetValue(report) }, parse.GetValue(failOn)!);
            TraceView view = new(host, quiet, parse.GetValue(duration));
            RecordingResult result;
            try
            {
                result = trace(
                    new LiveTraceRequest
                    {
                        Profile = chosen,
                        Duration = parse.GetValue(duration),
                        Filter = RecordingFilter.All with { Processes = parse.GetValue(pid) ?? [] },
                        Limits = limits,
                        Budget = standard with
                        {
                            MaxEventsPerSecond = parse.GetValue(rate),
                            MaxLostShare = parse.GetValue(lost),
                            MinFreeBytes = parse.GetValue(free),
                        },
                        Time = host.Time,
                        File = path,
                        FileMB = parse.GetValue(fileSize) >> 20,
                        Begun = view.Begun,
                        Say = view.Say,
                        Show = view.Show,
                    },
                    cancellation);
            }
            finally
            {
                view.End();
            }

            AnalysisReport document = AnalysisReportBuilder.From(result, new AnalysisOptions { Sockets = read }, new Gate
            {
                FailOn = FailOn.Parse(parse.GetValue(failOn)),
                AllowInconclusive = parse.GetValue(allowInconclusive),
                Cancelled = cancellation.IsCancellationRequested,
            });
            if (document.Judgement.ExitCode == ExitCode.Done && result.Cancelled && !parse.GetValue(allowInconclusive))
            {
                // A session that ended early covers less time than the user asked for.
                document = document with { Judgement = document.Judgement with { ExitCode = ExitCode.CannotTell } };
            }

            output.Write(
                path is null ? document : document with
                {
                    Notes = [.. document.Notes, $"The events are also in {path}; 'latencytuner analyze {path}' reads it."],
                });
            return document.Judgement.ExitCode;
        }));
        return command;
    }

    /// <summary>The full path, because Windows writes the file and has another current folder.</summary>
    private static string TraceFile(string path)
    {
        if (!path.EndsWith(".etl", StringComparison.OrdinalIgnoreCase))
        {
            throw new ExpectedFailureException(
                ExitCode.Usage, $"--output '{path}' is not valid: the name of an .etl file is expected, such as trace.etl. For the report, use --report.");
        }

        try
        {
            string full = Path.GetFullPath(path);
            return Directory.Exists(full) ? throw new IOException("it is a folder")
                : !Directory.Exists(Path.GetDirectoryName(full)) ? throw new IOException($"the folder '{Path.GetDirectoryName(full)}' does not exist")
                : full;
        }
        catch (Exception e) when (e is IOException or ArgumentException or NotSupportedException)
        {
            throw new ExpectedFailureException(ExitCode.Usage, $"--output '{path}' cannot be written: {e.Message.TrimEnd('.')}.", e);
        }
    }
}
