using LatencyTuner.Core.Analysis;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting;
using LatencyTuner.Core.Reporting.Analysis;
using LatencyTuner.Core.Reporting.Diagnosis;
using LatencyTuner.Core.Reporting.Measurement;
using LatencyTuner.Core.Reporting.Model;
using LatencyTuner.Core.Reporting.Pages;
using LatencyTuner.Core.Reporting.Series;
using LatencyTuner.Core.Reporting.Sweep;

namespace LatencyTuner.Tests.Reporting;

/// <summary>Outputs of documents that were written down by hand: judged first, as every document is.</summary>
internal static class Judged
{
    /// <summary>A measurement without its charts: the histograms of written samples are no real ones.</summary>
    internal static Page PageOf(Document document)
    {
        Document judged = Sealed(document);
        return judged is MeasurementReport measurement
            ? MeasurementPage.Of(measurement, null) with { NextSteps = measurement.NextSteps } : PublishedDocuments.PageOf(judged);
    }

    internal static Document Sealed(Document document) => Sealed(document, Gate.Open);

    internal static Document Sealed(Document document, Gate gate) => PublishedDocuments.Sealed(PublishedDocuments.Judge(document, gate), SealOf(document));

    private static DocumentSeal SealOf(Document document) => new(default, "latencytuner 1.0.0", new()
    {
        Arguments = document switch
        {
            AnalysisReport => ["analyze", "client.pcap"],
            SeriesReport => ["report", "series.csv"],
            SweepReport => ["sweep", "streams", "db1", "--token-file", "token.txt"],
            DiagnosisReport => ["diagnose", "db1", "--token-file", "token.txt"],
            _ => ["measure", "db1", "--token-file", "token.txt"],
        },
        PathOptions = ["--token-file", "token.txt"],
        IsWindows = true,
    });

    internal static string JUnitOf(Document document, string failOn = "none") => PublishedDocuments.JUnitOf(
        PublishedDocuments.Judge(document, new Gate { FailOn = Enum.TryParse(failOn, ignoreCase: true, out Severity limit) ? limit : null }), failOn);
}
