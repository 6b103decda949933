using System.Net.NetworkInformation;
using System.Runtime.Versioning;
using System.Security;
using System.Security.Principal;
using LatencyTuner.Core;
using LatencyTuner.Core.Analysis.Selftest;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Settings;
using LatencyTuner.Core.Settings.Cim;
using LatencyTuner.Core.Text;
using LatencyTuner.Hosting;
using Adapter = System.Net.NetworkInformation.NetworkInterface;
using NetworkInterface = LatencyTuner.Core.Evidence.NetworkInterface;

namespace LatencyTuner.Windows;

/// <summary>Takes the snapshot of this machine. A part that cannot be read becomes a note of the snapshot and does not end it.</summary>
[SupportedOSPlatform("windows")]
internal sealed class HostInventory(RegistrySettingsStore store, TimeProvider time, Func<CimQuery, CimResult> cim)
{
    private const string Firmware = @"HKLM\HARDWARE\DESCRIPTION\System\BIOS";

    private readonly List<string> _notes = [];
    private readonly DateTimeOffset _started = time.GetUtcNow() - TimeSpan.FromMilliseconds(Environment.TickCount64);

    public static HostSnapshot TakeOfThisMachine() => OfThisMachine().Read(CimClasses.OfSnapshot).Snapshot;

    /// <summary>The snapshot together with the evidence it was made from, for the probes of the selftest.</summary>
    public static SelftestEvidence ReadForSelftest() => OfThisMachine().Read([.. CimClasses.OfSnapshot, CimClasses.PowerPlans]);

    private static HostInventory OfThisMachine() => new(new RegistrySettingsStore(), TimeProvider.System, CimReader.Query);

    private SelftestEvidence Read(IReadOnlyList<CimQuery> queries)
    {
        DateTimeOffset now = time.GetUtcNow();
        string? hypervisor = Read("The machine name in the firmware", () =>
            HostFacts.Hypervisor(Text(Firmware, "SystemManufacturer"), Text(Firmware, "SystemProductName")));
        CimEvidence evidence = CimEvidence.Collect(queries, cim);
        _notes.AddRange(evidence.Notes);
        IReadOnlyList<NetworkInterface> registered = Interfaces();
        IReadOnlyList<NetworkInterface> interfaces = CimInterfaces.Complete(registered, evidence);
        if (evidence.Rows(CimClasses.Adapters) is null && interfaces.Any(i => i.IsGhost))
        {
            _notes.Add(
                "Interfaces without an adapter may be disabled, or bound to a virtual switch or a team. Without CIM they look the same as removed "
                + "ones.");
        }

        HostSnapshot snapshot = new()
        {
            TakenUtc = now,
            TakenWith = CliHost.Software,
            Machine = Read("The name of the machine", () => Environment.MachineName),
            Os = Read("The Windows version", () => HostFacts.Os(name => store.Read(new SettingLocation.Registry(HostFacts.WindowsVersion, name))))
                ?? new HostOs(),

            // The firmware of a virtual machine names its hypervisor; a firmware without that name proves nothing.
            VirtualMachine = hypervisor is null ? null : true,
            Hypervisor = hypervisor,
            Elevated = Elevated(),
            BootUtc = _started,
            BootId = WindowsTimes.BootId(),
            Interfaces = interfaces,
            Values = SnapshotBuilding.Values(SettingsCatalogue.Current, store, interfaces, [], d => Elsewhere(d, evidence, interfaces)),
            Components = Components(evidence, interfaces),
            TemplateUses = CimValues.Uses(evidence),
            Notes = _notes,
        };
        return new SelftestEvidence(snapshot, evidence, registered, LiveMachine.Facts(store), Environment.ProcessorCount);
    }

    private IReadOnlyList<HostComponent> Components(CimEvidence evidence, IReadOnlyList<NetworkInterface> interfaces)
    {
        RegistryTree registry = new(store, RegistrySettingsStore.SubKeys);
        ulong? autoTuning = evidence.Rows(CimClasses.Templates)?.Select(r => r.Number("AutoTuningLevelEffective")).FirstOrDefault(n => n is not null);
        IReadOnlyList<HostComponent> inPath = PathComponents.Merge(PathComponents.Of(registry), CimComponents.Of(evidence, interfaces));
        IReadOnlyList<HostComponent> policies = PolicyComponents.Of(registry, autoTuning, WindowsFiles.HasDscConfiguration());
        IReadOnlyList<HostComponent> callouts = FilteringEngine.Callouts(_notes.Add);
        if (registry.Denied.Count > 0)
        {
            _notes.Add(
                $"{Counted.Of(registry.Denied.Count, "registry key")} with components could not be read: the list may be "
                + "incomplete.");
        }

        return [.. inPath, .. callouts, .. policies, .. WindowsFiles.MachineConfigs(_notes.Add)];
    }

