using System.Globalization;

namespace LatencyTuner.Core.Settings;

/// <summary>A value that a change of a setting may ask for.</summary>
/// <param name="Value">The value as <see cref="ApplicableSetting.Parse"/> reads it.</param>
/// <param name="Because">The reason for offering it, clauses.</param>
public sealed record SuggestedValue(string Value, string Because);

/// <summary>The values of a setting that are worth offering: recommended ones first, then defaults, and what the range has.</summary>
public static class ValueSuggestions
{
    // A longer range is offered by its ends.
    private const int Few = 10;

    /// <summary>The values of a setting; none where this program does not change it.</summary>
    /// <param name="definition">The setting.</param>
    public static IReadOnlyList<SuggestedValue> Of(SettingDefinition definition)
    {
        ArgumentNullException.ThrowIfNull(definition);
        if (ApplicableSetting.TryFrom(definition) is null)
        {
            return [];
        }

        (string Value, string Because)[] recommended = [.. Recommended(definition)];
        (string Value, string Because)[] possible = [.. Defaults(definition), .. InRange(definition), .. Absent(definition)];
        string[] values = [.. recommended.Concat(possible).Select(v => v.Value).Distinct()];
        // What a value does is said before what it suits.
        (string Value, string Because)[] all = [.. possible, .. Forced(definition), .. recommended];
        return [.. values.Select(v => new SuggestedValue(v, string.Join("; ", all.Where(r => r.Value == v).Select(r => r.Because))))];
    }

    private static IEnumerable<(string Value, string Because)> Recommended(SettingDefinition definition) =>
        from profile in definition.Recommended.OrderBy(r => r.Key)
        from value in profile.Value.Values
        group SettingNames.Of(profile.Key) by (Value: value, IsBest: value == profile.Value.Best, profile.Value.Because) into same
        orderby same.Key.IsBest descending
        select (NameOf(definition, same.Key.Value), $"{(same.Key.IsBest ? "recommended" : "acceptable")} for {string.Join(", ", same)}: {same.Key.Because}");

    private static IEnumerable<(string Value, string Because)> Defaults(SettingDefinition definition) =>
        from version in definition.Defaults
        group version.Key by version.Value into same
        where IsValue(definition, same.Key)
        select (NameOf(definition, same.Key), $"default of Windows {string.Join(", ", same)}");

    private static IEnumerable<(string Value, string Because)> InRange(SettingDefinition definition)
    {
        if (definition.Allowed is not { } allowed)
        {
            return [];
        }

        if (allowed.Words.Count > 0)
        {
            return allowed.Words.Select(w => (w.Key, $"stored as {w.Value}"));
        }

        long count = ((allowed.Max - allowed.Min) / allowed.Step) + 1;
        return count <= Few
            ? Enumerable.Range(0, (int)count).Select(i => (Text(allowed.Min + (i * allowed.Step)), $"one of {allowed}"))
            : [(Text(allowed.Min), $"the smallest of {allowed}"), (Text(allowed.Max), $"the largest of {allowed}")];
    }

    private static IEnumerable<(string Value, string Because)> Absent(SettingDefinition definition) =>
        definition.Store is not SettingStore.Registry ? []
        : [("absent", definition.AbsentMeans is { } means ? $"deletes the value, which means {means}" : "deletes the value")];

    private static IEnumerable<(string Value, string Because)> Forced(SettingDefinition definition) =>
        definition.NeedsForce is { } force ? force.Values.Select(v => (NameOf(definition, v), $"needs --force: {force.Because}")) : [];

    /// <summary>True for a default that is a plain value, and no text about several.</summary>
    private static bool IsValue(SettingDefinition definition, string text) => definition.Allowed is { } allowed
        && (allowed.Words.ContainsKey(text)
            || (ulong.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out ulong number) && allowed.Allows(number)));

    private static string NameOf(SettingDefinition definition, string value) =>
        definition.Allowed is { } allowed && ulong.TryParse(value, NumberStyles.None, CultureInfo.InvariantCulture, out ulong number)
            ? allowed.NameOf(number) : value;

    private static string Text(long number) => number.ToString(CultureInfo.InvariantCulture);
}
