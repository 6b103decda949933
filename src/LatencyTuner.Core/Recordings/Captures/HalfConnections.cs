using LatencyTuner.Core.Capture;

namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>
/// One connection of which the capture shows each direction under other addresses, as behind a translation of addresses, or where a program has changed
/// them: two that show one direction only, between the same ports, each with the other's numbers. Their ACKs are there, under another name.
/// </summary>
internal static class HalfConnections
{
    // A capture may begin within the connection, and then the two directions begin a window apart.
    private const int MostApart = 1 << 20;

    /// <summary>Marks the halves.</summary>
    /// <param name="connections">The connections of a capture.</param>
    public static void Mark(IEnumerable<ConnectionFacts> connections)
    {
        foreach (IGrouping<(ushort, ushort), ConnectionFacts> ports in connections.Where(IsPossible).GroupBy(c => (c.ClientPort, c.ServerPort)))
        {
            ConnectionFacts[] all = [.. ports];
            for (int i = 1; i < all.Length; i++)
            {
                int other = Array.FindIndex(all, 0, i, c => AreHalves(c, all[i]));
                if (other >= 0)
                {
                    (all[other].IsHalf, all[i].IsHalf) = (true, true);
                }
            }
        }
    }

    // A scan is many connections between the same ports, of which no ACK shows the other end's numbers.
    private static bool IsPossible(ConnectionFacts connection) => connection is { OneSided: true, Initials: { Client: not 0, Server: not 0 } };

    private static bool AreHalves(ConnectionFacts first, ConnectionFacts second) =>
        AreNear(first.Initials.Client, second.Initials.Client) && AreNear(first.Initials.Server, second.Initials.Server)
        && first.FirstNs <= second.LastNs && second.FirstNs <= first.LastNs
        && !first.Sides.Zip(second.Sides).Any(s => s.First.DataBytes > 0 && s.Second.DataBytes > 0);

    private static bool AreNear(uint a, uint b) => Math.Abs((long)SequenceNumber.Beyond(a, b)) <= MostApart;
}
