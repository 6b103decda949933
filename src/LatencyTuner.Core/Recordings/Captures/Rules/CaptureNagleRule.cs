using System.Globalization;
using LatencyTuner.Core.Capture;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Statistics;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Recordings.Captures.Rules;

/// <summary>
/// A sender holds small segments for ACKs (RFC 896, RFC 1122 4.2.3.4): against a delayed-ACK timer (LT101), or for a round trip (LT102).
/// Its data follows the ACKs too closely, too often, to be the application's own timing. Holds that are rare at each peer are judged together: the
/// end that splits its messages is the same.
/// </summary>
internal static class CaptureNagleRule
{
    private const int Fewest = 3;
    private const double LargeShare = 0.2;
    private const double LeastLateShare = 0.1;

    // From here on chance is the better explanation, and there is nothing to report.
    private const double LikelyChance = 0.05;

    // Holds that are too few to count must be too close to their ACK for chance, fit a timer, and be a part of the time that matters.
    private const double FewChance = 0.01;
    private const double FewShare = 0.05;
    private const double FewLikelyChance = 0.001;
    private const int FewestCoarse = 20;
    private const int FewestFullReleases = 2;
    private const int Several = 5;
    private const double NearlyAllLate = 0.8;

    /// <summary>The findings, each with the ends whose segments were held.</summary>
    internal static IEnumerable<(Finding Finding, SideOfConnection[] Sides)> Evaluate(CaptureEvidence evidence)
    {
        long batchNs = evidence.Connections.Select(c => c.BatchNs).DefaultIfEmpty(0).Max();
        Dictionary<(IpAddressValue Host, IpAddressValue Peer), (long TimeNs, ushort Port)[]> closed = LateHolds.EndsOf(evidence.Sides);
        IEnumerable<IGrouping<(IpAddressValue Host, Side Side), SideOfConnection>> ends = evidence.Sides.Where(s => s.Facts.MayHaveHeld
            && s.Facts.NagleChances + s.Facts.ShortHolds > 0 && !AreTooShort(s, batchNs) && !LateHolds.AwaitEnds(s, closed)).GroupBy(s => (s.Host, s.Side));
        List<SideOfConnection> alone = [];
        ILookup<(IpAddressValue Host, Side Side), SideOfConnection> whole = evidence.Sides.ToLookup(s => (s.Host, s.Side));
        foreach (IGrouping<(IpAddressValue Host, Side Side), SideOfConnection> end in
            ends.Where(e => e.Any(s => s.Facts.Holds.Count > 0) && !HeldOtherwise([.. whole[e.Key]])))
        {
            List<(Finding Finding, SideOfConnection[] Sides)> unsure = [];
            List<SideOfConnection[]> rest = [];
            bool any = false;
            foreach (SideOfConnection[] sides in end.GroupBy(s => (s.Peer, s.Connection.ServerPort)).Select(g => g.ToArray()))
            {
                Finding? finding = Judge(evidence, sides);
                if (finding is { Confidence: Confidence.Likely, Count: >= Fewest })
                {
                    foreach ((Finding, SideOfConnection[]) found in WithPrompt(evidence, finding, sides))
                    {
                        yield return found;
                    }

                    any = true;
                    continue;
                }

                rest.Add(sides);
                if (finding is not null)
                {
                    unsure.Add((finding, sides));
                }
            }

            SideOfConnection[] all = [.. rest.SelectMany(s => s)];
            Finding? together = rest.Count > 1 ? Judge(evidence, all) : null;
            // One hold among many chances at other peers is what chance gives.
            foreach ((Finding, SideOfConnection[]) found in (together is not null ? [(together, all)]
                : unsure.Where(f => f.Finding.Count > 1 || rest.Count == 1)).SelectMany(f => WithPrompt(evidence, f.Item1, f.Item2)))
            {
                yield return found;
                any = true;
            }

            if (!any)
            {
                alone.AddRange(all);
            }
        }

        foreach ((Finding, SideOfConnection[]) found in Alike(evidence, alone))
        {
            yield return found;
        }
    }

