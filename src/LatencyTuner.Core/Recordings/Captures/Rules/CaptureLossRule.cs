using LatencyTuner.Core.Capture;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Recordings.Captures.Rules;

/// <summary>
/// Losses: repaired by a timeout or a tail-loss probe (LT121), or by fast retransmission (LT122). One loss is enough; the cost shows whether it matters.
/// </summary>
internal static class CaptureLossRule
{
    private const string Damaged = "bits of the packets were changed after they were sent: a wrong number looks like data that was sent again";
    private const string SlowPath = "a round trip of this path may take as long as the client waited before it repeated the SYN: perhaps nothing was lost";

    private const string Unplaced =
        "the round trip to the sender is unknown: some of these repairs may be fast retransmissions on a long path";

    private const string UnplacedFast =
        "the round trip to the sender is unknown: some of these repairs may have followed a timeout, and some of its other repairs may belong here";

    private const string Mute =
        "the peer sent nothing on this connection, although the capture has its packets on others: perhaps it no longer knew this one, or did not run";

    private const string Handmade = "neither SYN names a segment size, as every TCP stack does: a tool may have written these packets";
    private const string Replayed = "the same connection comes again with the same numbers: a tool replayed it, and its times are not those of the hosts";

    /// <summary>A capture that lacks more than this part of a connection.</summary>
    private const double LargestGap = 0.2;

    internal static IEnumerable<Finding> Evaluate(CaptureEvidence evidence)
    {
        HashSet<(IpAddressValue Client, IpAddressValue Server)> talking = [];
        foreach (ConnectionFacts connection in evidence.Connections.Where(c => !c.OneSided))
        {
            // Which end is the client may have been guessed.
            _ = talking.Add((connection.Client, connection.Server)) | talking.Add((connection.Server, connection.Client));
        }

        foreach (IGrouping<(IpAddressValue Client, IpAddressValue Server), SideOfConnection> path in evidence.Sides
            .Where(s => s.Facts.Timeouts + s.Facts.FastRetransmissions > 0 || Syn(s) > 0).GroupBy(s => (s.Connection.Client, s.Connection.Server)))
        {
            // SYNs that were answered late are no sure losses, whatever else was lost.
            SideOfConnection[][] kinds = [.. path.Where(s => s.Facts.Timeouts > 0 || Syn(s) > 0)
                .GroupBy(s => s.Facts.Timeouts == 0 && s.Connection.SynsMayBeEarly).Select(g => g.ToArray())];
            SideOfConnection[] fast = [.. path.Where(s => s.Facts.FastRetransmissions > 0)];
            foreach (SideOfConnection[] timeouts in kinds)
            {
                yield return Of(
                    evidence, talking, Cause.LossRto, timeouts, StallKind.LossRto, timeouts.Sum(s => s.Facts.Timeouts + Syn(s)),
                    "after a timeout or as a tail-loss probe");
            }

            if (fast.Length > 0)
            {
                yield return Of(
                    evidence, talking, Cause.LossFastRetransmit, fast, StallKind.LossFastRetransmit, fast.Sum(s => s.Facts.FastRetransmissions),
                    fast.Sum(s => s.Facts.UnseenRequests) > 0 ? "within two round trips" : "after duplicate ACKs or SACK blocks");
            }
        }

        foreach (IGrouping<(IpAddressValue Host, IpAddressValue Peer), SideOfConnection> path in evidence.Sides.Where(s => s.Facts.TailLosses > 0)
            .GroupBy(s => (s.Host, s.Peer)))
        {
            yield return OfTails(evidence, [.. path]);
        }
    }

