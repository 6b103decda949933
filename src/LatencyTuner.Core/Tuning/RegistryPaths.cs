using LatencyTuner.Core.Settings;

namespace LatencyTuner.Core.Tuning;

/// <summary>Paths of registry keys: compared without regard to case, as the registry does.</summary>
internal static class RegistryPaths
{
    internal const string Root = @"HKLM\";

    internal static StringComparer Comparer => StringComparer.OrdinalIgnoreCase;

    /// <summary>True for a path below HKLM whose every part has a name.</summary>
    internal static bool IsUsable(string key) =>
        key.StartsWith(Root, StringComparison.OrdinalIgnoreCase) && key.Length < 2048 && key.Split('\\').All(p => p.Length > 0);

    /// <summary>A key and the keys above it up to the root, which itself is left out; outermost first.</summary>
    internal static List<string> SelfAndAncestors(string key)
    {
        List<string> all = new();
        for (int end = key.IndexOf('\\', StringComparison.Ordinal); end >= 0;)
        {
            end = key.IndexOf('\\', end + 1);
            all.Add(end < 0 ? key : key[..end]);
        }

        return all;
    }

    /// <summary>True when a container is the key of a place or above it.</summary>
    internal static bool Holds(string container, SettingLocation location) =>
        location is SettingLocation.Registry registry
        && registry.Key.StartsWith(container, StringComparison.OrdinalIgnoreCase)
        && (registry.Key.Length == container.Length || registry.Key[container.Length] == '\\');

    /// <summary>One text per place, so that places are equal when the system says they are.</summary>
    internal static string Identity(SettingLocation location) => location switch
    {
        SettingLocation.Registry registry => $"R\0{registry.Key}\0{registry.Value}".ToUpperInvariant(),
        SettingLocation.Template template => $"T\0{template.TemplateName}\0{template.Property}".ToUpperInvariant(),
        SettingLocation.Filter filter => $"F\0{filter.Which.DestinationPrefix}\0{filter.Which.Ports}".ToUpperInvariant(),
        _ => throw new ArgumentException($"{location.GetType().Name} is not a place.", nameof(location)),
    };
}
