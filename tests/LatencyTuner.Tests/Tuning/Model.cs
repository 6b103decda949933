using LatencyTuner.Core.Settings;
using LatencyTuner.Core.Tuning;
using Xunit;

namespace LatencyTuner.Tests.Tuning;

/// <summary>What the machine should be like: values, keys, and what was applied on top of what. No journal, no bytes, no order of writing.</summary>
internal sealed class Model
{
    private readonly Dictionary<SettingLocation, SettingValue> _values;
    private readonly SortedSet<string> _keys;
    private readonly SortedSet<string> _created = new(StringComparer.OrdinalIgnoreCase);
    private readonly List<Applied> _applied = [];

    internal Model(MemoryStore store) => (_values, _keys) = (new(store.Values), new(store.Keys, StringComparer.OrdinalIgnoreCase));

    internal void Edit(int place, SettingValue value) => Put(Bench.Places[place], value);

    internal void Apply(string batch, List<int> places, List<Change> changes)
    {
        for (int i = 0; i < places.Count; i++)
        {
            SettingLocation place = Bench.Places[places[i]];
            SettingValue before = ValueAt(place);
            if (before.Equals(changes[i].After))
            {
                continue;
            }

            _created.UnionWith(Put(place, changes[i].After));
            _applied.Add(new(batch, places[i], before, changes[i].After));
        }
    }

    /// <summary>True when everything chosen is as it was applied or as before, and nothing was applied on top of it.</summary>
    internal bool CanRollBack(Func<Applied, bool> chosen) => Places(chosen).All(group =>
    {
        int top = group.Count - 1;
        if (group.Exists(a => !chosen(a)))
        {
            return false;
        }

        SettingValue value = ValueAt(Bench.Places[group[0].Place]);
        if (value.Equals(group[0].Before))
        {
            return true;
        }

        for (int i = top; i >= 0; i--)
        {
            if (!value.Equals(group[i].After) && !value.Equals(group[i].Before))
            {
                return false;
            }

            value = group[i].Before;
        }

        return true;
    });

    internal void RollBack(Func<Applied, bool> chosen)
    {
        // Newest place first: a key is removed by the last value that leaves it.
        foreach (List<Applied>? group in Places(chosen).OrderByDescending(g => _applied.IndexOf(g[^1])).ToList())
        {
            SettingLocation place = Bench.Places[group[0].Place];
            Put(place, group[0].Before);
            if (place is SettingLocation.Registry registry && group[0].Before.IsAbsent)
            {
                foreach (string? key in MemoryStore.Ancestors(registry.Key).Reverse().TakeWhile(k => _created.Contains(k) && IsEmpty(k) && !IsNeeded(k, group)))
                {
                    _keys.Remove(key);
                    _created.Remove(key);
                }
            }

            _applied.RemoveAll(group.Contains);
            _created.RemoveWhere(k => !_applied.Exists(a => Bench.Places[a.Place] is SettingLocation.Registry r && IsIn(r.Key, k)));
        }
    }

    internal void AssertSame(MemoryStore store, int seed)
    {
        Assert.True(
            _values.Count == store.Values.Count && _values.All(v => v.Value.Equals(store.Values.GetValueOrDefault(v.Key))),
            $"Sequence {seed}: values\n{store.Dump()}");
        Assert.True(_keys.SetEquals(store.Keys), $"Sequence {seed}: keys\n{store.Dump()}\nexpected {string.Join(", ", _keys)}");
    }

    /// <summary>Per place what was applied from the first chosen on, oldest first.</summary>
    private IEnumerable<List<Applied>> Places(Func<Applied, bool> chosen) =>
        _applied.GroupBy(a => a.Place).Select(g => g.SkipWhile(a => !chosen(a)).ToList()).Where(g => g.Count > 0);

    private SettingValue ValueAt(SettingLocation place) => _values.GetValueOrDefault(place, SettingValue.Absent);

    private List<string> Put(SettingLocation place, SettingValue value)
    {
        _values.Remove(place);
        if (value.IsAbsent)
        {
            return [];
        }

        _values[place] = value;
        return place is SettingLocation.Registry registry ? [.. MemoryStore.Ancestors(registry.Key).Where(_keys.Add)] : [];
    }

    private bool IsNeeded(string key, List<Applied> undone) =>
        _applied.Except(undone).Any(a => Bench.Places[a.Place] is SettingLocation.Registry r && IsIn(r.Key, key));

    private bool IsEmpty(string key) =>
        !_values.Keys.OfType<SettingLocation.Registry>().Any(r => IsIn(r.Key, key)) && !_keys.Any(k => k.Length > key.Length && IsIn(k, key));

    private static bool IsIn(string key, string container) =>
        key.Equals(container, StringComparison.OrdinalIgnoreCase) || key.StartsWith(container + "\\", StringComparison.OrdinalIgnoreCase);

    internal sealed record Applied(string Batch, int Place, SettingValue Before, SettingValue After);
}
