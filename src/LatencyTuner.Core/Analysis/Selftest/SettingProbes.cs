using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Settings;
using LatencyTuner.Core.Settings.Audit;
using LatencyTuner.Core.Settings.Cim;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Analysis.Selftest;

/// <summary>Probes of what a snapshot holds. Evidence is counts and Windows' own names: no name or address of the machine leaves it.</summary>
internal static class SettingProbes
{
    private static readonly string[] ComponentKinds = ["layered-service-provider", "ndis-filter", "security-driver"];

    internal static IEnumerable<(string Id, Func<ProbeFinding> Probe)> All(SelftestEvidence evidence) =>
    [
        ("registry-view", () => RegistryView(evidence.Snapshot)),
        ("host-inventory", () => Inventory(evidence.Snapshot)),
        ("boot-identity", () => evidence.Snapshot.BootId is { } boot
            ? ProbeFinding.Unknown("Windows has a number for this start. Only a restart shows whether it counts.", $"number of this start: {boot}")
            : ProbeFinding.Unknown("This Windows has no number for this start; verify goes by the time of the start.")),
        ("interface-changes", () => ProbeFinding.Unknown(
            "Only a restart of an adapter shows whether its time changes.",
            $"interfaces with a time: {evidence.Snapshot.Interfaces.Count(i => i.StateSinceUtc is not null)} of "
            + $"{evidence.Snapshot.Interfaces.Count(i => !i.IsGhost)}")),
        ("virtual-machine-hint", () => VirtualMachine(evidence.Snapshot)),
        ("interface-names", () => InterfaceNames(evidence)),
        ("ghost-interfaces", () => Ghosts(evidence)),
        ("settings-audit", () => Audit(evidence.Snapshot)),
        ("power-plan-registry", () => PowerPlan(evidence)),
        ("component-keys", () => Components(evidence.Snapshot)),
        ("policy-keys", () => Policies(evidence.Snapshot)),
        ("machine-config", () => MachineConfig(evidence.Snapshot)),
        ("ack-frequency-wins", () => AckFrequency(evidence.Snapshot)),
        ("ack-frequency-live", () => AckFrequency(evidence.Snapshot)),
        ("ack-frequency-ipv6", () => AckFrequency(evidence.Snapshot)),
        ("nodelay-registry-unread", () => Present(evidence.Snapshot, "tcp.nodelay.interface", "Only a trace of the boot shows what is read.")),
        ("dynamic-send-buffer-polarity",
            () => Present(evidence.Snapshot, "global.winsockautotuning", "Only netsh shows how Windows uses the value, in the language of Windows.")),
        ("unverified-defaults", () => Defaults(evidence.Snapshot)),
    ];

    private static ProbeFinding RegistryView(HostSnapshot snapshot)
    {
        List<SnapshotValue> values = snapshot.Values.Where(v => v.Store == "registry").ToList();
        List<SnapshotValue> unread = values.Where(v => v.NotReadBecause is not null).ToList();
        int denied = unread.Count(v => v.NotReadBecause!.Contains(SnapshotValue.AccessDenied, StringComparison.Ordinal));
        string seen =
            $"{Counted.Of(values.Count, "value")}: {values.Count(v => v.Type is not null)} present, {values.Count(v => v.Absent)} absent, {denied} denied, "
            + $"{unread.Count - denied} not read for other reasons";
        return unread.Count > denied ? ProbeFinding.Of(false, "Some values could not be read for other reasons than missing rights.", seen)
            : ProbeFinding.Unknown("The values were read. Only a comparison shows whether they are what reg query shows.", seen);
    }

    private static ProbeFinding Inventory(HostSnapshot snapshot)
    {
        HostOs os = snapshot.Os;
        string[] seen =
        [
            $"{os.Product ?? "product unknown"}, build {(os.Build is null ? "unknown" : $"{os.Build}.{os.Revision ?? 0}")}, edition "
            + $"{os.Edition ?? "unknown"}, {os.IsServer switch { true => "server", false => "client", _ => "server or client unknown" }}",
            $"elevated: {Words(snapshot.Elevated)}; last start {(snapshot.BootUtc is null ? "unknown" : "known")}; defaults of "
            + $"{os.DefaultsOf() ?? "no known version"}",
        ];
        return os is { Product: not null, Build: not null, Edition: not null, IsServer: not null } && snapshot is { Elevated: not null, BootUtc: not null }
            ? ProbeFinding.Unknown("Everything was read. Only a comparison shows whether it is right.", seen)
            : ProbeFinding.Of(false, "A part of it could not be read.", seen);
    }

