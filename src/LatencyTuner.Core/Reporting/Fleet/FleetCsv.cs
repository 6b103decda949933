using LatencyTuner.Core.Reporting.Writers;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.Fleet;

/// <summary>The CSV table of a <c>fleet</c> document: one row per pair, and one for a host without any, and for a file that could not be read.</summary>
internal static class FleetCsv
{
    internal static string Write(FleetReport report)
    {
        CsvTable table = new(
            "host", "hostVerdict", "findings", "recommendations", "settingsThatDiffer", "os", "server", "workload", "n", "p50Us", "p99Us", "p99LowUs",
            "p99HighUs", "atLeastUs", "verdict", "z", "usualUs", "outlier", "startedUtc", "file", "notReadBecause");
        ILookup<string, FleetPair> pairs = report.Pairs.ToLookup(p => p.Client, StringComparer.OrdinalIgnoreCase);
        foreach (FleetHost h in report.Hosts)
        {
            object?[] own = [h.Name, Format.Kebab(h.Verdict), string.Join(' ', h.Findings), h.Recommendations, h.Drift, h.Os];
            if (!pairs.Contains(h.Name))
            {
                table.Row([.. own, .. new object?[12], At(h.StartedUtc), h.File, null]);
            }

            foreach (FleetPair p in pairs[h.Name])
            {
                table.Row(
                    [
                        .. own, p.Server, p.Workload, p.Count, p.P50Us, p.P99Us, p.P99LowUs, p.P99HighUs, p.AtLeastUs, Format.Kebab(p.Verdict), p.Z, p.UsualUs,
                        Format.Kebab(p.Outlier), At(p.StartedUtc), p.File, null]);
            }
        }

        foreach (FleetUnreadable u in report.Unreadable)
        {
            table.Row([.. new object?[19], u.File, u.Because]);
        }

        return table.ToString();
    }

    private static DateTimeOffset? At(DateTime? started) => started is { } at ? new DateTimeOffset(at, TimeSpan.Zero) : null;
}
