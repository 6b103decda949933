using LatencyTuner.Core.Reporting.Writers;
using LatencyTuner.Core.Tuning;

namespace LatencyTuner.Core.Reporting.Changes;

/// <summary>One test case for each change, and one for the operation, which fails where no change of it does.</summary>
internal static class ChangeJUnit
{
    internal static JUnitSuite From(ChangeReport report)
    {
        bool isDone = report.Outcome is TuningOutcome.Done or TuningOutcome.NoChange or TuningOutcome.WhatIf;
        JUnitCase[] changes =
        [
            .. report.Changes.Select((c, i) => new JUnitCase(
                report.Machine, $"{c.SettingId} #{i + 1}", c.Status is ChangeStatus.Failed or ChangeStatus.Drifted ? c.Text : null, Output: c.Text)),
        ];
        string? failure = isDone || changes.Any(c => c.Failure is not null) ? null : report.Text;
        return new(report.Operation, report.StartedUtc, 0, [new(report.Machine, report.Operation, failure, Output: report.Text), .. changes]);
    }
}
