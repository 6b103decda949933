namespace LatencyTuner.Core.Recordings.Traces;

/// <summary>
/// Which holds waited for a late acknowledgement. With both ends in the trace the peer's own delayed-ACK timer must have expired between the
/// data and its acknowledgement; with one end the acknowledgement must have taken 5 ms and half as much again longer than the path's shortest.
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

        // When every acknowledgement of the connection is late, the shortest says nothing about the path.
        long known = c.ConnectNs is { } connect ? Math.Min(connect, path) : path >= LateNs && AllLate(c, path) ? 0 : path;
        foreach (TraceHold hold in c.Sender.Believed)
        {
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

    /// <summary>True when nothing separates the shortest acknowledgement from the others, and the totals know a shorter round trip.</summary>
    private static bool AllLate(TraceConnection c, long path) => c.Totals?.MinRttUs is { } least && least * 1000 < path / 2;
}
