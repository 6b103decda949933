using LatencyTuner.Core.Capture;
using LatencyTuner.Core.Findings;

namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>One end of one connection, as the rules use it.</summary>
/// <param name="Connection">The connection.</param>
/// <param name="Index">0 the client, 1 the server.</param>
internal sealed record SideOfConnection(ConnectionFacts Connection, int Index)
{
    public SideFacts Facts => Connection.Sides[Index];
    public SideFacts PeerFacts => Connection.Sides[1 - Index];
    public IpAddressValue Host => Index == 0 ? Connection.Client : Connection.Server;
    public IpAddressValue Peer => Index == 0 ? Connection.Server : Connection.Client;
    public Side Side => Index == 0 ? Side.Client : Side.Server;
    public Side PeerSide => Index == 0 ? Side.Server : Side.Client;

    /// <summary>True when the path lies between this end and the tap.</summary>
    public bool IsAcrossPath => Connection.Vantage == Vantage.Middle || Connection.Vantage == (Index == 0 ? Vantage.Server : Vantage.Client);

    /// <summary>Time that one kind of stall cost this end's data, nanoseconds.</summary>
    public long Owned(StallKind kind) => Connection.Time.StallNs(Index, kind);

    /// <summary>Both ends of every connection.</summary>
    public static IReadOnlyList<SideOfConnection> All(IReadOnlyList<ConnectionFacts> connections)
    {
        SideOfConnection[] sides = new SideOfConnection[2 * connections.Count];
        for (int i = 0; i < sides.Length; i++)
        {
            sides[i] = new SideOfConnection(connections[i / 2], i % 2);
        }

        return sides;
    }
}
