using LatencyTuner.Core.Analysis;
using LatencyTuner.Core.Analysis.Captures;
using LatencyTuner.Core.Reporting.Building;
using LatencyTuner.Core.Reporting.Model;
using Xunit;

namespace LatencyTuner.Tests.Etw;

/// <summary>Analyses events as a trace.</summary>
internal static class TraceRun
{
    internal static CaptureResult Result(TcpipEvents events, CaptureFilter? filter = null)
    {
        byte[] trace = new EtlWriter().Add(events.Records).ToArray();
        return CaptureAnalysis.Run(
            [new CaptureInput("made.etl", () => new MemoryStream(trace, writable: false))], filter ?? CaptureFilter.All, SeverityLimits.Standard, null,
            TestContext.Current.CancellationToken);
    }

    internal static IReadOnlyList<Finding> Findings(TcpipEvents events, CaptureFilter? filter = null) => Result(events, filter).Findings;

    internal static AnalysisReport Report(CaptureResult result) => AnalysisReports.From(result, new AnalysisOptions());
}
