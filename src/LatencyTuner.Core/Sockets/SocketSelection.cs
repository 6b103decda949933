using System.Net;
using LatencyTuner.Core.Evidence;

namespace LatencyTuner.Core.Sockets;

/// <summary>Which sockets to read. Values of one kind are alternatives; all kinds that are given must hold.</summary>
public sealed record SocketSelection
{
    /// <summary>All sockets that have a process.</summary>
    public static readonly SocketSelection All = new();

    /// <summary>Process ids; empty for all.</summary>
    public IReadOnlyList<int> Pids { get; init; } = [];

    /// <summary>Names of processes or services, without case and without <c>.exe</c>; empty for all.</summary>
    public IReadOnlyList<string> Names { get; init; } = [];

    /// <summary>Ports of either end; empty for all.</summary>
    public IReadOnlyList<int> Ports { get; init; } = [];

    /// <summary>Addresses of the other end; empty for all.</summary>
    public IReadOnlyList<IPAddress> Remotes { get; init; } = [];

    /// <summary>True to list connections without a process too.</summary>
    public bool WithoutProcess { get; init; }

    /// <summary>True to reach processes of other users by a privilege that must be switched on (Windows).</summary>
    public bool AllUsers { get; init; }

    /// <summary>True to read the TCP template of each connection (Windows: CIM is slow).</summary>
    public bool Templates { get; init; }

    /// <summary>
    /// False to leave listeners alone. While a listener is duplicated its port stays taken, so that what reads again and again must not do it.
    /// </summary>
    public bool DuplicatesListeners { get; init; } = true;

    /// <summary>True when certain processes are asked for.</summary>
    public bool NamesProcesses => Pids.Count + Names.Count > 0;

    /// <summary>Whether the ends of a socket are asked for.</summary>
    /// <param name="local">The end on this host.</param>
    /// <param name="remote">The other end.</param>
    public bool Takes(IPEndPoint local, IPEndPoint remote)
    {
        ArgumentNullException.ThrowIfNull(local);
        ArgumentNullException.ThrowIfNull(remote);
        return (Ports.Count == 0 || Ports.Contains(local.Port) || Ports.Contains(remote.Port))
            && (Remotes.Count == 0 || Remotes.Contains(remote.Address));
    }

    /// <summary>Whether a process is asked for.</summary>
    /// <param name="pid">Its id.</param>
    /// <param name="names">Its name, that of its file, its services; null for unknown.</param>
    public bool Takes(int pid, params string?[] names)
    {
        ArgumentNullException.ThrowIfNull(names);
        if (Pids.Count > 0 && !Pids.Contains(pid))
        {
            return false;
        }

        if (Names.Count == 0)
        {
            return true;
        }

        foreach (string? name in names)
        {
            if (name is not null && Names.Any(n => Bare(n).Equals(Bare(name), StringComparison.OrdinalIgnoreCase)))
            {
                return true;
            }
        }

        return false;
    }

    private static string Bare(string name)
    {
        foreach (string ending in new[] { ".exe", ".service" })
        {
            if (name.EndsWith(ending, StringComparison.OrdinalIgnoreCase))
            {
                return name[..^ending.Length];
            }
        }

        return name;
    }

    /// <summary>An address and port as documents show them.</summary>
    /// <param name="end">The end.</param>
    public static SocketEnd InDocument(IPEndPoint end)
    {
        ArgumentNullException.ThrowIfNull(end);
        return new(Unmapped(end.Address).ToString(), end.Port);
    }

    /// <summary>An IPv4 address in an IPv6 socket as the IPv4 address that it is.</summary>
    /// <param name="address">Any address.</param>
    public static IPAddress Unmapped(IPAddress address)
    {
        ArgumentNullException.ThrowIfNull(address);
        return address.IsIPv4MappedToIPv6 ? address.MapToIPv4() : address;
    }
}
