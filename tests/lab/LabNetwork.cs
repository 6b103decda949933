using System.Globalization;
using System.Net;
using System.Text.RegularExpressions;

namespace LatencyTuner.Lab;

/// <summary>
/// Two network namespaces with one TAP device each. Nothing joins them until a <see cref="LinkEmulator"/> runs, and no route leaves them.
/// Disposal ends the processes that still run inside and removes both.
/// </summary>
public sealed partial class LabNetwork : IDisposable
{
    internal const string ClientDevice = "ltc";
    internal const string ServerDevice = "lts";
    private const string ClientMac = "02:4c:54:00:00:0a";
    private const string ServerMac = "02:4c:54:00:00:14";
    private static int _count;

    /// <summary>Creates the namespaces; on failure nothing is left.</summary>
    /// <param name="options">How the hosts are set up.</param>
    /// <exception cref="ArgumentOutOfRangeException">The MTU is out of its range.</exception>
    /// <exception cref="ArgumentException">The name is not usable.</exception>
    /// <exception cref="LabException">The machine cannot do it, or a namespace of that name exists.</exception>
    public LabNetwork(LabNetworkOptions? options = null)
    {
        options ??= new LabNetworkOptions();
        ArgumentOutOfRangeException.ThrowIfLessThan(options.Mtu, 1280);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(options.Mtu, 9000);
        if (options.Name is { } given && !GivenName().IsMatch(given))
        {
            throw new ArgumentException($"The name \"{given}\" is not 1 to 60 letters, digits and dashes.", nameof(options));
        }

        if (Unavailable is { } reason)
        {
            throw new LabException(reason);
        }

        RemoveStale();
        string name = options.Name ?? $"ltlab-{Environment.ProcessId}-{Interlocked.Increment(ref _count)}";
        Mtu = options.Mtu;
        ClientNamespace = name + "-c";
        ServerNamespace = name + "-s";
        HasIPv6 = Directory.Exists("/proc/sys/net/ipv6");
        IReadOnlyCollection<string> existing = Namespaces();
        if (existing.Contains(ClientNamespace) || existing.Contains(ServerNamespace))
        {
            throw new LabException(
                $"A network namespace {ClientNamespace} or {ServerNamespace} exists already; give another name or delete it with `ip netns del`.");
        }

        try
        {
            Create(ClientNamespace, ClientDevice, ClientMac, 10, ServerMac, 20, options.ClientQuickAck, options);
            Create(ServerNamespace, ServerDevice, ServerMac, 20, ClientMac, 10, options.ServerQuickAck, options);
        }
        catch
        {
            Dispose();
            throw;
        }
    }

    /// <summary>Null where a lab can be built here; otherwise the reason in one sentence.</summary>
    public static string? Unavailable
    {
        get
        {
            if (!OperatingSystem.IsLinux())
            {
                return "The network lab needs Linux.";
            }

            if (Libc.EffectiveUser() != 0)
            {
                return "The network lab needs root.";
            }

            if (!File.Exists("/dev/net/tun"))
            {
                return "The network lab needs /dev/net/tun.";
            }

            return IpCommand.IsInstalled ? null : "The network lab needs `ip` of iproute2 in PATH.";
        }
    }

    /// <summary>10.77.1.10.</summary>
    public static IPAddress ClientAddress { get; } = IPAddress.Parse("10.77.1.10");

    /// <summary>10.77.1.20.</summary>
    public static IPAddress ServerAddress { get; } = IPAddress.Parse("10.77.1.20");

    /// <summary>fd77:1::10.</summary>
    public static IPAddress ClientAddress6 { get; } = IPAddress.Parse("fd77:1::10");

    /// <summary>fd77:1::20.</summary>
    public static IPAddress ServerAddress6 { get; } = IPAddress.Parse("fd77:1::20");

    /// <summary>The client's namespace.</summary>
    public string ClientNamespace { get; }

    /// <summary>The server's namespace.</summary>
    public string ServerNamespace { get; }

    /// <summary>Whether this kernel has IPv6; without it only the IPv4 addresses exist.</summary>
    public bool HasIPv6 { get; }

