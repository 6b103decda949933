using System.CommandLine;
using System.Globalization;
using LatencyTuner.Core;
using LatencyTuner.Core.Analysis;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Monitoring;
using LatencyTuner.Core.Measurement.Probes;
using LatencyTuner.Core.Reporting.Series;
using LatencyTuner.Hosting;

namespace LatencyTuner.Commands;

/// <summary><c>monitor</c>: a long measurement of several targets.</summary>
internal static class MonitorCommand
{
    public static Command Create(CliHost host)
    {
        Argument<string[]> names = new("targets")
        {
            Description = "loopback, HOST[:PORT] of responders, tcp://HOST:PORT, http(s)://, ws(s):// or icmp://HOST.",
            Arity = ArgumentArity.OneOrMore,
            HelpName = "target",
        };
        Option<double> rate = Symbols.Option("--rate", "Requests per second to each target.", "n/s", (t, o) => Quantities.Rate(t, o, 0.01, 100), 1);
        Option<TimeSpan> interval =
            Symbols.Option(
                "--interval", "Length of the intervals that are stored.", "time",
                (t, o) => Quantities.Duration(t, o, TimeSpan.FromMilliseconds(100), TimeSpan.FromMinutes(5)), TimeSpan.FromSeconds(10));
        Option<TimeSpan?> duration =
            Symbols.Optional(
                "--duration", "Time after which the monitor ends (default: it runs until Ctrl-C).", "time",
                (t, o) => Quantities.Duration(t, o, TimeSpan.FromMilliseconds(100), TimeSpan.FromDays(366)));
        Option<string?> store = new("--store")
        {
            Description = "Folder of the series; one that has series is continued (default: a new folder, latencytuner-monitor-TIME).",
            HelpName = "folder",
        };
        Option<int> fileSize =
            Symbols.Option(
                "--file-size", "Size at which the next file of the series begins (64MiB).", "bytes", (t, o) => Quantities.Size(t, o, 1024, 1 << 30),
                64 << 20);
        Option<int> files = Symbols.Option("--files", "Most files kept; the oldest are deleted.", "n", (t, o) => (int)Quantities.Count(t, o, 2, 100_000), 100);
        Option<int> size = Symbols.Option("--size", "Request size.", "bytes", (t, o) => Quantities.Size(t, o, 1, 1 << 20), 64);
        Option<int> replySize = Symbols.Option("--reply-size", "Reply size.", "bytes", (t, o) => Quantities.Size(t, o, 1, 1 << 20), 64);
        Option<TimeSpan> timeout =
            Symbols.Option(
                "--timeout", "Longest wait for one reply.", "time",
                (t, o) => Quantities.Duration(t, o, TimeSpan.FromMilliseconds(10), TimeSpan.FromMinutes(5)), TimeSpan.FromSeconds(10));
        Option<TimeSpan?> maxP99 =
            Symbols.Optional(
                "--max-p99", "Alert when an interval's 99th percentile is above this time; exit with 1 when that of the whole run is.", "time",
                (t, o) => Quantities.Duration(t, o, TimeSpan.FromMicroseconds(1), TimeSpan.FromHours(1)));
        Option<TimeSpan?> slowerThan =
            Symbols.Optional(
                "--slower-than", "Count the requests slower than this, over time.", "time",
                (t, o) => Quantities.Duration(t, o, TimeSpan.FromMicroseconds(1), TimeSpan.FromHours(1)));
        Option<Uri?> otlp = new("--otlp")
        {
            Description = "Send OTLP metrics (HTTP, protobuf) to this collector; /v1/metrics is added to an address without a path.",
            HelpName = "url",
            CustomParser = result => Quantities.Parse(result, text => Collector(text)),
        };
        Option<string> http = Symbols.Words("--http", "HTTP version to use.", "1.1", "1.1", "2");
        Option<string> connections =
            Symbols.Words("--http-connections", "HTTP on one kept connection, or on a new one for each request.", "kept", "kept", "new");
        Option<bool> insecure = new("--insecure") { Description = "Accept any certificate of https:// and wss://." };
        Option<string> failOn = FailOn.Option("none");
        Option<string?> severity = SeverityOption.Create();
        TargetOptions targets = new();
        CommonOptions common = new();
        Command command = new(
            "monitor", "Measures several targets for hours to weeks: series on disk, live view, metrics; ends with a report on oscillations and level shifts.")
        {
            names, rate, interval, duration, store, fileSize, files, size, replySize, timeout, maxP99, slowerThan, otlp, http, connections, insecure, failOn,
            severity,
        };
        targets.AddTo(command);
        common.AddTo(command);
        command.SetAction((parse, cancellation) => Cli.Start(() =>
        {
            SeverityLimits limits = SeverityOption.Read(host, parse.GetValue(severity));
            string[] given = [.. parse.GetValue(names)!.Distinct()];
            HttpProbeOptions way = new()
            {
                Version = parse.GetValue(http) == "2" ? new(2, 0) : new(1, 1),
                Kept = parse.GetValue(connections) == "kept",
                AnyCertificate = parse.GetValue(insecure),
                Timeout = parse.GetValue(timeout),
            };
            using ReportOutput output = new(host, common.Values(parse), parse.GetValue(failOn)!);
            MonitorRun run = new()
            {
                Host = host,
                Plan = new MonitorPlan { RatePerSecond = parse.GetValue(rate), Interval = parse.GetValue(interval), Duration = parse.GetValue(duration) },
                Folder = parse.GetValue(store) ?? NewFolder(host),
                FileBytes = parse.GetValue(fileSize),
                Files = parse.GetValue(files),
                MaxP99 = parse.GetValue(maxP99),
                SlowerThan = parse.GetValue(slowerThan),
                Collector = parse.GetValue(otlp),
                Quiet = output.Common.Quiet,
            };
            List<OpenTarget> opened = [];
            try
            {
                Workload workload = new() { Writes = [parse.GetValue(size)], ReplySize = parse.GetValue(replySize), NoDelay = true, PeerNoDelay = true };
                List<ProbeTarget> asked = ProbeOptions.Open(
                    parse, host, given, targets, [way], workload, parse.GetValue(timeout), run.Plan.Duration, opened, cancellation);
                _ = ProbeOptions.CheckRate(asked, run.Plan.RatePerSecond);
                // Without --duration, Ctrl-C is the normal end of a monitor.
                run = run with { Notes = Started(asked) };
                SeriesReport report = run.Run([.. asked.Select(t => new MonitorTarget(t.Name, t.Open) { Polled = t.Polled })], limits, cancellation);
                report = SeriesReportBuilder.Judge(
                    report, new Gate { FailOn = FailOn.Parse(parse.GetValue(failOn)), Cancelled = !report.Complete }, run.Silent.Count > 0,
                    parse.GetValue(maxP99));
                output.Write(report);
                return report.Judgement.ExitCode;
            }
            finally
            {
                opened.ForEach(o => o.Dispose());
            }
        }));
        return command;
    }

    private static string[] Started(List<ProbeTarget> targets) =>
        [.. targets.Where(t => t.Via is not null).Select(t => $"{t.Name} answered at {t.Address}, the direct path; '{t.Via!.Command}' only started it.")];

    /// <summary>A folder of this run alone: series of another run are only continued by who names them.</summary>
    private static string NewFolder(CliHost host)
    {
        string name = string.Create(CultureInfo.InvariantCulture, $"latencytuner-monitor-{host.Time.GetUtcNow():yyyyMMdd-HHmmss}");
        string folder = Enumerable.Range(1, int.MaxValue).Select(i => i == 1 ? name : $"{name}-{i}").First(f => !Directory.Exists(f) && !File.Exists(f));
        host.Complain($"The series are written to {folder}. At any time: {host.Program} report {folder}");
        return folder;
    }

    private static Uri Collector(string text) =>
        Uri.TryCreate(text, UriKind.Absolute, out Uri? uri) && uri.Scheme is "http" or "https"
            ? uri.AbsolutePath is "/" or "" ? new Uri(uri, "/v1/metrics") : uri
            : throw new ExpectedFailureException(
                ExitCode.Usage, $"--otlp '{text}' is not valid: the address of a collector is expected, such as http://localhost:4318.");
}