    /// <summary>Losses of the end of a message before the capture point. Only missing numbers show them, so they are never more than possible.</summary>
    private static Finding OfTails(CaptureEvidence evidence, SideOfConnection[] sides)
    {
        LostTime cost = LostTime.Of(sides, StallKind.TailLoss);
        long tails = sides.Sum(s => s.Facts.TailLosses);
        long others = sides.Sum(s => s.Facts.Timeouts + s.Facts.FastRetransmissions);
        string host = sides[0].Host.ToString();
        List<string> because =
        [
            $"{host} was silent {Counted.Of(tails, "time")}, for up to {sides.Max(s => s.Facts.LongestTailLossNs) / 1e6:0} ms. Packets that it sent "
            + $"{(tails == 1 ? "then" : "each time")} never reached the capture: their IP identifications are missing",
            $"{host} owed no ACK then, so the missing packets carried data. It sent the data again after a timeout or as a tail-loss probe",
        ];
        if (others > 0)
        {
            because.Add($"{Counted.Of(others, "other loss")} of its data on these connections {(others == 1 ? "was" : "were")} seen");
        }

        return new Finding
        {
            Cause = Cause.LossRto,
            Side = Side.Network,
            Confidence = Confidence.Possible,
            Severity = evidence.Limits.Of(cost.Share, cost.LongStalls, cost.Elapsed),
            Count = tails,
            CostMs = cost.Ms,
            CostShare = cost.Share,
            Connections = ConnectionNames.Of(sides.Select(s => s.Connection)),
            For = because,
            Against =
            [
                "no copy of the lost data was captured. An application that pauses looks the same if its host numbers the packets of all its connections "
                + $"together, or if the capture missed packets; only a capture at {host} shows which",
            ],
            Recommendation = $"Capture at {host} as well. If data was lost, find where the path drops packets (interface counters, switches, a full queue).",
        };
    }

    /// <summary>Number of SYNs sent again on connections that were established; a SYN that was never answered is no evidence of a loss.</summary>
    private static long Syn(SideOfConnection side) =>
        side.Index == 0 && side.Connection is { HandshakeSeen: true, SynRetryNs: > 0 } ? side.Connection.SynRetransmissions : 0;

    private static string Spare(long ns) => ns == long.MaxValue ? "nothing was ever sent on these connections: perhaps nothing waited for them"
        : $"the first request left at least {ns / 1e6:0} ms after the connection stood: perhaps nothing waited for it";

    /// <summary>
    /// How long a connection stood unused, nanoseconds, where that is longer than half of the time that its SYNs took; 0 where its first request followed
    /// sooner, <see cref="long.MaxValue"/> where none ever did.
    /// </summary>
    private static long SpareNs(SideOfConnection side)
    {
        const long LeastNs = 1_000_000_000;
        return side.Connection.Sides.All(s => s.DataSegments == 0) ? long.MaxValue
            : side.Connection.FirstRequestNs is { } firstNs && firstNs > Math.Max(LeastNs, side.Connection.SynRetryNs / 2) ? firstNs : 0;
    }