    private static ProbeFinding VirtualMachine(HostSnapshot snapshot) => snapshot.Hypervisor is { } hypervisor
        ? ProbeFinding.Of(true, "The firmware names a hypervisor.", hypervisor)
        : ProbeFinding.Unknown("The firmware names no known hypervisor: this is a physical machine, or a virtual machine that is not recognised.");

    private static ProbeFinding InterfaceNames(SelftestEvidence evidence)
    {
        if (evidence.Cim.Rows(CimClasses.Adapters) is not { } rows)
        {
            return ProbeFinding.Unknown(evidence.Cim.Because(CimClasses.Adapters)!);
        }

        List<(NetworkInterface Known, CimRow? Row)> pairs = evidence.BeforeCim.Where(i => !i.IsGhost)
            .Select(i => (Known: i, Row: rows.FirstOrDefault(r => Same(r.Guid("InterfaceGuid"), i.Guid)))).Where(p => p.Row is not null).ToList();
        int names = pairs.Count(p => p.Known.Alias != p.Row!.Text("Name"));
        int indexes = pairs.Count(p => p.Known.Index is { } index && (ulong)index != p.Row!.Number("InterfaceIndex"));
        string seen = $"{Counted.Of(pairs.Count, "adapter")} known to both: {names} with another name, {indexes} with another index";
        return pairs.Count == 0 ? ProbeFinding.Unknown("No adapter is known to both the registry and CIM.", seen)
            : ProbeFinding.Of(names + indexes == 0, "The registry and the address tables are compared with CIM.", seen);
    }

    private static ProbeFinding Ghosts(SelftestEvidence evidence)
    {
        List<NetworkInterface> ghosts = evidence.BeforeCim.Where(i => i.IsGhost).ToList();
        if (evidence.Cim.Rows(CimClasses.Adapters) is null)
        {
            return ProbeFinding.Unknown(evidence.Cim.Because(CimClasses.Adapters)!, $"{Counted.Of(ghosts.Count, "key")} without an adapter");
        }

        List<NetworkInterface> found = ghosts.Select(g => evidence.Snapshot.Interfaces.FirstOrDefault(i => Same(i.Guid, g.Guid))).OfType<NetworkInterface>()
            .ToList();
        string seen =
            $"{Counted.Of(ghosts.Count, "key")} without an adapter in the address tables: {found.Count(i => i.IsDisabled)} switched off, "
            + $"{found.Count(i => i.IsTeamMember)} in a team, {found.Count(i => i.IsVSwitchBound)} bound to a virtual switch, "
            + $"{found.Count(i => i.IsGhost)} gone";
        return ProbeFinding.Unknown("CIM told them apart. Only a comparison shows whether it is right.", seen);
    }

    private static ProbeFinding Audit(HostSnapshot snapshot)
    {
        HostAuditResult audit = HostAudit.Of(SettingsCatalogue.Current, snapshot, WorkloadProfile.Balanced, "this machine");
        return ProbeFinding.Unknown(
            "Only the person who set up this machine knows what was set on purpose.",
            [.. audit.Entries.Where(e => e.State is AuditState.NotRecommended or AuditState.NoEffect or AuditState.Misplaced or AuditState.Conflict)
                .GroupBy(e => (e.Id, e.State)).Select(g => $"{g.Key.Id}: {g.Count()} {g.Key.State}, value {g.First().Value}")]);
    }

