using LatencyTuner.Core.Settings;
using LatencyTuner.Core.Settings.Cim;

namespace LatencyTuner.Core.Analysis.Selftest;

/// <summary>Probes of what CIM answered.</summary>
internal static class CimProbes
{
    /// <summary>Classes that only some editions and roles have.</summary>
    private static readonly CimQuery[] MayBeMissing = [CimClasses.TeamMembers, CimClasses.Sriov, CimClasses.Rsc, CimClasses.Filters];

    private static readonly string[] AckProperties = ["DelayedAckFrequency", "DelayedAckTimeout"];

    internal static IEnumerable<(string Id, Func<ProbeFinding> Probe)> All(SelftestEvidence evidence) =>
    [
        ("cim-classes", () => Classes(evidence.Cim)),
        ("cim-unelevated", () => Unelevated(evidence)),
        ("cim-gives-up", () => GivesUp(evidence.Cim)),
        ("adapter-keys", () => AdapterKeys(evidence.Cim)),
        ("template-defaults", () => TemplateDefaults(evidence)),
        ("template-writable", () => Writable(evidence)),
        ("applied-setting-numbers", () => Applied(evidence.Cim)),
        ("transport-filter-readback", () => Filters(evidence.Cim)),
    ];

    private static ProbeFinding Classes(CimEvidence cim)
    {
        List<string> seen = new();
        int wrong = 0;
        int silent = 0;
        foreach (CimQuery query in CimClasses.OfSnapshot)
        {
            if (cim.Rows(query) is not { } rows)
            {
                seen.Add($"{query.Class}: {cim.Because(query)}");
                silent += MayBeMissing.Contains(query) ? 0 : 1;
                continue;
            }

            List<string> missing = rows.Count == 0 ? [] : query.Properties.Where(p => !rows.Any(r => r.Properties.ContainsKey(p))).ToList();
            wrong += missing.Count;
            seen.Add($"{query.Class}: {rows.Count} instances" + (missing.Count == 0 ? "" : $", without {string.Join(", ", missing)}"));
        }

        return silent == CimClasses.OfSnapshot.Count - MayBeMissing.Length
            ? ProbeFinding.Unknown("CIM returned nothing.", [.. seen])
            : ProbeFinding.Of(wrong + silent == 0, "The classes were read and their properties compared with the documented ones.", [.. seen]);
    }

    private static ProbeFinding Unelevated(SelftestEvidence evidence)
    {
        string[] unread = CimClasses.OfSnapshot.Where(q => evidence.Cim.Rows(q) is null && !MayBeMissing.Contains(q))
            .Select(q => $"{q.Class}: {evidence.Cim.Because(q)}").ToArray();
        return evidence.Snapshot.Elevated switch
        {
            false => ProbeFinding.Of(unread.Length == 0, "This process is not elevated.", unread),
            true => ProbeFinding.Unknown("This process is elevated."),
            _ => ProbeFinding.Unknown("It is not known whether this process is elevated."),
        };
    }

    private static ProbeFinding GivesUp(CimEvidence cim) => cim.Notes.Count == 0
        ? ProbeFinding.Unknown("CIM works here.")
        : ProbeFinding.Of(true, "CIM, or a part of it, does not work here, and the selftest went on.", [.. cim.Notes]);

    private static ProbeFinding AdapterKeys(CimEvidence cim)
    {
        if (cim.Rows(CimClasses.AdvancedProperties) is not { } rows)
        {
            return ProbeFinding.Unknown(cim.Because(CimClasses.AdvancedProperties)!);
        }

        string seen = $"{rows.Count} instances, {rows.Count(r => r.Guid("InstanceID") is not null)} of them with a GUID";
        return rows.Count == 0 ? ProbeFinding.Unknown("This machine has none.", seen)
            : ProbeFinding.Of(rows.All(r => r.Guid("InstanceID") is not null), "The keys were read.", seen);
    }

