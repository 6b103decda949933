using LatencyTuner.Core.Reporting.Writers;

namespace LatencyTuner.Core.Reporting.Protocols;

/// <summary>One case for each way in which a target was asked.</summary>
internal static class ProtocolsJUnit
{
    internal static JUnitSuite From(ProtocolsReport report) => new("measure", report.StartedUtc, report.DurationMs / 1000,
    [
        .. report.Targets.Select(t => new JUnitCase(
            t.Target.Name, ProtocolsPage.Kind(t),
            t.Answered == 0 ? string.Join(" ", t.Failures.Select(f => f.Example).DefaultIfEmpty("It was not asked.")) : null)),
    ]);
}
