namespace LatencyTuner.Core.Settings;

/// <summary>A registry, or a part of one, that was taken from its machine: a .reg export or the hive files themselves.</summary>
public interface IRegistryContents : ISettingsStore
{
    /// <summary>What the reader must know about the origin of the values, a sentence each.</summary>
    IReadOnlyList<string> Notes { get; }

    /// <summary>The names of the keys directly below a key; none when the key does not exist.</summary>
    /// <param name="key">Full path, for example <c>HKLM\SYSTEM\Select</c>.</param>
    IReadOnlyList<string> SubKeys(string key);

    /// <summary>True when it holds the contents of a key, or shows that the key does not exist.</summary>
    /// <param name="key">Full path of the key, beginning with <c>HKLM\</c>.</param>
    bool Covers(string key);

    /// <summary>A value of a key; absent when it is not held, for any reason.</summary>
    /// <param name="key">Full path of the key, beginning with <c>HKLM\</c>.</param>
    /// <param name="name">Name of the value; empty for the default value.</param>
    SettingValue ValueOrAbsent(string key, string name);
}