    private static Finding Of(
        CaptureEvidence evidence, HashSet<(IpAddressValue Client, IpAddressValue Server)> talking, Cause cause, SideOfConnection[] sides, StallKind kind,
        long count, string how)
    {
        LostTime cost = LostTime.Of(sides, kind);
        // What was first seen as a repair is a segment as well.
        long segments = sides.Sum(s => s.Facts.DataSegments + s.Facts.LostBeforeTap);
        long spurious = sides.Sum(s => s.Facts.SpuriousRetransmissions);
        long before = sides.Sum(s => s.Facts.LostBeforeTap);
        long beyond = sides.Sum(s => s.Facts.LostBeyondTap);
        long syns = cause == Cause.LossRto ? sides.Sum(Syn) : 0;
        // What never left its machine was not lost on a path: a server whose backlog is full drops SYNs, and data of connections that it did not accept.
        bool local = sides.All(s => s.Connection.Client == s.Connection.Server);
        // Nor was a SYN that reached the server's own tap.
        // Beside the client a full backlog looks the same as a loss on the path.
        bool unanswered = sides.Where(s => Syn(s) > 0).All(s => s.Connection.SynsUnanswered == s.Connection.SynRetransmissions);
        bool refused = syns > 0 && unanswered
            && (local || (syns == count && sides.Where(s => Syn(s) > 0).All(s => s.Connection.Vantage == Vantage.Server)));
        // A client that never takes the answer may have refused it itself.
        bool untaken = syns > 0 && syns == count && !unanswered && sides.All(s => s.Connection.Sides.All(o => o.DataSegments == 0));
        bool unknown = untaken || (syns > 0 && syns == count && !refused && unanswered);
        // Answers that take as long as the client's timer came to no lost SYN.
        bool slowPath = syns > 0 && syns == count
            && sides.Where(s => Syn(s) > 0).All(s => s.Connection.SynsMayBeEarly);
        // A spare connection, opened ahead, is connected before anything needs it.
        long spareNs = syns == 0 || syns != count || untaken ? 0 : sides.Where(s => Syn(s) > 0).Min(SpareNs);
        bool oneSided = sides.All(s => s.Connection.OneSided);
        // A peer whose packets of other connections to the same host are there sent nothing here.
        bool mute = oneSided && talking.Contains((sides[0].Connection.Client, sides[0].Connection.Server));
        // Of what the peer did not show, neither the loss nor its repair is certain.
        bool unseen = oneSided || (cause == Cause.LossRto && sides.Sum(s => s.Facts.UnseenAnswers) >= count);
        bool hasty = cause == Cause.LossRto && count > 0 && sides.Sum(s => s.Facts.HastyRepeats) >= count;
        // When more than a fifth may be of the other kind, neither count is known.
        long unsureKinds = sides.Sum(s => s.Facts.UnsureTimers + (cause == Cause.LossRto ? 0 : s.Facts.UnsureRequests));
        bool unplaced = 5 * unsureKinds > count;
        bool replayed = sides.All(s => s.Connection.IsReplayed);
        bool handmade = replayed || sides.All(s => s.Connection.IsHandmade);
        bool damaged = sides.All(s => s.Connection.IsDamaged);
        bool repeated = oneSided && sides.Sum(s => s.Facts.SameIds) >= count;
        // Neither a loss nor a timer is certain.
        bool vague = (unseen && hasty) || repeated || handmade || damaged;
        string hosts = string.Join(" and ", sides.Select(s => s.Host).Distinct());
        List<string> because = [];
        // When nothing is answered any more, only the timer sends again.
        long unrepaired = cause == Cause.LossRto && (!unseen || oneSided) ? Math.Min(sides.Sum(s => s.Facts.Unrepaired), count - syns) : 0;
        long repaired = count - syns - unrepaired;
        bool gone = unrepaired > 0 && 2 * unrepaired >= count;
        bool heard = gone && sides.Where(s => s.Facts.Unrepaired > 0).All(s => s.Facts.PeerHeard);
        long interrupted = cause == Cause.LossRto ? Math.Min(sides.Sum(s => s.Facts.Interrupted), repaired) : 0;
        bool silent = !gone && interrupted > 0 && 2 * interrupted >= repaired;
        long smaller = sides.Sum(s => s.Facts.SmallerRepairs);
        bool tooBig = repaired > 0 && 2 * smaller >= repaired;
        if (unrepaired > 0)
        {
            because.Add(
                $"{Counted.Were(unrepaired, "retransmission")} never answered before the connection or the capture ended. " + (heard
                    ? "The peer still sent packets behind them, so it was there: what carries this data did not get through to it"
                    : "The peer may be gone, or a device on the path may have dropped the connection"));
        }

        if (repaired > 0)
        {
            because.Add(
                unseen ? $"{Counted.Of(count, "segment")} of {hosts} {(count == 1 ? "was" : "were")} sent again, among {segments} with data"
                : $"{Counted.Were(repaired, "loss")} repaired {how}, among {Counted.Of(segments, "segment")} with data from "
                    + hosts);
        }

        long lacking = cause == Cause.LossRto ? sides.Sum(s => s.Facts.UnseenRepairs) : 0;
        // Of a capture that lacks much, nothing shows that the silence was the sender's.
        long unsure = lacking == 0 ? 0 : sides.All(s => s.Connection.MissedBytes > LargestGap * s.Connection.Bytes) ? lacking
            : sides.Sum(s => s.Facts.UnsureRepairs);
        if (lacking > 0)
        {
            because.Add(
                $"the capture lacks {(lacking == count ? "" : $"{lacking} of ")}the repairs: after a silence the receiver acknowledged what was missing");
        }

        if (silent)
        {
            because.Add(
                $"{Counted.Of(interrupted, "retransmission")} went out one after the other while nothing came back: the path was interrupted, or the peer's "
                + "machine stood still");
        }

        if (tooBig)
        {
            because.Add(
                $"{Counted.Of(smaller, "lost segment")} came through in smaller pieces only. Part of the path takes smaller packets than {hosts} "
                + $"{(sides.Select(s => s.Host).Distinct().Count() == 1 ? "sends" : "send")}, and what reports that (ICMP) may be filtered");
        }

        if (syns > 0)
        {
            because.Add(
                $"{(syns == 1 ? $"a SYN of {hosts} was" : $"{syns} SYNs of {hosts} were")} sent again: connecting took up to "
                + $"{sides.Where(s => Syn(s) > 0).Max(s => s.Connection.SynRetryNs) / 1e6:0} ms longer");
        }

        if (refused)
        {
            because.Add($"{(syns == 1 ? "it had" : "they had")} reached the server, which did not answer");
        }

        if (before + beyond > 0)
        {
            string which = before + beyond == count - syns - lacking ? "" : "counting all losses of these connections: ";
            because.Add($"{which}{beyond} {(beyond == 1 ? "loss was" : "losses were")} beyond the capture point, {before} before it");
        }

        return new Finding
        {
            Cause = cause,
            Side = refused ? Side.Server : local || unknown || gone || silent || mute ? null : Side.Network,
            Host = refused ? sides[0].Connection.Server.ToString() : null,
            Confidence = vague || unseen || hasty || slowPath || unplaced || 2 * unsure > count ? Confidence.Possible : Confidence.Likely,
            Severity = vague || spareNs > 0 ? Severity.Info : evidence.Limits.Of(cost.Share, cost.LongStalls, cost.Elapsed),
            Count = count,
            // Of packets that a tool may have written or sent, no time shows what anybody waited.
            CostMs = handmade || repeated ? null : cost.Ms,
            CostShare = handmade || repeated ? null : cost.Share,
            Connections = ConnectionNames.Of(sides.Select(s => s.Connection)),
            For = because,
            Against =
            [
                .. Against(spurious, oneSided && !mute, unknown && !untaken, unseen && !mute),
                .. mute ? new[] { Mute } : [],
                .. AlsoAgainst(
                    hasty, replayed ? Replayed : handmade ? Handmade : null, repeated, untaken,
                    cause == Cause.LossFastRetransmit && sides.Sum(s => s.Facts.UnseenRequests) > 0),
                .. slowPath ? new[] { SlowPath } : [],
                .. spareNs > 0 ? new[] { Spare(spareNs) } : [],
                .. damaged ? new[] { Damaged } : [],
                .. unplaced ? new[] { cause == Cause.LossRto ? Unplaced : UnplacedFast } : [],
            ],
            Recommendation = heard
                ? "Find what drops these packets: a firewall, proxy or filter that inspects data, or a path that fails in this direction. A capture at the "
                    + "peer shows whether they arrive."
                : gone || mute
                ? "Find out whether the peer was still running. If connections break after idle time, a firewall or NAT on the path may drop them. Then send "
                    + "keep-alives more often than its idle timeout, or raise that timeout."
                : silent
                ? "Find out whether the path was interrupted then (wireless or VPN links, a change of route), or whether the peer's machine stood still."
                : tooBig
                ? "Let ICMP 'fragmentation needed' (IPv6: 'packet too big') through, or lower the MTU of the interface, or the MSS at the router, to what the "
                    + "path takes."
                : refused
                ? "On the server: use a larger listen backlog (listen, somaxconn), or let the application accept connections sooner. A full backlog drops "
                    + "SYNs without a reply."
                : untaken
                ? "Find what drops the server's answers: the path back, or a filter at the client."
                : syns == count
                ? "Find where the path drops packets, or whether the listener was running and its backlog full. A full backlog drops SYNs without a reply."
                : cause == Cause.LossRto
                ? "Find where the path drops packets (interface counters, switches, a full queue). A shorter minimum RTO or tail-loss probes only reduce the "
                    + "cost."
                : "Find where the path drops packets (interface counters, switches, a full queue).",
        };
    }

