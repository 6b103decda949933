using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting.Pages;
using LatencyTuner.Core.Statistics;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.Sweep;

/// <summary>The tables of a sweep over one dimension: one row per point.</summary>
internal static class SweepTables
{
    internal static TableBlock Points(SweepReport report)
    {
        bool rate = SweepValues.Main(report) == "rate";
        List<IReadOnlyList<TableCell>> rows = report.Points.Select(p => (IReadOnlyList<TableCell>)
        [
            Value(report, p),
            new(Format.Count(p.N)),
            Figure(p, p.MeanUs, "meanUs"),
            Figure(p, p.P50Us, "p50Us"),
            Figure(p, p.P99Us, "p99Us"),
            .. rate ? new[] { Figure(p, p.P999Us, "p99_9Us") } : [],
            new(Format.Us(p.MaxUs)),
            p.N == 0 ? new(Format.Unknown) : new(Format.Rate(p.ThroughputPerSecond), rate ? null : Format.BytesPerSecond(p.ThroughputBytesPerSecond)),
        ]).ToList();
        string caption = (rate ? "" : "Under the rate, the bytes of the requests. ")
            + (report.Points.Any(p => SweepValues.Effective(report, p) is not null) ? "got: the size that the system set. " : "")
            + (report.Points.Any(p => p.Intervals.Values.Any(i => i.AtLeastUs is not null)) ? ">= : too few samples; the largest value seen. " : "")
            + (report.Points.Any(p => !p.RateHeld) ? "got: the planned rate was missed by more than 1 %; the latency counts from the planned send time. " : "")
            + (report.Points.Any(p => p.FailedBecause is not null) ? "failed: see the notes. " : "");
        return new TableBlock(
            [
                new(SweepValues.Header(report)), new("n", true, Optional: true), new("mean", true, Optional: true), new("median", true), new("99th", true),
                .. rate ? new TableColumn[] { new("99.9th", true) } : [],
                new("max", true, Optional: !rate), new(report.Load?.OneWay == true ? "received" : "replies", true, Optional: rate),
            ],
            rows,
            $"Second line of a figure: its 95 % interval. {caption}".TrimEnd());
    }

    /// <summary>A line for each of a few points: both ends, the extremes, where it degrades, and others between them.</summary>
    internal static TableBlock OnScreen(SweepReport report)
    {
        const int Most = 8;
        int last = report.Points.Count - 1;
        List<int> byMedian = [.. Enumerable.Range(0, last + 1).Where(i => report.Points[i].P50Us is not null).OrderBy(i => report.Points[i].P50Us)];
        List<string> values = [.. report.Points.Select(p => SweepValues.Of(report, p))];
        int own = report.Points.ToList().FindIndex(p => SweepValues.Number(report, p) is null);
        IEnumerable<int> judged = report.GoesBad.Take(1).SelectMany(o => new[]
        {
            values.IndexOf(SweepValues.Of(o.Dimension, o.Value)),
            o.Best is { } best ? values.IndexOf(SweepValues.Of(o.Dimension, best)) : own,
        });

        // The figures of the verdict first: where it degrades and the best, the ends, the extremes; then others between them.
        string verdict = report.Judgement.Text.Replace(" requests/s", "/s", StringComparison.Ordinal);
        IEnumerable<int> named = SweepValues.Main(report) == "rate"
            ? Enumerable.Range(0, last + 1).Where(i => verdict.Contains(" " + values[i], StringComparison.Ordinal)) : [];
        int lastMeasured = report.Points.ToList().FindLastIndex(p => p.N > 0);
        IEnumerable<int> first = [.. judged, .. named, own, .. report.GoesBad.Count == 0 ? byMedian.Take(1).Concat(byMedian.TakeLast(1)) : [], 0, lastMeasured];
        List<int> important = [.. first.Concat(Enumerable.Range(1, Most).Select(i => i * last / Most)).Where(i => i >= 0).Distinct().Take(Most)];
        List<int> shown = [.. important.Order()];

        TableBlock all = Points(report);
        return all.InOneLine() with
        {
            Rows = [.. shown.Select(i => (IReadOnlyList<TableCell>)
            [
                all.Rows[i][0] with { Text = all.Rows[i][0].Text + (all.Rows[i][0].Detail is { } detail ? $" ({detail})" : ""), Detail = null },
                .. all.Rows[i].Skip(1).SkipLast(1).Select(c => c with { Detail = null }),

                // The verdict on one-way messages is in bytes per second.
                all.Rows[i][^1] is { Detail: { } bytes } && report.Load?.OneWay == true ? new TableCell(bytes) : all.Rows[i][^1] with { Detail = null },
            ])],
            Caption = shown.Count <= last ? $"{shown.Count} of {last + 1} points." : null,
            Importance = [.. important.Select(i => shown.IndexOf(i))],
        };
    }

