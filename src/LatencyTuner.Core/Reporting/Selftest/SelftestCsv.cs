using LatencyTuner.Core.Reporting.Writers;

namespace LatencyTuner.Core.Reporting.Selftest;

/// <summary>The CSV table of a <c>selftest</c> document.</summary>
internal static class SelftestCsv
{
    /// <summary>A selftest: one row per assumption.</summary>
    internal static string Write(SelftestReport report)
    {
        CsvTable table = new("build", "group", "id", "result", "because", "evidence", "run");
        foreach (SelftestProbe p in report.Probes)
        {
            table.Row(
                report.Os.Build, p.Group, p.Id, System.Text.Json.JsonNamingPolicy.KebabCaseLower.ConvertName(p.Result.ToString()), p.Because,
                string.Join("|", p.Evidence), p.Run);
        }

        return table.ToString();
    }
}
