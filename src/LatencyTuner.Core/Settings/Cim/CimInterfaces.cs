using System.Globalization;
using System.Text.RegularExpressions;
using LatencyTuner.Core.Evidence;

namespace LatencyTuner.Core.Settings.Cim;

/// <summary>Completes the interfaces of a snapshot from CIM: disabled, in a team, bound to a virtual switch, or removed.</summary>
public static partial class CimInterfaces
{
    /// <summary>The component of the Hyper-V switch; enabled on an adapter, it takes the adapter from the host.</summary>
    public const string VirtualSwitch = "vms_pp";

    /// <summary>The component of teams (LBFO); enabled on an adapter, it makes it a member.</summary>
    public const string Team = "ms_implat";

    /// <summary>The interfaces, sorted by index, then GUID; unchanged when the adapters could not be read.</summary>
    /// <param name="interfaces">The interfaces from the registry and the address tables.</param>
    /// <param name="evidence">The answers of CIM.</param>
    public static IReadOnlyList<NetworkInterface> Complete(IReadOnlyList<NetworkInterface> interfaces, CimEvidence evidence)
    {
        ArgumentNullException.ThrowIfNull(interfaces);
        ArgumentNullException.ThrowIfNull(evidence);
        if (evidence.Rows(CimClasses.Adapters) is not { } adapters)
        {
            return interfaces;
        }

        Dictionary<string, CimRow> byGuid = adapters.Where(a => a.Guid("InterfaceGuid") is not null)
            .GroupBy(a => a.Guid("InterfaceGuid")!, StringComparer.OrdinalIgnoreCase)
            .ToDictionary(g => g.Key, g => g.First(), StringComparer.OrdinalIgnoreCase);
        HashSet<string> known = interfaces.Select(i => i.Guid).ToHashSet(StringComparer.OrdinalIgnoreCase);
        IEnumerable<NetworkInterface> all = interfaces.Select(i => byGuid.TryGetValue(i.Guid, out CimRow? row) ? With(i, row) : i)
            .Concat(
                byGuid.Where(a => a.Value.Flag("Hidden") != true && !known.Contains(a.Key)).Select(a => With(new NetworkInterface { Guid = a.Key }, a.Value)));
        return
        [
            .. all.Select(
                i =>
                    i with { IsTeamMember = i.IsTeamMember || IsMember(i, evidence), IsVSwitchBound = i.IsVSwitchBound || IsBound(i, VirtualSwitch, evidence) })
                .OrderBy(i => i.Index ?? int.MaxValue).ThenBy(i => i.Guid, StringComparer.OrdinalIgnoreCase),
        ];
    }

    private static NetworkInterface With(NetworkInterface known, CimRow row) => known with
    {
        Alias = row.Text("Name") ?? known.Alias,
        Description = row.Text("InterfaceDescription") ?? known.Description,
        Index = row.Number("InterfaceIndex") is { } index and > 0 and <= int.MaxValue ? (int)index : known.Index,
        IsGhost = false,

        // State: 0 unknown, 1 present, 2 started, 3 disabled.
        IsDisabled = row.Number("State") == 3,
        IsHardware = row.Flag("HardwareInterface") ?? known.IsHardware,
        Media = Medium(row) ?? known.Media,

        // An adapter without a link reports 0 or the largest possible number.
        BitsPerSecond = row.Number("TransmitLinkSpeed") is { } speed and > 0 and < long.MaxValue ? (long)speed : known.BitsPerSecond,
        DriverProvider = row.Text("DriverProvider") ?? known.DriverProvider,
        DriverVersion = row.Text("DriverVersionString") ?? known.DriverVersion,
        DriverDate = Date(row.Text("DriverDate")) ?? known.DriverDate,
    };

    // NDIS_PHYSICAL_MEDIUM and NDIS_MEDIUM of ntddndis.h; rare media stay unknown.
    private static string? Medium(CimRow row) => (row.Number("NdisPhysicalMedium"), row.Number("NdisMedium")) switch
    {
        (14, _) => "802.3",
        (9, _) => "Native 802.11",
        (8, _) => "Wireless WAN",
        (0, 0) => "802.3",
        (_, 15) => NetworkInterface.Tunnel,
        (_, 17) => NetworkInterface.Loopback,
        _ => null,
    };

    private static string? Date(string? text) =>
        text is not null && IsoDate().Match(text) is { Success: true } match
            && DateOnly.TryParseExact(match.Value, "yyyy-MM-dd", CultureInfo.InvariantCulture, DateTimeStyles.None, out _) ? match.Value : null;

    /// <summary>Uses the list of team members; a Windows without teams does not have the class: then no adapter is a member.</summary>
    private static bool IsMember(NetworkInterface owner, CimEvidence evidence) =>
        evidence.Rows(CimClasses.TeamMembers)?.Any(r => AdapterRows.IsOf(r, owner)) == true || IsBound(owner, Team, evidence);

    private static bool IsBound(NetworkInterface owner, string component, CimEvidence evidence) =>
        evidence.Rows(CimClasses.Bindings)?.Any(
            r => r.Flag("Enabled") == true && r.Text("ComponentID") is { } id && AdapterRows.Same(id, component) && AdapterRows.IsOf(r, owner)) == true;

    [GeneratedRegex("^[0-9]{4}-[0-9]{2}-[0-9]{2}")]
    private static partial Regex IsoDate();
}
