using LatencyTuner.Core.Analysis.Selftest;
using LatencyTuner.Core.Reporting.Writers;

namespace LatencyTuner.Core.Reporting.Selftest;

/// <summary>One case for each assumption.</summary>
internal static class SelftestJUnit
{
    internal static JUnitSuite From(SelftestReport report) => new("selftest", report.StartedUtc, 0,
    [
        .. report.Probes.Select(p => new JUnitCase(
            p.Group, p.Id,
            p.Result == AssumptionState.DoesNotHold ? p.Because : null,
            p.Result == AssumptionState.CannotTell ? p.Because : null,
            string.Join(" ", p.Evidence))),
    ]);
}
