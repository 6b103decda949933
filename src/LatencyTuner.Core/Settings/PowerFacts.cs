using LatencyTuner.Core.Evidence;

namespace LatencyTuner.Core.Settings;

/// <summary>The power plan in force and its settings, from the registry.</summary>
public static class PowerFacts
{
    /// <summary>The registry key that holds a key for each power plan, and the name of the plan in force.</summary>
    public const string Schemes = @"HKLM\SYSTEM\CurrentControlSet\Control\Power\User\PowerSchemes";

    private const string Defaults = @"HKLM\SYSTEM\CurrentControlSet\Control\Power\PowerSettings";

    /// <summary>The value of a power setting: <c>power.plan</c>, or one whose name is the GUIDs of its group and itself. Null for other settings.</summary>
    /// <param name="definition">The catalogue entry of the setting.</param>
    /// <param name="registry">The registry of the host.</param>
    public static SnapshotValue? Of(SettingDefinition definition, ISettingsStore registry)
    {
        ArgumentNullException.ThrowIfNull(definition);
        ArgumentNullException.ThrowIfNull(registry);
        if (definition.Store is not SettingStore.Elsewhere { Owner: "power" } store)
        {
            return null;
        }

        try
        {
            if (RegistryValueDecoder.TextOf(registry.Read(new SettingLocation.Registry(Schemes, "ActivePowerScheme"))) is not { } scheme
                || !Guid.TryParse(scheme, out Guid guid))
            {
                return SnapshotBuilding.NotRead(definition, "the registry does not name the power plan in force.");
            }

            string active = guid.ToString("D");
            if (definition.Id == "power.plan")
            {
                return Value(definition, store, SettingValue.Of(active));
            }

            string[] parts = store.Name.Split(' ');
            return parts.Length == 2 && parts.All(p => Guid.TryParse(p, out _)) && Index(registry, active, parts[0], parts[1]) is { } index
                ? Value(definition, store, SettingValue.Dword(index))
                : SnapshotBuilding.NotRead(definition, $"the registry holds neither a value nor a default of it for the power plan {active}.");
        }
        catch (ExpectedFailureException failure)
        {
            return SnapshotBuilding.NotRead(definition, failure.Message);
        }
    }

    // A plan holds only changed values; the others are the defaults of its personality, or of the plan itself.
    private static uint? Index(ISettingsStore registry, string scheme, string group, string setting)
    {
        foreach (string? key in new[] { $@"{Schemes}\{scheme}\{group}\{setting}", $@"{Defaults}\{group}\{setting}\DefaultPowerSchemeValues\{scheme}" })
        {
            if (registry.Read(new SettingLocation.Registry(key, "ACSettingIndex")).Number is { } number and <= uint.MaxValue)
            {
                return (uint)number;
            }
        }

        return null;
    }

    private static SnapshotValue Value(SettingDefinition definition, SettingStore.Elsewhere store, SettingValue value) => new()
    {
        Id = definition.Id,
        Store = store.Owner,
        Path = store.Owner,
        Name = store.Name,
        Absent = false,
        Type = value.TypeName,
        Data = value.Data,
    };
}
