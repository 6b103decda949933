using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting.Writers;

namespace LatencyTuner.Core.Reporting.Fleet;

/// <summary>The gates of a fleet: a case for each host and for each file that could not be read.</summary>
internal static class FleetJUnit
{
    internal static JUnitSuite From(FleetReport report)
    {
        Dictionary<string, string[]> failing = report.Findings.Where(f => report.Failing.Contains(f.Worst))
            .SelectMany(f => f.Hosts.Select(h => (Host: h, f.Worst.Id))).GroupBy(f => f.Host, StringComparer.OrdinalIgnoreCase)
            .ToDictionary(g => g.Key, g => g.Select(f => f.Id).ToArray(), StringComparer.OrdinalIgnoreCase);
        return new("report", report.StartedUtc, 0,
        [
            .. report.Hosts.Select(h => new JUnitCase(
                h.Name, "no gate failed",
                failing.TryGetValue(h.Name, out string[]? ids) ? $"{string.Join(", ", ids)}: {h.Text}" : h.Verdict == VerdictKind.Fail ? h.Text : null,
                h.Verdict == VerdictKind.CannotTell ? h.Text : null, h.Text, h.Verdict == VerdictKind.Failed ? h.Text : null)),
            .. report.Unreadable.Select(u => new JUnitCase(u.File, "could be read", Error: u.Because)),
        ]);
    }
}
