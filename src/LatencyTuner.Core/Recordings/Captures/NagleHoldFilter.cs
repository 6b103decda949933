using System.Numerics;
using LatencyTuner.Core.Capture;
using LatencyTuner.Core.Statistics;

namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>Of the segments that Nagle's algorithm may have held, finds those that followed the ACK at once.</summary>
internal static class NagleHoldFilter
{
    private const long Shortest = 100_000;
    private const long Longest = 500_000;
    private const int MostKept = 2000;

    private const int FewestFound = 5;
    private const int FewestOthers = 2;

    // A path varies by such a part of its round trip.
    private const int OfPath = 10;
    private const double NearlyAll = 0.8;
    private const long BusyNs = 20_000_000;

    // Beside a sender, an answer to an ACK takes no longer, also on a busy host.
    private const long LongestBeside = 5_000_000;

    public static void Judge(ConnectionPass part, int side)
    {
        if (part.Chances.Count == 0 || Invented(part))
        {
            return;
        }

        SideFacts facts = part.State.Facts.Sides[side];
        bool bound = part.Timing[side].BaseIsBound;
        if (bound && SenderRhythm.IsClock(part))
        {
            return;
        }

        long release = Release(part, side);
        long lateRelease = bound ? release : Wider(part, side, release);
        long placeNs = bound ? Place(part, side, release) : 0;
        bool rhythm = bound && part.Connection.Flow(side).PureAcks == 0 && SenderRhythm.MayExplain(part, placeNs, release);
        facts.HoldsUnsure |= bound;
        Writes writes = new(part);
        (int found, int last, int lockstepEnd) = (0, -1, 0);
        AwaitedHolds awaited = new(part, side);
        bool typed = IsTyped(part);
        for (int i = 0; i < part.Chances.Count; i++)
        {
            ref NagleChance chance = ref part.Chances[i];
            NagleHold hold = chance.Hold;
            lockstepEnd = i < lockstepEnd ? lockstepEnd : writes.LockstepEnd(i);
            if (i < lockstepEnd)
            {
                continue;
            }

            // A congestion window of two segments looks like what is held behind a full one: only where others were held before, it was, too.
            if (!hold.Pushed || (!facts.MayHold && hold.ReleasedNs >= facts.FirstNodelayNs)
                || (chance.OnlyBehindOthers && facts.Holds.Count < FewestOthers))
            {
                continue;
            }

            // Within the bound, a short pause after an ACK is equally likely at each distance.
            long sinceAck = hold.ReleasedNs - hold.AckNs;
            long farthest = part.Timing[side].BaseNs + release;
            long widest = hold.Late ? lateRelease : release;
            long room = bound && sinceAck <= farthest ? Math.Min(farthest, hold.HeldNs) : hold.HeldNs;
            double coincidence = Math.Min(1, (double)widest / Math.Max(1, room));
            if (coincidence >= 1 && !bound && !hold.Late)
            {
                // The whole wait is no longer than this host takes to answer an ACK: what follows it shows nothing.
                (facts.ShortHolds, facts.ShortHoldsNs) = (facts.ShortHolds + 1, facts.ShortHoldsNs + hold.HeldNs);
                continue;
            }

            facts.NagleChances++;
            facts.NagleCoincidences += coincidence;
            facts.LateCoincidences += hold.Late ? coincidence : 0;
            long sincePlace = sinceAck - placeNs;
            if (bound ? sincePlace < 0 || sincePlace > release || sinceAck > farthest || (rhythm && !hold.Late) : chance.GapNs > widest)
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

            found++;
            if (awaited.Has(in hold))
            {
                Charge(part, side, in hold, last == i - 1 && writes.IsBehindHeld(i) ? writes.In(i) : typed && hold.IsTyped ? 1 : 0);
            }
            else
            {
                facts.HoldsOfNobody++;
                facts.HeldForNobodyNs += hold.HeldNs;
            }

            last = i;
        }

        if (!bound)
        {
            Piggybacked(part, side, release);
        }

        // A host that is busy for a moment lets a held segment go later. Where nearly all were held, these were, too; they prove nothing. Behind a late ACK
        // so is what is only a little later, as paths vary, where others were held.
        bool nearlyAll = found >= FewestFound && found >= NearlyAll * part.Chances.Count;
        awaited = new(part, side);
        for (int i = 0; i < part.Chances.Count && !bound && found >= FewestOthers; i++)
        {
            bool late = part.Chances[i].Hold.Late;
            long widest = late ? lateRelease : release;
            long longest = Math.Max(nearlyAll ? BusyNs : 0, late ? widest + (part.Timing[side].BaseNs / OfPath) : 0);
            if (part.Chances[i].GapNs > widest && part.Chances[i].GapNs <= longest && awaited.Has(part.Chances[i].Hold))
            {
                Charge(part, side, part.Chances[i].Hold, writes.IsBehindHeld(i) ? writes.In(i) : typed && part.Chances[i].Hold.IsTyped ? 1 : 0);
            }
        }
    }

