namespace LatencyTuner.Core.Settings;

/// <summary>A registry to look around in: what is missing or denied is simply not there.</summary>
/// <param name="store">Reads values.</param>
/// <param name="subKeys">Lists the names of the keys directly below a key.</param>
public sealed class RegistryTree(ISettingsStore store, Func<string, IReadOnlyList<string>> subKeys)
{
    private readonly HashSet<string> _denied = [];

    /// <summary>The keys that could not be read.</summary>
    public IReadOnlyCollection<string> Denied => _denied;

    /// <summary>The text of a value; null when it is not there or no text.</summary>
    /// <param name="key">Full path.</param>
    /// <param name="name">Name of the value.</param>
    public string? Text(string key, string name) => RegistryValueDecoder.TextOf(Value(key, name)) is { Length: > 0 } text ? text : null;

    /// <summary>A value; absent also when it may not be read.</summary>
    /// <param name="key">Full path.</param>
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
    /// <param name="key">Full path.</param>
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
