using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Reporting.Charts;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.Sockets;

/// <summary>The charts of a host's sockets: the state of each connection.</summary>
internal static class SocketsCharts
{
    private const int MostRows = 20;
    private const double LeastShare = 0.01;

    /// <summary>The round trip of each connection and whether Nagle's algorithm is on; null where no connection has one.</summary>
    internal static RowChart? RoundTrips(IReadOnlyList<HostSocket> connections)
    {
        ChartKey on = new("Nagle on", 2, KeyShape.Bar);
        ChartKey off = new("Nagle off", 1, KeyShape.Bar);
        ChartKey unknown = new("Nagle unknown", 4, KeyShape.Bar);
        HostSocket[] known = [.. connections.Where(s => s.RttUs is > 0)];
        HostSocket[] shown = [.. known.OrderByDescending(s => s.NoDelay == false).ThenByDescending(s => s.RttUs).Take(MostRows)];
        if (shown.Length == 0)
        {
            return null;
        }

        ChartRow[] rows =
        [
            .. shown.Select(s => new ChartRow(Name(s),
            [
                new(s.NoDelay switch { false => on, true => off, _ => unknown }, s.RttUs!.Value, $"{Format.Us(s.RttUs)}, {Format.Kebab(s.State)}"),
            ])),
        ];
        return new RowChart
        {
            Name = "connections",
            Caption = (known.Any(s => s.NoDelay == false) ? "Nagle's algorithm can cost a round trip, or a delayed ACK, on the connections that have it on"
                : "The smoothed round trip of each connection") + (known.Length > MostRows ? $"; {MostRows} of {known.Length:N0}." : "."),
            Alternative = string.Join("; ", rows.Select(r => $"{r.Name}: {r.Bars[0].Text}, {r.Bars[0].Key.Name}")) + ".",
            X = new("smoothed round trip", ChartScale.OfBars(shown.Select(s => (double)s.RttUs!.Value)), ChartText.Us),
            Keys = [.. new[] { on, off, unknown }.Where(k => rows.Any(r => r.Bars[0].Key == k))],
            Rows = rows,
        };
    }

    /// <summary>What held each sender back, as a share of its time with data outstanding; null where nothing did, or nobody counts it.</summary>
    internal static RowChart? HeldBack(IReadOnlyList<HostSocket> connections)
    {
        (ChartKey Key, Func<HostSocket, double?> Ms)[] causes =
        [
            (new("receive window of the peer", 1, KeyShape.Bar), s => s.RwndLimitedMs), (new("congestion window", 2, KeyShape.Bar), s => s.CwndLimitedMs),
            (new("send buffer", 3, KeyShape.Bar), s => s.SndbufLimitedMs),
        ];
        double Share(HostSocket s, Func<HostSocket, double?> ms) => s.BusyMs > 0 && ms(s) is { } held ? Math.Clamp(held / s.BusyMs.Value, 0, 1) : 0;
        ChartRow[] rows =
        [
            .. connections.OrderByDescending(s => causes.Max(c => Share(s, c.Ms)))
                .Select(s => new ChartRow(Name(s),
                [
                    .. causes.Select(c => (c.Key, Share: Share(s, c.Ms))).Where(c => c.Share >= LeastShare)
                        .Select(c => new RowBar(c.Key, 100 * c.Share, Format.Share(c.Share))),
                ])).Where(r => r.Bars.Count > 0).Take(MostRows),
        ];
        return rows.Length == 0 ? null : new RowChart
        {
            Name = "held-back",
            Caption = "A long bar names what to change: the receiver's buffer, the path, or the sender's buffer.",
            Alternative = string.Join("; ", rows.Select(r => $"{r.Name}: {string.Join(", ", r.Bars.Select(b => $"{b.Key.Name} {b.Text}"))}")) + ".",
            X = new("share of the time with data outstanding", ChartScale.OfBars([.. rows.SelectMany(r => r.Bars).Select(b => b.Value)]), v => $"{v:0.##} %"),
            Keys = [.. causes.Select(c => c.Key).Where(k => rows.Any(r => r.Bars.Any(b => b.Key == k)))],
            Rows = rows,
        };
    }

    private static string Name(HostSocket s) => $"{s.ProcessLabel ?? "(unknown)"} {s.Local.Port} to {s.Remote}";
}
