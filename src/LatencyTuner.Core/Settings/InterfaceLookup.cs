using System.Globalization;
using System.Net;
using LatencyTuner.Core.Evidence;

namespace LatencyTuner.Core.Settings;

/// <summary>Finds the interface that an admin named by alias, description, GUID, index or address.</summary>
public static class InterfaceLookup
{
    /// <summary>Finds the interface that a name stands for.</summary>
    /// <param name="interfaces">The interfaces of the host.</param>
    /// <param name="name">Alias, description, GUID with or without braces, index, or address.</param>
    /// <exception cref="ExpectedFailureException">There is none, or several (<see cref="ExitCode.Usage"/>); the sentence offers near matches.</exception>
    public static NetworkInterface Find(IReadOnlyList<NetworkInterface> interfaces, string name)
    {
        ArgumentNullException.ThrowIfNull(interfaces);
        ArgumentNullException.ThrowIfNull(name);
        string wanted = name.Trim();
        foreach (Func<NetworkInterface, bool> face in new Func<NetworkInterface, bool>[]
        {
            i => Guid.TryParse(wanted, out Guid guid) && Guid.TryParse(i.Guid, out Guid own) && guid == own,
            i => i.Index is { } index && wanted == index.ToString(CultureInfo.InvariantCulture),
            i => IPAddress.TryParse(wanted, out IPAddress? address) && wanted.AsSpan().IndexOfAny('.', ':') >= 0
                && i.Addresses.Any(a => IPAddress.TryParse(a, out IPAddress? own) && own.Equals(address)),
            i => Same(i.Alias, wanted),
            i => Same(i.Description, wanted),
        })
        {
            // A name can be the index of one interface and the alias of another: the order above decides. Two matches of one kind are refused.
            List<NetworkInterface> found = interfaces.Where(face).ToList();
            if (found.Count == 1)
            {
                return found[0];
            }

            if (found.Count > 1)
            {
                throw new ExpectedFailureException(ExitCode.Usage, $"'{name}' names {found.Count} interfaces: {string.Join(", ", found)}; give the GUID.");
            }
        }

        IEnumerable<string> names = interfaces.SelectMany(i => new[] { i.Alias, i.Description, i.Guid }.OfType<string>().Concat(i.Addresses));
        throw new ExpectedFailureException(ExitCode.Usage, $"There is no interface '{name}'{NearMatches.Hint(wanted, names)}");
    }

    /// <summary>The interface that owns a local address: the one whose settings its connections follow. Null when none does.</summary>
    /// <param name="interfaces">The interfaces of the host.</param>
    /// <param name="address">The local address of a connection.</param>
    public static NetworkInterface? OwnerOf(IReadOnlyList<NetworkInterface> interfaces, IPAddress address)
    {
        ArgumentNullException.ThrowIfNull(interfaces);
        ArgumentNullException.ThrowIfNull(address);
        IPAddress wanted = address.IsIPv4MappedToIPv6 ? address.MapToIPv4() : address;
        return interfaces.FirstOrDefault(
            i => i.NotUsedBecause() is null && i.Addresses.Any(a => IPAddress.TryParse(a, out IPAddress? own) && own.Equals(wanted)));
    }

    /// <summary>Refuses an interface whose values change nothing for the host's connections.</summary>
    /// <param name="chosen">The interface that a change is for.</param>
    /// <param name="interfaces">The interfaces of the host.</param>
    /// <param name="force">True lets a ghost pass: its adapter may come back. Team members and vSwitch-bound adapters never pass.</param>
    /// <exception cref="ExpectedFailureException">It is refused (<see cref="ExitCode.Change"/>).</exception>
    public static void RequireWritable(NetworkInterface chosen, IReadOnlyList<NetworkInterface> interfaces, bool force = false)
    {
        ArgumentNullException.ThrowIfNull(chosen);
        ArgumentNullException.ThrowIfNull(interfaces);
        if (chosen.NotUsedBecause() is not { } reason || (force && chosen is { IsGhost: true, IsTeamMember: false, IsVSwitchBound: false }))
        {
            return;
        }

        List<NetworkInterface> others = interfaces.Where(i => i.NotUsedBecause() is null && i.Addresses.Count > 0).Take(5).ToList();
        string instead = others.Count == 0 ? "" : $" Interfaces with addresses: {string.Join(", ", others)}.";
        throw new ExpectedFailureException(ExitCode.Change, $"Nothing is written to interface {chosen}: {reason}.{instead}");
    }

    private static bool Same(string? a, string b) => string.Equals(a, b, StringComparison.OrdinalIgnoreCase);
}