    /// <summary>
    /// Counts what was held until an ACK that came with data of the peer, and is no answer to that: keys that a client's user types behind another key,
    /// and what follows in a quarter of the time that the application takes for its fastest answer. Only on a connection that held behind pure ACKs, too.
    /// </summary>
    private static void Piggybacked(ConnectionPass part, int side, long release)
    {
        const int FewestAnswers = 3;
        const int Faster = 4;
        const int MostKeys = 4;
        SideFacts facts = part.State.Facts.Sides[side];
        ref SenderState state = ref part.State.Senders[side];
        int before = facts.Holds.Count;
        AwaitedHolds awaited = new(part, side);
        for (int i = 0; i < part.Piggybacked.Count && before > 0 && facts.Holds.Count < MostKept; i++)
        {
            (long gapNs, NagleHold hold, _) = part.Piggybacked[i];
            bool typed = side == 0 && before >= FewestOthers && hold.FirstLength == 1 && hold.ReleasedLength <= MostKeys;
            bool sooner = state.FreeAnswers >= FewestAnswers && state.LeastAnswerNs >= Faster * Math.Max(gapNs, Shortest);
            if (gapNs > release || hold.HeldNs <= release || !hold.Pushed || !(typed || sooner)
                || (!facts.MayHold && hold.ReleasedNs >= facts.FirstNodelayNs) || !awaited.Has(in hold))
            {
                continue;
            }

            (facts.NagleChances, facts.NagleCoincidences) = (facts.NagleChances + 1, facts.NagleCoincidences + ((double)release / hold.HeldNs));
            facts.Holds.Add(hold);
            Charge(part, side, in hold, typed ? 1 : 0);
        }
    }

    /// <summary>
    /// What late ACKs release follows them by as much as the path, or the host, varies: from the known time on up to the first of these times behind which
    /// none lies for five times as long. At least five must lie within, two of them within the known time, and chance must not explain that many.
    /// </summary>
    /// <returns>The longest time after the round trip, nanoseconds; the known one where these conditions are not met.</returns>
    private static long Wider(ConnectionPass part, int side, long release)
    {
        const int FewestNear = 2;
        const int EmptyTimes = 5;
        Span<long> gaps = part.Scratch;
        (int late, double heldNs) = (0, 0);
        for (int i = 0; i < part.Chances.Count && late < gaps.Length; i++)
        {
            ref NagleChance chance = ref part.Chances[i];
            if (chance.Hold.Late)
            {
                gaps[late++] = chance.GapNs;
                heldNs += 1.0 / Math.Max(1, chance.Hold.HeldNs);
            }
        }

        gaps = gaps[..late];
        Selection.Sort(gaps);
        long farthest = part.Timing[side].ShiftNs == 0 ? LongestBeside : part.Timing[side].BaseNs + release;
        if (late < FewestFound || gaps[FewestNear - 1] > release)
        {
            return release;
        }

        int within = 0;
        while (within < late && (gaps[within] <= release || gaps[within] < EmptyTimes * Math.Max(release, gaps[within - 1])))
        {
            within++;
        }

        long longest = gaps[within - 1];
        return longest > release && longest <= farthest && within >= FewestFound
            && Coincidence.Probability(Math.Min(late, longest * heldNs), within) < Coincidence.Unlikely ? longest : release;
    }

    /// <summary>
    /// Charges a hold to the sender. Without Nagle's algorithm the segment leaves at once: the hold costs the round trip and the time for which the ACK was
    /// delayed. Behind another held segment, and where somebody types, the application wrote at times of its own, and nothing shows when: so many writes,
    /// spread evenly, wait for all but one of as many parts and one. Where data before it still came at the time of the ACK, it costs a round trip at most.
    /// </summary>
    /// <param name="part">The connection.</param>
    /// <param name="side">The sender.</param>
    /// <param name="hold">What was held.</param>
    /// <param name="writes">The number of writes that gathered, where they came at times of their own; 0 where the message is whole.</param>
    private static void Charge(ConnectionPass part, int side, in NagleHold hold, int writes)
    {
        StallKind kind = hold.Late ? StallKind.NagleDelayedAck : StallKind.NagleHold;
        long sinceNs = hold.FirstSentNs + (writes == 0 ? 0 : hold.HeldNs / (writes + 1));
        long untilNs = hold.ReleasedNs;
        sinceNs = hold.IsBehindMore ? Math.Max(sinceNs, untilNs - part.Timing[0].BaseNs - part.Timing[1].BaseNs) : sinceNs;
        if (writes > 0)
        {
            SideFacts facts = part.State.Facts.Sides[side];
            facts.HoldsOfOwnTime++;
            (facts.OwnTimeMostNs, facts.OwnTimeCountedNs) = (facts.OwnTimeMostNs + untilNs - hold.FirstSentNs, facts.OwnTimeCountedNs + untilNs - sinceNs);
        }

        part.Stalls.Add(new Stall(sinceNs, untilNs, kind, (byte)side));
    }

