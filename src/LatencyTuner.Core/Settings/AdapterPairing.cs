using LatencyTuner.Core.Evidence;

namespace LatencyTuner.Core.Settings;

/// <summary>
/// Which adapter of one host stands for which adapter of another. GUIDs, indices and often names differ between hosts, so that what an adapter is there for
/// decides. Adapters are paired only where each host has exactly one candidate: a wrong pair would show differences that are none.
/// </summary>
internal sealed class AdapterPairing
{
    private readonly Dictionary<string, NetworkInterface> _pairOf = new(StringComparer.OrdinalIgnoreCase);

    /// <summary>Pairs the adapters of two hosts.</summary>
    /// <param name="a">The first host.</param>
    /// <param name="b">The second host.</param>
    internal AdapterPairing(HostSnapshot a, HostSnapshot b)
    {
        List<NetworkInterface> left = Adapters(a);
        List<NetworkInterface> right = Adapters(b);
        List<AdapterPair> pairs = [];
        foreach (Func<NetworkInterface, object?> key in Keys)
        {
            ILookup<object, NetworkInterface> candidates = right.Where(i => key(i) is not null).ToLookup(i => key(i)!);
            foreach (IGrouping<object, NetworkInterface> group in left.Where(i => key(i) is not null).GroupBy(i => key(i)!).ToList())
            {
                if (group.Count() == 1 && candidates[group.Key].ToList() is [var match])
                {
                    pairs.Add(new(group.Single(), match));
                    left.Remove(group.Single());
                    right.Remove(match);
                }
            }
        }

        foreach (AdapterPair pair in pairs)
        {
            _pairOf[pair.B.Guid] = pair.A;
        }

        Pairs = pairs;
        OnlyA = left;
        OnlyB = right;
    }

    // The most certain first: the adapter itself; a name that both hosts gave to the same role; a card of the same model; the only one of its role.
    private static IReadOnlyList<Func<NetworkInterface, object?>> Keys =>
    [
        i => i.Guid.ToUpperInvariant(),
        i => i.Alias is null ? null : (i.Alias.ToUpperInvariant(), Role(i)),
        i => i.Description is null ? null : (i.Description, Role(i)),
        i => Role(i),
    ];

    /// <summary>The pairs, the most certain first.</summary>
    internal IReadOnlyList<AdapterPair> Pairs { get; }

    /// <summary>Adapters of the first host without a counterpart.</summary>
    internal IReadOnlyList<NetworkInterface> OnlyA { get; }

    /// <summary>Adapters of the second host without a counterpart.</summary>
    internal IReadOnlyList<NetworkInterface> OnlyB { get; }

    /// <summary>The GUID in the first host for one of the second host; the same GUID where it has no counterpart.</summary>
    /// <param name="guid">The GUID of an adapter of the second host.</param>
    internal string InA(string guid) => _pairOf.TryGetValue(guid, out NetworkInterface? pair) ? pair.Guid : guid;

    /// <summary>The adapters that a host lists, and those of which only values are known, as in a .reg export.</summary>
    private static List<NetworkInterface> Adapters(HostSnapshot host) =>
    [
        .. host.Interfaces
            .Concat(host.Values.Select(v => v.Interface).OfType<string>().Select(guid => new NetworkInterface { Guid = guid }))
            .DistinctBy(i => i.Guid, StringComparer.OrdinalIgnoreCase),
    ];

    private static object Role(NetworkInterface i) => (i.NotUsedBecause(), i.IsDisabled, i.IsHardware, i.Media, HasAddress: i.Addresses.Count > 0);
}

/// <summary>Two adapters that stand for each other.</summary>
/// <param name="A">The one of the first host.</param>
/// <param name="B">The one of the second host.</param>
internal sealed record AdapterPair(NetworkInterface A, NetworkInterface B)
{
    /// <summary>The name that both have, or both names.</summary>
    public override string ToString() =>
        Name(A) is var a && Name(B) is var b && string.Equals(a, b, StringComparison.OrdinalIgnoreCase) ? a : $"{a} (in B: {b})";

    /// <summary>The alias of an adapter, or its GUID.</summary>
    /// <param name="adapter">The adapter.</param>
    internal static string Name(NetworkInterface adapter) => adapter.Alias ?? adapter.Guid;
}