    /// <summary>
    /// Hosts with too few holds each, judged together where one peer talks to all of them on the same port: they run the same application, and the peer's
    /// timer is one.
    /// </summary>
    private static IEnumerable<(Finding Finding, SideOfConnection[] Sides)> Alike(CaptureEvidence evidence, List<SideOfConnection> alone)
    {
        foreach (SideOfConnection[] alike in alone.GroupBy(s => (s.Side, s.Peer, s.Connection.ServerPort)).Select(g => g.ToArray()))
        {
            SideOfConnection[][] hosts = [.. alike.GroupBy(s => s.Host).Select(g => g.ToArray())];
            double probability = Probability(alike);
            if (hosts.Length < Fewest || alike.Sum(s => s.Facts.Holds.Count) < Fewest || probability >= FewChance)
            {
                continue;
            }

            foreach (SideOfConnection[] sides in hosts)
            {
                if (Judge(evidence, sides, probability) is { } finding)
                {
                    yield return (finding, sides);
                }
            }
        }
    }

    /// <summary>The probability that chance alone gives as many holds.</summary>
    private static double Probability(SideOfConnection[] all)
    {
        long count = all.Sum(s => s.Facts.Holds.Count + s.Facts.MoreHolds);
        double places = count == 0 ? 1 : all.Where(s => s.Facts.Holds.Count > 0).Max(s => s.Facts.HoldPlaces);
        double any = Coincidence.Probability(all.Sum(s => s.Facts.NagleCoincidences), count);
        // Behind prompt ACKs a pause is soon a coincidence. Where none of those counts, two questions are asked: of all, and of the late ones.
        bool late = all.All(s => s.Facts.MoreHolds == 0 && s.Facts.Holds.All.All(h => h.Late));
        return Math.Min(1, places * (late ? Math.Min(any, 2 * Coincidence.Probability(all.Sum(s => s.Facts.LateCoincidences), count)) : any));
    }

    // What is shorter is the time of the batches in which the capturing program got the packets; or, within one host, of a send call: prompt ACKs come before
    // it returns.
    private static bool AreTooShort(SideOfConnection side, long batchNs) => side.Facts.Holds.Count > 0
        && Median(side.Facts.Holds.All.Select(h => h.HeldNs)) < Math.Max(2 * batchNs, side.Host == side.Peer ? PromptHolds.LateNs : 0);

    /// <summary>
    /// True where full segments waited for ACKs too, and none left behind an unacknowledged one: something at this host lets one segment go at a time, as
    /// a VPN on a phone does. Nagle's algorithm never holds a full segment. It sends nothing small when a part is acknowledged: a window does.
    /// </summary>
    private static bool HeldOtherwise(SideOfConnection[] end)
    {
        // One application may wait for each answer; where its connections have most of the holds, or there are several, it is the host.
        long Held(SideOfConnection side) => side.Facts.Holds.Count + side.Facts.MoreHolds;
        SideOfConnection[] waiting = [.. end.Where(s => s.Facts.FullReleases > 0)];
        bool window = 2 * end.Sum(s => s.Facts.SmallBehindFull) is > 2 and var parts && parts >= end.Sum(Held);
        return window || (end.All(s => s.Facts.FullBehindOthers == 0) && end.Sum(s => s.Facts.FullReleases) >= FewestFullReleases
            && (waiting.Length >= Several || 2 * waiting.Sum(Held) >= end.Sum(Held)));
    }

