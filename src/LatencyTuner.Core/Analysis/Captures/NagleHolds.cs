using LatencyTuner.Core.Statistics;

namespace LatencyTuner.Core.Analysis.Captures;

/// <summary>Of the segments that may have been held by Nagle's algorithm, picks those that came right behind the ACK.</summary>
internal static class NagleHolds
{
    private const long Shortest = 100_000;
    private const long Longest = 500_000;
    private const int MostKept = 2000;

    public static void Judge(Part part, int side)
    {
        if (part.Chances.Count == 0)
        {
            return;
        }

        SideFacts facts = part.State.Facts.Sides[side];
        long release = Release(part, side);
        // Whatever came within the bound counts as released: so wide is what chance can hit.
        long window = release + (part.Timing[side].BaseIsBound ? part.Timing[side].BaseNs : 0);
        facts.HoldsUnsure |= part.Timing[side].BaseIsBound;
        for (int i = 0; i < part.Chances.Count; i++)
        {
            ref NagleChance chance = ref part.Chances[i];
            NagleHold hold = chance.Hold;
            facts.NagleChances++;
            facts.NagleCoincidences += Math.Min(1, (double)window / Math.Max(1, hold.ReleasedNs - hold.FirstSentNs));
            if (chance.GapNs > release || !facts.MayHold)
            {
                continue;
            }

            if (facts.Holds.Count < MostKept)
            {
                facts.Holds.Add(hold);
            }
            else
            {
                facts.MoreHolds++;
            }

            // With an ACK in time the wait is a round trip, until the ACK was there; a late one costs what it was held.
            part.Stalls.Add(hold.Late
                ? new Stall(hold.AckNs - hold.AckDelayNs, hold.AckNs, StallKind.NagleDelayedAck, (byte)side)
                : new Stall(hold.FirstSentNs, Math.Min(hold.ReleasedNs, hold.AckNs + part.Timing[side].BaseNs), StallKind.NagleHold, (byte)side));
        }
    }

    /// <summary>How soon this host answers an ACK with data: three times what nine of ten of its faster answers take.</summary>
    private static long Release(Part part, int side)
    {
        ref SideTiming timing = ref part.Timing[side];
        Span<long> gaps = part.Scratch.AsSpan(0, Math.Min(part.Chances.Count, part.Scratch.Length));
        for (int i = 0; i < gaps.Length; i++)
        {
            gaps[i] = part.Chances[i].GapNs;
        }

        Selection.Sort(gaps);
        long usual = 3 * gaps[(int)(gaps.Length * 0.675)];
        return timing.ShiftNs == 0 ? Math.Clamp(usual, Shortest, Longest) : Math.Clamp(usual, timing.ReleaseNs, Math.Max(timing.ReleaseNs, 2 * Longest));
    }
}
