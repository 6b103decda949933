using LatencyTuner.Core.Analysis;
using LatencyTuner.Core.Analysis.Checks;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Settings;
using LatencyTuner.Core.Settings.Audit;

namespace LatencyTuner.Core.Reporting.Settings;

/// <summary>Makes <c>settings</c> documents.</summary>
public static class SettingsReportBuilder
{
    /// <summary>Audits a host: all settings, one setting or one interface.</summary>
    /// <param name="catalogue">The catalogue of known settings.</param>
    /// <param name="snapshot">The values of the host.</param>
    /// <param name="source">Where the snapshot comes from: <c>this machine</c> or the path of a file.</param>
    /// <param name="profile">The workload profile that the values are judged for.</param>
    /// <param name="setting">The one setting to report; null for all.</param>
    /// <param name="onlyInterface">The one interface whose values to report, together with those of the machine; null for all interfaces.</param>
    /// <param name="explain">True adds the facts about <paramref name="setting"/>.</param>
    /// <param name="gate">The gate that decides the exit code; null when everything passes.</param>
    public static SettingsReport From(
        SettingsCatalogue catalogue, HostSnapshot snapshot, string source, WorkloadProfile profile, SettingDefinition? setting = null,
        NetworkInterface? onlyInterface = null, bool explain = false, Gate? gate = null)
    {
        ArgumentNullException.ThrowIfNull(catalogue);
        ArgumentNullException.ThrowIfNull(snapshot);
        HostSnapshot wanted = snapshot with
        {
            Values =
            [
                .. snapshot.Values.Where(
                    v => onlyInterface is null || v.Interface is null || string.Equals(v.Interface, onlyInterface.Guid, StringComparison.OrdinalIgnoreCase)),
            ],
        };
        HostAuditResult audit = HostAudit.Of(catalogue, wanted, profile, source);
        IReadOnlyList<Finding> findings = setting is null ? audit.Findings : FindingsOf(audit, setting);
        List<string> unknown = snapshot.Values.Select(v => v.Id).Where(id => catalogue.TryFind(id) is null).Distinct(StringComparer.Ordinal).ToList();
        return Judge(new SettingsReport
        {
            Complete = true,
            Source = source,
            TakenUtc = snapshot.TakenUtc,
            Machine = snapshot.Machine,
            Os = snapshot.Os,
            Profile = SettingNames.Of(profile),
            Entries = [.. audit.Entries.Where(e => setting is null || e.Id == setting.Id)],
            Explanation = explain && setting is not null ? Explain(setting) : null,
            Findings = findings,
            Notes =
            [
                .. snapshot.Notes,
                .. unknown.Count == 0 ? Array.Empty<string>() : [$"Settings that this version does not know are left out: {string.Join(", ", unknown)}."],
                .. setting?.Action == SettingAction.AdviseApp
                    ? [$"{setting.Id} belongs to the application: {setting.ScopeText}. There is no value to read on the host."] : Array.Empty<string>(),
            ],
        }, gate ?? Gate.Open);
    }

    /// <summary>Adds the verdict to a document.</summary>
    /// <param name="report">The document.</param>
    /// <param name="gate">The gate that decides the exit code.</param>
    internal static SettingsReport Judge(SettingsReport report, Gate gate) => report with
    {
        Judgement = SettingsOutcome.Judge(
            report.Entries, report.Profile,
            report.Explanation is not { } one ? null : one.WhyNot is { } why ? $"{one.Title}: {why}." : $"{one.Title}: {one.What}", report.Findings, gate),
        Failing = gate.Failing(report.Findings),
    };

    /// <summary>The facts that the catalogue has about a setting.</summary>
    /// <param name="setting">The setting.</param>
    public static SettingExplanation Explain(SettingDefinition setting)
    {
        ArgumentNullException.ThrowIfNull(setting);
        return new SettingExplanation
        {
            Id = setting.Id,
            Title = setting.Title,
            What = setting.What,
            Effect = setting.Effect,
            WhyNot = setting.Flagged is { } flagged ? (flagged.HasEffect ? "Not recommended: " : "Has no effect: ") + flagged.Because : null,
            Cost = setting.Cost,
            Scope = setting.ScopeText,
            Where = setting.Store.ToString()!,
            AbsentMeans = setting.AbsentMeans,
            Range = setting.Range,
            Defaults = setting.Defaults,
            Recommended = setting.Recommended.ToDictionary(
                r => SettingNames.Of(r.Key),
                r => $"{InWords(setting, r.Value.Best)}: {r.Value.Because}"),
            Action = SettingNames.Of(setting.Action),
            TakesEffect = SettingNames.Of(setting.TakesEffect),
            TakesEffectText = setting.TakesEffectText,
            Status = setting.Status,
            Read = setting.Read,
            Set = setting.Set,
            Undo = setting.Undo,
            Advice = setting.Advice,
            Notes = setting.Notes,
            Sources = setting.Sources,
            Confidence = SettingNames.Of(setting.Confidence),
        };
    }

    // The audit runs over the whole host, so that a conflict with another setting is seen; each finding begins its evidence with its setting.
    private static List<Finding> FindingsOf(HostAuditResult audit, SettingDefinition setting) =>
        [.. audit.Findings.Where(f => f.For.Count > 0 && f.For[0].StartsWith(setting.Id + ":", StringComparison.Ordinal))];

    /// <summary>The name of a value, where the setting has names for its numbers; else the value itself.</summary>
    private static string InWords(SettingDefinition setting, string value) =>
        setting.Allowed is { Words.Count: > 0 } words && ulong.TryParse(value, out ulong number) ? words.NameOf(number) : value;
}
