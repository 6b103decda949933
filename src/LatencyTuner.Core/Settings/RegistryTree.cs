namespace LatencyTuner.Core.Settings;

/// <summary>A registry to search: a key or value that is missing or denied counts as absent.</summary>
/// <param name="store">The store that values are read from.</param>
/// <param name="subKeys">Lists the names of the keys directly below a key.</param>
public sealed class RegistryTree(ISettingsStore store, Func<string, IReadOnlyList<string>> subKeys)
{
    private readonly HashSet<string> _denied = [];

    /// <summary>The keys that could not be read.</summary>
    public IReadOnlyCollection<string> Denied => _denied;

    /// <summary>The text of a value; null when the value does not exist or is no text.</summary>
    /// <param name="key">Full path of the key, beginning with <c>HKLM\</c>.</param>
    /// <param name="name">Name of the value.</param>
    public string? Text(string key, string name) => RegistryValueDecoder.TextOf(Value(key, name)) is { Length: > 0 } text ? text : null;

    /// <summary>A value; absent also when it may not be read.</summary>
    /// <param name="key">Full path of the key, beginning with <c>HKLM\</c>.</param>
    /// <param name="name">Name of the value.</param>
    public SettingValue Value(string key, string name)
    {
        try
        {
            return store.Read(new SettingLocation.Registry(key, name));
        }
        catch (ExpectedFailureException)
        {
            _denied.Add(key);
            return SettingValue.Absent;
        }
    }

    /// <summary>The names of the keys directly below a key; none also when they may not be listed.</summary>
    /// <param name="key">Full path of the key, beginning with <c>HKLM\</c>.</param>
    public IReadOnlyList<string> SubKeys(string key)
    {
        try
        {
            return subKeys(key);
        }
        catch (ExpectedFailureException)
        {
            _denied.Add(key);
            return [];
        }
    }
}