    private IReadOnlyList<SnapshotValue> Elsewhere(SettingDefinition definition, CimEvidence evidence, IReadOnlyList<NetworkInterface> interfaces) =>
        CimValues.Of(definition, evidence, interfaces) is { Count: > 0 } seen ? seen
        : PowerFacts.Of(definition, store) is { } power ? [power]
        : [SnapshotBuilding.NotRead(definition, WhyNotRead(definition.Store))];

    private static string WhyNotRead(SettingStore kept) => kept.Kind == "netsh"
        ? "only netsh shows it, and its output is in the language of Windows."
        : $"this version does not read settings of the kind '{kept.Kind}'.";

    private bool? Elevated()
    {
        bool? elevated = null;
        Read("Whether this process is elevated", () =>
        {
            using WindowsIdentity identity = WindowsIdentity.GetCurrent();
            elevated = new WindowsPrincipal(identity).IsInRole(WindowsBuiltInRole.Administrator);
            return "";
        });
        return elevated;
    }

    private IReadOnlyList<NetworkInterface> Interfaces()
    {
        IReadOnlyList<string> keys = Read("The keys of the interfaces", () => RegistrySettingsStore.SubKeys(SnapshotBuilding.TcpipInterfaces)) ?? [];
        List<NetworkInterface>? adapters = Read("The adapters", () => Adapter.GetAllNetworkInterfaces().Select(Describe).ToList());
        return HostFacts.Interfaces(
            keys, adapters, guid => Read($"The name of interface {guid}", () => Text($@"{SnapshotBuilding.Connections}\{guid}\Connection", "Name")));
    }

    private NetworkInterface Describe(Adapter adapter)
    {
        NetworkInterface named = new()
        {
            Guid = adapter.Id,
            Alias = adapter.Name,
            Description = adapter.Description,
            Media = adapter.NetworkInterfaceType switch
            {
                NetworkInterfaceType.Loopback => NetworkInterface.Loopback,
                NetworkInterfaceType.Tunnel => NetworkInterface.Tunnel,
                _ => null,
            },
        };
        return Read($"Index and addresses of {adapter.Name}", () =>
        {
            IPInterfaceProperties properties = adapter.GetIPProperties();
            return named with
            {
                Index = IndexOf(adapter, properties),
                Addresses = [.. properties.UnicastAddresses.Select(a => WithoutScope(a.Address).ToString())],
                StateSinceUtc = IndexOf(adapter, properties) is { } index && WindowsTimes.LastChange(index) is { } change ? _started + change : null,
                BitsPerSecond = adapter.Speed > 0 ? adapter.Speed : null,
            };
        }) ?? named;
    }

    // The scope is this host's own number of the interface; the index already has it.
    private static System.Net.IPAddress WithoutScope(System.Net.IPAddress address) =>
        address.AddressFamily == System.Net.Sockets.AddressFamily.InterNetworkV6 ? new System.Net.IPAddress(address.GetAddressBytes()) : address;

    private static int? IndexOf(Adapter adapter, IPInterfaceProperties properties) =>
        adapter.Supports(NetworkInterfaceComponent.IPv4) ? properties.GetIPv4Properties().Index
        : adapter.Supports(NetworkInterfaceComponent.IPv6) ? properties.GetIPv6Properties().Index
        : null;

    private string? Text(string key, string name) => RegistryValueDecoder.TextOf(store.Read(new SettingLocation.Registry(key, name)));

    /// <summary>A part of the snapshot; null with a note when it cannot be read.</summary>
    private T? Read<T>(string what, Func<T?> read)
        where T : class
    {
        try
        {
            return read();
        }
        catch (Exception e) when (e is ExpectedFailureException or NetworkInformationException or SecurityException or UnauthorizedAccessException
            or InvalidOperationException or NotSupportedException or IOException)
        {
            _notes.Add($"{what} could not be read: {e.Message.TrimEnd('.')}.");
            return null;
        }
    }
}
