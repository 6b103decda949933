using LatencyTuner.Core.Analysis.Fleets;
using LatencyTuner.Core.Reporting.Charts;
using LatencyTuner.Core.Reporting.Pages;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.Fleet;

/// <summary>The matrix of clients and servers: the newest measurement of each pair.</summary>
internal static class FleetMatrix
{
    private const int MostShadedRows = 20;
    private const int MostShadedColumns = 12;
    private const int MostColumns = 40;
    private const int MostCells = 8000;

    internal static IEnumerable<PageSection> Of(IReadOnlyList<FleetPair> all, FleetAnchors anchors)
    {
        Dictionary<(string, string), FleetPair> cells = new();
        foreach (FleetPair pair in all.OrderBy(p => p.StartedUtc ?? default))
        {
            cells[(pair.Client, pair.Server)] = pair;
        }

        // In the order of the pairs: the slowest first, loopback last.
        string[] servers = [.. all.Select(p => p.Server).Distinct().OrderBy(s => s == FleetPairFacts.Loopback).Take(MostColumns)];
        string[] clients = [.. all.Select(p => p.Client).Distinct().Take(MostCells / Math.Max(servers.Length, 1))];
        if (clients.Length * servers.Length < 2)
        {
            yield break;
        }

        bool cut = cells.Keys.Select(k => k.Item2).Distinct().Skip(servers.Length).Any()
            || cells.Keys.Select(k => k.Item1).Distinct().Skip(clients.Length).Any();
        TableBlock table = new(
            [new("client"), .. servers.Select(s => new TableColumn(s, Right: true, SubHeader: "verdict"))],
            [
                .. clients.Select(c => (IReadOnlyList<TableCell>)
                [
                    new(c) { Link = anchors.Of(c) },
                    .. servers.Select(s => cells.TryGetValue((c, s), out FleetPair? p)
                        ? new TableCell(Text(p), FleetPage.Word(p.Verdict), FleetPage.ToneOf(p.Verdict)) : new TableCell("")),
                ]),
            ],
            $"99th percentile and verdict of the newest measurement.{(cut ? " Only the slowest are here; the pairs above, and --format csv, have all." : "")}");
        yield return new("Client x server", [.. ChartBlock.Of(Heat(cells, clients, servers)), new PageOnlyBlock(table)]);
    }

    private static HeatChart? Heat(Dictionary<(string, string), FleetPair> cells, string[] clients, string[] servers)
    {
        (clients, servers) = ([.. clients.Take(MostShadedRows)], [.. servers.Take(MostShadedColumns)]);
        FleetPair?[] shaded = [.. clients.SelectMany(c => servers.Select(s => cells.GetValueOrDefault((c, s))))];
        double[] values = [.. shaded.Select(p => p?.P99Us ?? p?.AtLeastUs).OfType<double>().Where(v => v > 0)];
        return values.Length < 2 ? null : new HeatChart
        {
            Name = "matrix",
            Caption = "A row of strong shades is a slow client, a column a slow server; a single cell is the path between them.",
            Alternative = $"Shaded table of the 99th percentile of {Counted.Of(clients.Length, "client")} to {Counted.Of(servers.Length, "server")}.",
            RowLabel = "client",
            ColumnLabel = "server",
            Rows = [.. clients.Select(Short)],
            Columns = [.. servers.Select(Short)],
            Panels =
            [
                new("99th percentile", ChartScale.Of(values), [
                    .. shaded.Select(p => p is null ? null
                        : new HeatCell(
                            p.P99Us ?? p.AtLeastUs, Text(p),
                            $"{p.Client} to {p.Server}: {Text(p)}, {FleetPage.Word(p.Verdict)}; n = {Format.Count(p.Count)}")),
                ]),
            ],
        };
    }

    private static string Text(FleetPair p) => FleetPage.P99(p.P99Us, p.AtLeastUs) is { Length: > 0 } known ? known : "no reply";

    private static string Short(string name) => name.Length <= 24 ? name : name[..23] + "…";
}
