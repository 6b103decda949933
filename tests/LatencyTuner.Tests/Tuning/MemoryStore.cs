using LatencyTuner.Core.Settings;

namespace LatencyTuner.Tests.Tuning;

/// <summary>A registry and templates in memory. What it holds survives the death of the process.</summary>
public sealed class MemoryStore(Faults faults) : ISettingsStore
{
    /// <summary>Values by place.</summary>
    public Dictionary<SettingLocation, SettingValue> Values { get; } = [];

    /// <summary>Keys that exist.</summary>
    public SortedSet<string> Keys { get; } = new(StringComparer.OrdinalIgnoreCase);

    /// <summary>Every place that was written to.</summary>
    public HashSet<SettingLocation> Written { get; } = [];

    public string Source => "memory";

    public bool IsReadOnly { get; init; }

    /// <summary>A write puts this there instead, as a store that clamps does.</summary>
    public Func<SettingValue, SettingValue>? Clamp { get; set; }

    public SettingValue Read(SettingLocation location)
    {
        faults.Step(isFile: false);
        return Values.GetValueOrDefault(location, SettingValue.Absent);
    }

    public IReadOnlyList<string> Write(SettingLocation location, SettingValue value)
    {
        faults.Step(isFile: false);
        List<string> created = new();
        if (location is SettingLocation.Registry registry && !value.IsAbsent)
        {
            foreach (string key in Ancestors(registry.Key))
            {
                if (Keys.Contains(key))
                {
                    continue;
                }

                faults.Step(isFile: false);
                Keys.Add(key);
                created.Add(key);
            }
        }

        faults.Step(isFile: false);
        Written.Add(location);
        Put(location, Clamp?.Invoke(value) ?? value);
        faults.Step(isFile: false);
        return created;
    }

    public bool ContainerExists(string container)
    {
        faults.Step(isFile: false);
        return Keys.Contains(container);
    }

    public bool RemoveEmptyContainer(string container)
    {
        faults.Step(isFile: false);
        if (Values.Keys.OfType<SettingLocation.Registry>().Any(r => IsIn(r.Key, container)) || Keys.Any(k => k.Length > container.Length && IsIn(k, container)))
        {
            return false;
        }

        Keys.Remove(container);
        faults.Step(isFile: false);
        return true;
    }

    /// <summary>An edit by someone else.</summary>
    public void Put(SettingLocation location, SettingValue value)
    {
        if (value.IsAbsent)
        {
            Values.Remove(location);
            return;
        }

        Values[location] = value;
        if (location is SettingLocation.Registry registry)
        {
            Keys.UnionWith(Ancestors(registry.Key));
        }
    }

    /// <summary>All that it holds, in an order of its own.</summary>
    public string Dump() =>
        string.Join(
            '\n', Values.Select(v => $"{v.Key} = {v.Value.Kind} {v.Value.RawType} {v.Value}").Order(StringComparer.Ordinal)
                .Concat(Keys.Select(k => k.ToUpperInvariant())));

    internal static IEnumerable<string> Ancestors(string key)
    {
        string[] parts = key.Split('\\');
        for (int n = 2; n <= parts.Length; n++)
        {
            yield return string.Join('\\', parts[..n]);
        }
    }

    private static bool IsIn(string key, string container) =>
        key.Equals(container, StringComparison.OrdinalIgnoreCase) || key.StartsWith(container + "\\", StringComparison.OrdinalIgnoreCase);
}
