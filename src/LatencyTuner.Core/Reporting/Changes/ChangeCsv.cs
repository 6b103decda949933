using LatencyTuner.Core.Reporting.Writers;

namespace LatencyTuner.Core.Reporting.Changes;

/// <summary>The CSV table of a <c>change</c> document.</summary>
internal static class ChangeCsv
{
    /// <summary>Changes: one row per change.</summary>
    internal static string Write(ChangeReport report)
    {
        CsvTable table = new(
            "operation", "machine", "batch", "settingId", "scope", "interface", "template", "filter", "store", "path",
            "beforeType", "before", "afterType", "after", "actualType", "actual", "status", "restart", "pending", "changedUtc");
        foreach (ReportedChange c in report.Changes)
        {
            table.Row(
                report.Operation, report.Machine, c.Batch, c.SettingId, c.Scope, c.Interface, c.Template, c.Filter, c.Store, c.Path, c.Before.Type,
                ChangePage.Value(c.Before),
                c.After.Type, ChangePage.Value(c.After), c.Actual?.Type, c.Actual is null ? null : ChangePage.Value(c.Actual), c.Status, c.Restart,
                c.Pending, c.ChangedUtc);
        }

        return table.ToString();
    }
}
