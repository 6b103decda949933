using LatencyTuner.Core.Reporting.Writers;

namespace LatencyTuner.Core.Reporting.Comparison;

/// <summary>The CSV table of a <c>comparison</c> document.</summary>
internal static class ComparisonCsv
{
    /// <summary>A comparison: one row per quantile.</summary>
    internal static string Write(ComparisonReport report)
    {
        CsvTable table = new("a", "b", "quantile", "aUs", "bUs", "deltaUs", "lowUs", "highUs", "pValue", "limitUs", "verdict");
        foreach (ComparedQuantile q in report.Quantiles)
        {
            table.Row(report.A, report.B, q.Quantile, q.AUs, q.BUs, q.DeltaUs, q.LowUs, q.HighUs, q.PValue, q.LimitUs, q.Verdict);
        }

        return table.ToString();
    }
}
