namespace LatencyTuner.Core.Tuning.Recommendations;

/// <summary>How a setting is changed on a host, and what is there now.</summary>
/// <param name="Current">The values there are.</param>
/// <param name="How">Commands or steps.</param>
/// <param name="Caveats">What could not be told.</param>
/// <param name="Scope">How far it reaches, where that differs from the usual; null where not.</param>
internal sealed record SettingChange(IReadOnlyList<CurrentSetting> Current, IReadOnlyList<string> How, IReadOnlyList<string> Caveats, string? Scope = null);
