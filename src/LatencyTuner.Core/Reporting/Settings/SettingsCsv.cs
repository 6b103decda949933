using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Reporting.Writers;
using LatencyTuner.Core.Settings;
using LatencyTuner.Core.Settings.Audit;

namespace LatencyTuner.Core.Reporting.Settings;

/// <summary>The tables of settings, snapshots and their differences.</summary>
internal static class SettingsCsv
{
    /// <summary>Settings: one row per value.</summary>
    internal static string Write(SettingsReport report)
    {
        CsvTable table = new(
            "source", "machine", "profile", "id", "scope", "interface", "interfaceAlias", "template", "path", "absent", "type", "value", "default", "effective",
            "recommended", "state", "because", "action", "takesEffect", "factsFrom", "confidence");
        foreach (AuditedSetting e in report.Entries)
        {
            table.Row(
                report.Source, report.Machine, report.Profile, e.Id, e.Scope, e.Interface, e.InterfaceAlias, e.Template, e.Path, e.Absent, e.Type, e.Value,
                e.Default, e.Effective,
                e.Recommended, System.Text.Json.JsonNamingPolicy.KebabCaseLower.ConvertName(e.State.ToString()), e.Because, e.Action, e.TakesEffect,
                e.Source, e.Confidence);
        }

        return table.ToString();
    }

    /// <summary>A snapshot: one row per value.</summary>
    internal static string Write(HostSnapshot snapshot)
    {
        CsvTable table = new("machine", "id", "store", "interface", "template", "path", "name", "absent", "type", "data", "notReadBecause");
        foreach (SnapshotValue v in snapshot.Values)
        {
            table.Row(snapshot.Machine, v.Id, v.Store, v.Interface, v.Template, v.Path, v.Name, v.Absent, v.Type, string.Join("|", v.Data), v.NotReadBecause);
        }

        return table.ToString();
    }

    /// <summary>Two snapshots: one row per difference.</summary>
    internal static string Write(SnapshotComparisonReport report)
    {
        CsvTable table = new("a", "b", "what", "weight", "id", "interface", "path", "before", "after");
        foreach (SnapshotChange c in report.Changes)
        {
            table.Row(report.A, report.B, c.What, SettingNames.Of(c.Weight), c.Id, c.Interface, c.Path, c.Before, c.After);
        }

        return table.ToString();
    }
}
