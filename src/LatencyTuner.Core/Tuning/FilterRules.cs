using LatencyTuner.Core.Settings;

namespace LatencyTuner.Core.Tuning;

/// <summary>What a transport filter may be changed to: the part of <see cref="ChangeRules"/> that no single setting of the catalogue gives.</summary>
internal static class FilterRules
{
    /// <summary>The catalogue's id of transport filters.</summary>
    public const string SettingId = "filter.transport";

    /// <summary>
    /// Why a change of a filter may not be applied; null when it may be. A filter is created or removed, to a custom template only.
    /// </summary>
    /// <param name="change">A change at a <see cref="SettingLocation.Filter"/>.</param>
    public static string? Refusal(Change change)
    {
        ArgumentNullException.ThrowIfNull(change);
        if (change.SettingId != SettingId || change.Location is not SettingLocation.Filter filter)
        {
            return $"{PlannedChange.Quote(change.SettingId)} at {change.Location} is not a transport filter.";
        }

        if (change.Before.IsAbsent == change.After.IsAbsent)
        {
            return $"the filter {filter.Which} is {ChangeSentences.Show(change.Before)} and would become {ChangeSentences.Show(change.After)}. A filter "
                + "can be created or removed, but not bound to another template.";
        }

        SettingValue bound = change.After.IsAbsent ? change.Before : change.After;
        return bound.Text is { } template && TcpTemplates.IsCustom(template)
            ? null
            : $"the filter {filter.Which} is bound to {ChangeSentences.Show(bound)}. This program creates and removes only filters to InternetCustom and "
                + "DatacenterCustom.";
    }

    /// <summary>True when a place is a filter that may hold a type: a text, or nothing.</summary>
    /// <param name="location">The place.</param>
    /// <param name="kind">The type.</param>
    public static bool IsAllowed(SettingLocation location, SettingValueKind kind) =>
        location is SettingLocation.Filter && kind is SettingValueKind.Text or SettingValueKind.Absent;
}
