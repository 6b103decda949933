namespace LatencyTuner.Core.Settings;

/// <summary>A registry, or a part of one, that was taken from its machine: a .reg export or the hive files themselves.</summary>
public interface IRegistryContents : ISettingsStore
{
    /// <summary>What the reader must know of where the values come from, a sentence each.</summary>
    IReadOnlyList<string> Notes { get; }

    /// <summary>The names of the keys directly below a key; none when it is not there.</summary>
    /// <param name="key">Full path, for example <c>HKLM\SYSTEM\Select</c>.</param>
    IReadOnlyList<string> SubKeys(string key);

    /// <summary>True when it tells what is in a key, or that the key is not there.</summary>
    /// <param name="key">Full path.</param>
    bool Covers(string key);

    /// <summary>A value of a key; absent when it is not held, for whichever reason.</summary>
    /// <param name="key">Full path.</param>
    /// <param name="name">Name of the value; empty for the default value.</param>
    SettingValue ValueOrAbsent(string key, string name);
}
