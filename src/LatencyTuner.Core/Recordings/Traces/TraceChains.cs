namespace LatencyTuner.Core.Recordings.Traces;

/// <summary>
/// Finds the holds that waited for a late ACK. With both ends in the trace, the peer's delayed-ACK timer must have expired between the data and its
/// ACK. With one end, the ACK must have taken longer than the path's shortest time by at least 5 ms and by at least half of that time.
/// </summary>
internal static class TraceChains
{
    private const long LateNs = 5_000_000;

    public static void Divide(TraceConnection c)
    {
        c.LateHolds.Clear();
        c.PlainHolds.Clear();
        List<long>? expiries = c.Twin is { } twin && twin.Receiver.Fired > 0 ? twin.Receiver.Expiries : null;
        long path = c.Sender.BaseNs ?? 0;

        // When every ACK of the connection is late, the shortest one shows nothing about the path.
        long known = c.ConnectNs is { } connect ? Math.Min(connect, path) : path >= LateNs && AllLate(c, path) ? 0 : path;
        foreach (TraceHold hold in c.Sender.Believed)
        {
            if (c.NoDelayAt(hold.PostedNs) == true)
            {
                // Nagle's algorithm was off.
                continue;
            }

            bool late;
            if (expiries is not null)
            {
                int at = expiries.BinarySearch(hold.SentNs);
                at = at < 0 ? ~at : at;
                late = at < expiries.Count && expiries[at] <= hold.ReleasedNs;
                c.Twin!.ChainExpiries += late ? 1 : 0;
            }
            else
            {
                late = hold.AckDelayNs - known >= Math.Max(LateNs, known / 2);
            }

            (late ? c.LateHolds : c.PlainHolds).Add(hold);
        }
    }

    /// <summary>True when the totals show a round trip of less than half the shortest time to an ACK: then every ACK was late.</summary>
    private static bool AllLate(TraceConnection c, long path) => c.Totals?.MinRttUs is { } least && least * 1000 < path / 2;
}
