using System.Globalization;
using System.Text.RegularExpressions;
using LatencyTuner.Core.Evidence;

namespace LatencyTuner.Core.Settings;

/// <summary>Facts about a host from registry values.</summary>
public static partial class HostFacts
{
    /// <summary>The key that describes the Windows version.</summary>
    public const string WindowsVersion = @"HKLM\SOFTWARE\Microsoft\Windows NT\CurrentVersion";

    /// <summary>The maker and product names in the firmware by which each hypervisor is recognized.</summary>
    private static readonly (string Maker, string Product, string Hypervisor)[] Virtual =
    [
        ("Microsoft Corporation", "Virtual Machine", "Hyper-V"), ("VMware", "", "VMware"), ("", "VMware", "VMware"), ("", "VirtualBox", "VirtualBox"),
        ("QEMU", "", "QEMU"),
        ("Red Hat", "KVM", "KVM"), ("", "KVM", "KVM"), ("Xen", "", "Xen"), ("", "HVM domU", "Xen"),
        ("Google", "Google Compute Engine", "Google Compute Engine"),
        ("Amazon EC2", "", "Amazon EC2"), ("Nutanix", "AHV", "Nutanix AHV"), ("Parallels", "", "Parallels"), ("OpenStack", "", "OpenStack"),
        ("", "BHYVE", "bhyve"),
    ];

    /// <summary>The Windows version; unknown parts are null.</summary>
    /// <param name="value">Reads a value of <see cref="WindowsVersion"/>.</param>
    public static HostOs Os(Func<string, SettingValue> value)
    {
        ArgumentNullException.ThrowIfNull(value);
        string? type = Text("InstallationType");
        int? build = Text("CurrentBuildNumber") is { } digits && Number().IsMatch(digits) ? int.Parse(digits, CultureInfo.InvariantCulture) : (int?)null;
        string? product = Text("ProductName");
        return new HostOs
        {
            // ProductName still says Windows 10 on Windows 11.
            Product = build >= 22000 ? product?.Replace("Windows 10", "Windows 11", StringComparison.Ordinal) : product,
            Build = build,
            Revision = value("UBR").Number is { } ubr and <= int.MaxValue ? (int)ubr : null,
            Edition = Text("EditionID"),
            IsServer = type switch
            {
                null => null,
                "Client" => false,
                _ => type.StartsWith("Server", StringComparison.Ordinal) || type.Contains("Nano", StringComparison.Ordinal),
            },
        };

        string? Text(string name) => RegistryValueDecoder.TextOf(value(name));
    }

    /// <summary>The hypervisor that the firmware names; null when it names none, which does not prove that there is none.</summary>
    /// <param name="maker">The value SystemManufacturer.</param>
    /// <param name="product">The value SystemProductName.</param>
    public static string? Hypervisor(string? maker, string? product)
    {
        // EC2 machines without a hypervisor have the same maker; only the name of the size differs.
        if (product?.EndsWith(".metal", StringComparison.Ordinal) == true || product?.Contains(".metal-", StringComparison.Ordinal) == true)
        {
            return null;
        }

        return Virtual.FirstOrDefault(v => Begins(maker, v.Maker) && Begins(product, v.Product)).Hypervisor;
    }

    /// <summary>
    /// The interfaces of a host, sorted by index, then GUID: each adapter, and as a ghost each registry key without an adapter.
    /// </summary>
    /// <param name="keys">The names of the keys of TCP/IP's interfaces; names that are not a GUID in braces are left out.</param>
    /// <param name="adapters">The adapters; null when they could not be listed: then no interface is a ghost.</param>
    /// <param name="alias">The name that an admin gave to the interface of a GUID; null when unknown.</param>
    public static IReadOnlyList<NetworkInterface> Interfaces(IEnumerable<string> keys, IReadOnlyList<NetworkInterface>? adapters, Func<string, string?> alias)
    {
        ArgumentNullException.ThrowIfNull(keys);
        ArgumentNullException.ThrowIfNull(alias);
        List<NetworkInterface> present = (adapters ?? []).Where(a => IsGuid(a.Guid)).DistinctBy(a => a.Guid, StringComparer.OrdinalIgnoreCase).ToList();
        HashSet<string> known = present.Select(a => a.Guid).ToHashSet(StringComparer.OrdinalIgnoreCase);
        return
        [
            .. present.Concat(keys.Where(k => IsGuid(k) && known.Add(k)).Select(k => new NetworkInterface { Guid = k, IsGhost = adapters is not null }))
                .Select(i => i with { Alias = alias(i.Guid) ?? i.Alias })
                .OrderBy(i => i.Index ?? int.MaxValue).ThenBy(i => i.Guid, StringComparer.OrdinalIgnoreCase),
        ];
    }

    private static bool IsGuid(string name) => Guid.TryParseExact(name, "B", out _);

    private static bool Begins(string? text, string with) => with.Length == 0 || text?.StartsWith(with, StringComparison.OrdinalIgnoreCase) == true;

    [GeneratedRegex("^[0-9]{1,6}$")]
    private static partial Regex Number();
}
