using System.Runtime.Versioning;
using LatencyTuner.Core.Settings;
using LatencyTuner.Windows;

namespace LatencyTuner.Wine;

/// <summary>The registry with a step before and after everything that changes it.</summary>
[SupportedOSPlatform("windows")]
internal sealed class SteppedStore(Steps steps) : ISettingsStore
{
    private readonly RegistrySettingsStore _registry = new();

    public string Source => _registry.Source;

    public bool IsReadOnly => _registry.IsReadOnly;

    public SettingValue Read(SettingLocation location) => _registry.Read(location);

    public IReadOnlyList<string> Write(SettingLocation location, SettingValue value)
    {
        steps.Next();
        IReadOnlyList<string> created = _registry.Write(location, value);
        steps.Next();
        return created;
    }

    public bool ContainerExists(string container) => _registry.ContainerExists(container);

    public bool RemoveEmptyContainer(string container)
    {
        steps.Next();
        bool gone = _registry.RemoveEmptyContainer(container);
        steps.Next();
        return gone;
    }
}
