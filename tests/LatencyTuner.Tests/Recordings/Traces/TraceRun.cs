using LatencyTuner.Core.Analysis.Recordings;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings;
using LatencyTuner.Core.Reporting.Analysis;
using LatencyTuner.Tests.Etw;
using Xunit;

namespace LatencyTuner.Tests.Recordings.Traces;

/// <summary>Analyses events as a trace.</summary>
internal static class TraceRun
{
    internal static RecordingResult Result(TcpipEvents events, RecordingFilter? filter = null)
    {
        byte[] trace = new EtlWriter().Add(events.Records).ToArray();
        return RecordingAnalysis.Run(
            [new RecordingInput("made.etl", () => new MemoryStream(trace, writable: false))], filter ?? RecordingFilter.All, SeverityLimits.Standard, null,
            TestContext.Current.CancellationToken);
    }

    internal static IReadOnlyList<Finding> Findings(TcpipEvents events, RecordingFilter? filter = null) => Result(events, filter).Findings;

    internal static AnalysisReport Report(RecordingResult result) => AnalysisReportBuilder.From(result, new AnalysisOptions());
}
