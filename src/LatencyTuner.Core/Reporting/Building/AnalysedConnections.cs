using System.Text.Json;
using LatencyTuner.Core.Analysis.Captures;
using LatencyTuner.Core.Reporting.Model;

namespace LatencyTuner.Core.Reporting.Building;

/// <summary>Connections of an analysis.</summary>
internal static class AnalysedConnections
{
    private static readonly string[] StallNames = [.. Enum.GetNames<StallKind>().Select(JsonNamingPolicy.KebabCaseLower.ConvertName)];

    internal static long StallNs(ConnectionFacts c) => c.Sides.Sum(s => s.OwnedNs.Sum());

    internal static AnalysedConnection Of(ConnectionFacts c)
    {
        long? baseNs = c is { ClientBaseNs: { } client, ServerBaseNs: { } server } ? client + server : null;
        long[] durations = [.. c.Transactions.Select(t => t.DurationNs).Order()];
        long[] servers = [.. c.Transactions.Select(t => t.ServerNs).Order()];
        long[] clients = [.. c.Transactions.Where(t => t.ClientAfterNs >= 0).Select(t => t.ClientAfterNs).Order()];
        return new AnalysedConnection
        {
            Id = ConnectionNames.Of(c),
            Client = new AnalysedEndpoint { Address = c.Client.ToString(), Port = c.ClientPort },
            Server = new AnalysedEndpoint { Address = c.Server.ToString(), Port = c.ServerPort },
            RolesGuessed = c.RolesGuessed,
            StartUtc = AnalysisReports.Utc(c.FirstNs),
            DurationMs = AnalysisReports.Ms(c.LastNs - c.FirstNs),
            Packets = c.Packets,
            Bytes = c.Bytes,
            Transactions = c.TransactionCount,
            Vantage = JsonNamingPolicy.KebabCaseLower.ConvertName(c.Vantage.ToString()),
            BaseRttMs = baseNs is { } rtt ? AnalysisReports.Ms(rtt) : null,
            ActiveMs = AnalysisReports.Ms(c.ActiveNs),
            StallMs = AnalysisReports.Ms(StallNs(c)),
            StallsMs = Stalls(c),
            TransactionP50Ms = Median(durations),
            TransactionMaxMs = durations.Length == 0 ? null : AnalysisReports.Ms(durations[^1]),
            ServerP50Ms = c.NotSeparable ? null : Median(servers),
            ClientP50Ms = c.NotSeparable ? null : Median(clients),
            NotSeparable = c.NotSeparable,
            Losses = c.Sides.Sum(s => s.Timeouts + s.FastRetransmissions) + c.SynRetransmissions,
            SpuriousRetransmissions = c.Sides.Sum(s => s.SpuriousRetransmissions),
            ClientAcksAbove100Ms = c.Sides[0].AcksAbove100Ms,
            ServerAcksAbove100Ms = c.Sides[1].AcksAbove100Ms,
            RoundTripIntervalMs = AnalysisReports.Ms(c.RoundTrips.IntervalNs),
            RoundTrips = [.. c.RoundTrips.Largest.Select((v, i) => new RoundTripInterval { AtMs = AnalysisReports.Ms(i * c.RoundTrips.IntervalNs), LongestUs = v / 1e3 }).Where(r => r.LongestUs >= 0)],
        };
    }

    internal static string NameOf(StallKind kind) => StallNames[(int)kind];

    private static SortedDictionary<string, double> Stalls(ConnectionFacts c)
    {
        SortedDictionary<string, double> stalls = new(StringComparer.Ordinal);
        foreach (StallKind kind in Enum.GetValues<StallKind>())
        {
            long ns = c.Sides.Sum(s => s.OwnedNs[(int)kind]);
            if (ns > 0)
            {
                stalls[NameOf(kind)] = AnalysisReports.Ms(ns);
            }
        }

        return stalls;
    }

    private static double? Median(long[] sorted) => sorted.Length == 0 ? null : AnalysisReports.Ms(sorted[sorted.Length / 2]);
}
