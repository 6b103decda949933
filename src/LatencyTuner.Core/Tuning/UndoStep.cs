using LatencyTuner.Core.Settings;

namespace LatencyTuner.Core.Tuning;

/// <summary>One place to put back: the changes there, newest first, and the value before the oldest of them.</summary>
/// <param name="Changes">The changes in force at this place that are undone.</param>
/// <param name="Actual">The value that is there.</param>
/// <param name="Drift">True when it is neither what the changes wrote nor what was before them.</param>
/// <param name="Refusal">Why it is not put back even by force, a sentence; null when it may be.</param>
/// <param name="Extra">Changes of other batches in it that were not asked for, but were made later at this place.</param>
internal sealed record UndoStep(
    IReadOnlyList<JournaledChange> Changes, SettingValue Actual, bool Drift, string? Refusal, IReadOnlyList<JournaledChange> Extra)
{
    internal SettingLocation Location => Changes[0].Planned.Location;

    internal SettingValue Target => Changes[^1].Planned.Before;

    internal IReadOnlyList<JournalItem> Items => [.. Changes.Select(c => c.Item)];
}
