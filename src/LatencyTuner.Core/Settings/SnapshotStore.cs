using LatencyTuner.Core.Evidence;

namespace LatencyTuner.Core.Settings;

/// <summary>The values of a snapshot, read-only.</summary>
public sealed class SnapshotStore : ISettingsStore
{
    private readonly Dictionary<SettingLocation, SnapshotValue> _values = new(LocationComparer.Instance);
    private readonly HashSet<string> _containers = new(StringComparer.OrdinalIgnoreCase);

    /// <summary>Creates a store of the values of a snapshot.</summary>
    /// <param name="snapshot">The snapshot that holds the values.</param>
    /// <param name="source">The file that it comes from.</param>
    /// <exception cref="ExpectedFailureException">The type and data of a value do not fit, or a place occurs twice (<see cref="ExitCode.Input"/>).</exception>
    public SnapshotStore(HostSnapshot snapshot, string source)
    {
        ArgumentNullException.ThrowIfNull(snapshot);
        Source = source;
        Snapshot = snapshot;
        for (int i = 0; i < snapshot.Values.Count; i++)
        {
            SnapshotValue value = snapshot.Values[i];
            ValueOf(value, source);
            if (LocationOf(value) is not { } location)
            {
                continue;
            }

            if (!_values.TryAdd(location, value))
            {
                throw new ExpectedFailureException(ExitCode.Input, $"{source}: values[{i}]: {location} occurs a second time.");
            }

            if (location is SettingLocation.Registry registry && !value.Absent)
            {
                _containers.Add(registry.Key);
            }
        }
    }

    /// <summary>The snapshot that holds the values.</summary>
    public HostSnapshot Snapshot { get; }

    /// <inheritdoc/>
    public string Source { get; }

    /// <inheritdoc/>
    public bool IsReadOnly => true;

    /// <summary>The place of a snapshot's value; null when this program cannot write to its store.</summary>
    /// <param name="value">The entry of the snapshot.</param>
    public static SettingLocation? LocationOf(SnapshotValue value)
    {
        ArgumentNullException.ThrowIfNull(value);
        return value.Store switch
        {
            "registry" => new SettingLocation.Registry(value.Path, value.Name),
            "template" when value.Template is not null => new SettingLocation.Template(value.Template, value.Name),
            "filter" when value.Name.Split(' ', 2) is [var prefix, var ports] && TransportFilter.TryRead(prefix, ports) is { } filter =>
                new SettingLocation.Filter(filter),
            _ => null,
        };
    }

    /// <summary>The content of a snapshot's value; null when it could not be read.</summary>
    /// <param name="value">The entry of the snapshot.</param>
    /// <param name="source">The file, for the failure.</param>
    /// <exception cref="ExpectedFailureException">Type and data do not fit (<see cref="ExitCode.Input"/>).</exception>
    public static SettingValue? ValueOf(SnapshotValue value, string source)
    {
        ArgumentNullException.ThrowIfNull(value);
        if (!value.Absent && value.Type is null)
        {
            return null;
        }

        if (value.HasForm && value.Absent == value.Type is null && SettingValue.TryParse(value.Type, value.Data, out SettingValue? content))
        {
            return content;
        }

        throw new ExpectedFailureException(
            ExitCode.Input,
            $"{source}: {value.Id} at {value.Path}\\{value.Name}: {value.Type ?? "no type"} with [{string.Join(", ", value.Data.Take(5))}] is not a value.");
    }

    /// <inheritdoc/>
    public SettingValue Read(SettingLocation location)
    {
        ArgumentNullException.ThrowIfNull(location);
        if (!_values.TryGetValue(location, out SnapshotValue? value))
        {
            // A snapshot lists all filters or none: a filter that is not listed does not exist.
            if (location is SettingLocation.Filter && Snapshot.Values.Any(v => v.Store == "filter" && v.NotReadBecause is null))
            {
                return SettingValue.Absent;
            }

            throw new ExpectedFailureException(ExitCode.Platform, $"{Source} does not hold {location}, neither its value nor its absence.");
        }

        return ValueOf(value, Source)
            ?? throw new ExpectedFailureException(
                ExitCode.Platform, $"{location} was not read when {Source} was taken: {value.NotReadBecause ?? "no reason is given."}");
    }

    /// <inheritdoc/>
    public IReadOnlyList<string> Write(SettingLocation location, SettingValue value) =>
        throw new ExpectedFailureException(ExitCode.Platform, $"{location} cannot be written: {Source} is a snapshot.");

    /// <inheritdoc/>
    public bool ContainerExists(string container) => _containers.Contains(container);

    /// <inheritdoc/>
    public bool RemoveEmptyContainer(string container) =>
        throw new ExpectedFailureException(ExitCode.Platform, $"{container} cannot be removed: {Source} is a snapshot.");
}
