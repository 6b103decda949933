using System.Net;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Settings;

namespace LatencyTuner.Core.Tuning.Recommendations;

/// <summary>Whether the snapshot is of the end where the change is to be made, and which of its interfaces the connections use.</summary>
/// <param name="Candidates">The interfaces that may carry the connections; a single one when known; empty when the snapshot is of another host.</param>
/// <param name="Address">The address of the end; null when unknown.</param>
/// <param name="NotOfThisEndBecause">Why the snapshot says nothing about this end, a clause; null when it may.</param>
internal sealed record SnapshotOwner(IReadOnlyList<NetworkInterface> Candidates, string? Address, string? NotOfThisEndBecause)
{
    /// <summary>True when the interface is known, not one of several that are possible.</summary>
    internal bool IsCertain { get; init; }

    /// <summary>Finds the interfaces that may carry the connections.</summary>
    /// <param name="snapshot">The snapshot; null without one.</param>
    /// <param name="side">The end where the change is to be made.</param>
    /// <param name="path">The path; null when the report names none.</param>
    /// <param name="connections">The connections of the finding, <c>CLIENT -> SERVER</c> where the report has addresses.</param>
    internal static SnapshotOwner Of(HostSnapshot? snapshot, Side? side, EvidencedPath? path, IReadOnlyList<string> connections)
    {
        bool isLoopback = path?.IsLoopback == true;
        IPAddress? own = isLoopback ? null : AddressOf(side, path, connections);
        IPAddress? other = isLoopback ? null : AddressOf(side == Side.Client ? Side.Server : Side.Client, path, connections);
        if (snapshot is null)
        {
            return new([], own?.ToString(), "there is no snapshot of that host; take one there with 'latencytuner snapshot --format json --output FILE'");
        }

        string name = snapshot.Machine ?? "another host";
        if (own is not null)
        {
            if (InterfaceLookup.OwnerOf(snapshot.Interfaces, own) is { } owner)
            {
                return new([owner], own.ToString(), null) { IsCertain = true };
            }

            if (snapshot.Interfaces.Any(i => i.Addresses.Count > 0))
            {
                return new([], own.ToString(), $"the snapshot is of {name}, which does not have the address {own} of the {Word(side)}");
            }
        }
        else if (other is not null && InterfaceLookup.OwnerOf(snapshot.Interfaces, other) is not null)
        {
            return new([], null, $"the snapshot is of {name}, the other end");
        }

        // Where no address is known, for example in an export of the registry, it may be any interface that is in use.
        List<NetworkInterface> used = snapshot.Interfaces.Where(i => i.NotUsedBecause() is null).ToList();
        List<NetworkInterface> addressed = used.Where(i => i.Addresses.Count > 0).ToList();
        return new(addressed.Count > 0 ? addressed : used, own?.ToString(), null);
    }

    private static IPAddress? AddressOf(Side? side, EvidencedPath? path, IReadOnlyList<string> connections)
    {
        foreach (string connection in connections)
        {
            if (connection.Split(" -> ") is [var client, var server] && IPEndPoint.TryParse(side == Side.Client ? client : server, out IPEndPoint? end))
            {
                return end.Address;
            }
        }

        return side == Side.Server && IPAddress.TryParse(path?.Address, out IPAddress? address) ? address : null;
    }

    private static string Word(Side? side) => side == Side.Client ? "client" : "server";
}