    // Get-NetTCPSetting of Server 2019 and Windows 10, as published; see the catalogue.
    private static ProbeFinding TemplateDefaults(SelftestEvidence evidence)
    {
        if (evidence.Cim.Rows(CimClasses.Templates) is not { } rows)
        {
            return ProbeFinding.Unknown(evidence.Cim.Because(CimClasses.Templates)!);
        }

        string[] seen =
        [
            .. from row in rows
               where row.Text("SettingName") is not null
               let values = CimClasses.Templates.Properties.Skip(1).Where(p => row.Number(p) is not null).Select(p => $"{p} {row.Number(p)}")
               select $"{row.Text("SettingName")}: {string.Join(", ", values)}",
        ];
        ulong? Timeout(string name) => rows.FirstOrDefault(r => r.Text("SettingName") == name)?.Number("DelayedAckTimeout");
        return evidence.Snapshot.Os.DefaultsOf() is null or "2012R2" or "2016"
            ? ProbeFinding.Unknown("There is no complete dump of this Windows to compare with.", seen)
            : ProbeFinding.Of(
                (Timeout("Internet"), Timeout("Datacenter")) == (40, 10),
                "Delayed-ACK timeouts are compared with 40 ms (Internet) and 10 ms (Datacenter), unless somebody changed them.", seen);
    }

    private static ProbeFinding Writable(SelftestEvidence evidence) => ProbeFinding.Unknown(
        "Only an attempt would show it, and the selftest changes nothing.",
        [
            .. from property in AckProperties
               let names = TemplateWritability.TemplatesFor(evidence.Snapshot.Os, property)
               select $"{property}: assumed for {(names is { Count: > 0 } ? string.Join(", ", names) : "no template")}",
        ]);

    private static ProbeFinding Applied(CimEvidence cim)
    {
        if (cim.Rows(CimClasses.Connections) is not { } rows)
        {
            return ProbeFinding.Unknown(cim.Because(CimClasses.Connections)!);
        }

        string[] seen =
        [
            .. rows.GroupBy(r => (Setting: r.Properties.GetValueOrDefault("AppliedSetting"), Open: r.Number("State") == 5)).OrderByDescending(g => g.Count())
                .Select(
                    g =>
                        $"AppliedSetting {g.Key.Setting ?? "none"}{(g.Key.Setting is null ? "" : $" ({g.Key.Setting.GetType().Name})")}, "
                        + $"{(g.Key.Open ? "open" : "not open")} connections: {g.Count()}"),
        ];
        List<CimRow> open = rows.Where(r => r.Number("State") == 5).ToList();
        int strange =
            open.Count(
                r => r.Number("AppliedSetting") is { } n ? TcpTemplates.OfCimNumber(n) is null
                    : r.Text("AppliedSetting") is not { } t || TcpTemplates.Find(t) is null);
        return strange > 0 ? ProbeFinding.Of(false, "Open connections have templates that are not documented.", seen)
            : ProbeFinding.Unknown("Only a connection with a known template shows which of 3 and 4 is which.", seen);
    }

    private static ProbeFinding Filters(CimEvidence cim)
    {
        if (cim.Rows(CimClasses.Filters) is not { } rows)
        {
            return ProbeFinding.Unknown(cim.Because(CimClasses.Filters)!);
        }

        List<(TransportFilter Filter, string? Template)> read = rows.Select(r => (Filter: CimValues.FilterOf(r), Template: r.Text("SettingName"))).ToList();
        int wrong =
            read.Count(
                f => f.Template is null || TcpTemplates.Find(f.Template) is null
                    || TransportFilter.TryRead(f.Filter.DestinationPrefix, f.Filter.Ports) != f.Filter);
        string seen =
            $"{rows.Count} filters, {wrong} of them not understood; templates: "
            + $"{string.Join(", ", read.Select(f => f.Template ?? "none").Distinct().Order(StringComparer.Ordinal))}";
        return rows.Count == 0 ? ProbeFinding.Unknown("This machine has none.", seen)
            : ProbeFinding.Of(wrong == 0, "Every filter was read and compared with the parts that a filter has.", seen);
    }
}
