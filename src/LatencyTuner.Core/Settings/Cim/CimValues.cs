using System.Globalization;
using LatencyTuner.Core.Evidence;

namespace LatencyTuner.Core.Settings.Cim;

/// <summary>Makes the values of a snapshot from the answers of CIM.</summary>
public static class CimValues
{
    /// <summary>
    /// The values of a setting that CIM shows; when it could not be read, one entry that says why. Empty for a setting that CIM does not show.
    /// </summary>
    /// <param name="definition">The catalogue entry of the setting.</param>
    /// <param name="evidence">The answers of CIM.</param>
    /// <param name="interfaces">The interfaces, completed from CIM.</param>
    public static IReadOnlyList<SnapshotValue> Of(SettingDefinition definition, CimEvidence evidence, IReadOnlyList<NetworkInterface> interfaces)
    {
        ArgumentNullException.ThrowIfNull(definition);
        ArgumentNullException.ThrowIfNull(evidence);
        ArgumentNullException.ThrowIfNull(interfaces);
        return definition.Store switch
        {
            SettingStore.Template template => Templates(definition, template, evidence),
            SettingStore.Cim { Class: "MSFT_NetTransportFilter" } => Filters(definition, evidence),
            SettingStore.Cim { Class: "MSFT_NetTCPSetting" } cim =>
                Single(definition, cim, evidence, CimClasses.Templates, r => r.Text("SettingName") == "Internet"),
            SettingStore.Cim { Class: "MSFT_NetOffloadGlobalSetting" } cim => Single(definition, cim, evidence, CimClasses.Offloads, _ => true),
            SettingStore.Adapter adapter => Adapters(definition, adapter, evidence, interfaces),
            _ => [],
        };
    }

    /// <summary>How many open connections use each template, most first; empty when that is unknown.</summary>
    /// <param name="evidence">The answers of CIM.</param>
    public static IReadOnlyList<TemplateUse> Uses(CimEvidence evidence)
    {
        ArgumentNullException.ThrowIfNull(evidence);

        // State 5 is Established. Listeners and closing connections have no template, whatever number the property has.
        return
        [
            .. (evidence.Rows(CimClasses.Connections) ?? []).Where(r => r.Number("State") == 5).Select(Applied).OfType<string>().GroupBy(t => t)
                .Select(g => new TemplateUse { Template = g.Key, Connections = g.Count() }).OrderByDescending(u => u.Connections)
                .ThenBy(u => u.Template, StringComparer.Ordinal),
        ];
    }

    /// <summary>The template of a connection: by name where CIM gives one, else by its own numbers.</summary>
    /// <param name="row">A connection.</param>
    internal static string? Applied(CimRow row) =>
        row.Text("AppliedSetting") is { } text && TcpTemplates.Find(text) is { } name ? name
        : row.Number("AppliedSetting") is { } number ? TcpTemplates.OfCimNumber(number)
        : null;

    private static List<SnapshotValue> Templates(SettingDefinition definition, SettingStore.Template store, CimEvidence evidence)
    {
        if (evidence.Rows(CimClasses.Templates) is not { } rows)
        {
            return [Unread(definition, evidence, CimClasses.Templates)];
        }

        List<SnapshotValue> values = new();
        foreach (CimRow row in rows)
        {
            // Automatic is a rule; the class shows it as one more instance without values.
            string? name = row.Text("SettingName");
            if (name is null || (store.OnlyTemplate ?? name) != name || (store.OnlyTemplate is null && name == TcpTemplates.Automatic))
            {
                continue;
            }

            values.Add(Of(definition, "template", store.Class, store.Property, row, template: name));
        }

        return values.Count > 0 ? values : [SnapshotBuilding.NotRead(definition, $"CIM lists no template {store.OnlyTemplate ?? "at all"}.")];
    }

    private static IReadOnlyList<SnapshotValue> Single(
        SettingDefinition definition, SettingStore.Cim store, CimEvidence evidence, CimQuery query, Func<CimRow, bool> which) =>
        evidence.Rows(query) is not { } rows ? [Unread(definition, evidence, query)]
        : rows.FirstOrDefault(which) is { } row ? [.. store.Properties.Select(p => Of(definition, "cim", store.Class, p, row))]
        : [SnapshotBuilding.NotRead(definition, $"CIM lists no instance of {store.Class}.")];

    private static IReadOnlyList<SnapshotValue> Filters(SettingDefinition definition, CimEvidence evidence)
    {
        if (evidence.Rows(CimClasses.Filters) is not { } rows)
        {
            return [Unread(definition, evidence, CimClasses.Filters)];
        }

        SnapshotValue none = new() { Id = definition.Id, Store = "filter", Path = CimClasses.Filters.Class, Name = "none", Absent = true };
        return rows.Count == 0 ? [none] :
        [
            .. rows.Select(r => (Filter: FilterOf(r), Template: r.Text("SettingName"))).DistinctBy(f => f.Filter).Select(f => none with
            {
                Name = $"{f.Filter.DestinationPrefix} {f.Filter.Ports}",
                Absent = false,
                Type = f.Template is null ? null : "REG_SZ",
                Data = f.Template is null ? [] : [f.Template],
                NotReadBecause = f.Template is null ? "CIM gives no template for it." : null,
            }),
        ];
    }

