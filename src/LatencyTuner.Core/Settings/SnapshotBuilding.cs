using LatencyTuner.Core.Evidence;

namespace LatencyTuner.Core.Settings;

/// <summary>Builds the contents of a snapshot from a store.</summary>
public static class SnapshotBuilding
{
    /// <summary>The registry key that holds a key for each interface that TCP/IP ever had.</summary>
    public const string TcpipInterfaces = @"HKLM\SYSTEM\CurrentControlSet\Services\Tcpip\Parameters\Interfaces";

    /// <summary>The registry key that holds the name of each connection, below the GUID of its interface and <c>Connection</c>.</summary>
    public const string Connections = @"HKLM\SYSTEM\CurrentControlSet\Control\Network\{4D36E972-E325-11CE-BFC1-08002BE10318}";

    /// <summary>
    /// Every catalogued value that a machine stores, absent ones included, in the order of the catalogue. An entry that could not be read says why.
    /// Values in wrong keys, where recipes put them, are included when they exist. Settings of applications are not.
    /// </summary>
    /// <param name="catalogue">The known settings.</param>
    /// <param name="store">The registry and, where there are templates, the templates.</param>
    /// <param name="interfaces">The interfaces whose values are read.</param>
    /// <param name="templates">The names of the TCP templates; empty when the store has none.</param>
    /// <param name="elsewhere">Reads settings of other stores; without it, or with an empty result, the entry says that it was not read.</param>
    public static IReadOnlyList<SnapshotValue> Values(
        SettingsCatalogue catalogue,
        ISettingsStore store,
        IReadOnlyList<NetworkInterface> interfaces,
        IReadOnlyList<string> templates,
        Func<SettingDefinition, IReadOnlyList<SnapshotValue>>? elsewhere = null)
    {
        ArgumentNullException.ThrowIfNull(catalogue);
        ArgumentNullException.ThrowIfNull(store);
        ArgumentNullException.ThrowIfNull(interfaces);
        ArgumentNullException.ThrowIfNull(templates);
        List<SnapshotValue> result = new();
        foreach (SettingDefinition? definition in catalogue.All.Where(d => d.Action != SettingAction.AdviseApp))
        {
            switch (definition.Store)
            {
                case SettingStore.Registry registry:
                    result.AddRange(Registry(definition, registry, store, interfaces));
                    break;
                case SettingStore.Template template when templates.Count > 0:
                    foreach (string name in template.OnlyTemplate is { } only ? [only] : templates)
                    {
                        result.Add(One(definition, new SettingLocation.Template(name, template.Property), store, null));
                    }

                    break;
                default:
                    IReadOnlyList<SnapshotValue> read = elsewhere?.Invoke(definition) ?? [];
                    result.AddRange(read.Count > 0 ? read : [NotRead(definition, $"{store.Source} does not hold it.")]);
                    break;
            }
        }

        return result;
    }

    /// <summary>The snapshot of the host that a registry export or hives come from.</summary>
    /// <param name="export">The export or the hives.</param>
    /// <param name="catalogue">The known settings.</param>
    public static HostSnapshot FromRegistry(IRegistryContents export, SettingsCatalogue catalogue)
    {
        ArgumentNullException.ThrowIfNull(export);
        List<NetworkInterface> interfaces = export.SubKeys(TcpipInterfaces).Where(n => Guid.TryParseExact(n, "B", out _)).Select(g => Interface(export, g))
            .ToList();
        return new HostSnapshot
        {
            Os = HostFacts.Os(name => export.ValueOrAbsent(HostFacts.WindowsVersion, name)),
            Machine = export.ValueOrAbsent(@"HKLM\SYSTEM\CurrentControlSet\Control\ComputerName\ComputerName", "ComputerName").Text,
            Interfaces = interfaces,
            Values = Values(catalogue, export, interfaces, []),
            Notes =
            [
                .. export.Notes,
                "It does not show which interfaces are team members, bound to a virtual switch, or removed.",
                .. export.Covers(TcpipInterfaces) ? Array.Empty<string>()
                    : [$"{export.Source} does not hold {TcpipInterfaces}: the interfaces are unknown."],
            ],
        };
    }

