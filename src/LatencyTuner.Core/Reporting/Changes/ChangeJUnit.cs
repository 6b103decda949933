using LatencyTuner.Core.Reporting.Writers;
using LatencyTuner.Core.Tuning;

namespace LatencyTuner.Core.Reporting.Changes;

/// <summary>One test case for the operation, and one for each of its changes.</summary>
internal static class ChangeJUnit
{
    internal static JUnitSuite From(ChangeReport report)
    {
        bool isDone = report.Outcome is TuningOutcome.Done or TuningOutcome.NoChange or TuningOutcome.WhatIf;
        return new(
            report.Operation, report.StartedUtc, 0,
            [
                new(report.Machine, report.Operation, isDone ? null : report.Text, Output: report.Text),
                .. report.Changes.Select((c, i) => new JUnitCase(
                    report.Machine, $"{c.SettingId} #{i + 1}", c.Status is ChangeStatus.Failed or ChangeStatus.Drifted ? c.Text : null, Output: c.Text)),
            ]);
    }
}