    /// <summary>Judges one end.</summary>
    /// <param name="evidence">The evidence.</param>
    /// <param name="all">Its connections with segments that may have been held; those without a hold count against the finding.</param>
    /// <param name="together">The probability that chance gives the holds of this and other ends that are judged together; null for this one's.</param>
    private static Finding? Judge(CaptureEvidence evidence, SideOfConnection[] all, double? together = null)
    {
        SideOfConnection[] sides = [.. all.Where(s => s.Facts.Holds.Count > 0)];
        if (sides.Length == 0)
        {
            return null;
        }

        SideOfConnection any = sides[0];
        NagleHold[] holds = [.. sides.SelectMany(s => s.Facts.Holds.All)];
        (NagleHold[] late, HostTimer? timer) = LateHolds.Of(evidence, sides);
        long count = holds.Length + sides.Sum(s => s.Facts.MoreHolds);
        long chances = all.Sum(s => s.Facts.NagleChances);
        double probability = together ?? Probability(all);
        bool few = count < Fewest;
        bool clustered = !few && late.Length >= Math.Max(Fewest, LeastLateShare * count);
        bool mostly = few ? late.Length == count : clustered || 2 * late.Length >= count;
        long shortestNs = mostly ? ShortestCounted(late) : 0;
        bool chained = mostly || MostlyByTimer(holds, late);
        StallKind[] kinds = chained ? [StallKind.NagleDelayedAck, StallKind.NagleHold] : [StallKind.NagleHold, StallKind.NagleDelayedAck];
        // What is held for a round trip alone has a finding of its own.
        PromptHolds? prompt = clustered ? PromptHolds.Among(sides, late) : null;
        LostTime cost = prompt?.CostOfOthers(sides) ?? LostTime.Of(sides, kinds);
        kinds = prompt is not null ? [StallKind.NagleDelayedAck] : kinds;
        bool sure = few ? chained && probability < FewLikelyChance && cost.Share >= LargeShare
            : probability < Coincidence.Unlikely || (clustered && count >= 0.3 * chances);
        bool costly = !few && cost.Share >= LargeShare && probability < 0.01;
        // A coarse clock cannot tell the answer to an ACK from a pause, unless all of many holds end in the tick of their ACK.
        long? stepNs = evidence.CoarseStepNs ?? sides.Max(s => s.Connection.CoarseStepNs);
        bool coarse = stepNs is { } step
            && !(chained && count >= FewestCoarse && count == chances && late.Length == count && holds.All(h => h.ReleasedNs - h.AckNs < step));
        bool atFirst = sides.Any(s => s.Facts.HeldAtFirst);
        int others = evidence.WithoutNagle(any);
        bool unsure = coarse || (chained && !mostly) || (atFirst && probability >= Coincidence.Unlikely) || sides.Any(s => s.Facts.HoldsUnsure)
            || 2 * others >= sides.Length;
        bool chance = probability >= (atFirst ? FewChance : LikelyChance) && !(clustered && count >= 0.3 * chances);
        if (chance || (count == 1 && !(chained && probability < FewChance && cost.Share >= FewShare)))
        {
            return null;
        }

        Cause cause = chained ? Cause.NagleDelayedAck : Cause.NagleHold;
        string sender = any.Index == 0 ? "client" : "server";
        string receiver = any.Index == 0 ? "server" : "client";
        string remedy = CureCatalogue.NagleRemedy(any.Side, $"On {any.Host}");
        return new Finding
        {
            Cause = cause,
            Side = any.Side,
            Host = any.Host.ToString(),
            Confidence = (sure || costly) && !unsure ? Confidence.Likely : Confidence.Possible,
            Severity = evidence.Limits.Of(cost.Share, cost.LongStalls, cost.Elapsed),
            Count = !mostly ? count : prompt is not null ? late.Length : holds.Count(h => h.HeldNs >= shortestNs),
            CostMs = cost.Ms,
            CostShare = cost.Share,
            Connections = ConnectionNames.Of(sides.Select(s => s.Connection)),
            For = [.. For(sides, timer, holds, late, count, chances, probability, sender, receiver)],
            Against =
            [
                .. Against(all, sides, others, probability, chances, count), .. chained ? [] : Unfitting(holds, late, receiver),
                .. coarse ? new[] { Coarse(stepNs) } : [],
            ],
            Predictions = CaptureReplays.Of(sides, CureAssumptions.NoHold, kinds),
            Parts = () =>
            [
                .. sides.Select(s => PartOf(
                    s, !mostly ? s.Facts.Holds.Count + s.Facts.MoreHolds
                        : prompt is not null ? LateHolds.Of(evidence, [s]).Late.Length : s.Facts.Holds.All.Count(h => h.HeldNs >= shortestNs),
                    prompt?.CostOfOthers([s]) ?? LostTime.Of([s], kinds), kinds)),
            ],
            Recommendation = chained
                ? $"{remedy} The timer of {timer!.Ms:0.#} ms runs on {Receivers(sides, receiver)}; a shorter one there helps too."
                : $"{remedy} {Each(sides, holds)}"
                    + (late.Length == 0 ? "" : $" {late.Length} of these ACKs came by the timer of {timer!.Ms:0.#} ms on {Receivers(sides, receiver)}."),
        };
    }

    /// <summary>What one end has of the figures of a finding.</summary>
    private static FindingPart PartOf(SideOfConnection side, long count, LostTime cost, StallKind[] kinds) => new()
    {
        Connection = ConnectionNames.Of(side.Connection),
        Count = count,
        CostNs = cost.Ns,
        ActiveNs = cost.ActiveNs,
        LongStalls = cost.LongStalls,
        FirstNs = side.Connection.FirstNs,
        LastNs = side.Connection.LastNs,
        Predictions = CaptureReplays.Of([side], CureAssumptions.NoHold, kinds),
    };

