using LatencyTuner.Core.Reporting.Charts;
using LatencyTuner.Core.Reporting.Model;
using LatencyTuner.Core.Reporting.Pages;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.Measurement;

/// <summary>The page of a measurement.</summary>
internal static class MeasurementPage
{
    internal static Page Of(MeasurementReport report, IReadOnlyList<HistogramBar>? distribution, TimeStripBlock? strip)
    {
        ArgumentNullException.ThrowIfNull(report);
        List<PageSection> sections = new()
        {
            new(null, new FactsBlock([.. Facts(report)])),
        };
        if (report.Received > 0)
        {
            sections.Add(new("Latency", LatencyTable.Of(report)));
        }

        if (distribution is { Count: > 0 })
        {
            sections.Add(new("Response times", new HistogramBlock(distribution)));
        }

        if (strip is { Intervals.Count: > 0 })
        {
            sections.Add(new("Over time", strip));
        }

        sections.AddRange(FindingBlocks.Section("Findings", report.Findings));
        sections.AddRange(OwnershipSection.Of(report.Attribution));
        if (KernelTable.Of(report) is { } kernel)
        {
            sections.Add(new("Kernel counters of the measured connections", kernel));
        }

        sections.Add(new("This machine", new FactsBlock([.. Machine(report)])));
        IReadOnlyList<string> notes = PageWords.Notes(report.Target, report.Notes);
        if (notes.Count > 0)
        {
            sections.Add(new("Notes", ListBlock.Of(notes)));
        }

        return new Page
        {
            Title = "measure " + PageWords.Of(report.Target),
            Subtitle = PageWords.Made(report.StartedUtc, report.Environment),
            Verdict = report.Judgement,
            Sections = sections,
            Screen =
            [
                .. FindingBlocks.Screen("Findings", report.Findings, report.Judgement),
                .. PageSection.If(report.Received > 0, "Latency", () => LatencyTable.OnScreen(report)),
                new(null, new FactsBlock([.. Facts(report).OrderBy(f => Rank(f.Name))])),
                .. OwnershipSection.Of(report.Attribution).Take(1),
                .. PageSection.Of("Notes", notes),
            ],
        };
    }

    /// <summary>The order on a screen: what went wrong and whose time it was before what was asked for.</summary>
    private static int Rank(string fact) =>
        Array.IndexOf(["Ended early", "Stalls", "Mean time", "Requests", "Messages", "Workload"], fact) is >= 0 and var at ? at : int.MaxValue;

    /// <summary>Stalled requests in words, with the limit of a stall and, when none was seen, the share that is excluded.</summary>
    internal static string Stalls(MeasurementReport report)
    {
        StallFigures stalls = report.Stalls;
        string limit = $"a stall is a wait above {Format.RoundUs(stalls.ThresholdMs * 1000)}";
        if (report.Received == 0)
        {
            return Format.Unknown;
        }

        // 3 / n: the 95 % upper bound of a share when no case was seen among n (the rule of three).
        if (stalls.Count == 0)
        {
            return $"none in {Format.Count(report.Received)} (fewer than 1 in {Format.Count(Math.Max(1, report.Received / 3))} with 95 % confidence; {limit})";
        }

        // The sum over requests that overlap is no time that passed.
        bool overlap = report.Options.Requested is { RatePerSecond: not null } or { Connections: > 1 };
        string cluster = stalls.ClusterMs is { } timer ? $", clustered at the {Format.Milliseconds(timer)} timer" : "";
        string median = stalls.MedianMs is { } wait ? $", median wait {Format.Ms(wait)}" : "";
        return $"{Format.Count(stalls.Count)} of {Format.Count(report.Received)} ({Format.Share(stalls.Share)}){median}{cluster}; "
            + $"{(overlap ? $"{Format.Ms(stalls.TotalMs / stalls.Count)} lost by each" : $"{Format.Ms(stalls.TotalMs)} lost")} ({limit})";
    }

