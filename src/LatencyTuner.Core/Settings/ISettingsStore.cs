namespace LatencyTuner.Core.Settings;

/// <summary>
/// Reads, writes and deletes single values. Implementations: the registry and the TCP templates of a live Windows, a snapshot or .reg
/// export (read-only), memory in tests.
/// </summary>
public interface ISettingsStore
{
    /// <summary>The origin of the values, for reports: <c>this machine</c> or the name of a file.</summary>
    string Source { get; }

    /// <summary>True when nothing can be written.</summary>
    bool IsReadOnly { get; }

    /// <summary>Reads a value; <see cref="SettingValue.Absent"/> when it or its container does not exist.</summary>
    /// <param name="location">The place of the value.</param>
    /// <exception cref="ExpectedFailureException">It cannot be read (<see cref="ExitCode.Platform"/>).</exception>
    SettingValue Read(SettingLocation location);

    /// <summary>Writes a value, creating its container (registry key) where it is missing, and makes it durable before it returns.</summary>
    /// <param name="location">The place of the value.</param>
    /// <param name="value">The value; <see cref="SettingValue.Absent"/> deletes the value.</param>
    /// <returns>The containers that were created, outermost first: what an exact undo must remove again when they are empty.</returns>
    /// <exception cref="ExpectedFailureException">It cannot be written (<see cref="ExitCode.Platform"/>).</exception>
    IReadOnlyList<string> Write(SettingLocation location, SettingValue value);

    /// <summary>True when the container (registry key) exists.</summary>
    /// <param name="container">Full path of the key.</param>
    bool ContainerExists(string container);

    /// <summary>Removes a container when it is empty; does nothing when it is not empty or does not exist.</summary>
    /// <param name="container">Full path of the key.</param>
    /// <returns>True when it no longer exists.</returns>
    bool RemoveEmptyContainer(string container);
}
