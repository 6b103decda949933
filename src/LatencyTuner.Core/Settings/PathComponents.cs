using LatencyTuner.Core.Evidence;

namespace LatencyTuner.Core.Settings;

/// <summary>The software in the network path that the registry shows: listed as evidence, never the only reason for a finding.</summary>
public static class PathComponents
{
    private const string Services = @"HKLM\SYSTEM\CurrentControlSet\Services";
    private const string NetworkServices = @"HKLM\SYSTEM\CurrentControlSet\Control\Network\{4D36E974-E325-11CE-BFC1-08002BE10318}";

    /// <summary>The beginning of the names of the callouts that come with Windows.</summary>
    private const string BuiltIn = "WFP Built-in";

    private static readonly string[] Catalogues =
    [
        Services + @"\WinSock2\Parameters\Protocol_Catalog9\Catalog_Entries64", Services + @"\WinSock2\Parameters\Protocol_Catalog9\Catalog_Entries",
    ];

    // Load order groups of file system minifilters, learn.microsoft.com; scanners and sensors are in these, and many of them look at the network too.
    private static readonly Dictionary<string, string> SecurityGroups = new(StringComparer.OrdinalIgnoreCase)
    {
        ["FSFilter Anti-Virus"] = "virus scanner",
        ["FSFilter Activity Monitor"] = "activity monitor",
        ["FSFilter Security Enhancer"] = "security enhancer",
    };

    /// <summary>The components, by kind, then name.</summary>
    /// <param name="registry">The registry of the host.</param>
    public static IReadOnlyList<HostComponent> Of(RegistryTree registry)
    {
        ArgumentNullException.ThrowIfNull(registry);
        return [.. Layered(registry), .. Filters(registry), .. Security(registry)];
    }

    /// <summary>
    /// Callouts of the Windows Filtering Platform by name, those of one name together. The ones that come with Windows are only counted:
    /// every machine has them.
    /// </summary>
    /// <param name="names">The display names; null for a callout without one.</param>
    /// <param name="note">Receives a sentence about what the list leaves out.</param>
    public static IReadOnlyList<HostComponent> Callouts(IReadOnlyList<string?> names, Action<string> note)
    {
        ArgumentNullException.ThrowIfNull(names);
        ArgumentNullException.ThrowIfNull(note);
        List<string?> others = names.Where(n => n?.StartsWith(BuiltIn, StringComparison.OrdinalIgnoreCase) != true).ToList();
        if (others.Count < names.Count)
        {
            note($"{names.Count - others.Count} of {names.Count} WFP callouts came with Windows and are not listed.");
        }

        return
        [
            .. others.GroupBy(n => string.IsNullOrWhiteSpace(n) ? "without a name" : n.Trim(), StringComparer.OrdinalIgnoreCase)
                .OrderBy(g => g.Key, StringComparer.OrdinalIgnoreCase)
                .Select(g => new HostComponent { Kind = "wfp-callout", Name = g.Key, Detail = g.Count() == 1 ? null : $"{g.Count()} callouts" }),
        ];
    }

    /// <summary>Adds the components from CIM: a filter that both sources have is listed once, with the adapters that it is bound to.</summary>
    /// <param name="registry">The components from the registry.</param>
    /// <param name="cim">The components from CIM.</param>
    public static IReadOnlyList<HostComponent> Merge(IReadOnlyList<HostComponent> registry, IReadOnlyList<HostComponent> cim)
    {
        ArgumentNullException.ThrowIfNull(registry);
        ArgumentNullException.ThrowIfNull(cim);
        HashSet<string> bound = cim.Where(c => c.Kind == "ndis-filter").Select(Id).ToHashSet(StringComparer.OrdinalIgnoreCase);
        return [.. registry.Where(c => c.Kind != "ndis-filter" || !bound.Contains(Id(c))).Concat(cim).OrderBy(c => c.Kind, StringComparer.Ordinal)
            .ThenBy(c => c.Name, StringComparer.OrdinalIgnoreCase)];
    }

    // Both lists begin their detail with the component's id.
    private static string Id(HostComponent component) => component.Detail?.Split(',')[0] ?? component.Name;

    private static IEnumerable<HostComponent> Layered(RegistryTree registry) =>
        (from catalogue in Catalogues
         from entry in registry.SubKeys(catalogue)
         let layered = WinsockCatalogue.Layered(registry.Value($@"{catalogue}\{entry}", "PackedCatalogItem").Bytes)
         where layered is not null
         select layered).Distinct().OrderBy(c => c.Name, StringComparer.OrdinalIgnoreCase);

    // NDIS filters are installed as network services whose INF gives a filter class; protocols and clients have none.
    private static IEnumerable<HostComponent> Filters(RegistryTree registry) =>
        from guid in registry.SubKeys(NetworkServices)
        let key = $@"{NetworkServices}\{guid}"
        let filterClass = registry.Text(key + @"\Ndi", "FilterClass")
        where filterClass is not null
        let id = registry.Text(key, "ComponentId") ?? guid
        let name = registry.Text(key, "Description")
        orderby id.ToLowerInvariant()
        select new HostComponent
        {
            Kind = "ndis-filter",
            Name = name is null || name.StartsWith('@') ? id : name,
            Detail = $"{id.ToLowerInvariant()}, filter class {filterClass}",
        };

    private static IEnumerable<HostComponent> Security(RegistryTree registry) =>
        from service in registry.SubKeys(Services)
        let key = $@"{Services}\{service}"
        let kind = registry.Text(key, "Group") is { } loadGroup ? SecurityGroups.GetValueOrDefault(loadGroup.Trim()) : null
        where kind is not null
        orderby service.ToLowerInvariant()
        select new HostComponent
        {
            Kind = "security-driver",
            Name = registry.Text(key, "DisplayName") is { } shown && !shown.StartsWith('@') ? shown : service,
            Detail = string.Join(", ", new[] { service, kind, Altitude(registry, key), Start(registry, key) }.OfType<string>()),
        };

    private static string? Altitude(RegistryTree registry, string key) =>
        (registry.Text(key + @"\Instances", "DefaultInstance") is { } instance ? registry.Text($@"{key}\Instances\{instance}", "Altitude")
            : registry.Text(key + @"\Parameters\Instances", "DefaultInstance") is { } other
            ? registry.Text($@"{key}\Parameters\Instances\{other}", "Altitude") : null) is { } altitude
            ? $"altitude {altitude}" : null;

    // SERVICE_DISABLED of winsvc.h.
    private static string? Start(RegistryTree registry, string key) =>
        registry.Value(key, "Start").Number == 4 ? "disabled" : null;
}
