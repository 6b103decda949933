using System.Globalization;
using LatencyTuner.Core.Capture;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Recordings.Captures.Rules;

/// <summary>
/// A sender holds small segments for ACKs (RFC 896, RFC 1122 4.2.3.4): against a delayed-ACK timer (LT101), or for a round trip (LT102).
/// Its data follows the ACKs too closely, too often, to be the application's own timing.
/// </summary>
internal static class CaptureNagleRule
{
    private const int Fewest = 3;
    private const double LargeShare = 0.2;
    private const double LeastLateShare = 0.1;

    // From here on chance is the better explanation, and there is nothing to report.
    private const double LikelyChance = 0.5;

    internal static IEnumerable<Finding> Evaluate(CaptureEvidence evidence)
    {
        IEnumerable<IGrouping<(IpAddressValue Host, IpAddressValue Peer, Side Side, ushort ServerPort), SideOfConnection>> groups = evidence.Sides
            .Where(s => s.Facts.Holds.Count > 0 && s.Facts.MayHold)
            .GroupBy(s => (s.Host, s.Peer, s.Side, s.Connection.ServerPort));
        foreach (IGrouping<(IpAddressValue Host, IpAddressValue Peer, Side Side, ushort ServerPort), SideOfConnection> group in groups)
        {
            if (Judge(evidence, [.. group]) is { } finding)
            {
                yield return finding;
            }
        }
    }

    private static Finding? Judge(CaptureEvidence evidence, SideOfConnection[] sides)
    {
        SideOfConnection any = sides[0];
        HostTimer? timer = evidence.TimerOf(any.Peer);
        NagleHold[] holds = [.. sides.SelectMany(s => s.Facts.Holds.All)];
        NagleHold[] late = [.. holds.Where(h => h.Late && timer is not null && timer.Fits(h.AckDelayNs))];
        long count = holds.Length + sides.Sum(s => s.Facts.MoreHolds);
        long chances = sides.Sum(s => s.Facts.NagleChances);
        double probability = Math.Min(1, sides.Max(s => s.Facts.HoldPlaces) * Coincidence.Probability(sides.Sum(s => s.Facts.NagleCoincidences), count));
        bool chained = late.Length >= Math.Max(Fewest, LeastLateShare * count);
        LostTime cost = LostTime.Of(sides, chained ? [StallKind.NagleDelayedAck, StallKind.NagleHold] : [StallKind.NagleHold, StallKind.NagleDelayedAck]);
        bool sure = count >= Fewest && (probability < Coincidence.Unlikely || (chained && count >= 0.3 * chances));
        bool costly = count >= Fewest && cost.Share >= LargeShare && probability < 0.01;
        bool unsure = sides.Any(s => s.Facts.HoldsUnsure);
        bool chance = probability >= LikelyChance && !(chained && count >= 0.3 * chances);
        if (count < 2 || chance)
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
            Count = chained ? late.Length : count,
            CostMs = cost.Ms,
            CostShare = cost.Share,
            Connections = ConnectionNames.Of(sides.Select(s => s.Connection)),
            For = [.. For(any, timer, holds, late, count, chances, probability, sender, receiver)],
            Against = [.. Against(sides, probability, chances, count)],
            Recommendation = chained
                ? $"{remedy} The timer of {timer!.Ms:0.#} ms runs on the {receiver} {any.Peer}; a shorter one there helps too."
                : $"{remedy} Each held segment costs a round trip.",
        };
    }

    private static IEnumerable<string> For(
        SideOfConnection any, HostTimer? timer, NagleHold[] holds, NagleHold[] late, long count, long chances, double probability, string sender,
        string receiver)
    {
        yield return $"the {sender} {any.Host} sent {chances} small segments after a pure ACK of all its earlier data. {count} of them left right after this "
            + $"ACK (by chance: p {(probability < 1e-12 ? "< 1e-12" : "= " + probability.ToString("0.0e+0", CultureInfo.InvariantCulture))})";
        if (late.Length > 0)
        {
            yield return $"{late.Length} of those ACKs came late, a median of {Median(late.Select(h => h.AckDelayNs)) / 1e6:0.0} ms beyond the path's own "
                + $"time. This fits the delayed-ACK timer of the {receiver} {any.Peer}, {timer!.InWords()}";
        }

        yield return $"the held segments were sent a median of {Median(holds.Select(h => h.ReleasedNs - h.FirstSentNs)) / 1e6:0.0} ms after the data before "
            + "them";
    }

    private static IEnumerable<string> Against(SideOfConnection[] sides, double probability, long chances, long count)
    {
        long signs = sides.Sum(s => s.Facts.NodelaySigns);
        if (signs > 0)
        {
            yield return $"{Counted.Of(signs, "small segment")} left while another was unacknowledged, as with TCP_NODELAY";
        }

        if (probability >= Coincidence.Unlikely)
        {
            yield return $"chance alone would give as many with p = {probability:0.000}";
        }

        if (count < 0.5 * chances)
        {
            yield return $"{Counted.Of(chances - count, "small segment")} did not wait for the ACK";
        }

        if (sides.Any(s => s.Facts.HoldsUnsure))
        {
            yield return "the capture shows no handshake and was not made at the sender: an application pause cannot be ruled out. Capture at the sender, "
                + "or from the beginning of the connection";
        }

        if (sides.Any(
            s => s.Connection.Vantage == Vantage.Middle
                || (s.Connection.Vantage is Vantage.Client or Vantage.Server && (s.Connection.Vantage == Vantage.Client) != (s.Index == 0))))
        {
            yield return "the capture was not made at the sender, so the path changes the time between an ACK and the next segment";
        }
    }

    private static double Median(IEnumerable<long> values)
    {
        long[] sorted = [.. values.Order()];
        return sorted[sorted.Length / 2];
    }
}