    internal static TableBlock? Limits(SweepReport report)
    {
        List<(string Name, Func<SweepPoint, double?> Value, Func<double?, string> Show)> columns =
            new (string Name, Func<SweepPoint, double?> Value, Func<double?, string> Show)[]
        {
            ("making", p => p.FetchShare, Format.Share),
            ("in flushes", p => p.SendCallShare, Format.Share),
            ("waiting", p => p.SendWaitShare, Format.Share),
            ("overlap", p => p.FetchOverlapShare, Format.Share),
            ("in send calls", p => p.SendWaitShare is null ? p.SendBlockedShare : null, Format.Share),
            ("receive window", p => p.RwndLimitedShare, Format.Share),
            ("send buffer", p => p.SndbufLimitedShare, Format.Share),
            ("cwnd", p => p.CwndLimitedShare, Format.Share),
            ("busy", p => report.Load is null ? null : p.BusyShare, Format.Share),
            ("longest send", p => p.LongestSendUs, Format.Us),
            ("segments", p => report.Load is null ? null : p.SegmentsPerRequest, v => v is { } n ? Format.Number(n) : Format.Unknown),
            ("late p99", p => p.SendLatenessP99Us, Format.Us),
        }.Where(c => report.Points.Any(p => c.Value(p) is > 0)).ToList();
        if (columns.Count == 0)
        {
            return null;
        }

        List<IReadOnlyList<TableCell>> rows = report.Points
            .Select(p => (IReadOnlyList<TableCell>)[new(SweepValues.Of(report, p)), .. columns.Select(c => new TableCell(c.Show(c.Value(p))))]).ToList();
        return new TableBlock(
            [new(SweepValues.Header(report)), .. columns.Select(c => new TableColumn(c.Name, Right: true))],
            rows,
            "Shares of the measured time."
            + (columns.Any(c => c.Name == "waiting")
                ? " making, in flushes, waiting: of the sender's time, making messages, inside flush calls, waiting for them. overlap: of the making, "
                    + "during a flush." : "")
            + (columns.Any(c => c.Name == "busy") ? " busy: with data in flight or waiting for a window." : "")
            + (columns.Any(c => c.Name == "segments") ? " segments: sent per request." : "")
            + (columns.Any(c => c.Name == "late p99") ? " late p99: 99th percentile from the planned to the actual send time." : ""));
    }

    internal static TableCell Figure(SweepPoint point, double? us, string name)
    {
        IntervalFigures? interval = point.Intervals.GetValueOrDefault(name);
        return new(IntervalText.FigureOrBound(us, interval), IntervalText.Below(us, interval));
    }

    private static TableCell Value(SweepReport report, SweepPoint point)
    {
        string? detail = point.FailedBecause is not null ? "failed"
            : !point.RateHeld ? $"got {Format.Rate(point.ThroughputPerSecond)}"
            : SweepValues.Effective(report, point);
        return new(SweepValues.Of(report, point), detail, point.FailedBecause is null && point.RateHeld ? Tone.Neutral : Tone.Unsure);
    }
}
