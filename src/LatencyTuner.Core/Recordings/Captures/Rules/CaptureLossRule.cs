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

    private const string MostlyMissed =
        "the capture lacks more than half of what these connections carried: more may have been lost, and where it was lost is not sure";

    internal static IEnumerable<Finding> Evaluate(CaptureEvidence evidence)
    {
        ILookup<(IpAddressValue Client, IpAddressValue Server), ConnectionFacts> unopened =
            evidence.Connections.Where(c => c.NeverOpened).ToLookup(c => (c.Client, c.Server));
        HashSet<IpAddressValue> talking = [.. evidence.Sides.Where(s => !s.Connection.OneSided || s.Facts.DataSegments > 0).Select(s => s.Host)];
        foreach (IGrouping<(IpAddressValue Client, IpAddressValue Server), SideOfConnection> path in evidence.Sides
            .Where(s => !s.Connection.IsHalf && s.WhyCopied is null && (s.Facts.Timeouts + s.Facts.FastRetransmissions > 0 || s.SynsSentAgain > 0))
            .GroupBy(s => (s.Connection.Client, s.Connection.Server)))
        {
            bool talk = path.All(s => talking.Contains(s.Peer));
            // SYNs that were answered late are no sure losses, whatever else was lost.
            foreach (IGrouping<bool, SideOfConnection> timeouts in path.Where(s => s.Facts.Timeouts > 0 || s.SynsSentAgain > 0)
                .GroupBy(s => s.Facts.Timeouts == 0 && s.Connection.SynsMayBeEarly))
            {
                PathLosses losses = new(Cause.LossRto, [.. timeouts], talk, evidence.Hosts) { Unopened = [.. unopened[path.Key]] };
                yield return Of(evidence, losses, Cause.LossRto);
            }

            SideOfConnection[] fast = [.. path.Where(s => s.Facts.FastRetransmissions > 0)];
            if (fast.Length > 0)
            {
                yield return Of(evidence, new PathLosses(Cause.LossFastRetransmit, fast, talk, evidence.Hosts), Cause.LossFastRetransmit);
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

    private static string Spare(long ns) => ns == long.MaxValue ? "nothing was ever sent on these connections: perhaps nothing waited for them"
        : $"the first request left at least {ns / 1e6:0} ms after the connection stood: perhaps nothing waited for it";

    private static Finding Of(CaptureEvidence evidence, PathLosses losses, Cause cause) => new()
    {
        Cause = cause,
        Side = losses.Side,
        Host = losses.Dropper,
        Confidence = losses.Confidence,
        Severity = losses.IsVague || losses.SpareNs > 0 ? Severity.Info
            : evidence.Limits.Of(losses.Cost.Share, losses.Cost.LongStalls, losses.Cost.Elapsed),
        Count = losses.Count,
        CostMs = losses.Cost.Ms,
        CostShare = losses.Cost.Share,
        Connections = ConnectionNames.Of(losses.Sides.Select(s => s.Connection)),
        For = [.. For(losses, cause)],
        Against = [.. Against(losses, cause)],
        Recommendation = Advice(losses, cause),
    };

    private static IEnumerable<string> For(PathLosses losses, Cause cause)
    {
        long count = losses.Count;
        if (losses.Unrepaired > 0)
        {
            yield return losses.IsReset
                ? $"{Counted.Were(losses.Unrepaired, "retransmission")} answered by a RST only: the peer, or a device on the path, ended the connection"
                : $"{Counted.Were(losses.Unrepaired, "retransmission")} never answered before the connection or the capture ended. " + (losses.PeerIsThere
                    ? "The peer still sent packets behind them, so it was there"
                        + (losses.IsStuck ? ": what carries this data did not get through to it" : "")
                    : losses.DeafNs > 0
                    ? $"No TCP packet of any other host reached {losses.Hosts} meanwhile, for {losses.DeafNs / 1e9:0.0} s"
                    : losses.IsBlackHole
                    ? "The handshake had passed, and no data behind it was ever acknowledged: something drops what carries data"
                        + (losses.DropsDataAlone ? ", and packets without data pass" : ", or the peer's answers")
                    : "The peer may be gone, or a device on the path may have dropped the connection");
        }

        foreach (IGrouping<IpAddressValue, SideOfConnection> host in losses.GaveUp.GroupBy(s => s.Host))
        {
            yield return $"{host.Key} gave up and reset {Counted.Of(host.Count(), "connection")}: the cost counts until then";
        }

        if (losses.Repaired > 0)
        {
            string how = cause == Cause.LossRto ? "after a timeout or as a tail-loss probe"
                : losses.IsReported ? losses.Report.Mtu > 0 ? "in smaller pieces" : "sooner than an ACK can ask for it, in smaller pieces"
                : losses.IsUnasked ? "within two round trips" : "after duplicate ACKs or SACK blocks";
            yield return losses.IsUnseen
                ? $"{Counted.Of(count, "retransmission")} of {losses.Hosts} {(count == 1 ? "was" : "were")} captured, beside "
                    + $"{Counted.Of(losses.Segments, "segment")} with new data"
                : (cause == Cause.LossRto ? $"{Counted.Of(losses.Repaired, "retransmission")} of lost data went out {how}"
                    : $"{Counted.Were(losses.Repaired, "lost segment")} sent again {how}")
                + $", among {Counted.Of(losses.Segments, "segment")} with data from {losses.Hosts}";
        }

        if (losses.UnseenRepairs > 0)
        {
            string some = losses.UnseenRepairs == count ? "" : $"{losses.UnseenRepairs} of ";
            yield return $"the capture lacks {some}the repairs: after a silence the receiver acknowledged what was missing";
        }

        if (losses.IsInterrupted)
        {
            yield return $"{Counted.Of(losses.Interrupted, "retransmission")} went out one after the other while nothing came back: the path was "
                + "interrupted, or the peer's machine stood still";
        }

        if (losses.Report.Mtu > 0)
        {
            yield return $"a router reported (ICMP, frame {losses.Report.Frame}) that the path takes packets of {losses.Report.Mtu} bytes at most"
                + (losses.IsReported ? ": path MTU discovery works" : "");
        }
        else if (losses.IsReported)
        {
            yield return "only a router's report (ICMP 'fragmentation needed') asks for that: path MTU discovery works";
        }
        else if (losses.IsTooBig)
        {
            yield return $"{Counted.Of(losses.Smaller, "lost segment")} came through in smaller pieces only. Part of the path takes smaller packets than "
                + $"{losses.Hosts} {(losses.OneHost ? "sends" : "send")}, and what reports that (ICMP) may be filtered";
        }

        if (losses.Syns > 0)
        {
            yield return $"{(losses.Syns == 1 ? $"a SYN of {losses.SynHosts} was" : $"{losses.Syns} SYNs of {losses.SynHosts} were")} sent again: connecting "
                + $"took up to {losses.SynRetryNs / 1e6:0} ms longer";
        }

        if (losses is { Syns: > 0, Unopened: { Length: > 0 } unopened })
        {
            yield return $"{Counted.Of(unopened.Length, "further connection")} between these hosts never opened: no SYN of "
                + $"{(unopened.Length == 1 ? "it" : "them")} was answered, and {Counted.Were(unopened.Sum(c => (long)c.SynRetransmissions), "SYN")} sent again "
                + "there. None of that is counted here";
        }

        if (losses.IsRefused)
        {
            yield return $"{(losses.Syns == 1 ? "it had" : "they had")} reached the server, which did not answer";
        }

        if (losses.IsDropped)
        {
            yield return $"all of it had reached the capture point, which is at {losses.Dropper} or one cable away: {losses.Dropper} did not take it";
        }

        (long before, long beyond) = losses.Places;
        if (!losses.IsDropped && !losses.IsMute && !losses.IsMostlyMissed && losses.Unrepaired < count && before + beyond + losses.Damaged > 0)
        {
            bool all = before + beyond + losses.Damaged == count - losses.Syns - losses.UnseenRepairs;
            string which = all ? "" : "counting all losses of these connections: ";
            string lost = Counted.Were(beyond, losses.IsUnseen ? "possible loss" : "loss");
            yield return $"{which}{lost} beyond the capture point, {before} before it"
                + (losses.Damaged == 0 ? "" : $", and {Counted.Of(losses.Damaged, "packet")} passed it damaged: the TCP checksum was wrong, and the receiver "
                    + "drops such a packet");
        }
    }

    private static IEnumerable<string> Against(PathLosses losses, Cause cause)
    {
        if (losses.Sides.Max(s => s.Connection.BatchNs) is > 0 and long batchNs)
        {
            yield return $"the packets came to the capturing program in batches of up to {batchNs / 1e6:0} ms; the cost of each loss can be wrong by that";
        }

        if (losses.MayBeRefused)
        {
            yield return "a server whose backlog is full drops SYNs as well" + (losses.OnlySyns ? "" : ", and the first data of a connection")
                + "; only a capture at the server shows whether they reached it";
        }

        if (losses.Spurious > 0)
        {
            yield return $"{Counted.Were(losses.Spurious, "further retransmission")} spurious: the data had arrived";
        }

        if (losses.Held > 0)
        {
            yield return $"{Counted.Were(losses.Held, "retransmission")} answered at the same moment as those of other connections, when something reached "
                + $"{losses.Hosts} again: perhaps the path stood still, and nothing was lost";
        }

        if (losses.AnswersLost > 0)
        {
            yield return $"before {Counted.Of(losses.AnswersLost, "repair")}, answers of the receiver were lost, as IP identifications or reports of "
                + "duplicates show: perhaps the data had arrived, and only its ACKs were lost";
        }

        if (losses.Unproven > 0)
        {
            yield return $"nothing shows that the data of {Counted.Of(losses.Unproven, "repair")} had not arrived (the receiver has no SACK and no timestamps "
                + "to tell copies, or the round trip to it is unknown): perhaps only its ACK was late or lost";
        }

        if (losses.EarlyTimers > 0)
        {
            yield return (cause == Cause.LossRto ? Counted.Of(losses.EarlyTimers, "repair")
                : Counted.Of(losses.EarlyTimers, "further repair") + " of these connections, counted as LT121,")
                + $" came less than 200 ms after the receiver had reported the loss ({Format.Ms(losses.EarlyTimersNs / 1e6)} in all): "
                + $"{(losses.EarlyTimers == 1 ? "it may have been a fast retransmission" : "some may have been fast retransmissions")} (LT122) that the path "
                + "held up";
        }

        if (losses.IsMute)
        {
            yield return Mute;
        }
        else if (losses.IsUnseen)
        {
            yield return losses.IsOneSided ? "only one direction was captured, so it is unknown whether the data had arrived"
                : "the packets of the peer around them were not captured, so it is unknown whether the data had arrived";
        }

        if (losses.IsUnsettled && !losses.IsUnseen)
        {
            yield return "nothing shows whether the data had arrived: its answer may have been lost, or only late when the capture ended";
        }

        if (losses.IsMostlyMissed)
        {
            yield return MostlyMissed;
        }

        if (losses.IsDropped)
        {
            yield return "a device between the capture point and that host, or damage that only its checksum finds, looks the same";
        }

        if (losses.IsUntaken)
        {
            yield return "the SYNs were answered, and nothing followed: the answers were lost on their way, or something at the client refuses them";
        }

        if (losses.IsHasty)
        {
            yield return "the data was sent again within 200 ms; where its receiver delays its ACKs, it may have arrived";
        }

        if (losses.IsUnasked)
        {
            yield return "no pure ACK of the peer was captured, so what asked for the data again was not seen";
        }

        if (losses.IsSlowPath)
        {
            yield return SlowPath;
        }

        if (losses.SpareNs > 0)
        {
            yield return Spare(losses.SpareNs);
        }

        if (losses.IsDamaged)
        {
            yield return Damaged;
        }

        if (losses.IsUnplaced)
        {
            yield return cause == Cause.LossRto ? Unplaced : UnplacedFast;
        }
    }

    private static string Advice(PathLosses losses, Cause cause) =>
        losses.IsStuck || losses.IsBlackHole
            ? "Find what drops these packets: a firewall, proxy or filter that inspects data, or a path that fails in this direction. A capture at the "
                + "peer shows whether they arrive."
        : losses.IsReset
            ? "Find out who sent the RSTs (a time to live that differs from the peer's other packets is that of a device on the path), and why: an application "
                + "that gave up, a firewall, or a proxy."
        : losses.DeafNs > 0
            ? $"Look at what is next to {losses.Hosts}: its network interface, its wireless or VPN link, its first router."
        : (losses.IsGone && !losses.PeerIsThere) || losses.IsMute
            ? "Find out whether the peer was still running. If connections break after idle time, a firewall or NAT on the path may drop them. Then send "
                + "keep-alives more often than its idle timeout, or raise that timeout."
        : losses.IsMostlyDamaged
            ? "Find what damages packets before the capture point. Cables and radio links find such faults by checks of their own, so look for a network "
                + "adapter, its driver or offloads, a virtual switch or a device on the path that changes bytes."
        : losses.IsInterrupted
            ? "Find out whether the path was interrupted then (wireless or VPN links, a change of route), or whether the peer's machine stood still."
        : losses.IsReported
            ? "Nothing is lost for good. To save this round trip, lower the MTU of the interface, or the MSS at the router, to what the path takes."
        : losses.IsTooBig
            ? "Let ICMP 'fragmentation needed' (IPv6: 'packet too big') through, or lower the MTU of the interface, or the MSS at the router, to what the "
                + "path takes."
        : losses.IsRefused
            ? "On the server: use a larger listen backlog (listen, somaxconn), or let the application accept connections sooner. A full backlog drops "
                + "SYNs without a reply."
        : losses.IsDropped
            ? $"Look at {losses.Dropper} for what drops packets that arrive: a full listen backlog (for the first data of many new connections), a firewall or "
                + "filter, damaged packets, the counters of its network interface."
        : losses.IsUntaken
            ? "Find what drops the server's answers: the path back, or a filter at the client."
        : losses.OnlyOpenings
            ? "Find where the path drops packets, or whether the listener was running and its backlog full. A full backlog drops SYNs without a reply."
        : cause == Cause.LossRto
            ? "Find where the path drops packets (interface counters, switches, a full queue). A shorter minimum RTO or tail-loss probes only reduce the "
                + "cost."
            : "Find where the path drops packets (interface counters, switches, a full queue).";
}