    /// <summary>MTU of both devices, bytes.</summary>
    public int Mtu { get; }

    /// <summary>The names of all network namespaces of the machine.</summary>
    public static IReadOnlyCollection<string> Namespaces() =>
        Directory.Exists("/run/netns") ? [.. Directory.EnumerateFiles("/run/netns").Select(path => Path.GetFileName(path))] : [];

    /// <summary>Ends what still runs in the namespaces and removes them. May be called again.</summary>
    public void Dispose()
    {
        foreach (string ns in new[] { ClientNamespace, ServerNamespace })
        {
            if (!Namespaces().Contains(ns))
            {
                continue;
            }

            KillRemaining(ns);
            IpCommand.TryRun("netns", "del", ns);
        }
    }

    private static void KillRemaining(string ns)
    {
        string pids;
        try
        {
            pids = IpCommand.Run("netns", "pids", ns);
        }
        catch (LabException)
        {
            return;
        }

        foreach (string line in pids.Split('\n', StringSplitOptions.RemoveEmptyEntries))
        {
            if (int.TryParse(line, NumberStyles.None, CultureInfo.InvariantCulture, out int pid) && pid != Environment.ProcessId)
            {
                _ = Libc.Kill(pid, Libc.SigKill);
            }
        }
    }

    /// <summary>A process that was killed could not remove its namespaces; the pid in the name tells whose they were.</summary>
    private static void RemoveStale()
    {
        foreach (string ns in Namespaces())
        {
            if (DefaultName().Match(ns) is { Success: true } match && !Directory.Exists("/proc/" + match.Groups[1].Value))
            {
                IpCommand.TryRun("netns", "del", ns);
            }
        }
    }

    private static void WriteSysctl(string path, string value)
    {
        string file = "/proc/sys/net/" + path;
        if (File.Exists(file))
        {
            File.WriteAllText(file, value);
        }
    }

    private void Create(string ns, string device, string mac, int own, string peerMac, int peer, bool quickAck, LabNetworkOptions options)
    {
        IpCommand.Run("netns", "add", ns);
        LabNamespace.Run(ns, () =>
        {
            WriteSysctl("ipv4/tcp_autocorking", "0");
            WriteSysctl("ipv4/tcp_no_metrics_save", "1");
            WriteSysctl("ipv4/tcp_fastopen", "0");
            WriteSysctl("ipv4/tcp_timestamps", options.Timestamps ? "1" : "0");
            foreach (string conf in new[] { "all", "default" })
            {
                WriteSysctl($"ipv6/conf/{conf}/disable_ipv6", "0");
            }
            // Without these the hosts send neighbour and router discovery of their own through the link.
            WriteSysctl("ipv6/conf/default/accept_ra", "0");
            WriteSysctl("ipv6/conf/default/accept_dad", "0");
            WriteSysctl("ipv6/conf/default/router_solicitations", "0");
            WriteSysctl("ipv6/conf/default/addr_gen_mode", "1");
        });
        string q = quickAck ? " quickack 1" : "";
        List<string> lines =
        [
            "link set lo up",
            $"tuntap add dev {device} mode tap",
            $"link set {device} address {mac} mtu {Mtu} up",
            $"addr add 10.77.1.{own}/24 dev {device}",
            $"neigh replace 10.77.1.{peer} lladdr {peerMac} nud permanent dev {device}",
            $"route replace 10.77.1.0/24 dev {device} proto kernel scope link src 10.77.1.{own}{q}",
        ];
        if (HasIPv6)
        {
            lines.Add($"addr add fd77:1::{own}/64 dev {device} nodad");
            lines.Add($"neigh replace fd77:1::{peer} lladdr {peerMac} nud permanent dev {device}");
            lines.Add($"route replace fd77:1::/64 dev {device} proto kernel metric 256{q}");
        }

        IpCommand.Batch(ns, lines);
    }

    [GeneratedRegex("^[A-Za-z0-9-]{1,60}$", RegexOptions.CultureInvariant)]
    private static partial Regex GivenName();

    [GeneratedRegex("^ltlab-([0-9]+)-[0-9]+-[cs]$", RegexOptions.CultureInvariant)]
    private static partial Regex DefaultName();
}
