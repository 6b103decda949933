using System.Globalization;
using LatencyTuner.Core.Analysis;
using LatencyTuner.Core.Analysis.Rules;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Reporting.Model;
using LatencyTuner.Core.Statistics;

namespace LatencyTuner.Core.Reporting.Building;

/// <summary>Builds the <c>sweep</c> document.</summary>
public static class SweepReports
{
    private const double LateP99Ns = 100_000;

    /// <summary>Builds it from a sweep over rates.</summary>
    /// <param name="result">What was measured.</param>
    /// <param name="limits">What makes a finding a warning or an error; null for the standard.</param>
    public static SweepReport From(RateSweepResult result, SeverityLimits? limits = null)
    {
        MeasurementResult? any = result.Points.Count > 0 ? result.Points[0].Rounds[0] : null;
        MeasurementFacts? facts = any is null ? null : MeasurementFacts.From(any);
        List<SweepPoint> points = [.. result.Points.Select(PointOf)];
        List<Finding> findings = [];
        if (LoadInversionRule.Evaluate(
            [.. result.Points.Select(p => (p.Rate, (IReadOnlyList<double>)[.. p.Rounds.Select(r => (double)r.Response.ValueAtPercentile(90))], (IReadOnlyList<double>)[.. p.Rounds.Select(Median)]))],
            result.Plan.Base.Workload, facts?.NoDelay, result.Target.Name, limits ?? SeverityLimits.Standard) is { } inversion)
        {
            findings.Add(inversion);
        }

        return new SweepReport
        {
            Complete = result.Complete,
            EndedBecause = result.EndedBecause ?? (result.Cancelled ? "It was cancelled." : null),
            StartedUtc = result.StartedUtc,
            Target = Figures.Of(result.Target, any?.ResponderSoftware, any?.ResponderOs),
            Dimensions = ["rate"],
            Pattern = MeasurementReports.PatternName(result.Plan.Base.Workload.Pattern),
            Options = new OptionPair
            {
                // The rate is what is swept; the arrivals say that it is an open loop.
                Requested = MeasurementReports.Requested(result.Plan.Base with { RatePerSecond = 1, Duration = result.Plan.PointTime, Seed = result.Plan.Seed }) with { RatePerSecond = null },
                Effective = any is null ? null : MeasurementReports.Effective(any, facts!),
            },
            Points = points,
            Knee = KneeOf(result),
            Findings = findings,
            Notes = [.. Notes(result, points)],
        };
    }

    private static double Tail(MeasurementResult round) => round.Response.ValueAtPercentile(99);

    private static double Median(MeasurementResult round) => round.Response.ValueAtPercentile(50);

    private static SweepPoint PointOf(RatePoint point)
    {
        LatencyHistogram total = new();
        LatencyHistogram lateness = new();
        double seconds = 0;
        double sendNs = 0;
        double longest = 0;
        foreach (MeasurementResult round in point.Rounds)
        {
            total.Add(round.Response);
            lateness.Add(round.Lateness!);
            seconds += round.Elapsed.TotalSeconds;
            sendNs += round.SendNs;
            longest = Math.Max(longest, round.LongestSendNs);
        }

        // Rounds are the independent unit: blocks of all rounds, one after the other, carry the dependence within a round.
        LatencyBlocks blocks = new();
        long at = 0;
        foreach (MeasurementResult round in point.Rounds)
        {
            for (int i = 0; i < round.Blocks.Count; i++)
            {
                long length = round.Blocks[i].EndNs - round.Blocks[i].StartNs;
                blocks.Append(round.Blocks.Decode(i), at, at + length);
                at += length;
            }
        }

        LatencyFigures figures = Figures.Of(LatencySummary.From(total, blocks, []));
        EndCounters?[] counters = [.. point.Rounds.Select(r => EndCounters.From(r.LocalCounters))];
        int connections = point.Rounds[0].Plan.Connections;
        double? Share(Func<EndCounters, long?> field) =>
            counters.All(c => c is not null && field(c) is not null) && seconds > 0
                ? Math.Clamp(counters.Sum(c => field(c!)!.Value) / 1e6 / seconds / connections, 0, 1)
                : null;
        double throughput = seconds > 0 ? total.Count / seconds : 0;
        return new SweepPoint
        {
            Rate = point.Rate,
            Rounds = point.Rounds.Count,
            N = total.Count,
            MeanUs = figures.MeanUs,
            P50Us = figures.P50Us,
            P90Us = figures.P90Us,
            P99Us = figures.P99Us,
            P999Us = figures.P999Us,
            MaxUs = figures.MaxUs,
            ThroughputPerSecond = throughput,
            SendBlockedShare = seconds > 0 ? Math.Clamp(sendNs / 1e9 / seconds / connections, 0, 1) : null,
            RwndLimitedShare = Share(c => c.RwndLimitedUs),
            SndbufLimitedShare = Share(c => c.SndbufLimitedUs),
            CwndLimitedShare = Share(c => c.CwndLimitedUs),
            LongestSendUs = Figures.Us(longest),
            SendLatenessP99Us = Figures.Us((double)lateness.ValueAtPercentile(99)),
            RateHeld = lateness.ValueAtPercentile(99) <= LateP99Ns && point.Rounds.All(r => r.Received == r.Planned),
            Intervals = figures.Intervals,
        };
    }

    private static SweepKnee? KneeOf(RateSweepResult result)
    {
        RatePoint[] whole = [.. result.Points.Where(p => p.Rounds.Count == result.Plan.Rounds)];
        if (whole.Length < 5)
        {
            return null;
        }

        double[] levels = [.. whole.Select(p => p.Rate)];
        return Knee.Find(levels, [.. whole.Select(p => (IReadOnlyList<double>)[.. p.Rounds.Select(Tail)])], logarithmic: true, result.Plan.Seed) is { } knee
            ? new SweepKnee { Dimension = "rate", Value = knee.X, Low = knee.LowX, High = knee.HighX, From = levels[0], To = levels[^1] }
            : null;
    }

    private static IEnumerable<string> Notes(RateSweepResult result, List<SweepPoint> points)
    {
        yield return $"Open loop: each response time counts from its planned send time. {result.Plan.Rounds} {(result.Plan.Rounds == 1 ? "round" : "rounds")} of {result.Plan.PointTime.TotalSeconds.ToString("0.###", CultureInfo.InvariantCulture)} s per rate, in random order.";
        string[] late = [.. points.Where(p => !p.RateHeld).Select(p => string.Create(CultureInfo.InvariantCulture, $"{p.Rate:N0}/s"))];
        if (late.Length > 0)
        {
            yield return $"The planned rate was not held cleanly (send lateness p99 over 100 us, or replies missing) at {string.Join(", ", late)}: those points include this machine's own delay.";
        }

        if (result.Target.IsLoopback)
        {
            yield return "Loopback is this machine alone: both ends share its processors, and no network path was tested.";
        }
    }
}
