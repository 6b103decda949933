using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting.Pages;
using LatencyTuner.Core.Statistics;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.Sweep;

/// <summary>The tables of a sweep over two dimensions: the main one in the rows, the connections in the columns.</summary>
internal static class SweepMatrices
{
    /// <summary>The tables that a verdict rests on, one line per row.</summary>
    internal static IEnumerable<PageSection> OnScreen(SweepReport report)
    {
        string what = What(report);
        yield return report.Load?.OneWay == true
            ? new("Bytes received per second", Matrix(report, p => new(Format.BytesPerSecond(p.ThroughputBytesPerSecond)), null).InOneLine())
            : new($"Median {what}", Matrix(report, p => new(Format.Us(p.P50Us)), null).InOneLine());
        yield return new(
            $"99th percentile of the {what}",
            Matrix(report, p => new(IntervalText.FigureOrBound(p.P99Us, p.Intervals.GetValueOrDefault("p99Us"))), null).InOneLine());
    }

    private static string What(SweepReport report) => report.Load?.OneWay == true ? "time in the send calls of a request" : "time per request";

    internal static IEnumerable<PageSection> Of(SweepReport report)
    {
        bool oneWay = report.Load?.OneWay == true;
        string what = What(report);
        yield return new(
            $"Mean {what}, under it the median",
            Matrix(
                report, p => new(Format.Us(p.MeanUs), Format.Us(p.P50Us)),
                report.Points.Any(p => SweepValues.Effective(report, p) is not null) ? report.Protocol == "http2" ? "got: the size that the window reached."
                    : "got: the socket buffer as the system reported it." : null));
        yield return new(
            $"99th percentile of the {what}, under it the largest",
            Matrix(
                report, p => new(IntervalText.FigureOrBound(p.P99Us, p.Intervals.GetValueOrDefault("p99Us")), Format.Us(p.MaxUs)),
                report.Points.Any(p => p.P99Us is null) ? ">= : too few samples; the largest seen." : null));
        yield return new(
            oneWay ? "Received per second" : "Requests per second",
            Matrix(
                report, p => new(Format.Rate(p.ThroughputPerSecond), Format.BytesPerSecond(p.ThroughputBytesPerSecond)),
                "All connections together; under it the bytes of the requests."));
        if (report.Protocol == "http2")
        {
            foreach (PageSection section in Streams(report))
            {
                yield return section;
            }
        }
        else if (report.Points.Any(p => p.SendBlockedShare is not null))
        {
            yield return new(
                "Share of the time in send calls, under it the longest time of one request",
                Matrix(
                    report, p => new(Format.Share(p.SendBlockedShare), Format.Us(p.LongestSendUs)),
                    "Of each connection's time. A send buffer that grows takes the data at once and hides the wait: compare with the next table."));
        }

        if (report.Points.Any(p => p.RwndLimitedShare is not null))
        {
            yield return new(
                "Share of the time limited by the receive window, under it by the send buffer",
                Matrix(
                    report, p => new(Format.Share(p.RwndLimitedShare), Format.Share(p.SndbufLimitedShare)), "Counted by the sender's kernel, per connection."));
        }

        if (report.Points.Any(p => p.CwndLimitedShare is not null))
        {
            yield return new(
                "Share of the time limited by the congestion window",
                Matrix(report, p => new(Format.Share(p.CwndLimitedShare)), "Counted by the sender's kernel, per connection."));
        }
        else if (report.Points.Any(p => p.BusyShare is not null))
        {
            yield return new(
                "Share of the time limited by the congestion window, at most",
                Matrix(
                    report, p => new(Format.Share(Rest(p))),
                    report.Protocol == "http2"
                        ? "The time with data in flight minus the two shares above, including round trips that wait for the stream's window. This "
                            + "kernel does not count the congestion window."
                            : "The time with data in flight minus the two shares above. This kernel does not count the congestion window."));
        }
    }

    private static IEnumerable<PageSection> Streams(SweepReport report)
    {
        if (report.Points.Any(p => Allowed(p) is not null))
        {
            yield return new(
                "Received per second by one stream, under it the most its window allows",
                Matrix(
                    report, p =>
                        new(
                            Format.BytesPerSecond(p.ThroughputBytesPerSecond / Math.Max(p.Connections ?? 1, 1)),
                            Format.BytesPerSecond(Allowed(p))), "The most: one window in each round trip, at the shortest round trip seen."));
        }

        if (report.Points.All(p => p.SendWaitShare is null))
        {
            yield break;
        }

        yield return new(
            "Share of the sender's time waiting for flushes, under it inside their calls",
            Matrix(
                report, p => new(Format.Share(p.SendWaitShare), Format.Share(p.SendCallShare)),
                "Of each stream's time at the responder. A flush waits for the stream's window and for the socket: the next tables show them separately."));
        yield return new(
            "Share of the sender's time making messages, under it how much of that while sending",
            Matrix(
                report, p => new(Format.Share(p.FetchShare), $"{Format.Share(p.FetchOverlapShare)}, >= {Format.Share(p.FetchOverlapSeenShare)}"),
                "Under it: the share during a flush, as the sender saw it; then the least share after the first message arrived, as the receiver saw it."));
    }

    private static double? Allowed(SweepPoint point) => point is { StreamWindowBytes: { } window, RoundTripUs: > 0 and { } us } ? window / us * 1e6 : null;

    private static double? Rest(SweepPoint point) =>
        point.BusyShare is { } busy ? Math.Max(busy - (point.RwndLimitedShare ?? 0) - (point.SndbufLimitedShare ?? 0), 0) : null;

    private static TableBlock Matrix(SweepReport report, Func<SweepPoint, TableCell> cell, string? caption)
    {
        string own = report.Points.Where(p => SweepValues.Number(report, p) is null).Select(p => SweepValues.Of(report, p)).FirstOrDefault("");
        HashSet<string> judged =
        [
            .. report.GoesBad.Take(1).SelectMany(
                o => new[] { SweepValues.Of(o.Dimension, o.Value), o.Best is { } best ? SweepValues.Of(o.Dimension, best) : own }),
        ];
        List<int> across = report.Points.Select(p => p.Connections ?? 0).Distinct().Order().ToList();
        List<IReadOnlyList<TableCell>> rows = report.Points.GroupBy(p => SweepValues.Of(report, p)).Select(g => (IReadOnlyList<TableCell>)
        [
            new(g.Key, g.Select(p => SweepValues.Effective(report, p)).FirstOrDefault(e => e is not null)),
            .. across.Select(
                n => g.FirstOrDefault(p => p.Connections == n) is { } point ? (point.N > 0 ? cell(point) : new TableCell("failed", null, Tone.Unsure))
                    : new TableCell(Format.Unknown)),
        ]).ToList();
        return new TableBlock(
            [new(SweepValues.Header(report)), .. across.Select(n => new TableColumn(n == 1 ? "1 connection" : $"{n}", Right: true))], rows, caption)
        {
            Importance = [.. Enumerable.Range(0, rows.Count).OrderBy(i => judged.Contains(rows[i][0].Text) ? 0 : i is 0 ? 1 : i == rows.Count - 1 ? 2 : 3)],
        };
    }
}
