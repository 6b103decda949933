using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Settings;
using LatencyTuner.Core.Settings.Audit;

namespace LatencyTuner.Core.Tuning.Recommendations;

/// <summary>
/// Settings that stand out. No measurement is about them, so each is possible at most and none is a cure. Settings that do nothing are left
/// to the notes.
/// </summary>
internal static class SettingAdvice
{
    /// <summary>LT201, LT203 and LT204 as recommendations, in that order.</summary>
    internal static IEnumerable<Recommendation> Of(IReadOnlyList<Finding> findings, AdviceInputs inputs, HostAuditResult audit) =>
        findings.Where(f => f.Cause is Cause.SettingNotRecommended or Cause.SettingMisplaced or Cause.SettingConflict)
            .Select(f => (Finding: f, Setting: SettingOf(f, inputs.Catalogue)))
            .Where(f => f.Setting is not null)
            .OrderBy(f => f.Finding.Id, StringComparer.Ordinal).GroupBy(f => (f.Finding.Id, f.Setting!.Id, f.Finding.Host))
            .Select(g => Build(g.First().Finding, g.First().Setting!, [.. g.Select(f => f.Finding.File).OfType<string>().Distinct()], audit, inputs));

    /// <summary>The setting that a finding of the audit is about; null for other findings and for settings that this version does not know.</summary>
    internal static SettingDefinition? SettingOf(Finding finding, SettingsCatalogue catalogue) =>
        finding.Setting is { } id ? catalogue.TryFind(id) : null;

    private static Recommendation Build(
        Finding finding, SettingDefinition setting, IReadOnlyList<string> files, HostAuditResult audit, AdviceInputs inputs)
    {
        AuditState state = finding.Cause switch
        {
            Cause.SettingNotRecommended => AuditState.NotRecommended,
            Cause.SettingMisplaced =>
            AuditState.Misplaced,
            _ => AuditState.Conflict
        };
        List<AuditedSetting> entries = [.. audit.Entries.Where(e => e.Id == setting.Id && e.State == state)];
        string? best = setting.Recommended.GetValueOrDefault(inputs.Profile)?.Best;
        return new()
        {
            Id = $"REC-{finding.Id}-{setting.Id.ToUpperInvariant()}",
            Kind = RecommendationKind.Setting,
            Title = finding.Recommendation ?? "Review this setting.",
            What = finding.For[0],
            Side = Side.Host,
            Where = finding.Host is { } host ? $"host {host}" : "the host of the snapshot",
            Host = finding.Host,
            Effect = new() { Basis = EffectBasis.Unknown, Because = finding.Against.Count > 0 ? finding.Against[0] : "A setting alone proves no stall." },
            Confidence = Confidence.Possible,
            TradeOff = setting.Flagged is null ? setting.Cost : "none known; Windows returns to its default behaviour",
            Scope = setting.ScopeText,
            TakesEffect = setting.TakesEffectText,
            SettingId = setting.Id,
            Value = state == AuditState.NotRecommended && setting.Flagged is null ? best : null,
            Current =
            [
                .. entries.Select(e => new CurrentSetting
                {
                    SettingId = setting.Id, Interface = e.Interface, InterfaceName = e.InterfaceAlias, Template = e.Template, State = CurrentState.Differs,
                    Value = e.Value, Because = e.Because,
                }),
            ],
            How = state == AuditState.NotRecommended ? Steps(setting, best, entries) : finding.Recommendation is { } advice ? [advice] : [],
            Prove =
                "Run 'latencytuner measure HOST --runs 5 --format json --output before.json' before the change, and the same with after.json after it. "
                + "Then run 'latencytuner compare before.json after.json'. Only that shows whether the setting costs anything.",
            Undo = setting.Action == SettingAction.CanApply ? "latencytuner rollback, where it was changed with 'latencytuner apply'" : setting.Undo,
            Findings = [finding.Id],
            Files = files,
            Sources = setting.Sources,
        };
    }

    private static IReadOnlyList<string> Steps(SettingDefinition setting, string? best, List<AuditedSetting> entries)
    {
        if (setting.Flagged is not null || best is null)
        {
            return [setting.Undo];
        }

        if (setting.Action != SettingAction.CanApply)
        {
            return [setting.Set];
        }

        return
        [
            .. entries.Select(
                e =>
                    $"latencytuner apply --setting {setting.Id}={best}"
                        + (e.Template is { } template ? $" --template {template}" : e.Interface is { } guid ? $" --interface \"{e.InterfaceAlias ?? guid}\""
                            : "")),
        ];
    }
}
