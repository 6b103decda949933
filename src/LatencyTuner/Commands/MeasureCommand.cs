using System.CommandLine;
using LatencyTuner.Core;
using LatencyTuner.Core.Analysis;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Loops;
using LatencyTuner.Core.Measurement.Probes;
using LatencyTuner.Core.Reporting.Measurement;
using LatencyTuner.Hosting;

namespace LatencyTuner.Commands;

/// <summary><c>measure</c>: one measurement.</summary>
internal static class MeasureCommand
{
    public static Command Create(CliHost host)
    {
        Argument<string[]> names = new("targets")
        {
            Description =
                "loopback (default) or HOST[:PORT] of a responder; tcp://HOST:PORT, http(s)://, ws(s)://, icmp://HOST of any server. Several targets "
                + "are measured in turn.",
            Arity = ArgumentArity.ZeroOrMore,
            HelpName = "target",
            DefaultValueFactory = _ => [TargetOptions.Loopback],
        };
        Option<string?> series = File("--series", "CSV time series: number of requests, minimum, percentiles and maximum of each interval.");
        Option<string?> hgrm = File("--hgrm", "Percentile distribution for HdrHistogram plotters.");
        Option<string?> hlog = File("--hlog", "HdrHistogram V2 interval log.");
        Option<TimeSpan> interval =
            Symbols.Option(
                "--interval", "Interval of --series and --hlog.", "time",
                (t, o) => Quantities.Duration(t, o, TimeSpan.FromMilliseconds(100), TimeSpan.FromHours(1)), TimeSpan.FromSeconds(1));
        Option<int> runs =
            Symbols.Option(
                "--runs", "Number of runs, each with new connections; compare needs several to judge small differences.", "n",
                (t, o) => (int)Quantities.Count(t, o, 1, 1000), 1);
        Option<string> attribution =
            Symbols.Words(
                "--attribution", "Record single requests and watch both machines, to show where the time was spent.",
                Environment.ProcessorCount > 1 ? "on" : "off",
                "on", "off");
        Option<string> failOn = FailOn.Option("none");
        Option<string?> severity = SeverityOption.Create();
        WorkloadOptions workload = new();
        PaceOptions pace = new(TimeSpan.FromSeconds(10), TimeSpan.FromMilliseconds(500));
        ProbeOptions probes = new();
        UnderLoadOptions load = new();
        TargetOptions targets = new();
        CommonOptions common = new();
        Command command = new(
            "measure",
            "Measures request latency of a responder, or of several servers and protocols side by side, with distributions and confidence "
                + "intervals.") { names };
        workload.AddTo(command);
        pace.AddTo(command);
        foreach (Option option in (Option[])[runs, series, hgrm, hlog, interval, attribution, failOn, severity])
        {
            command.Options.Add(option);
        }

        load.AddTo(command);
        probes.AddTo(command);
        targets.AddTo(command);
        common.AddTo(command);
        command.SetAction((parse, cancellation) => Cli.Start(() =>
        {
            MeasurementPlan plan = pace.Values(parse, host, workload.Values(parse)) with
            {
                Runs = parse.GetValue(runs),
                SeriesInterval = parse.GetValue(interval),
                Watch = parse.GetValue(attribution) == "on",
            };
            string[] given = [.. parse.GetValue(names)!.Distinct()];
            string? second = parse.GetValue(probes.Hedge);
            if (second is null && parse.GetValue(probes.HedgeAfter) is not null)
            {
                throw new ExpectedFailureException(ExitCode.Usage, "--hedge-after needs --hedge TARGET, the second target.");
            }

            if (second is not null && given.Length > 1)
            {
                throw new ExpectedFailureException(ExitCode.Usage, $"--hedge needs one first target, not {given.Length} targets.");
            }

            if (load.Plan(
                parse, given, plan,
                [probes.Hedge, pace.Count, pace.Connections, pace.InFlight, pace.Pin, runs, series, hgrm, hlog, interval, attribution]) is { } loaded)
            {
                SeverityLimits judged = SeverityOption.Read(host, parse.GetValue(severity));
                using ReportOutput page = new(host, common.Values(parse), parse.GetValue(failOn)!);
                using OpenTarget there = targets.Open(parse, host, given[0], plan.Runs * (plan.Duration + plan.Warmup), cancellation);
                return UnderLoadRun.Run(host, page, there.Target, loaded, judged, FailOn.Parse(parse.GetValue(failOn)), cancellation);
            }

            if (second is not null || ProbeOptions.Wanted(given))
            {
                ProbeOptions.Refuse(
                    parse, [
                        workload.Pattern, workload.SplitAt, workload.Gap, pace.Warmup, pace.Arrivals, pace.Connections, pace.InFlight, pace.Pin, runs,
                        series, hgrm, hlog, interval, attribution, failOn, severity]);
                List<OpenTarget> open = [];
                try
                {
                    List<ProbeTarget> asked =
                        probes.Open(parse, host, second is null ? given : [given[0], second], targets, plan.Workload, plan.ReplyTimeout, plan.Duration, open,
                            cancellation);
                    if (second is not null)
                    {
                        ProbeOptions.RefuseOneServer(asked[0], asked[1]);
                        HedgePlan hedged = probes.HedgePlan(parse, asked, plan.RatePerSecond, parse.GetValue(pace.Duration), plan.Count, plan.Seed);
                        using ReportOutput best = new(host, common.Values(parse));
                        return ProbesRun.Hedge(host, best, asked, hedged, cancellation);
                    }

                    ProbePlan turns = ProbeOptions.Plan(asked, plan.RatePerSecond, parse.GetValue(pace.Duration), plan.Count, plan.Seed);
                    using ReportOutput table = new(host, common.Values(parse));
                    return ProbesRun.Run(host, table, asked, turns, cancellation);
                }
                finally
                {
                    open.ForEach(o => o.Dispose());
                }
            }

            SeverityLimits limits = SeverityOption.Read(host, parse.GetValue(severity));
            using ReportOutput output = new(host, common.Values(parse), parse.GetValue(failOn)!);
            using MeasurementFiles files = new(parse.GetValue(series), parse.GetValue(hgrm), parse.GetValue(hlog), host.Time.GetUtcNow());
            using OpenTarget opened = targets.Open(parse, host, given[0], plan.Runs * (plan.Duration + plan.Warmup), cancellation);
            MeasurementResult result = ProgressLine.Run(host, output.Common, progress =>
                PingPong.Run(opened.Target, plan, host.Measuring, cancellation, progress, files.WantsIntervals ? files.Add : null));
            MeasurementReport report = MeasurementReportBuilder.From(
                result, CliHost.Tool, limits,
                new Gate { FailOn = FailOn.Parse(parse.GetValue(failOn)), Cancelled = result.Cancelled, Failure = result.EndedBecause });
            try
            {
                files.Finish(result);
            }
            finally
            {
                // A full disk must not cost the report of a long measurement.
                output.Write(report);
            }

            if (result.EndedBecause is { } why)
            {
                host.Complain(why);
            }

            return report.Judgement.ExitCode;
        }));
        return command;
    }

    private static Option<string?> File(string name, string description) => new(name) { Description = description, HelpName = "file" };
}