    private static IEnumerable<PageFact> Facts(MeasurementReport report)
    {
        yield return new("Workload", $"{report.Pattern}: {PageWords.Workload(report.Options.Requested, IsOneWay(report))}");
        foreach (PageFact fact in OptionFacts.Of(report.Options))
        {
            yield return fact;
        }

        if (!report.Complete && report.EndedBecause is { } because)
        {
            yield return new("Ended early", because);
        }

        string planned = report.Planned is { } plan && plan != report.Sent ? $"{Format.Count(plan)} planned, " : "";
        string errors = report.Errors == 0 ? "no errors" : $"{Format.Count(report.Errors)} {(report.Errors == 1 ? "error" : "errors")}";
        if (IsOneWay(report))
        {
            yield return new(
                "Messages",
                $"{planned}{Format.Count(report.Sent)} sent, {(report.Complete ? "all acknowledged at the end" : "not all acknowledged")}, "
                + $"{Format.Rate(report.ThroughputPerSecond)}");
        }
        else
        {
            yield return new(
                "Requests",
                $"{planned}{Format.Count(report.Sent)} sent, {Format.Count(report.Received)} answered, {errors}, {Format.Rate(report.ThroughputPerSecond)}");
            if (report.Received > 0)
            {
                yield return new("Stalls", Stalls(report));
            }
        }

        if (Attribution(report.Attribution) is { } split)
        {
            yield return new("Mean time", split);
        }

        if (report.SendBlockedShare is { } blocked)
        {
            yield return new(
                "In send calls", $"{Format.Share(blocked)} of the time" + (report.LongestSendUs is { } longest ? $", longest {Format.Us(longest)}" : ""));
        }

        if (report.ConnectUs is { } connect)
        {
            yield return new("Connect", $"{Format.Us(connect)}, the smallest of {report.Options.Requested.Connections}: one network round trip");
        }
    }

    internal static bool IsOneWay(MeasurementReport report) => report.Pattern == "stream";

    private static string? Attribution(AttributionFigures attribution)
    {
        List<(string Name, double? Us)> parts = new (string Name, double? Us)[]
        {
            ("client", attribution.ClientUs), ("server", attribution.ServerUs), ("network and both TCP stacks", attribution.NetworkUs),
        }.Where(p => p.Us is not null).ToList();
        double total = parts.Sum(p => p.Us!.Value);
        return parts.Count == 0 ? null
            : string.Join(
                ", ", parts.Select(
                    p => total > 0 ? $"{p.Name} {Format.Us(p.Us)} ({Format.Share(Math.Clamp(p.Us!.Value / total, 0, 1))})" : $"{p.Name} {Format.Us(p.Us)}"));
    }

    private static IEnumerable<PageFact> Machine(MeasurementReport report)
    {
        EnvironmentFigures environment = report.Environment;
        yield return new(
            "System", $"{environment.Os}, {environment.Runtime}, {environment.Processors} {(environment.Processors == 1 ? "processor" : "processors")}");
        if (report.Target.ResponderOs is not null || report.Target.ResponderVersion is not null)
        {
            yield return new("Responder", string.Join(", ", new[] { report.Target.ResponderVersion, report.Target.ResponderOs }.OfType<string>()));
        }

        if (environment.Timer is { } timer)
        {
            yield return new("Timer", environment.TimerStepUs is { } step ? $"{timer}, in steps of {Format.Us(step)}" : timer);
        }

        yield return new("GC pauses", environment.GcCount == 0
            ? "none"
            : $"{environment.GcCount} {(environment.GcCount == 1 ? "collection" : "collections")}, {Format.Ms(environment.GcPauseMs)} paused");
        if (environment.ClockStepsBack > 0)
        {
            yield return new("Clock", $"went backwards {Format.Count(environment.ClockStepsBack)} times; each affected latency counts as 0");
        }
    }
}
