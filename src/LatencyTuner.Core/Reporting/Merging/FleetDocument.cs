using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting.Analysis;
using LatencyTuner.Core.Reporting.Check;
using LatencyTuner.Core.Reporting.Diagnosis;
using LatencyTuner.Core.Reporting.Fleet;
using LatencyTuner.Core.Reporting.Measurement;
using LatencyTuner.Core.Reporting.Series;
using LatencyTuner.Core.Reporting.Settings;
using LatencyTuner.Core.Reporting.Sockets;
using LatencyTuner.Core.Reporting.Sweep;
using LatencyTuner.Core.Reporting.UnderLoad;
using LatencyTuner.Core.Statistics;

namespace LatencyTuner.Core.Reporting.Merging;

/// <summary>What a fleet takes from a document, whatever its kind.</summary>
internal static class FleetDocument
{
    /// <summary>The operating system of that machine; null when it does not say.</summary>
    internal static string? OsOf(Document document) => document switch
    {
        HostSnapshot s => s.Os.Product,
        SettingsReport s => s.Os.Product,
        MeasurementReport m => m.Environment.Os,
        CheckReport { Measurements: [var first, ..] } => first.Environment.Os,
        _ => null,
    };

    /// <summary>Its findings; those that a recommendation considered belong to the documents that it was made from.</summary>
    internal static IReadOnlyList<Finding> FindingsOf(Document document) => document switch
    {
        MeasurementReport r => r.Findings,
        DiagnosisReport r => r.Findings,
        SweepReport r => r.Findings,
        SeriesReport r => r.Findings,
        UnderLoadReport r => r.Findings,
        CheckReport r => r.Findings,
        SettingsReport r => r.Findings,
        AnalysisReport r => r.Findings,
        SocketsReport r => r.Findings,
        _ => [],
    };

    /// <summary>The pairs that it measured.</summary>
    /// <param name="document">The document.</param>
    /// <param name="client">The host that measured.</param>
    /// <param name="file">The file of the document.</param>
    internal static IEnumerable<FleetPair> PairsOf(Document document, string client, string file) => document switch
    {
        MeasurementReport m => [Of(m, m.Verdict, client, file)],
        CheckReport c => c.Measurements.Select((m, i) => Of(m, i < c.Gates.Count && Fails(c.Gates[i]) ? VerdictKind.Fail : m.Verdict, client, file)),
        SeriesReport s => s.Series.Select(f => new FleetPair
        {
            Client = client,
            Server = f.Name,
            Workload = f.Kind,
            Count = f.Latency.Count,
            Verdict = s.Findings.Any(x => x.Host == f.Name && x.Severity >= Severity.Warning) ? VerdictKind.Stall : VerdictKind.NoStall,
            Findings = [.. s.Findings.Where(x => x.Host == f.Name).Select(x => x.Id).Distinct()],
            StartedUtc = f.StartUtc.UtcDateTime,
            File = file,
            P50Us = null,
            P99Us = null,
        }.With(f.Latency)),
        _ => [],
    };

    private static bool Fails(MeasurementGates gates) => gates.P99Passes == false || gates.StallsPass == false;

    private static FleetPair Of(MeasurementReport m, VerdictKind verdict, string client, string file) => new FleetPair
    {
        Client = client,
        Server = m.Target.Name,
        Workload = $"{m.Pattern}, {Pages.PageWords.Workload(m.Options.Requested, m.Pattern == "stream")}",
        Count = m.Received,
        Verdict = m.Received == 0 ? VerdictKind.Failed : verdict,
        Findings = [.. m.Findings.WorstFirst().Select(f => f.Id).Distinct()],
        StartedUtc = m.StartedUtc == default ? null : m.StartedUtc,
        File = file,
        P50Us = null,
        P99Us = null,
    }.With(m.ResponseTime);

    private static FleetPair With(this FleetPair pair, LatencyFigures figures)
    {
        IntervalFigures? interval = figures.Intervals.GetValueOrDefault("p99Us");
        return pair with
        {
            P50Us = figures.P50Us,
            P99Us = figures.P99Us,
            P99LowUs = figures.P99Us is null ? null : interval?.LowUs,
            P99HighUs = figures.P99Us is null ? null : interval?.HighUs,
            AtLeastUs = figures.P99Us is null ? interval?.AtLeastUs ?? figures.MaxUs : null,
        };
    }
}
