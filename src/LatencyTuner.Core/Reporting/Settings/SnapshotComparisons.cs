using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Settings;
using LatencyTuner.Core.Settings.Audit;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.Settings;

/// <summary>Makes <c>snapshot-comparison</c> documents.</summary>
public static class SnapshotComparisons
{
    private const string NotKnown = ComparableValue.NotKnown;
    private const string NotThere = "no such adapter";

    /// <summary>Compares two snapshots.</summary>
    /// <param name="pathA">Path of the first snapshot.</param>
    /// <param name="a">The first snapshot.</param>
    /// <param name="pathB">Path of the second snapshot.</param>
    /// <param name="b">The second snapshot.</param>
    public static SnapshotComparisonReport From(string pathA, HostSnapshot a, string pathB, HostSnapshot b)
    {
        ArgumentNullException.ThrowIfNull(a);
        ArgumentNullException.ThrowIfNull(b);
        AdapterPairing adapters = new(a, b);
        List<SnapshotChange> changes =
        [
            .. Facts("host", Host(a), Host(b)), .. Interfaces(adapters), .. Settings(pathA, a, pathB, b, adapters),
            .. Facts("component", Components(a), Components(b)),
        ];
        return Judge(new SnapshotComparisonReport
        {
            Complete = true,
            A = pathA,
            B = pathB,
            Changes = [.. changes.OrderBy(c => c.Weight)],
            Text = changes.Count == 0 ? "The two snapshots do not differ." : Counted(changes),
            Notes =
            [
                .. adapters.Pairs.Where(p => !string.Equals(p.A.Guid, p.B.Guid, StringComparison.OrdinalIgnoreCase))
                    .Select(p => $"Compared as one adapter, by name, model or role: {p.A} of A and {p.B} of B."),
            ],
        });
    }

    /// <summary>Adds the verdict to a document.</summary>
    internal static SnapshotComparisonReport Judge(SnapshotComparisonReport report) => report with
    {
        Judgement = new()
        {
            Word = report.Changes.Count == 0 ? "SAME" : "DIFFERENT",
            Text = report.StatedText,
            Result = report.Changes.Count == 0 ? VerdictKind.Unchanged : VerdictKind.Drift,
            Tone = report.Changes.Count == 0 ? Tone.Good : Tone.Unsure,
        },
    };

    private static string Counted(List<SnapshotChange> changes)
    {
        int inForce = changes.Count(c => c.Weight <= SnapshotChangeWeight.InForce);
        int stored = changes.Count(c => c.Weight == SnapshotChangeWeight.StoredOnly);
        int unread = changes.Count(c => c.Weight == SnapshotChangeWeight.NotRead);
        int others = changes.Count - inForce - stored - unread;
        return $"{(inForce == 0 ? "No" : inForce)} {(inForce == 1 ? "setting differs" : "settings differ")} in what is in force"
            + (stored == 0 ? "" : $", {stored} only in what is stored")
            + (unread == 0 ? "" : $"; {unread} cannot be compared, because one side does not have {(unread == 1 ? "it" : "them")}")
            + $"; {others} other {(others == 1 ? "fact differs" : "facts differ")}.";
    }

    private static IEnumerable<SnapshotChange> Facts(
        string what,
        IEnumerable<(string Path, string Value, SnapshotChangeWeight Weight)> a,
        IEnumerable<(string Path, string Value, SnapshotChangeWeight Weight)> b)
    {
        // A snapshot edited by hand may hold a fact twice; the last one counts.
        Dictionary<string, string> before = new(StringComparer.OrdinalIgnoreCase);
        Dictionary<string, string> after = new(StringComparer.OrdinalIgnoreCase);
        List<(string Path, SnapshotChangeWeight Weight)> paths = [];
        foreach ((Dictionary<string, string> facts, IEnumerable<(string, string, SnapshotChangeWeight)> of) in new[] { (before, a), (after, b) })
        {
            foreach ((string path, string value, SnapshotChangeWeight weight) in of)
            {
                facts[path] = value;
                paths.Add((path, weight));
            }
        }

        return paths.DistinctBy(p => p.Path, StringComparer.OrdinalIgnoreCase)
            .Select(p => new SnapshotChange
            {
                What = what,
                Path = p.Path,
                Before = before.GetValueOrDefault(p.Path, NotKnown),
                After = after.GetValueOrDefault(p.Path, NotKnown),
                Weight = p.Weight,
            })
            .Where(c => c.Before != c.After);
    }

    private static IEnumerable<(string Path, string Value, SnapshotChangeWeight Weight)> Host(HostSnapshot s) =>
    [
        ("os.product", s.Os.Product ?? NotKnown, SnapshotChangeWeight.Fact),
        ("os.build", s.Os.Build is { } build ? $"{build}.{s.Os.Revision}".TrimEnd('.') : NotKnown, SnapshotChangeWeight.Fact),
        ("os.edition", s.Os.Edition ?? NotKnown, SnapshotChangeWeight.Fact),
        ("hypervisor", s.Hypervisor ?? NotKnown, SnapshotChangeWeight.Fact),
        ("machine", s.Machine ?? NotKnown, SnapshotChangeWeight.Identity),
        ("bootUtc", s.BootUtc is { } boot ? Format.Utc(boot) : NotKnown, SnapshotChangeWeight.Identity),
    ];

