using System.Globalization;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Settings;

namespace LatencyTuner.Core.Tuning;

/// <summary>The rules for changes that a catalogue and the interfaces of a machine give: the one place that decides what is written.</summary>
public static class CatalogueRules
{
    /// <summary>The rules that a catalogue and the interfaces of a machine give.</summary>
    /// <param name="catalogue">The settings.</param>
    /// <param name="interfaces">The interfaces of the machine; null for a rollback, which puts back also what belongs to an adapter that is gone.</param>
    /// <param name="force">True to allow a change of an interface without an adapter, and values that need it.</param>
    public static ChangeRules Of(SettingsCatalogue catalogue, IReadOnlyList<NetworkInterface>? interfaces, bool force = false)
    {
        ArgumentNullException.ThrowIfNull(catalogue);
        return new ChangeRules(change => Refusal(catalogue, interfaces, force, change), (location, kind) => IsAllowed(catalogue, location, kind));
    }

    /// <summary>The GUID, with braces, of the interface whose setting is stored at a place; null when the place belongs to no interface.</summary>
    /// <param name="definition">The setting.</param>
    /// <param name="location">The place.</param>
    public static string? InterfaceAt(SettingDefinition definition, SettingLocation location)
    {
        ArgumentNullException.ThrowIfNull(definition);
        if (definition.Store is not SettingStore.Registry { IsPerInterface: true } store || location is not SettingLocation.Registry registry)
        {
            return null;
        }

        string[] around = store.Key.Split(SettingStore.InterfaceGuid);
        int length = registry.Key.Length - around[0].Length - around[1].Length;
        if (length <= 0 || !registry.Key.StartsWith(around[0], StringComparison.OrdinalIgnoreCase)
            || !registry.Key.EndsWith(around[1], StringComparison.OrdinalIgnoreCase))
        {
            return null;
        }

        string guid = registry.Key.Substring(around[0].Length, length);
        return Guid.TryParseExact(guid, "B", out _) ? guid : null;
    }

    private static string? Refusal(SettingsCatalogue catalogue, IReadOnlyList<NetworkInterface>? interfaces, bool force, Change change)
    {
        if (change.Location is SettingLocation.Filter)
        {
            return FilterRules.Refusal(change);
        }

        try
        {
            if (catalogue.TryFind(change.SettingId) is not { } definition)
            {
                return $"{PlannedChange.Quote(change.SettingId)} is not the id of a "
                    + $"setting{NearMatches.Hint(change.SettingId, catalogue.All.Select(d => d.Id))}";
            }

            ApplicableSetting setting = definition.Applicable();
            if (!IsPlaceOf(definition, change.Location))
            {
                return $"{definition.Id} is stored at {definition.Store}, not at {change.Location}.";
            }

            setting.Validate(change.After);
            // A rollback puts back whatever was there.
            if (interfaces is not null && !force && definition.NeedsForce is { } needs && needs.Values.Contains(Plain(change.After)))
            {
                return $"{definition.Id}={Plain(change.After)} is written with --force only: {needs.Because}.";
            }

            if (interfaces is not null && InterfaceAt(definition, change.Location) is { } guid)
            {
                InterfaceLookup.RequireWritable(InterfaceLookup.Find(interfaces, guid), interfaces, force);
            }

            return null;
        }
        catch (ExpectedFailureException failure)
        {
            return failure.Message;
        }
    }

    private static string Plain(SettingValue value) => value.Number?.ToString(CultureInfo.InvariantCulture) ?? "absent";

    private static bool IsAllowed(SettingsCatalogue catalogue, SettingLocation location, SettingValueKind kind) =>
        FilterRules.IsAllowed(location, kind)
        || catalogue.All.Any(d => ApplicableSetting.TryFrom(d) is not null && IsPlaceOf(d, location) && kind == TypeOf(d, kind));

    private static SettingValueKind TypeOf(SettingDefinition definition, SettingValueKind wanted) => definition.Store switch
    {
        SettingStore.Registry when wanted == SettingValueKind.Absent => wanted,
        SettingStore.Registry registry => registry.Type,
        _ => SettingValueKind.Dword,
    };

    private static bool IsPlaceOf(SettingDefinition definition, SettingLocation location) => (definition.Store, location) switch
    {
        (SettingStore.Registry { IsPerInterface: true } store, SettingLocation.Registry place) =>
            InterfaceAt(definition, place) is not null && Same(store.Values[0], place.Value),
        (SettingStore.Registry store, SettingLocation.Registry place) => Same(store.Key, place.Key) && Same(store.Values[0], place.Value),
        (SettingStore.Template store, SettingLocation.Template place) =>
            Same(store.Property, place.Property) && (store.OnlyTemplate is null || Same(store.OnlyTemplate, place.TemplateName)),
        _ => false,
    };

    private static bool Same(string a, string b) => string.Equals(a, b, StringComparison.OrdinalIgnoreCase);
}
