using System.Text.Json;
using LatencyTuner.Core.Recordings.Captures;
using LatencyTuner.Core.Statistics;

namespace LatencyTuner.Core.Reporting.Analysis;

/// <summary>Builds the connections of an analysis.</summary>
internal static class AnalysedConnectionBuilder
{
    private static readonly string[] StallNames = [.. Enum.GetNames<StallKind>().Select(JsonNamingPolicy.KebabCaseLower.ConvertName)];

    private static readonly string[] VantageNames = [.. Enum.GetNames<Vantage>().Select(JsonNamingPolicy.KebabCaseLower.ConvertName)];


    internal static AnalysedConnection Of(ConnectionFacts c)
    {
        long? baseNs = c is { ClientBaseNs: { } client, ServerBaseNs: { } server } ? client + server : null;
        long[] figures = new long[c.Transactions.Count];
        long longest = long.MinValue;
        for (int i = 0; i < figures.Length; i++)
        {
            longest = Math.Max(longest, c.Transactions.DurationNs(i));
        }

        return new AnalysedConnection
        {
            Id = ConnectionNames.Of(c),
            Client = new AnalysedEndpoint { Address = c.Client.ToString(), Port = c.ClientPort },
            Server = new AnalysedEndpoint { Address = c.Server.ToString(), Port = c.ServerPort },
            RolesGuessed = c.RolesGuessed,
            StartUtc = AnalysisReportBuilder.Utc(c.FirstNs).UtcDateTime,
            DurationMs = AnalysisReportBuilder.Ms(c.LastNs - c.FirstNs),
            Packets = c.Packets,
            Bytes = c.Bytes,
            Transactions = c.TransactionCount,
            Vantage = VantageNames[(int)c.Vantage],
            BaseRttMs = baseNs is { } rtt ? AnalysisReportBuilder.Ms(rtt) : null,
            ActiveMs = AnalysisReportBuilder.Ms(c.ActiveNs),
            StallMs = AnalysisReportBuilder.Ms(c.StallNs),
            StallsMs = Stalls(c),
            TransactionP50Ms = Median(c, figures, static (in Transaction t) => t.DurationNs),
            TransactionMaxMs = figures.Length == 0 ? null : AnalysisReportBuilder.Ms(longest),
            ServerP50Ms = c.NotSeparable ? null : Median(c, figures, static (in Transaction t) => t.ServerNs),
            ClientP50Ms = c.NotSeparable ? null : Median(c, figures, static (in Transaction t) => t.ClientAfterNs, least: 0),
            NotSeparable = c.NotSeparable,
            Losses = c.Sides.Sum(s => s.Timeouts + s.FastRetransmissions) + c.SynRetransmissions,
            SpuriousRetransmissions = c.Sides.Sum(s => s.SpuriousRetransmissions),
            ClientAcksAbove100Ms = c.Sides[0].AcksAbove100Ms,
            ServerAcksAbove100Ms = c.Sides[1].AcksAbove100Ms,
            RoundTripIntervalMs = AnalysisReportBuilder.Ms(c.RoundTrips.IntervalNs),
            RoundTrips = RoundTrips(c.RoundTrips),
        };
    }

    internal static string NameOf(StallKind kind) => StallNames[(int)kind];

    private static SortedDictionary<string, double> Stalls(ConnectionFacts c)
    {
        SortedDictionary<string, double> stalls = new(StringComparer.Ordinal);
        for (int i = 0; i < StallNames.Length; i++)
        {
            StallKind kind = (StallKind)i;
            long ns = c.Sides.Sum(s => s.OwnedNs(kind));
            if (ns > 0)
            {
                stalls[NameOf(kind)] = AnalysisReportBuilder.Ms(ns);
            }
        }

        return stalls;
    }

    /// <summary>The upper median of those values of a figure that reach a minimum; null when none does.</summary>
    private static double? Median(ConnectionFacts c, long[] values, Figure figure, long least = long.MinValue)
    {
        int count = 0;
        for (int i = 0; i < c.Transactions.Count; i++)
        {
            long value = figure(c.Transactions[i]);
            if (value >= least)
            {
                values[count++] = value;
            }
        }

        return count == 0 ? null : AnalysisReportBuilder.Ms(Selection.Median(values.AsSpan(0, count)));
    }

    private static RoundTripInterval[] RoundTrips(RoundTripSeries series)
    {
        long[] largest = series.Largest();
        CompactList<RoundTripInterval> intervals = default;
        for (int i = 0; i < largest.Length; i++)
        {
            if (largest[i] >= 0)
            {
                intervals.Add(new RoundTripInterval { AtMs = AnalysisReportBuilder.Ms(i * series.IntervalNs), LongestUs = largest[i] / 1e3 });
            }
        }

        return intervals.Span.ToArray();
    }

    private delegate long Figure(in Transaction transaction);
}
