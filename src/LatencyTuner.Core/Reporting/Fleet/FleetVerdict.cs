using LatencyTuner.Core.Analysis;
using LatencyTuner.Core.Analysis.Fleets;
using LatencyTuner.Core.Findings;

namespace LatencyTuner.Core.Reporting.Fleet;

/// <summary>Gives <c>fleet</c> documents their verdict.</summary>
internal static class FleetVerdict
{
    /// <summary>Adds the verdict to a document.</summary>
    /// <param name="report">The document.</param>
    /// <param name="gate">The gate that decides the exit code.</param>
    internal static FleetReport Judge(FleetReport report, Gate gate)
    {
        Finding[] findings = [.. report.Findings.Select(f => f.Worst)];
        FleetOutcome outcome = new()
        {
            Hosts = [.. report.Hosts.Select(h => new FleetHostFacts(h.Name, h.Verdict, h.File, h.Findings, h.Recommendations > 0))],
            Findings = findings,
            Slower =
            [
                .. report.Pairs.Where(p => p.Outlier == FleetOutlier.Slower).OrderByDescending(p => p.Z)
                    .Select(p => ($"{p.Client} to {p.Server}", p.File)),
            ],
            Snapshots = Pair([.. report.Hosts.Where(h => h.Snapshots.Count > 0)]),
            Drift = report.Drift.Count(d => d.InForce && d.Id is not null),
            Together = report.Shared.Where(s => s.InStep != false).Select(s => s.Members.Count).DefaultIfEmpty(0).Max(),
            Unreadable = report.Unreadable.Count,
            Files = report.Files,
        };
        return report with { Judgement = outcome.Judge(gate), Failing = gate.Failing(findings) };
    }

    /// <summary>The first host with two snapshots before two hosts with one each: what was changed on a host says more than how two differ.</summary>
    private static IReadOnlyList<string> Pair(FleetHost[] hosts) =>
        hosts.FirstOrDefault(h => h.Snapshots.Count == 2)?.Snapshots ?? (hosts.Length == 2 ? [hosts[0].Snapshots[0], hosts[1].Snapshots[0]] : []);
}
