using System.Runtime.InteropServices;

namespace LatencyTuner.Core.Etw;

/// <summary>Counts the events of a trace by what they are.</summary>
public sealed class EtwEventCounts
{
    /// <summary>A hostile trace could make every event another one.</summary>
    private const int MostKinds = 100_000;

    private readonly Dictionary<(Guid Provider, bool Classic, int Number, byte Version), long> _counts = [];

    /// <summary>The counts, by provider, number and version.</summary>
    public IReadOnlyList<EtwEventCount> All => [.. _counts
        .OrderBy(c => c.Key.Provider).ThenBy(c => c.Key.Number).ThenBy(c => c.Key.Version)
        .Select(c => new EtwEventCount(c.Key.Provider, c.Key.Classic ? null : c.Key.Number, c.Key.Classic ? c.Key.Number : null, c.Key.Version, c.Value))];

    /// <summary>Events of kinds beyond the first 100,000, which are counted here only.</summary>
    public long Others { get; private set; }

    /// <summary>Counts an event.</summary>
    /// <param name="header">Its header.</param>
    public void Add(in EtwEventHeader header)
    {
        (Guid Provider, bool, int EventNumber, byte Version) key = (header.Provider, header.Kind != EtwEventKind.Manifest, header.EventNumber, header.Version);
        if (_counts.Count >= MostKinds && !_counts.ContainsKey(key))
        {
            Others++;
        }
        else
        {
            CollectionsMarshal.GetValueRefOrAddDefault(_counts, key, out _)++;
        }
    }
}