    /// <summary>What a filter of CIM matches. A port that it leaves out is any port.</summary>
    /// <param name="row">An instance of MSFT_NetTransportFilter.</param>
    public static TransportFilter FilterOf(CimRow row)
    {
        ArgumentNullException.ThrowIfNull(row);
        ushort Port(string name, ushort fallback) => row.Number(name) is { } n and <= ushort.MaxValue ? (ushort)n : fallback;
        return new(
            row.Text("DestinationPrefix") ?? "*",
            Port("LocalPortStart", 0),
            Port("LocalPortEnd", ushort.MaxValue),
            Port("RemotePortStart", 0),
            Port("RemotePortEnd", ushort.MaxValue),
            row.Number("Protocol") == 17 || row.Text("Protocol") == "UDP" ? "UDP" : "TCP");
    }

    private static List<SnapshotValue> Adapters(
        SettingDefinition definition, SettingStore.Adapter store, CimEvidence evidence, IReadOnlyList<NetworkInterface> interfaces)
    {
        if (evidence.Rows(CimClasses.AdvancedProperties) is not { } rows)
        {
            return [Unread(definition, evidence, CimClasses.AdvancedProperties)];
        }

        List<SnapshotValue> values = new();
        foreach (NetworkInterface owner in interfaces)
        {
            // A keyword that the driver of an adapter does not have is absent; an adapter without any keyword is unknown.
            List<CimRow> own = rows.Where(r => AdapterRows.IsOf(r, owner)).ToList();
            if (own.Count == 0)
            {
                continue;
            }

            foreach (string keyword in store.Keywords)
            {
                CimRow? row = own.Find(r => string.Equals(r.Text("RegistryKeyword"), keyword, StringComparison.OrdinalIgnoreCase));
                SettingValue value = row is null || row.Texts("RegistryValue").Count == 0 ? SettingValue.Absent : Keyword(row);
                values.Add(new SnapshotValue
                {
                    Id = definition.Id,
                    Store = "adapter",
                    Interface = owner.Guid,
                    Path = store.Class,
                    Name = keyword,
                    Absent = value.IsAbsent,
                    Type = value.TypeName,
                    Data = value.Data,
                });
            }
        }

        return values.Count > 0 ? values : [SnapshotBuilding.NotRead(definition, "CIM lists no advanced property of any adapter.")];
    }

    private static SettingValue Keyword(CimRow row)
    {
        IReadOnlyList<string> texts = row.Texts("RegistryValue");
        ulong number = 0;
        bool isNumber = texts.Count == 1 && ulong.TryParse(texts[0], NumberStyles.None, CultureInfo.InvariantCulture, out number);
        return row.Number("RegistryDataType") switch
        {
            4 when isNumber && number <= uint.MaxValue => SettingValue.Dword((uint)number),
            11 when isNumber => SettingValue.Qword(number),
            7 => SettingValue.Multi(texts),
            _ => texts.Count == 1 ? SettingValue.Of(texts[0]) : SettingValue.Multi(texts),
        };
    }

    private static SnapshotValue Of(SettingDefinition definition, string kind, string path, string property, CimRow row, string? template = null)
    {
        // Switches are numbers in the documentation; a provider may give them as words, which the catalogue knows.
        ulong? number = row.Number(property)
            ?? (row.Flag(property) is { } flag ? (flag ? 1UL : 0UL) : default(ulong?))
            ?? (row.Text(property) is { } word
                && definition.Allowed?.Words.FirstOrDefault(w => string.Equals(w.Key, word, StringComparison.OrdinalIgnoreCase)) is { Key: not null } known
                ? (ulong)known.Value : default(ulong?));
        return new SnapshotValue
        {
            Id = definition.Id,
            Store = kind,
            Template = template,
            Path = path,
            Name = property,
            Absent = false,
            Type = number is <= uint.MaxValue ? "REG_DWORD" : null,
            Data = number is <= uint.MaxValue ? [number.Value.ToString(CultureInfo.InvariantCulture)] : [],
            NotReadBecause = number is <= uint.MaxValue ? null : row.Properties.GetValueOrDefault(property) is null ? "this Windows gives no value for it."
                : $"its value '{row.Properties[property]}' is unknown.",
        };
    }

    private static SnapshotValue Unread(SettingDefinition definition, CimEvidence evidence, CimQuery query) =>
        SnapshotBuilding.NotRead(definition, evidence.Because(query)!);
}
