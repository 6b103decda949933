using System.Globalization;
using System.Text.Json;
using LatencyTuner.Core.Analysis.Hedging;
using LatencyTuner.Core.Analysis.Probes;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Probes;
using LatencyTuner.Core.Reporting.Model;
using LatencyTuner.Core.Statistics;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.Protocols;

/// <summary>Builds the <c>protocols</c> document.</summary>
public static class ProtocolsReportBuilder
{
    /// <summary>Builds the document from the results of a measurement.</summary>
    /// <param name="result">The results of the measurement.</param>
    public static ProtocolsReport From(ProbeResult result)
    {
        ArgumentNullException.ThrowIfNull(result);
        return Judge(new ProtocolsReport
        {
            Complete = !result.Cancelled,
            StartedUtc = result.StartedUtc.UtcDateTime,
            DurationMs = Math.Round(result.Elapsed.TotalMilliseconds, 3),
            RatePerSecond = result.Plan.RatePerSecond,
            Seed = result.Plan.Seed,
            Targets = [.. result.Series.Select(Of)],
            Notes = [.. Notes(result)],
        });
    }

    /// <summary>Adds the verdict to a document.</summary>
    internal static ProtocolsReport Judge(ProtocolsReport report) =>
        report with { Judgement = OutcomeOf(report).Judge() };

    /// <summary>The messages beside the report about targets that did not answer, a sentence each.</summary>
    /// <param name="report">The document.</param>
    public static IEnumerable<string> ComplaintsOf(ProtocolsReport report)
    {
        ArgumentNullException.ThrowIfNull(report);
        ProbesOutcome outcome = OutcomeOf(report);
        ProtocolTarget[] silent = [.. report.Targets.Zip(outcome.Targets).Where(t => report.Complete && !outcome.Answers(t.Second)).Select(t => t.First)];
        return silent.SelectMany(t => t.Failures.Select(f => f.Example)).Distinct()
            .Concat(silent.Where(t => t.Reconnected > 0).Select(t => t.Target.Name).Distinct()
                .Select(name => $"{name} answers but keeps no connection open. To measure it, run the same command with --http-connections new."));
    }

    /// <summary>The figures that the verdict is based on.</summary>
    internal static ProbesOutcome OutcomeOf(ProtocolsReport report) => new(
        [.. report.Targets.Select(TargetOf)], report.Complete, report.Hedge is { } hedge ? new HedgeJudgement(hedge.Verdict, hedge.Because) : null);

    private static ProbedTarget TargetOf(ProtocolTarget target)
    {
        ProtocolPhase? phase = target.Answered == 0 || target.Phases.Count == 0 ? null
            : target.Phases.FirstOrDefault(p => p.Name == "first byte") ?? target.Phases[0];
        return new ProbedTarget(
            target.Target.Name, ProtocolsPage.Kind(target), target.Answered, target.Reconnected, target.Errors, phase?.Name, phase?.Latency.P50Us,
            phase?.Latency.Intervals.GetValueOrDefault("p50Us"));
    }

    /// <summary>The protocol of a target in the words of the document.</summary>
    internal static string ProtocolOf(ProbeTarget target) => target.Scheme switch
    {
        ProbeScheme.Responder => "responder",
        ProbeScheme.Http or ProbeScheme.Https =>
            $"{target.Scheme.ToString().ToLowerInvariant()}/{target.HttpVersion!.ToString(target.HttpVersion.Major >= 2 ? 1 : 2)}",
        _ => target.Scheme.ToString().ToLowerInvariant(),
    };

    private static ProtocolTarget Of(ProbeSeries series) => new()
    {
        Target = FigureBuilder.Target(
            new MeasurementTarget(series.Target.Name, series.Target.Address, null, IsLoopback: false) { Via = series.Target.Via }, null, null) with
        {
            Port = series.Target.Address.Port is > 0 and int port ? port : null,
        },
        Protocol = ProtocolOf(series.Target),
        Connection = series.Target.Kept switch { true => "kept", false => "new", null => null },
        Sent = series.Sent,
        Answered = series.Answered,
        Errors = series.Failures.Values.Sum(f => f.Count),
        Skipped = series.Skipped,
        Reconnected = series.Reconnected,
        Phases =
            [.. series.Phases.Select(p => new ProtocolPhase { Name = p.Name, Latency = LatencyFigures.From(LatencySummary.From(p.Times, null, p.First)) })],
        Statuses = series.Statuses.ToDictionary(s => s.Key.ToString(CultureInfo.InvariantCulture), s => s.Value),
        Failures =
        [
            .. series.Failures.OrderByDescending(f => f.Value.Count).Select(f => new ProtocolFailure
            {
                Reason = JsonNamingPolicy.KebabCaseLower.ConvertName(f.Key.ToString()),
                Count = f.Value.Count,
                Example = f.Value.Example,
            }),
        ],
    };

    private static IEnumerable<string> Notes(ProbeResult result)
    {
        yield return "All targets were asked in turn, in a new random order each round, "
            + $"{result.Plan.RatePerSecond.ToString("0.##", CultureInfo.InvariantCulture)}/s each; answers of the first round were not counted.";
        foreach (string named in result.Series
            .Where(s => s.Target.Agentless && !s.Target.Name.Contains(s.Target.Address.Address.ToString(), StringComparison.OrdinalIgnoreCase))
            .Select(s => $"{s.Target.Name} was asked at {s.Target.Address.Address}.").Distinct())
        {
            yield return named;
        }
        foreach (ProbeSeries series in result.Series)
        {
            if (series.Skipped > 0)
            {
                string connection = series.Target.Kept switch { true => ", kept connection", false => ", new connections", null => "" };
                yield return $"{series.Target.Name}: skipped {Counted.Of(series.Skipped, "request")} ({ProtocolOf(series.Target)}{connection}) because an "
                    + "earlier one was still unanswered. Skipped requests are not timed, so the tail is worse than it looks.";
            }

            if (series.Unfinished > 0)
            {
                yield return $"{series.Target.Name} sent {Counted.Of(series.Unfinished, "answer")} of more than {HttpProbe.MostBody >> 20} MiB; "
                    + (series.Target.Kept == true ? "the connection is then closed, and the request that opens another is left out."
                        : "it is unknown when all of it had arrived.");
            }
            else if (series.Reconnected > 0)
            {
                yield return $"{series.Target.Name} closed the kept connection {Counted.Of(series.Reconnected, "time")}; the requests that opened "
                    + "another are left out.";
            }

            string[] unusual = [.. series.Statuses.Where(s => s.Key is < 200 or >= 300).Select(s => $"{s.Value} with HTTP status {s.Key}")];
            if (unusual.Length > 0)
            {
                yield return $"{series.Target.Name} answered {string.Join(" and ", unusual)}; these are timed, and redirects are not followed.";
            }
        }
        if (result.Series.Any(s => s.Target.Address.Address is { } address && System.Net.IPAddress.IsLoopback(address)))
        {
            yield return "Loopback is this machine alone: both ends share its processors, and no network path was tested.";
        }
    }
}
