using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Settings.Cim;

/// <summary>The components of the network path that CIM shows for the adapters: filters, receive segment coalescing, receive side scaling, SR-IOV.</summary>
public static class CimComponents
{
    // MSFT_NetAdapterRscSettingData, IPv4FailureReason and IPv6FailureReason, learn.microsoft.com.
    private static readonly string[] RscFailures =
    [
        "no failure", "switched off at the adapter", "incompatible with a WFP callout", "incompatible with an NDIS filter",
        "switched off because of forwarding", "switched off for the whole machine",
    ];

    /// <summary>The components, by kind, then name.</summary>
    /// <param name="evidence">The answers of CIM.</param>
    /// <param name="interfaces">The interfaces, completed from CIM.</param>
    public static IReadOnlyList<HostComponent> Of(CimEvidence evidence, IReadOnlyList<NetworkInterface> interfaces)
    {
        ArgumentNullException.ThrowIfNull(evidence);
        ArgumentNullException.ThrowIfNull(interfaces);
        return [
            .. Filters(evidence, interfaces), .. PerAdapter(evidence, interfaces, CimClasses.Rsc, "rsc", Rsc),
            .. PerAdapter(evidence, interfaces, CimClasses.Rss, "rss", Rss), .. PerAdapter(evidence, interfaces, CimClasses.Sriov, "sr-iov", Sriov)];
    }

    private static IEnumerable<HostComponent> Filters(CimEvidence evidence, IReadOnlyList<NetworkInterface> interfaces) =>
        from row in evidence.Rows(CimClasses.Bindings) ?? []
        where row.Flag("Enabled") == true && IsFilter(row) && row.Text("ComponentID") is not null
        group row by row.Text("ComponentID")!.ToLowerInvariant() into bound
        orderby bound.Key
        select new HostComponent
        {
            Kind = "ndis-filter",
            Name = bound.First().Text("DisplayName") ?? bound.Key,
            Detail = $"{bound.Key}, on {string.Join(", ", bound.Select(r => Owner(r, interfaces)).Distinct().Order(StringComparer.Ordinal))}",
        };

    // Protocols and clients are bound too. NDIS filters are installed as network services; only the file server is a service but no filter.
    private static bool IsFilter(CimRow row) =>
        row.Text("ComponentClassName") is { } name
            && (name.Contains("filter", StringComparison.OrdinalIgnoreCase) || name.Contains("service", StringComparison.OrdinalIgnoreCase))
        && row.Text("ComponentID") is { } id && !AdapterRows.Same(id, "ms_server");

    private static IEnumerable<HostComponent> PerAdapter(
        CimEvidence evidence, IReadOnlyList<NetworkInterface> interfaces, CimQuery query, string kind, Func<CimRow, string> detail) =>
        (evidence.Rows(query) ?? []).Select(r => new HostComponent { Kind = kind, Name = Owner(r, interfaces), Detail = detail(r) })
            .OrderBy(c => c.Name, StringComparer.Ordinal);

    private static string Rsc(CimRow row) => $"{Family(row, "IPv4")}; {Family(row, "IPv6")}";

    private static string Family(CimRow row, string family)
    {
        string? reason = row.Number(family + "FailureReason") is { } number and > 0
            ? number < (ulong)RscFailures.Length ? RscFailures[number] : $"reason {number}"
            : null;
        string state = (row.Flag(family + "Enabled"), row.Flag(family + "OperationalState")) switch
        {
            (null, null) => "unknown",
            (false, not true) => "off",
            (_, true) => "works",
            (true, false) => "on, but does not work",
            (true, null) => "on",
            _ => "does not work",
        };
        return $"{family} {state}" + (reason is null ? "" : $" ({reason})");
    }

    private static string Rss(CimRow row) =>
        Switch(row) + (row.Number("NumberOfReceiveQueues") is { } queues ? $", {Counted.Of((long)Math.Min(queues, long.MaxValue), "receive queue")}" : "");

    private static string Sriov(CimRow row) =>
        Switch(row) + (row.Number("NumVFs") is { } functions ? $", {Counted.Of((long)Math.Min(functions, long.MaxValue), "virtual function")}" : "");

    private static string Switch(CimRow row) => row.Flag("Enabled") switch { true => "on", false => "off", _ => "unknown" };

    private static string Owner(CimRow row, IReadOnlyList<NetworkInterface> interfaces) =>
        interfaces.FirstOrDefault(i => AdapterRows.IsOf(row, i))?.Alias ?? row.Text("Name") ?? row.Text("InterfaceDescription") ?? "an adapter without a name";
}
