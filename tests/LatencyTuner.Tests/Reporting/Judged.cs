using LatencyTuner.Core.Analysis;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting;
using LatencyTuner.Core.Reporting.Pages;

namespace LatencyTuner.Tests.Reporting;

/// <summary>Outputs of documents that were written down by hand: judged first, as every document is.</summary>
internal static class Judged
{
    internal static Page PageOf(Document document) => DocumentKinds.PageOf(DocumentKinds.Judge(document, Gate.Open));

    internal static string JUnitOf(Document document, string failOn = "none") => DocumentKinds.JUnitOf(
        DocumentKinds.Judge(document, new Gate { FailOn = Enum.TryParse(failOn, ignoreCase: true, out Severity limit) ? limit : null }), failOn);
}
