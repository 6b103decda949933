using LatencyTuner.Core.Reporting.Writers;
using LatencyTuner.Core.Statistics;

namespace LatencyTuner.Core.Reporting.UnderLoad;

/// <summary>The CSV table of an <c>under-load</c> document.</summary>
internal static class UnderLoadCsv
{
    /// <summary>Latency under load: one row for each phase, one row for all idle phases and one row for all loaded phases.</summary>
    internal static string Write(UnderLoadReport report)
    {
        CsvTable table = new(
            "target", "direction", "phase", "startMs", "durationMs", "n", "minUs", "meanUs", "p50Us", "p50LowUs", "p50HighUs", "p90Us", "p90LowUs",
            "p90HighUs", "p99Us", "maxUs",
            "upBytesPerSecond", "downBytesPerSecond", "clientBusyShare", "serverBusyShare", "grade", "rpm");
        void Row(string phase, double? startMs, double? durationMs, LatencyFigures figures, UnderLoadPhase? of, string? grade, double? rpm)
        {
            (IntervalFigures? p50, IntervalFigures? p90) = (figures.Intervals.GetValueOrDefault("p50Us"), figures.Intervals.GetValueOrDefault("p90Us"));
            table.Row(
                report.Target.Name, report.Direction, phase, startMs, durationMs, figures.Count, figures.MinUs, figures.MeanUs, figures.P50Us, p50?.LowUs,
                p50?.HighUs,
                figures.P90Us, p90?.LowUs, p90?.HighUs, figures.P99Us, figures.MaxUs, of?.UpBytesPerSecond, of?.DownBytesPerSecond,
                of?.Client.MachineBusyShare, of?.Server?.MachineBusyShare, grade, rpm);
        }

        Row("all idle", null, null, report.Idle, null, null, report.Responsiveness.IdleRpm);
        Row("all loaded", null, null, report.Loaded, null, report.Bufferbloat.Grade, report.Responsiveness.LoadedRpm);
        foreach (UnderLoadPhase phase in report.Phases)
        {
            Row(phase.Kind, phase.StartMs, phase.DurationMs, phase.ResponseTime, phase, null, null);
        }

        return table.ToString();
    }
}
