using System.Globalization;
using LatencyTuner.Core.Reporting.Charts;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.Analysis;

/// <summary>The charts of an analysis.</summary>
internal static class AnalysisCharts
{
    private const int MostConnections = 8;
    private const double LateMs = 100;

    /// <summary>Requests over time, those that stalled marked with their cause; null without any.</summary>
    internal static PlotChart? Transactions(AnalysisReport report)
    {
        AnalysedTransaction[] shown = [.. report.Transactions.Where(t => double.IsFinite(t.DurationMs) && t.DurationMs > 0)];
        if (shown.Length < 2)
        {
            return null;
        }

        DateTime first = shown.Min(t => t.StartUtc);
        double At(AnalysedTransaction t) => (t.StartUtc - first).TotalSeconds;
        ChartKey normal = new("no stall", 1, KeyShape.Dot);
        string[] causes = [.. shown.Where(t => t.Stall is not null).GroupBy(t => t.Stall!).OrderByDescending(g => g.Sum(t => t.StallMs)).Select(g => g.Key)];
        Dictionary<string, ChartKey> keys = causes
            .Select((c, i) => new ChartKey($"stalled: {c}", ChartStyle.Color(i + 1), i % 2 == 0 ? KeyShape.Cross : KeyShape.OpenDot))
            .Zip(causes).ToDictionary(p => p.Second, p => p.First);
        double end = Math.Max(shown.Max(At), 1e-3);
        long stalled = shown.Count(t => t.Stall is not null);
        return new PlotChart
        {
            Name = "transactions",
            Caption = stalled == 0 ? "Each dot is a request with its response; none of those listed stalled."
                : $"Each mark is a request with its response: {Format.Count(stalled)} of {Format.Count(shown.Length)} listed ones stalled.",
            Alternative = $"{Counted.Of(shown.Length, "request")} over {Format.Span(end * 1e3)}, from {Format.Ms(shown.Min(t => t.DurationMs))} to "
                + $"{Format.Ms(shown.Max(t => t.DurationMs))}; {Format.Count(stalled)} stalled.",
            X = new("time since the first request listed", ChartScale.Time(0, end, clock: false), ChartText.Seconds),
            Y = new("time of a request", ChartScale.Of(shown.Select(t => t.DurationMs * 1e3)), ChartText.Us),
            Keys = [.. shown.Length > stalled ? new[] { normal } : [], .. keys.Values],
            Marks =
            [
                .. shown.OrderBy(t => t.Stall is not null).Select(t => new DotMark(
                    t.Stall is { } cause ? keys[cause] : normal, At(t), t.DurationMs * 1e3,
                    $"{t.Connection}, {Seconds(At(t))}: {Format.Ms(t.DurationMs)}{(t.Stall is null ? "" : $", of it {Format.Ms(t.StallMs)} {t.Stall}")}")),
            ],
        };
    }