    private static IEnumerable<SnapshotChange> Interfaces(AdapterPairing adapters) =>
    [
        .. adapters.Pairs.SelectMany(p => Facts("interface", FactsOf(p.A, p.ToString()), FactsOf(p.B, p.ToString()))),
        .. adapters.OnlyA.Where(Matters).Select(i => new SnapshotChange
        {
            What = "interface", Path = i.ToString(), Before = Use(i), After = NotThere, Weight = SnapshotChangeWeight.Fact,
        }),
        .. adapters.OnlyB.Where(Matters).Select(i => new SnapshotChange
        {
            What = "interface", Path = i.ToString(), Before = NotThere, After = Use(i), Weight = SnapshotChangeWeight.Fact,
        }),
    ];

    // Every host has its own loopback, its own tunnels and remains of adapters it once had.
    private static bool Matters(NetworkInterface i) => !i.IsGhost && i.Media is not (NetworkInterface.Loopback or NetworkInterface.Tunnel);

    private static string Use(NetworkInterface i) => i.NotUsedBecause() ?? (i.IsDisabled ? "disabled" : "carries connections");

    private static IEnumerable<(string Path, string Value, SnapshotChangeWeight Weight)> FactsOf(NetworkInterface i, string name) =>
    [
        ($"{name}: driver",
            string.Join(" ", new[] { i.DriverProvider, i.DriverVersion, i.DriverDate }.OfType<string>()) is { Length: > 0 } driver ? driver : NotKnown,
            SnapshotChangeWeight.Fact),
        ($"{name}: use", Use(i), SnapshotChangeWeight.Fact),
        ($"{name}: alias", i.Alias ?? NotKnown, SnapshotChangeWeight.Identity),
        ($"{name}: addresses", i.Addresses.Count == 0 ? "none" : string.Join(", ", i.Addresses), SnapshotChangeWeight.Identity),
    ];

    private static IEnumerable<SnapshotChange> Settings(string pathA, HostSnapshot a, string pathB, HostSnapshot b, AdapterPairing adapters)
    {
        Dictionary<string, ComparableValue> before = ComparableValue.Of(pathA, a, guid => guid);
        Dictionary<string, ComparableValue> after = ComparableValue.Of(pathB, b, adapters.InA);
        HashSet<string> lonely = new(adapters.OnlyA.Concat(adapters.OnlyB).Select(i => i.Guid), StringComparer.OrdinalIgnoreCase);
        Dictionary<string, string> names = new(StringComparer.OrdinalIgnoreCase);
        foreach (NetworkInterface i in adapters.OnlyA.Concat(adapters.OnlyB))
        {
            names[i.Guid] = AdapterPair.Name(i);
        }

        foreach (AdapterPair pair in adapters.Pairs)
        {
            names[pair.A.Guid] = pair.ToString();
        }

        foreach (string path in before.Keys.Concat(after.Keys).Distinct(StringComparer.OrdinalIgnoreCase))
        {
            (ComparableValue? was, ComparableValue? now) = (before.GetValueOrDefault(path), after.GetValueOrDefault(path));
            ComparableValue known = (was ?? now)!;
            bool alone = known.Interface is { } guid && lonely.Contains(guid);
            string missing = alone ? NotThere : NotKnown;

            // What an adapter that only one host has does not set is no difference.
            if (was?.Shown != now?.Shown && !(alone && known.Stored.Absent))
            {
                yield return new()
                {
                    What = "setting",
                    Id = known.Stored.Id,
                    Interface = known.Interface is null ? null : names.GetValueOrDefault(known.Interface),
                    Path = path,
                    Before = was?.Shown ?? missing,
                    After = now?.Shown ?? missing,
                    Weight = !alone && NotKnown is var unread && ((was?.Shown ?? unread) == unread || (now?.Shown ?? unread) == unread)
                        ? SnapshotChangeWeight.NotRead
                        : Weigh(was?.Audited, now?.Audited),
                };
            }
        }
    }

    private static SnapshotChangeWeight Weigh(AuditedSetting? a, AuditedSetting? b) =>
        ComparableValue.StoredOnly(a, b) ? SnapshotChangeWeight.StoredOnly
        : a?.NeedsReview == true || b?.NeedsReview == true ? SnapshotChangeWeight.Review
        : SnapshotChangeWeight.InForce;

    private static IEnumerable<(string Path, string Value, SnapshotChangeWeight Weight)> Components(HostSnapshot s) =>
        s.Components.Select(c => ($"{c.Kind} {c.Name}", c.Detail ?? "present", SnapshotChangeWeight.Fact));
}
