namespace LatencyTuner.Core.Settings;

/// <summary>A registry in files, read-only: it holds some keys; the others are unknown.</summary>
public abstract class OfflineRegistry : IRegistryContents
{
    private readonly string _kind;

    /// <param name="source">The files, as reports name them.</param>
    /// <param name="kind">The kind of files, with an article: "a registry export".</param>
    private protected OfflineRegistry(string source, string kind) => (Source, _kind) = (source, kind);

    /// <inheritdoc/>
    public string Source { get; }

    /// <inheritdoc/>
    public bool IsReadOnly => true;

    /// <inheritdoc/>
    public abstract IReadOnlyList<string> Notes { get; }

    /// <inheritdoc/>
    public abstract IReadOnlyList<string> SubKeys(string key);

    /// <inheritdoc/>
    public abstract bool Covers(string key);

    /// <inheritdoc/>
    public abstract SettingValue ValueOrAbsent(string key, string name);

    /// <inheritdoc/>
    public abstract bool ContainerExists(string container);

    /// <inheritdoc/>
    public SettingValue Read(SettingLocation location)
    {
        ArgumentNullException.ThrowIfNull(location);
        if (location is not SettingLocation.Registry registry)
        {
            throw new ExpectedFailureException(ExitCode.Platform, $"{Source} is {_kind}: it does not hold {location}.");
        }

        return Covers(registry.Key)
            ? ValueOrAbsent(registry.Key, registry.Value)
            : throw new ExpectedFailureException(ExitCode.Platform, $"{Source} does not hold the key {registry.Key}.");
    }

    /// <inheritdoc/>
    public IReadOnlyList<string> Write(SettingLocation location, SettingValue value) =>
        throw new ExpectedFailureException(ExitCode.Platform, $"{location} cannot be written: {Source} is {_kind}.");

    /// <inheritdoc/>
    public bool RemoveEmptyContainer(string container) =>
        throw new ExpectedFailureException(ExitCode.Platform, $"{container} cannot be removed: {Source} is {_kind}.");
}
