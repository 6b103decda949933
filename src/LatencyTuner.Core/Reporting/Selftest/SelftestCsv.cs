using LatencyTuner.Core.Analysis.Selftest;
using LatencyTuner.Core.Reporting.Writers;

namespace LatencyTuner.Core.Reporting.Selftest;

/// <summary>The CSV table of a <c>selftest</c> document.</summary>
internal static class SelftestCsv
{
    /// <summary>A selftest: one row per assumption.</summary>
    internal static string Write(SelftestReport report)
    {
        CsvTable table = new("build", "group", "id", "result", "expected", "because", "evidence", "run");
        foreach (SelftestProbe p in report.Probes)
        {
            table.Row(
                report.Os.Build, p.Group, p.Id, Word(p.Result), p.Expected is { } expected ? Word(expected) : null, p.Because,
                string.Join("|", p.Evidence), p.Run);
        }

        return table.ToString();
    }

    private static string Word(AssumptionState state) => System.Text.Json.JsonNamingPolicy.KebabCaseLower.ConvertName(state.ToString());
}