    private static IEnumerable<string> AlsoAgainst(bool hasty, string? written, bool repeated, bool untaken, bool unasked)
    {
        if (untaken)
        {
            yield return "the SYNs were answered, and nothing followed: the answers were lost on their way, or something at the client refuses them";
        }

        if (hasty)
        {
            yield return "the data was sent again within 200 ms; where its receiver delays its ACKs, it may have arrived";
        }

        if (written is not null)
        {
            yield return written;
        }

        if (repeated)
        {
            yield return "every copy has the IP identification of the original: a tool may have sent one packet several times";
        }

        if (unasked)
        {
            yield return "no pure ACK of the peer was captured, so what asked for the data again was not seen";
        }
    }

    private static IEnumerable<string> Against(long spurious, bool oneSided, bool unknown, bool unseen)
    {
        if (unknown)
        {
            yield return "a server whose backlog is full drops SYNs as well; only a capture at the server shows whether they reached it";
        }

        if (spurious > 0)
        {
            yield return $"{Counted.Were(spurious, "further retransmission")} spurious: the data had arrived";
        }

        if (unseen && !oneSided)
        {
            yield return "the packets of the peer around them were not captured, so it is unknown whether the data had arrived";
        }

        if (oneSided)
        {
            yield return "only one direction was captured, so it is unknown whether the data had arrived";
        }
    }
}