    /// <summary>The longest waits for an ACK of the connection that lost most time; null without any.</summary>
    internal static PlotChart? RoundTrips(AnalysisReport report)
    {
        if (report.Connections.FirstOrDefault(c => c.RoundTrips.Count > 3) is not { RoundTripIntervalMs: > 0 } worst)
        {
            return null;
        }

        ChartKey usual = new("longest in each interval", 1, KeyShape.Dot);
        ChartKey late = new($"above {LateMs:0} ms", 2, KeyShape.Cross);
        RoundTripInterval[] shown = [.. worst.RoundTrips.Where(r => double.IsFinite(r.LongestUs) && r.LongestUs > 0)];
        if (shown.Length == 0)
        {
            return null;
        }

        long delayed = shown.Count(r => r.LongestUs > LateMs * 1e3);
        ChartKey path = new("shortest round trip of the path", 3, KeyShape.DashedLine);
        return new PlotChart
        {
            Name = "round-trips",
            Caption = delayed == 0 ? "Each dot is the longest wait for an ACK in its interval."
                : $"Crosses: the longest wait for an ACK was above {LateMs:0} ms, in {Format.Count(delayed)} of {Counted.Of(shown.Length, "interval")}.",
            Alternative = $"Longest wait for an ACK per {Format.Ms(worst.RoundTripIntervalMs)} of {worst.Id}, from {Format.Us(shown.Min(r => r.LongestUs))} to "
                + $"{Format.Us(shown.Max(r => r.LongestUs))}.",
            X = new("time since the connection's first packet", ChartScale.Time(0, shown.Max(r => r.AtMs + worst.RoundTripIntervalMs) / 1e3, clock: false),
                ChartText.Seconds),
            Y = new($"longest wait for an ACK per {Format.Ms(worst.RoundTripIntervalMs)}",
                ChartScale.Of(shown.Select(r => r.LongestUs).Append((worst.BaseRttMs ?? 0) * 1e3).Where(v => v > 0)), ChartText.Us),
            Keys = [.. delayed < shown.Length ? new[] { usual } : [], .. delayed > 0 ? new[] { late } : [], .. worst.BaseRttMs is > 0 ? new[] { path } : []],
            Marks =
            [
                .. worst.BaseRttMs is > 0 and var rtt ? new[] { new RuleMark(path, rtt * 1e3, Vertical: false, $"shortest round trip: {Format.Ms(rtt)}") } : [],
                .. shown.Select(r => new DotMark(
                    r.LongestUs > LateMs * 1e3 ? late : usual, (r.AtMs + (worst.RoundTripIntervalMs / 2)) / 1e3, r.LongestUs,
                    $"from {Seconds(r.AtMs / 1e3)}: {Format.Us(r.LongestUs)}")),
            ],
        };
    }

    /// <summary>What the connections lost to stalls, by cause; null when none lost any.</summary>
    internal static RowChart? Lost(AnalysisReport report)
    {
        AnalysedConnection[] worst = [.. report.Connections.Where(c => c.StallsMs.Values.Any(v => v > 0)).Take(MostConnections)];
        if (worst.Length == 0)
        {
            return null;
        }

        string[] causes = [.. worst.SelectMany(c => c.StallsMs).GroupBy(s => s.Key).OrderByDescending(g => g.Sum(s => s.Value)).Select(g => g.Key)];
        Dictionary<string, ChartKey> keys = causes.Select((c, i) => (c, new ChartKey(c, ChartStyle.Color(i), KeyShape.Bar)))
            .ToDictionary(p => p.c, p => p.Item2);
        return new RowChart
        {
            Name = "lost-time",
            Caption = "What each connection lost to stalls, by cause; the worst connection is first.",
            Alternative = "Lost time: " + string.Join("; ", worst.Select(c => $"{c.Id} {Format.Ms(c.StallMs)}")) + ".",
            X = new("time lost", ChartScale.OfBars(worst.SelectMany(c => c.StallsMs.Values).Where(v => v > 0).Select(v => v * 1e3)), ChartText.Us),
            Keys = [.. keys.Values],
            Rows =
            [
                .. worst.Select(c => new ChartRow(
                    c.Id,
                    [
                        .. c.StallsMs.Where(s => s.Value > 0).OrderByDescending(s => s.Value).Select(s => new RowBar(
                            keys[s.Key], s.Value * 1e3, Format.Ms(s.Value)
                                + (c.ActiveMs > 0 ? $", {Format.Share(Math.Min(1, s.Value / c.ActiveMs))} of active time" : ""))),
                    ])),
            ],
        };
    }

    /// <summary>The example stall as two time lines.</summary>
    internal static LadderChart Ladder(AnalysisLadder ladder) => new()
    {
        Name = "ladder",
        Caption = "Time runs down. Arrows are what was sent; shaded parts say what waited for what.",
        Alternative = string.Join(". ", ladder.Steps.Select(s =>
            $"{s.AtMs.ToString("0.###", CultureInfo.InvariantCulture)} ms: {s.From} {s.Text}{(s.Because is { } why ? $", because: {why}" : "")}")) + ".",
        Ends = ("client", "server"),
        Rungs =
        [
            .. ladder.Steps.Select(s => new LadderRung(
                s.AtMs, s.From != "server", s.Frame is not null,
                $"{s.From} {s.Text}{(s.Frame is { } frame ? string.Create(CultureInfo.InvariantCulture, $" (frame {frame})") : "")}", s.Because)),
        ],
    };

    private static string Seconds(double s) => s.ToString("0.000", CultureInfo.InvariantCulture) + " s";
}
