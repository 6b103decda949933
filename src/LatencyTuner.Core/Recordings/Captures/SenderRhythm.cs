namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>Where the distance to a sender is known by a bound alone: does a rhythm of its own explain when it sends?</summary>
internal static class SenderRhythm
{
    /// <summary>
    /// True when, with no pure ACK that shows the sender's distance, its own rhythm explains the times as well: ACKs that come after times that scatter
    /// far more than the data behind them are what the data follows, but behind ACKs that all come as soon, data in a rhythm comes after a constant time,
    /// too.
    /// </summary>
    public static bool MayExplain(ConnectionPass part, long placeNs, long release)
    {
        const double LeastScatter = 4;
        (long ackBefore, long gapBefore, double ackSpread, double gapSpread) = (-1, 0, 0, 0);
        for (int i = 0; i < part.Chances.Count; i++)
        {
            NagleHold hold = part.Chances[i].Hold;
            (long ackNs, long gapNs) = (hold.AckNs - hold.FirstSentNs, hold.ReleasedNs - hold.AckNs);
            if (gapNs >= placeNs && gapNs <= placeNs + release)
            {
                ackSpread += ackBefore < 0 ? 0 : Math.Abs(ackNs - ackBefore);
                gapSpread += ackBefore < 0 ? 0 : Math.Abs(gapNs - gapBefore);
                (ackBefore, gapBefore) = (ackNs, gapNs);
            }
        }

        return ackSpread <= LeastScatter * gapSpread;
    }

    /// <summary>
    /// True when the times from data to data differ by much less than those from the ACK to the data: the application writes by a clock, whenever the ACK
    /// comes. What an ACK releases follows it.
    /// </summary>
    /// <param name="part">The part of the connection, with the segments that may have been held.</param>
    public static bool IsClock(ConnectionPass part)
    {
        const int Fewest = 8;
        const long LeastNs = 500_000;
        const double LeastScatter = 4;
        (int steady, int all) = (0, part.Chances.Count - 1);
        for (int i = 1; i < part.Chances.Count; i++)
        {
            (NagleHold before, NagleHold hold) = (part.Chances[i - 1].Hold, part.Chances[i].Hold);
            long gapNs = Math.Abs(hold.ReleasedNs - hold.AckNs - (before.ReleasedNs - before.AckNs));
            steady += gapNs >= LeastNs && LeastScatter * Math.Abs(hold.HeldNs - before.HeldNs) <= gapNs ? 1 : 0;
        }

        return all >= Fewest && 2 * steady > all;
    }
}