    /// <summary>True where somebody types: protocols say something in one byte now and then as well.</summary>
    private static bool IsTyped(ConnectionPass part)
    {
        const int Fewest = 5;
        int keys = 0;
        for (int i = 0; i < part.Chances.Count; i++)
        {
            keys += part.Chances[i].Hold.IsTyped ? 1 : 0;
        }

        return keys >= Fewest;
    }

    /// <summary>
    /// True when most packets come exactly as long after the packet before as that one did, or no end has the options of a stack. Networks and hosts do
    /// not do that: a tool wrote these packets, and what follows an ACK closely shows nothing.
    /// </summary>
    private static bool Invented(ConnectionPass part)
    {
        const long SameNs = 10_000;
        const long ShortestGapNs = 200_000;
        const int Fewest = 5;
        Span<PacketRecord> records = part.Records;
        if (part.Connection.IsHandmade || part.Connection.IsReplayed)
        {
            return true;
        }

        int even = 0;
        for (int i = 2; i < records.Length; i++)
        {
            long gap = records[i].TimeNs - records[i - 1].TimeNs;
            even += gap >= ShortestGapNs && Math.Abs(gap - (records[i - 1].TimeNs - records[i - 2].TimeNs)) <= SameNs ? 1 : 0;
        }

        return even >= Math.Max(Fewest, records.Length / 2);
    }

    /// <summary>
    /// The distance to the sender, nanoseconds, when only an upper bound is known: segments that ACKs release repeatedly follow them after the same
    /// time, while the application's own pauses vary. Takes the distance at which most segments came within the release time; the number of possible
    /// distances counts against the finding.
    /// </summary>
    private static long Place(ConnectionPass part, int side, long release)
    {
        long farthest = part.Timing[side].BaseNs + release;
        Span<long> gaps = part.Scratch;
        int count = 0;
        for (int i = 0; i < part.Chances.Count && count < gaps.Length; i++)
        {
            NagleHold hold = part.Chances[i].Hold;
            gaps[count] = hold.ReleasedNs - hold.AckNs;
            count += gaps[count] >= 0 && gaps[count] <= farthest ? 1 : 0;
        }

        gaps = gaps[..count];
        Selection.Sort(gaps);
        (int most, long place) = (0, 0);
        for (int first = 0, last = 0; first < count; first++)
        {
            for (; last < count && gaps[last] <= gaps[first] + release; last++)
            {
            }

            (most, place) = last - first > most ? (last - first, gaps[first]) : (most, place);
        }

        SideFacts facts = part.State.Facts.Sides[side];
        facts.HoldPlaces = Math.Max(facts.HoldPlaces, (double)farthest / Math.Max(1, release));
        return place;
    }

    /// <summary>The time in which this host answers an ACK with data, nanoseconds: three times what nine of ten of its faster answers take.</summary>
    private static long Release(ConnectionPass part, int side)
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

/// <summary>How many writes gathered in each held segment.</summary>
internal readonly ref struct Writes
{
    // A common divisor below this, or below this part of the shortest segment, is an alignment and no record.
    private const int ShortestRecord = 8;
    private const int MostRecords = 6;

    private readonly ConnectionPass _part;
    private readonly int _bytes;

    public Writes(ConnectionPass part)
    {
        (_part, int shortest, int divisor) = (part, int.MaxValue, 0);
        for (int i = 0; i < part.Chances.Count; i++)
        {
            (int first, int released) = (part.Chances[i].Hold.FirstLength, part.Chances[i].Hold.ReleasedLength);
            shortest = Math.Max(1, Math.Min(shortest, Math.Min(first, released)));
            divisor = (int)BigInteger.GreatestCommonDivisor(divisor, released);
        }

        _bytes = divisor >= ShortestRecord && divisor >= shortest / MostRecords ? divisor : shortest;
    }

    /// <summary>By the size of a record, or else of the shortest segment, at least 1.</summary>
    public int In(int chance) => Math.Max(1, _part.Chances[chance].Hold.ReleasedLength / _bytes);

    /// <summary>
    /// The chance behind a row of single bytes, each behind the ACK of the one before; <paramref name="first"/> where that is not the first of a long row.
    /// A held segment gathers what is written meanwhile: exactly one byte for each round trip, so many times, is something else that waits for ACKs.
    /// </summary>
    public int LockstepEnd(int first)
    {
        const int Long = 20;
        int end = first + 1;
        while (end < _part.Chances.Count && IsBehindHeld(end) && _part.Chances[end].Hold is { } hold && hold.ReleasedLength == 1)
        {
            end++;
        }

        return end - first < Long ? first : end;
    }

    /// <summary>True for a segment that waited for the one before it, which may have been held as well.</summary>
    public bool IsBehindHeld(int chance)
    {
        if (chance == 0)
        {
            return false;
        }

        (NagleHold before, NagleHold hold) = (_part.Chances[chance - 1].Hold, _part.Chances[chance].Hold);
        return before.FirstSequence + (uint)before.FirstLength == hold.FirstSequence;
    }
}
