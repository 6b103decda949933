using LatencyTuner.Core.Evidence;

namespace LatencyTuner.Core.Settings.Audit;

/// <summary>A value of a host in the form in which it is compared with that of another host.</summary>
/// <param name="Stored">The value as it is stored.</param>
/// <param name="Interface">GUID of its adapter, as the host compared with has it; null for none.</param>
/// <param name="Shown">The value with its type, <c>absent</c>, or <see cref="NotKnown"/>.</param>
/// <param name="Audited">What the audit says of it; null for a setting that the catalogue does not know.</param>
internal sealed record ComparableValue(SnapshotValue Stored, string? Interface, string Shown, AuditedSetting? Audited)
{
    /// <summary>What stands for a value that was not read.</summary>
    internal const string NotKnown = "not known";

    /// <summary>The values of a host by where they are stored, with the GUIDs of the host that they are compared with.</summary>
    /// <param name="source">Path of the snapshot, for failures.</param>
    /// <param name="host">The host.</param>
    /// <param name="guidOf">The GUID of an adapter on the other host.</param>
    internal static Dictionary<string, ComparableValue> Of(string source, HostSnapshot host, Func<string, string> guidOf)
    {
        Dictionary<(string, string?, string), AuditedSetting> audited = new();
        foreach (AuditedSetting e in HostAudit.Of(
            SettingsCatalogue.Current, host with { Values = [.. host.Values.Where(v => v.HasForm)] }, WorkloadProfile.Balanced, source).Entries)
        {
            audited[(e.Id, e.Interface, e.Path)] = e;
        }

        Dictionary<string, ComparableValue> values = new(StringComparer.OrdinalIgnoreCase);
        foreach (SnapshotValue v in host.Values)
        {
            string stored = v.Store == "template" ? $"{v.Path}.{v.Template}.{v.Name}" : $@"{v.Path}\{v.Name}";
            string? guid = v.Interface is null ? null : guidOf(v.Interface);
            string path = v.Interface is null ? stored : stored.Replace(v.Interface, guid, StringComparison.OrdinalIgnoreCase);

            // A snapshot edited by hand may hold a path twice; the last one counts.
            values[path + (v.Store == "registry" || guid is null ? "" : $" of {guid}")] = new(
                v, guid, v.Absent ? "absent" : v.Type is null ? NotKnown : $"{v.Type} {string.Join(", ", v.Data)}",
                audited.GetValueOrDefault((v.Id, v.Interface, stored)));
        }

        return values;
    }

    /// <summary>Whether two values differ only in what is stored: nothing reads them, or the same is in force.</summary>
    /// <param name="a">What the audit says of one; null when unknown.</param>
    /// <param name="b">What the audit says of the other; null when unknown.</param>
    internal static bool StoredOnly(AuditedSetting? a, AuditedSetting? b)
    {
        bool does = Does(a) || Does(b);
        return does ? a?.Effective is { } was && was == b?.Effective : a?.NeedsReview != true && b?.NeedsReview != true;
    }

    private static bool Does(AuditedSetting? value) => value is { State: not (AuditState.NoEffect or AuditState.Misplaced) };
}
