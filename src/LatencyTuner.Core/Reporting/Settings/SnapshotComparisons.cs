using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.Settings;

/// <summary>Makes <c>snapshot-comparison</c> documents.</summary>
public static class SnapshotComparisons
{
    private const string NotKnown = "not known";

    /// <summary>Compares two snapshots.</summary>
    /// <param name="pathA">Path of the first snapshot.</param>
    /// <param name="a">The first snapshot.</param>
    /// <param name="pathB">Path of the second snapshot.</param>
    /// <param name="b">The second snapshot.</param>
    public static SnapshotComparisonReport From(string pathA, HostSnapshot a, string pathB, HostSnapshot b)
    {
        ArgumentNullException.ThrowIfNull(a);
        ArgumentNullException.ThrowIfNull(b);
        List<SnapshotChange> changes = new();
        Add(changes, "host", Host(a), Host(b));
        Add(changes, "interface", Interfaces(a), Interfaces(b));
        Add(changes, "setting", Settings(a), Settings(b));
        Add(changes, "component", Components(a), Components(b));
        int settings = changes.Count(c => c.What == "setting");
        int others = changes.Count - settings;
        return Judge(new SnapshotComparisonReport
        {
            Complete = true,
            A = pathA,
            B = pathB,
            Changes = changes,
            Text = changes.Count == 0 ? "The two snapshots do not differ."
                : $"{settings} {(settings == 1 ? "setting differs" : "settings differ")}, {others} other {(others == 1 ? "fact differs" : "facts differ")}.",
            Notes = a.Machine is not null && b.Machine is not null && !string.Equals(a.Machine, b.Machine, StringComparison.OrdinalIgnoreCase)
                ? [$"The snapshots are from two machines, {a.Machine} and {b.Machine}: the GUIDs of their interfaces differ."] : [],
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

    private static void Add(
        List<SnapshotChange> changes, string what, List<(string? Id, string Path, string Value)> a, List<(string? Id, string Path, string Value)> b)
    {
        // A snapshot edited by hand may hold a path twice; the last one counts.
        Dictionary<string, string> before = new(StringComparer.OrdinalIgnoreCase);
        Dictionary<string, string> after = new(StringComparer.OrdinalIgnoreCase);
        foreach ((string? _, string path, string value) in a)
        {
            before[path] = value;
        }

        foreach ((string? _, string path, string value) in b)
        {
            after[path] = value;
        }

        foreach ((string? id, string? path, string _) in a.Concat(b).DistinctBy(e => e.Path, StringComparer.OrdinalIgnoreCase))
        {
            (string? was, string? now) = (before.GetValueOrDefault(path, NotKnown), after.GetValueOrDefault(path, NotKnown));
            if (was != now)
            {
                changes.Add(new() { What = what, Id = id, Path = path, Before = was, After = now });
            }
        }
    }

    private static List<(string? Id, string Path, string Value)> Host(HostSnapshot s) =>
    [
        (null, "machine", s.Machine ?? NotKnown),
        (null, "os.product", s.Os.Product ?? NotKnown),
        (null, "os.build", s.Os.Build is { } build ? $"{build}.{s.Os.Revision}".TrimEnd('.') : NotKnown),
        (null, "os.edition", s.Os.Edition ?? NotKnown),
        (null, "hypervisor", s.Hypervisor ?? NotKnown),
        (null, "bootUtc", s.BootUtc is { } boot ? Format.Utc(boot) : NotKnown),
    ];

    private static List<(string? Id, string Path, string Value)> Interfaces(HostSnapshot s) =>
    [
        .. s.Interfaces.SelectMany(i => new (string? Id, string Path, string Value)[]
        {
            (null, $"{i.Guid}.alias", i.Alias ?? NotKnown),
            (null, $"{i.Guid}.addresses", i.Addresses.Count == 0 ? "none" : string.Join(", ", i.Addresses)),
            (null, $"{i.Guid}.driver",
                string.Join(" ", new[] { i.DriverProvider, i.DriverVersion, i.DriverDate }.OfType<string>()) is { Length: > 0 } driver ? driver : NotKnown),
            (null, $"{i.Guid}.use", i.NotUsedBecause() ?? (i.IsDisabled ? "disabled" : "carries connections")),
        }),
    ];

    private static List<(string? Id, string Path, string Value)> Settings(HostSnapshot s) =>
    [
        .. s.Values.Select(v => (
            (string?)v.Id,
            v.Store == "template" ? $"{v.Path}.{v.Template}.{v.Name}"
                : $@"{v.Path}\{v.Name}" + (v.Store == "registry" || v.Interface is null ? "" : $" of {v.Interface}"),
            v.Absent ? "absent" : v.Type is null ? NotKnown : $"{v.Type} {string.Join(", ", v.Data)}")),
    ];

    private static List<(string? Id, string Path, string Value)> Components(HostSnapshot s) =>
        [.. s.Components.Select(c => ((string?)null, $"{c.Kind} {c.Name}", c.Detail ?? "present"))];
}