    private static IEnumerable<(Finding Finding, SideOfConnection[] Sides)> WithPrompt(CaptureEvidence evidence, Finding finding, SideOfConnection[] sides)
    {
        yield return (finding, sides);
        if (finding.Cause == Cause.NagleDelayedAck && Prompt(evidence, finding, [.. sides.Where(s => s.Facts.Holds.Count > 0)]) is { } prompt)
        {
            yield return (prompt, sides);
        }
    }

    /// <summary>Beside holds that a timer made longer (LT101), those that took a round trip alone (LT102); null where they are few.</summary>
    private static Finding? Prompt(CaptureEvidence evidence, Finding finding, SideOfConnection[] sides)
    {
        NagleHold[] late = LateHolds.Of(evidence, sides).Late;
        if (finding.Count != late.Length || PromptHolds.Among(sides, late) is not { } prompt)
        {
            return null;
        }

        LostTime cost = prompt.Cost(sides);
        StallKind[] kinds = [StallKind.NagleHold];
        return finding with
        {
            Cause = Cause.NagleHold,
            Severity = evidence.Limits.Of(cost.Share, cost.LongStalls, cost.Elapsed),
            Count = prompt.Holds.Count,
            CostMs = cost.Ms,
            CostShare = cost.Share,
            For =
            [
                finding.For[0],
                $"{prompt.Holds.Count} of those ACKs came at once: these segments were held for a median of "
                + $"{Median(prompt.Holds.Select(h => h.HeldNs)) / 1e6:0.0} ms. The others are counted as LT101",
            ],
            Predictions = CaptureReplays.Of(sides, CureAssumptions.NoHold, kinds),
            Parts = () => [.. sides.Select(s => PartOf(s, prompt.CountAt(s), prompt.Cost([s]), kinds))],
            Recommendation = $"{CureCatalogue.NagleRemedy(sides[0].Side, $"On {sides[0].Host}")} {Each(sides, prompt.Holds)}",
        };
    }

    /// <summary>True when the timer explains nearly all ACKs that came late, and more than half of the time for which the segments were held.</summary>
    private static bool MostlyByTimer(NagleHold[] holds, NagleHold[] late) =>
        late.Length >= NearlyAllLate * holds.Count(h => h.Late || Math.Min(h.AckDelayNs, h.HeldNs) >= PromptHolds.LateNs)
        && 2 * late.Sum(h => h.AckDelayNs) > holds.Sum(h => h.HeldNs);

    /// <summary>
    /// The length in nanoseconds of the shortest hold that counts where those of a round trip alone have no finding of their own, so that their cost is in
    /// this one: all that the timer made longer, and what lasted half as long as their median, however late its ACK was.
    /// </summary>
    private static long ShortestCounted(NagleHold[] late) => Math.Min(late.Min(h => h.HeldNs), (long)(Median(late.Select(h => h.HeldNs)) / 2));

    private static string Chance(double probability) =>
        probability < 1e-12 ? "< 1e-12" : "= " + probability.ToString("0.0e+0", CultureInfo.InvariantCulture);

    private static string Coarse(long? stepNs) =>
        $"the clock of the capture moves in steps of {stepNs / 1e6:0.##} ms, so a pause cannot be told from the answer to an ACK";

    /// <summary>Behind ACKs that came late but show no timer, a timer may have made the hold longer all the same.</summary>
    private static IEnumerable<string> Unfitting(NagleHold[] holds, NagleHold[] late, string receiver)
    {
        const int LeastPart = 3;
        NagleHold[] unfitting = [.. holds.Where(h => h.Late).Except(late)];
        if (unfitting.Length > 0 && LeastPart * unfitting.Length >= holds.Length)
        {
            yield return $"{unfitting.Length} of those ACKs came a median of {Median(unfitting.Select(h => h.AckDelayNs)) / 1e6:0.0} ms later than the path's "
                + $"own time, which fits no delayed-ACK timer that is known: if one of the {receiver} held them all the same, this is LT101";
        }
    }

    private static string Receivers(SideOfConnection[] sides, string receiver)
    {
        int peers = sides.Select(s => s.Peer).Distinct().Count();
        return peers == 1 ? $"the {receiver} {sides[0].Peer}" : Counted.Of(peers, receiver);
    }

    /// <summary>What a held segment costs without a timer: the path's round trip, or more.</summary>
    private static string Each(SideOfConnection[] sides, IEnumerable<NagleHold> holds)
    {
        const double About = 1.5;
        double ms = Median(holds.Select(h => h.HeldNs)) / 1e6;
        double pathMs = sides.Max(s => (s.Connection.ClientBaseNs ?? 0) + (s.Connection.ServerBaseNs ?? 0)) / 1e6;
        return ms <= (About * pathMs) + 1 ? "Each held segment costs a round trip."
            : $"A held segment waited a median of {ms:0.0} ms for its ACK; the shortest round trip takes {pathMs:0.0} ms.";
    }

