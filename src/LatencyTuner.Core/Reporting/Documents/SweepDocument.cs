using System.Globalization;
using LatencyTuner.Core.Analysis;
using LatencyTuner.Core.Reporting.Charts;
using LatencyTuner.Core.Reporting.Model;

namespace LatencyTuner.Core.Reporting.Documents;

/// <summary>The document of a sweep.</summary>
internal static class SweepDocument
{
    internal static ReportDocument Of(SweepReport report)
    {
        ArgumentNullException.ThrowIfNull(report);
        var dimension = report.Dimensions.Count > 0 ? report.Dimensions[0] : "rate";
        var sections = new List<DocumentSection>();
        var points = report.Points.Where(p => p.Rate is > 0).Select(p => new CurvePoint(p.Rate!.Value, p.P50Us, p.P99Us)).ToList();
        if (points.Count > 1)
            sections.Add(new($"Latency against {dimension}, both logarithmic", new CurveBlock("planned requests per second", points)));

        if (report.Points.Count > 0)
            sections.Add(new("Points", Table(report)));

        if (Limits(report) is { } limits)
            sections.Add(new("What held the sender back", limits));

        var facts = new List<Fact> { new("Workload", $"{report.Pattern}: {Words.Workload(report.Options.Requested)}") };
        facts.AddRange(OptionFacts.Of(report.Options));
        if (report.Knee is { } knee)
            facts.Insert(0, new("Knee", Knee(knee)));

        if (!report.Complete)
            facts.Insert(0, new("Ended early", report.EndedBecause ?? "not every point was measured"));

        sections.AddRange(FindingBlocks.Section("Findings", report.Findings));
        sections.Add(new("What was swept", new FactsBlock(facts)));
        if (report.Notes.Count > 0)
            sections.Add(new("Notes", ListBlock.Of(report.Notes)));

        return new ReportDocument
        {
            Title = $"sweep {string.Join(" x ", report.Dimensions)} {Words.Of(report.Target)}",
            Subtitle = Words.Made(report.StartedUtc),
            Verdict = Verdict(report),
            Sections = sections,
        };
    }

    private static DocumentVerdict Verdict(SweepReport report)
    {
        var measured = report.Points.Where(p => p.P50Us is not null).ToList();
        if (measured.Count == 0)
            return new("NOTHING MEASURED", report.EndedBecause ?? "No point has a figure.", Tone.Unsure);

        var range = $"Median {Format.Us(measured[0].P50Us)} at {Value(measured[0])}, {Format.Us(measured[^1].P50Us)} at {Value(measured[^1])}.";
        var worst = FindingBlocks.Ordered(report.Findings).FirstOrDefault();
        if (worst is not null && (worst.Severity >= Severity.Warning || worst.Cause == Cause.LoadInversion))
        {
            var tone = worst.Severity switch { Severity.Error => Tone.Bad, Severity.Warning => Tone.Unsure, _ => Tone.Neutral };
            return new(Words.Of(worst.Cause).ToUpperInvariant(), $"{(worst.For.Count > 0 ? worst.For[0] : range)}", tone);
        }

        return report.Complete ? new("MEASURED", range, Tone.Neutral) : new("INCOMPLETE", $"{report.EndedBecause} {range}".TrimStart(), Tone.Unsure);
    }

    private static TableBlock Table(SweepReport report)
    {
        var rows = report.Points.Select(p => (IReadOnlyList<TableCell>)
        [
            new(Value(p), p.RateHeld ? null : $"got {Format.Rate(p.ThroughputPerSecond)}", p.RateHeld ? Tone.Neutral : Tone.Unsure),
            new(Format.Count(p.N)),
            Figure(p, p.MeanUs, "meanUs"),
            Figure(p, p.P50Us, "p50Us"),
            Figure(p, p.P99Us, "p99Us"),
            Figure(p, p.P999Us, "p99_9Us"),
            new(Format.Us(p.MaxUs)),
            new(Format.Rate(p.ThroughputPerSecond)),
        ]).ToList();
        var caption = (report.Points.Any(p => p.Intervals.Values.Any(i => i.AtLeastUs is not null)) ? ">= : too few samples; the largest value seen. " : "")
            + (report.Points.Any(p => !p.RateHeld) ? "got: the planned rate was not reached; the latency counts from the planned send time. " : "");
        return new TableBlock(
            [
                new("planned"), new("n", true), new("mean", true, Optional: true), new("median", true), new("99th", true), new("99.9th", true), new("max", true), new("replies", true, Optional: true),
            ],
            rows,
            $"Second line of a figure: its 95 % interval. {caption}".TrimEnd());
    }

    private static TableCell Figure(SweepPoint point, double? us, string name)
    {
        var interval = point.Intervals.GetValueOrDefault(name);
        return new(Format.UsOrBound(us, interval), Format.Interval(us, interval));
    }

    private static TableBlock? Limits(SweepReport report)
    {
        var columns = new (string Name, Func<SweepPoint, double?> Value, Func<double?, string> Show)[]
        {
            ("in send calls", p => p.SendBlockedShare, Format.Share),
            ("receive window", p => p.RwndLimitedShare, Format.Share),
            ("send buffer", p => p.SndbufLimitedShare, Format.Share),
            ("cwnd", p => p.CwndLimitedShare, Format.Share),
            ("longest send", p => p.LongestSendUs, Format.Us),
            ("late p99", p => p.SendLatenessP99Us, Format.Us),
        }.Where(c => report.Points.Any(p => c.Value(p) is > 0)).ToList();
        if (columns.Count == 0)
            return null;

        var rows = report.Points.Select(p => (IReadOnlyList<TableCell>)[new(Value(p)), .. columns.Select(c => new TableCell(c.Show(c.Value(p))))]).ToList();
        return new TableBlock([new("planned"), .. columns.Select(c => new TableColumn(c.Name, Right: true))], rows, "Shares of the measured time." + (columns.Any(c => c.Name == "late p99") ? " late p99: 99th percentile from the planned to the actual send time." : ""));
    }

    private static string Knee(SweepKnee knee)
    {
        var interval = knee is { Low: { } low, High: { } high } ? $", 95 % interval {Number(low)} to {Number(high)}" : "";
        return $"{knee.Dimension} {Number(knee.Value)}{interval}, found between {Number(knee.From)} and {Number(knee.To)}: it depends on this range";
    }

    private static string Number(double value) => value.ToString("#,0.##", CultureInfo.InvariantCulture);

    private static string Value(SweepPoint point) => point.Rate is { } rate ? $"{Number(rate)}/s" : "unpaced";
}
