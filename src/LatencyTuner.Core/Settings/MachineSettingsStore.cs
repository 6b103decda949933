namespace LatencyTuner.Core.Settings;

/// <summary>The settings of one machine, each kind of place in the store that keeps it.</summary>
/// <param name="registry">The store of registry values.</param>
/// <param name="templates">The store of TCP templates and transport filters.</param>
public sealed class MachineSettingsStore(ISettingsStore registry, ISettingsStore templates) : ISettingsStore
{
    /// <inheritdoc/>
    public string Source => registry.Source;

    /// <inheritdoc/>
    public bool IsReadOnly => registry.IsReadOnly;

    /// <inheritdoc/>
    public SettingValue Read(SettingLocation location) => StoreOf(location).Read(location);

    /// <inheritdoc/>
    public IReadOnlyList<string> Write(SettingLocation location, SettingValue value) => StoreOf(location).Write(location, value);

    /// <inheritdoc/>
    public bool ContainerExists(string container) => registry.ContainerExists(container);

    /// <inheritdoc/>
    public bool RemoveEmptyContainer(string container) => registry.RemoveEmptyContainer(container);

    private ISettingsStore StoreOf(SettingLocation location) => location is SettingLocation.Registry ? registry : templates;
}
