using LatencyTuner.Core.Settings;

namespace LatencyTuner.Core.Tuning;

/// <summary>What the catalogue says about changes.</summary>
/// <param name="Refusal">
/// Why a change is not to be applied, one sentence: unknown setting, advise-only, value of another type or outside its range, another place
/// than the catalogue's; null when it may be.
/// </param>
/// <param name="IsAllowed">
/// True when the catalogue has a setting at this place that may hold this type. It decides what a journal may restore, so that a planted
/// journal writes nothing else; <see cref="SettingValueKind.Absent"/> asks whether the value may be deleted.
/// </param>
public sealed record ChangeRules(Func<Change, string?> Refusal, Func<SettingLocation, SettingValueKind, bool> IsAllowed);