    private static IEnumerable<string> For(
        SideOfConnection[] sides, HostTimer? timer, NagleHold[] holds, NagleHold[] late, long count, long chances, double probability, string sender,
        string receiver)
    {
        yield return $"the {sender} {sides[0].Host} sent {Counted.Of(chances, "small segment")} after an ACK of its earlier data. {count} of them "
            + $"left right after this ACK (by chance: p {Chance(probability)})";
        if (late.Length > 0)
        {
            yield return $"{late.Length} of those ACKs fit the delayed-ACK timer of {Receivers(sides, receiver)}, {timer!.InWords()}: they came a median of "
                + $"{Median(late.Select(h => h.AckDelayNs)) / 1e6:0.0} ms later than the path's own time";
        }

        yield return $"the held segments waited for at most {Median(holds.Select(h => h.HeldNs)) / 1e6:0.0} ms (median)";
    }

    private static IEnumerable<string> Against(
        SideOfConnection[] all, SideOfConnection[] sides, int others, double probability, long chances, long count)
    {
        if (others > 0)
        {
            yield return $"on {Counted.Of(others, "other connection")} of this host small segments left while another was unacknowledged, as with TCP_NODELAY";
        }

        if (sides.Sum(s => s.Facts.NodelaySigns) is > 0 and long signs)
        {
            yield return $"{Counted.Of(signs, "small segment")} left while another was unacknowledged, as with TCP_NODELAY"
                + (sides.Any(s => s.Facts.HeldAtFirst) ? ", but only after the held ones: the application may have set it later" : "");
        }

        if (probability >= Coincidence.Unlikely)
        {
            yield return $"chance alone would give as many with p {Chance(probability)}";
        }

        if (count < 0.5 * chances)
        {
            yield return $"{Counted.Of(chances - count, "small segment")} left some time after the ACK: nothing shows that "
                + $"{(chances - count == 1 ? "it" : "they")} waited for it";
        }

        long brief = all.Sum(s => s.Facts.ShortHolds);
        if (brief > LargeShare * count)
        {
            yield return $"{Counted.Of(brief, "further small segment")} waited no longer than the sender takes to answer an ACK, and "
                + $"{(brief == 1 ? "does" : "do")} not count: {Format.Ms(all.Sum(s => s.Facts.ShortHoldsNs) / 1e6)} in all";
        }

        if (sides.Sum(s => s.Facts.HoldsOfNobody) is > 0 and long nobody)
        {
            double heldMs = sides.Sum(s => s.Facts.HeldForNobodyNs) / 1e6;
            yield return $"behind {Counted.Of(nobody, "held segment")} the sender went on by itself later, without an answer: nobody is seen to have waited "
                + $"for {(nobody == 1 ? "it" : "them")}, and {(nobody == 1 ? "its" : "their")} {Format.Ms(heldMs)} do not count";
        }

        if (sides.Sum(s => s.Facts.HoldsOfOwnTime) is > 0 and long ownTime)
        {
            (double mostMs, double countedMs) = (sides.Sum(s => s.Facts.OwnTimeMostNs) / 1e6, sides.Sum(s => s.Facts.OwnTimeCountedNs) / 1e6);
            yield return $"{Counted.Of(ownTime, "held segment")} came right behind another held one, or one byte behind another: nothing shows when the "
                + $"application wrote {(ownTime == 1 ? "it. It" : "them. They")} waited for up to {Format.Ms(mostMs)} in all, "
                + $"and {Format.Ms(countedMs)} of that count";
        }

        if (sides.Any(s => s.Facts.HoldsUnsure))
        {
            yield return "the capture shows no handshake and was not made at the sender: an application pause cannot be ruled out. Capture at the sender, "
                + "or from the beginning of the connection";
        }

        if (sides.Any(s => s.IsAcrossPath))
        {
            string late = $". {Counted.Of(chances - count, "small segment")} came too late after the ACK to count, and may have been held too";
            yield return "the capture was not made at the sender, so the path changes the time between an ACK and the next segment"
                + (count < chances && count >= 0.5 * chances ? late : "");
        }
    }

    private static double Median(IEnumerable<long> values) => OrderStatistics.Median([.. values.Select(v => (double)v)]);
}
