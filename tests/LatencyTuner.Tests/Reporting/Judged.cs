using LatencyTuner.Core.Analysis;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting;
using LatencyTuner.Core.Reporting.Measurement;
using LatencyTuner.Core.Reporting.Pages;

namespace LatencyTuner.Tests.Reporting;

/// <summary>Outputs of documents that were written down by hand: judged first, as every document is.</summary>
internal static class Judged
{
    /// <summary>A measurement without its charts: the histograms of written samples are no real ones.</summary>
    internal static Page PageOf(Document document) => PublishedDocuments.Judge(document, Gate.Open) is var judged && judged is MeasurementReport measurement
        ? MeasurementPage.Of(measurement, null, null) : PublishedDocuments.PageOf(judged);

    internal static string JUnitOf(Document document, string failOn = "none") => PublishedDocuments.JUnitOf(
        PublishedDocuments.Judge(document, new Gate { FailOn = Enum.TryParse(failOn, ignoreCase: true, out Severity limit) ? limit : null }), failOn);
}