    private static IEnumerable<SnapshotValue> Registry(
        SettingDefinition definition, SettingStore.Registry registry, ISettingsStore store, IReadOnlyList<NetworkInterface> interfaces)
    {
        if (!registry.IsPerInterface)
        {
            foreach (string name in registry.Values)
            {
                yield return One(definition, new SettingLocation.Registry(registry.Key, name), store, null);
            }
        }

        foreach (NetworkInterface owner in registry.IsPerInterface ? interfaces : [])
        {
            string key = registry.Key.Replace(SettingStore.InterfaceGuid, owner.Guid, StringComparison.Ordinal);
            foreach (string name in registry.Values)
            {
                yield return One(definition, new SettingLocation.Registry(key, name), store, owner.Guid);
            }
        }

        foreach (string key in registry.WrongKeys)
        {
            foreach (string name in registry.Values)
            {
                SnapshotValue value = One(definition, new SettingLocation.Registry(key, name), store, null);
                if (value is { Absent: false, Type: not null })
                {
                    yield return value;
                }
            }
        }
    }

    private static SnapshotValue One(SettingDefinition definition, SettingLocation location, ISettingsStore store, string? owner)
    {
        SettingValue? value = null;
        string? because = null;
        try
        {
            value = store.Read(location);
        }
        catch (ExpectedFailureException failure)
        {
            because = failure.Message;
        }

        return new SnapshotValue
        {
            Id = definition.Id,
            Store = location is SettingLocation.Registry ? "registry" : "template",
            Interface = owner,
            Template = (location as SettingLocation.Template)?.TemplateName,
            Path = location is SettingLocation.Registry r ? r.Key : ((SettingStore.Template)definition.Store).Class,
            Name = location is SettingLocation.Registry v ? v.Value : ((SettingLocation.Template)location).Property,
            Absent = value?.IsAbsent ?? false,
            Type = value is null ? null : value.TypeName,
            Data = value is null ? [] : value.Data,
            NotReadBecause = because,
        };
    }

    /// <summary>The entry of a setting that was not read.</summary>
    /// <param name="definition">The catalogue entry of the setting.</param>
    /// <param name="because">Why it was not read, a sentence.</param>
    public static SnapshotValue NotRead(SettingDefinition definition, string because)
    {
        ArgumentNullException.ThrowIfNull(definition);
        return Unread(definition, because);
    }

    private static SnapshotValue Unread(SettingDefinition definition, string because) => new()
    {
        Id = definition.Id,
        Store = definition.Store.Kind,
        Path = definition.Store switch
        {
            SettingStore.Template t => t.Class,
            SettingStore.Cim c => c.Class,
            SettingStore.Adapter a => a.Class,
            _ => definition.Store.Kind,
        },
        Name = definition.Store switch
        {
            SettingStore.Template t => t.Property,
            SettingStore.Cim c => c.Properties[0],
            SettingStore.Adapter a => a.Keywords[0],
            _ => definition.Store.ToString()!,
        },
        Absent = false,
        NotReadBecause = because,
    };

    private static NetworkInterface Interface(IRegistryContents export, string guid)
    {
        string key = $@"{TcpipInterfaces}\{guid}";
        List<string> addresses = new();
        foreach (string? name in new[] { "IPAddress", "DhcpIPAddress" })
        {
            SettingValue value = export.ValueOrAbsent(key, name);
            addresses.AddRange((value.Texts ?? (value.Text is { } one ? [one] : [])).Where(a => a.Length > 0 && a != "0.0.0.0" && !addresses.Contains(a)));
        }

        return new NetworkInterface { Guid = guid, Alias = export.ValueOrAbsent($@"{Connections}\{guid}\Connection", "Name").Text, Addresses = addresses };
    }
}