    private static ProbeFinding PowerPlan(SelftestEvidence evidence)
    {
        SnapshotValue? plan = evidence.Snapshot.Values.FirstOrDefault(v => v.Id == "power.plan");
        SnapshotValue? aspm = evidence.Snapshot.Values.FirstOrDefault(v => v.Id == "power.aspm");
        string seen = $"registry: {Shown(plan)}; PCI Express: {Shown(aspm)}";
        if (plan?.Type is null)
        {
            return ProbeFinding.Of(false, plan?.NotReadBecause ?? "The registry was not read.", seen);
        }

        if (evidence.Cim.Rows(CimClasses.PowerPlans) is not { } rows)
        {
            return ProbeFinding.Unknown(evidence.Cim.Because(CimClasses.PowerPlans)!, seen);
        }

        // Its key is Microsoft:PowerPlan\{GUID}.
        string? active = rows.FirstOrDefault(r => r.Flag("IsActive") == true)?.Text("InstanceID");
        return active is null ? ProbeFinding.Unknown("CIM names no active plan.", seen)
            : ProbeFinding.Of(
                active.Contains(plan.Data[0], StringComparison.OrdinalIgnoreCase) && aspm?.Type is not null, "The registry is compared with CIM.", seen,
                $"CIM: {active}");
    }

    private static ProbeFinding Components(HostSnapshot snapshot)
    {
        string[] seen = [.. ComponentKinds.Select(k => $"{k}: {snapshot.Components.Count(c => c.Kind == k)}")];
        return snapshot.Components.Any(c => c.Kind == "ndis-filter")
            ? ProbeFinding.Unknown("Some were found. Only a comparison shows whether they are all.", seen)
            : ProbeFinding.Of(false, "No NDIS filter was found, but every Windows has some.", seen);
    }

    private static ProbeFinding Policies(HostSnapshot snapshot) =>
        ProbeFinding.Unknown(
            "Only its administrators know whether something else manages this machine.",
            $"policies found: {snapshot.Components.Count(c => c.Kind == "policy")}");

    private static ProbeFinding MachineConfig(HostSnapshot snapshot) =>
        snapshot.Components.Where(c => c.Kind == "dotnet-config").ToList() is { Count: > 0 } files
        ? ProbeFinding.Of(true, "machine.config was found and read.", [.. files.Select(f => $"{f.Name}: {f.Detail}")])
        : ProbeFinding.Unknown("No machine.config was found: the .NET Framework may not be installed, or it is elsewhere.");

    private static ProbeFinding AckFrequency(HostSnapshot snapshot) => Present(snapshot, "tcp.ackfrequency", "Only a peer sees the ACKs of this machine.");

    private static ProbeFinding Present(HostSnapshot snapshot, string id, string because)
    {
        List<SnapshotValue> values = snapshot.Values.Where(v => v.Id == id && v.Type is not null).ToList();
        return ProbeFinding.Unknown(
            because,
            values.Count == 0 ? "the value is not set here"
                : $"set {Counted.Of(values.Count, "time")}: {string.Join(", ", values.Select(v => string.Join(" ", v.Data)).Distinct())}");
    }

    private static ProbeFinding Defaults(HostSnapshot snapshot)
    {
        if (snapshot.Os.DefaultsOf() is not { } column)
        {
            return ProbeFinding.Unknown("The version of this Windows is unknown.");
        }

        string[] seen =
        [
            .. from definition in SettingsCatalogue.Current.All
               where definition.DefaultOn(column).Contains("unverified", StringComparison.Ordinal)
               from value in snapshot.Values
               where value.Id == definition.Id && value.NotReadBecause is null
               select $"{definition.Id}{(value.Template is null ? "" : $" of {value.Template}")}: {Shown(value)}; catalogue: {definition.DefaultOn(column)}",
        ];
        return ProbeFinding.Unknown("A value here may be a default or what somebody set.", seen);
    }

    private static string Shown(SnapshotValue? value) =>
        value is null ? "not in the snapshot" : value.Absent ? "absent" : value.Type is null ? "not read" : string.Join(" ", value.Data);

    private static string Words(bool? value) => value switch { true => "yes", false => "no", _ => "unknown" };

    private static bool Same(string? a, string b) => string.Equals(a, b, StringComparison.OrdinalIgnoreCase);
}
