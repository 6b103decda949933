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

    /// <summary>What this end's timers sent again.</summary>
    public IEnumerable<TimerWait> TimerWaits => Connection.TimerWaits.All.Where(w => w.Side == Index);

    /// <summary>Time that one kind of stall cost this end's data, nanoseconds.</summary>
    public long Owned(StallKind kind) => Connection.Time.StallNs(Index, kind);

    /// <summary>Number of SYNs sent again on connections that were established; a SYN that was never answered is no evidence of a loss.</summary>
    public long SynsSentAgain => Index == 0 && Connection is { HandshakeSeen: true, SynRetryNs: > 0 } ? Connection.SynRetransmissions : 0;

    /// <summary>Why nobody waited for what this end seems to have sent again; null where nothing came again, or a TCP stack repeated it for a loss.</summary>
    public string? WhyCopied
    {
        get
        {
            long repairs = Facts.Timeouts + Facts.FastRetransmissions;
            return repairs + SynsSentAgain == 0 ? null
                : Connection.IsReplayed ? "the connection comes again with the same numbers, so a tool replayed it, and its times are not those of the hosts"
                : Connection.IsHandmade ? "neither SYN names a segment size, as every TCP stack does, so a tool may have written these packets"
                : repairs == 0 ? null
                : Facts.SamePackets > 0 && 3 * Facts.SamePackets >= repairs
                    ? "copies have the IP identification and the timestamp of the original, so a device on this link forwards each packet, and the capture "
                        + "shows it at several places. Capture at one place only"
                : !Connection.OneSided ? null
                : Facts.SameIds >= repairs
                    ? "only one direction was captured, and every copy has the IP identification of the original, so a tool may have sent one packet "
                        + "several times"
                : Facts is { DataBytes: <= RepairSigns.GoodbyeBytes, Closed: true }
                    ? "only one direction was captured, and just a few last bytes came again as the connection ended"
                : null;
        }
    }

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
