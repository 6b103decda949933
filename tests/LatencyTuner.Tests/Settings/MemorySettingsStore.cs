using LatencyTuner.Core;
using LatencyTuner.Core.Settings;

namespace LatencyTuner.Tests.Settings;

/// <summary>A writable store in memory that behaves as the registry does: names without regard to case, keys made on the way to a value.</summary>
internal sealed class MemorySettingsStore : ISettingsStore
{
    private readonly Dictionary<SettingLocation, SettingValue> _values = new(LocationComparer.Instance);
    private readonly HashSet<string> _containers = new(StringComparer.OrdinalIgnoreCase);

    /// <inheritdoc/>
    public string Source { get; init; } = "memory";

    /// <inheritdoc/>
    public bool IsReadOnly { get; init; }

    /// <summary>Called before every read; what it throws comes out of <see cref="Read"/>.</summary>
    public Action<SettingLocation>? BeforeRead { get; set; }

    /// <summary>Called before a write changes anything; what it throws comes out of <see cref="Write"/> and nothing is changed.</summary>
    public Action<SettingLocation, SettingValue>? BeforeWrite { get; set; }

    /// <summary>Called after a write is in place; what it throws comes out of <see cref="Write"/>, as of a process that dies just then.</summary>
    public Action<SettingLocation, SettingValue>? AfterWrite { get; set; }

    /// <summary>What is stored instead of the value that was written, as of a driver that adjusts it; null to store it as it is.</summary>
    public Func<SettingLocation, SettingValue, SettingValue>? Adjust { get; set; }

    /// <summary>Called before a container is removed; what it throws comes out of <see cref="RemoveEmptyContainer"/>.</summary>
    public Action<string>? BeforeRemove { get; set; }

    /// <summary>Every value, in the order of its place: what tests compare before and after.</summary>
    public IReadOnlyList<KeyValuePair<SettingLocation, SettingValue>> Values => [.. _values.OrderBy(v => v.Key.ToString(), StringComparer.OrdinalIgnoreCase)];

    /// <summary>Every container, in order.</summary>
    public IReadOnlyList<string> Containers => [.. _containers.Order(StringComparer.OrdinalIgnoreCase)];

    /// <summary>Makes a container and those above it.</summary>
    /// <param name="container">Full path of the key.</param>
    /// <returns>Those that were not there, outermost first.</returns>
    public IReadOnlyList<string> AddContainer(string container)
    {
        ArgumentNullException.ThrowIfNull(container);
        List<string> created = new();
        for (int end = container.IndexOf('\\', StringComparison.Ordinal); ; end = container.IndexOf('\\', end + 1))
        {
            string prefix = end < 0 ? container : container[..end];
            if (_containers.Add(prefix) && end != container.IndexOf('\\', StringComparison.Ordinal))
            {
                created.Add(prefix);
            }

            if (end < 0)
            {
                return created;
            }
        }
    }

    /// <inheritdoc/>
    public SettingValue Read(SettingLocation location)
    {
        BeforeRead?.Invoke(location);
        return _values.GetValueOrDefault(location, SettingValue.Absent);
    }

    /// <inheritdoc/>
    public IReadOnlyList<string> Write(SettingLocation location, SettingValue value)
    {
        ArgumentNullException.ThrowIfNull(location);
        ArgumentNullException.ThrowIfNull(value);
        if (IsReadOnly)
        {
            throw new ExpectedFailureException(ExitCode.Platform, $"{location} cannot be written: {Source} is read-only.");
        }

        BeforeWrite?.Invoke(location, value);
        value = Adjust?.Invoke(location, value) ?? value;
        IReadOnlyList<string> created = [];
        if (value.IsAbsent)
        {
            if (location is SettingLocation.Template)
            {
                throw new ExpectedFailureException(ExitCode.Platform, $"{location} cannot be deleted: a template always has a value.");
            }

            _values.Remove(location);
        }
        else
        {
            if (location is SettingLocation.Registry registry)
            {
                created = AddContainer(registry.Key);
            }

            _values[location] = value;
        }

        AfterWrite?.Invoke(location, value);
        return created;
    }

    /// <inheritdoc/>
    public bool ContainerExists(string container) => _containers.Contains(container);

    /// <inheritdoc/>
    public bool RemoveEmptyContainer(string container)
    {
        ArgumentNullException.ThrowIfNull(container);
        if (IsReadOnly)
        {
            throw new ExpectedFailureException(ExitCode.Platform, $"{container} cannot be removed: {Source} is read-only.");
        }

        BeforeRemove?.Invoke(container);
        string inside = container + '\\';
        bool empty = !_containers.Any(c => c.StartsWith(inside, StringComparison.OrdinalIgnoreCase))
            && !_values.Keys.OfType<SettingLocation.Registry>().Any(r => string.Equals(r.Key, container, StringComparison.OrdinalIgnoreCase));
        if (empty)
        {
            _containers.Remove(container);
        }

        return empty;
    }
}
