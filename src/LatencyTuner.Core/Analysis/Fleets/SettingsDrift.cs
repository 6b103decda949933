using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Settings;
using LatencyTuner.Core.Settings.Audit;

namespace LatencyTuner.Core.Analysis.Fleets;

/// <summary>
/// Which settings differ between hosts. Adapters are compared by what they are there for: each host's with those of the first one. Snapshots are counted as
/// they come and not kept, so that a fleet of any size fits.
/// </summary>
internal sealed class SettingsDrift
{
    private readonly Dictionary<string, Tally> _tallies = new(StringComparer.OrdinalIgnoreCase);
    private readonly List<string> _hosts = [];
    private readonly Dictionary<string, (int At, DateTimeOffset? Taken)> _newest = new(StringComparer.OrdinalIgnoreCase);
    private HostSnapshot? _first;

    /// <summary>The hosts whose snapshots were counted.</summary>
    internal IReadOnlyCollection<string> Hosts => _newest.Keys;

    /// <summary>Counts the values of a host. Of several snapshots of one host the newest counts: before and after a change are no two hosts.</summary>
    /// <param name="name">Name of the host.</param>
    /// <param name="host">Its snapshot.</param>
    /// <param name="source">Path of the snapshot, for failures.</param>
    /// <exception cref="ExpectedFailureException">Type and data of a value do not fit (<see cref="ExitCode.Input"/>).</exception>
    internal void Add(string name, HostSnapshot host, string source)
    {
        bool known = _newest.TryGetValue(name, out (int At, DateTimeOffset? Taken) before);
        if (known && host.TakenUtc < before.Taken)
        {
            return;
        }

        _first ??= host;
        AdapterPairing adapters = new(_first, host);
        HashSet<string> lonely = new(adapters.OnlyB.Select(i => i.Guid), StringComparer.OrdinalIgnoreCase);
        Dictionary<string, ComparableValue> values = ComparableValue.Of(source, host, adapters.InA);
        if (known)
        {
            Forget(before.At);
        }

        int at = _hosts.Count;
        _hosts.Add(name);
        _newest[name] = (at, host.TakenUtc);
        foreach ((string path, ComparableValue value) in values)
        {
            // An adapter without a counterpart, and what was not read, are no difference.
            if (value.Shown != ComparableValue.NotKnown && !(value.Stored.Interface is { } guid && lonely.Contains(guid)))
            {
                Count(path, value.Stored.Id, value.Interface, value.Shown, value.Audited, at);
            }
        }

        Count("Windows build", null, null, host.Os.Build is { } build ? $"{build}.{host.Os.Revision}".TrimEnd('.') : null, null, at);
        foreach (AdapterPair pair in adapters.Pairs.Where(p => p.B.NotUsedBecause() is null))
        {
            string driver = string.Join(" ", new[] { pair.B.DriverProvider, pair.B.DriverVersion, pair.B.DriverDate }.OfType<string>());
            Count($"driver of {AdapterPair.Name(pair.A)}", null, null, driver.Length == 0 ? null : driver, null, at);
        }
    }

    /// <summary>What differs: in force first, then by the number of hosts that are not as most.</summary>
    internal IReadOnlyList<DriftedSetting> Differences()
    {
        List<DriftedSetting> drifted = [];
        foreach ((string path, Tally tally) in _tallies.Where(t => t.Value.Values.Count > 1))
        {
            TalliedValue[] values = [.. tally.Values.Values.OrderByDescending(v => v.Hosts.Count).ThenBy(v => v.Shown, StringComparer.Ordinal)];
            bool inForce = tally.Id is null || values.Skip(1).Any(v => !ComparableValue.StoredOnly(values[0].Audited, v.Audited));
            NetworkInterface? adapter = _first!.Interfaces.FirstOrDefault(i => string.Equals(i.Guid, tally.Interface, StringComparison.OrdinalIgnoreCase));
            drifted.Add(new(
                tally.Id, path, adapter is null ? tally.Interface : AdapterPair.Name(adapter), inForce,
                [.. values.Select(v => (v.Shown, (IReadOnlyList<string>)[.. v.Hosts.Select(h => _hosts[h])]))]));
        }

        return
        [
            .. drifted.OrderByDescending(d => d.InForce).ThenBy(d => d.Id is null).ThenByDescending(d => d.Values.Skip(1).Sum(v => v.Hosts.Count))
                .ThenBy(d => d.Path, StringComparer.OrdinalIgnoreCase),
        ];
    }

    private void Forget(int host)
    {
        foreach (Tally tally in _tallies.Values)
        {
            foreach ((string shown, TalliedValue value) in tally.Values)
            {
                if (value.Hosts.Remove(host) && value.Hosts.Count == 0)
                {
                    _ = tally.Values.Remove(shown);
                }
            }
        }
    }

    private void Count(string path, string? id, string? adapter, string? shown, AuditedSetting? audited, int host)
    {
        if (shown is null)
        {
            return;
        }

        if (!_tallies.TryGetValue(path, out Tally? tally))
        {
            _tallies[path] = tally = new(id, adapter, new(StringComparer.Ordinal));
        }

        if (!tally.Values.TryGetValue(shown, out TalliedValue? value))
        {
            tally.Values[shown] = value = new(shown, audited, []);
        }

        value.Hosts.Add(host);
    }

    private sealed record Tally(string? Id, string? Interface, Dictionary<string, TalliedValue> Values);

    private sealed record TalliedValue(string Shown, AuditedSetting? Audited, List<int> Hosts);
}

/// <summary>A setting that differs between hosts.</summary>
/// <param name="Id">Id of the setting; null for a fact such as a driver.</param>
/// <param name="Path">Where it is stored, with the GUID that the first host has.</param>
/// <param name="Interface">The adapter; null for none.</param>
/// <param name="InForce">False when only what is stored differs.</param>
/// <param name="Values">The values with their hosts, the most common first.</param>
internal sealed record DriftedSetting(
    string? Id, string Path, string? Interface, bool InForce, IReadOnlyList<(string Value, IReadOnlyList<string> Hosts)> Values);
