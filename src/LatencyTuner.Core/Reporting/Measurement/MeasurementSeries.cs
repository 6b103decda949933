using LatencyTuner.Core.Reporting.Model;
using LatencyTuner.Core.Series;

namespace LatencyTuner.Core.Reporting.Measurement;

/// <summary>The course of a measurement as a series, from the time blocks in its document.</summary>
public static class MeasurementSeries
{
    private const int FewestBlocks = 40;

    /// <summary>Makes the series.</summary>
    /// <param name="report">A measurement.</param>
    /// <param name="name">Name for the series.</param>
    /// <returns>The series; null when the document has too few blocks for a series.</returns>
    /// <exception cref="ExpectedFailureException">A stored histogram is damaged.</exception>
    public static ObservedSeries? Of(MeasurementReport report, string name)
    {
        ArgumentNullException.ThrowIfNull(report);
        if (report.Runs.Count < FewestBlocks)
        {
            return null;
        }

        ObservedSeries series = new(name, "measurement");
        double step = report.Runs.Max(r => r.DurationMs) / 1e3;
        if (!(step > 1e-6))
        {
            return null;
        }

        SeriesAccumulator rows = new(series, new SeriesReadOptions { StepSeconds = step });
        double start = new DateTimeOffset(report.StartedUtc).ToUnixTimeMilliseconds() / 1e3;
        foreach (RunFigures run in report.Runs)
        {
            rows.Add(start + ((run.StartMs + (run.DurationMs / 2)) / 1e3), StoredHistograms.Buckets(run.Histogram));
        }
        return rows.Finish();
    }
}
