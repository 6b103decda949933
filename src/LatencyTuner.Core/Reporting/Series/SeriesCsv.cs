using LatencyTuner.Core.Reporting.Writers;

namespace LatencyTuner.Core.Reporting.Series;

/// <summary>The CSV table of a <c>series</c> document.</summary>
internal static class SeriesCsv
{
    /// <summary>Series: one row per bin.</summary>
    internal static string Write(SeriesReport report)
    {
        CsvTable table = new("series", "startUtc", "durationMs", "n", "p50Us", "tailUs", "slow");
        foreach (SeriesFigures series in report.Series)
        {
            foreach (SeriesBin bin in series.Bins)
            {
                table.Row(
                    series.Name, series.StartUtc.AddMilliseconds(bin.At * series.BinMs), series.BinMs, bin.N, bin.P50Us, bin.TailUs,
                    series.Slow is null ? null : bin.Slow);
            }
        }

        return table.ToString();
    }
}
