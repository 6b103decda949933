using LatencyTuner.Core.Capture;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Recordings.Captures.Rules;

/// <summary>
/// Losses: repaired by a timeout or a tail-loss probe (LT121), or by fast retransmission (LT122). One is enough; the cost says whether it matters.
/// </summary>
internal static class CaptureLossRule
{
    internal static IEnumerable<Finding> Evaluate(CaptureEvidence evidence)
    {
        foreach (IGrouping<(IpAddressValue Client, IpAddressValue Server), SideOfConnection> path in evidence.Sides
            .Where(s => s.Facts.Timeouts + s.Facts.FastRetransmissions > 0 || Syn(s) > 0).GroupBy(s => (s.Connection.Client, s.Connection.Server)))
        {
            SideOfConnection[] timeouts = [.. path.Where(s => s.Facts.Timeouts > 0 || Syn(s) > 0)];
            SideOfConnection[] fast = [.. path.Where(s => s.Facts.FastRetransmissions > 0)];
            if (timeouts.Length > 0)
            {
                yield return Of(
                    evidence, Cause.LossRto, timeouts, StallKind.LossRto, timeouts.Sum(s => s.Facts.Timeouts + Syn(s)),
                    "after a timeout or as a tail-loss probe");
            }

            if (fast.Length > 0)
            {
                yield return Of(
                    evidence, Cause.LossFastRetransmit, fast, StallKind.LossFastRetransmit, fast.Sum(s => s.Facts.FastRetransmissions),
                    "after duplicate ACKs or SACK blocks");
            }
        }
    }

    /// <summary>SYNs sent again on connections that came about; one that nobody ever answered says nothing about losses.</summary>
    private static long Syn(SideOfConnection side) => side.Index == 0 && side.Connection.HandshakeSeen ? side.Connection.SynRetransmissions : 0;

    private static Finding Of(CaptureEvidence evidence, Cause cause, SideOfConnection[] sides, StallKind kind, long count, string how)
    {
        LostTime cost = LostTime.Of(sides, kind);
        long segments = sides.Sum(s => s.Facts.DataSegments);
        long spurious = sides.Sum(s => s.Facts.SpuriousRetransmissions);
        long before = sides.Sum(s => s.Facts.LostBeforeTap);
        long beyond = sides.Sum(s => s.Facts.LostBeyondTap);
        long syns = cause == Cause.LossRto ? sides.Sum(Syn) : 0;
        // What reached the server's own tap, or never left its machine, was not lost on the way.
        bool refused = syns > 0 && syns == count
            && sides.Where(s => Syn(s) > 0)
                .All(
                    s => s.Connection.SynsUnanswered == s.Connection.SynRetransmissions
                        && (s.Connection.Vantage == Vantage.Server || s.Connection.Client == s.Connection.Server));
        bool oneSided = sides.All(s => s.Connection.OneSided);
        string hosts = string.Join(" and ", sides.Select(s => s.Host).Distinct());
        List<string> because = [];
        // The timer is what goes on when nothing is answered any more.
        long unrepaired = cause == Cause.LossRto ? Math.Min(sides.Sum(s => s.Facts.Unrepaired), count - syns) : 0;
        long repaired = count - syns - unrepaired;
        if (unrepaired > 0)
        {
            because.Add(
                $"{Counted.Were(unrepaired, "retransmission")} never answered, up to the end of the connection or of the capture: the peer was gone, or "
                + "what lies between no longer knew the connection");
        }

        if (repaired > 0)
        {
            because.Add(
                $"{(repaired == 1 ? "1 loss was" : $"{repaired} losses were")} repaired {how}, among {Counted.Of(segments, "segment")} with data from {hosts}");
        }

        if (syns > 0)
        {
            because.Add(
                $"{(syns == 1 ? $"a SYN of {hosts} was" : $"{syns} SYNs of {hosts} were")} sent again: connecting took "
                + $"{sides.Where(s => Syn(s) > 0).Max(s => s.Connection.SynRetryNs) / 1e6:0} ms longer at worst");
        }

        if (refused)
        {
            because.Add($"{(syns == 1 ? "it had" : "they had")} reached the server, which did not answer");
        }

        if (before + beyond > 0)
        {
            string which = before + beyond == count - syns ? "" : "of all losses here, whatever repaired them, ";
            because.Add($"{which}{beyond} {(beyond == 1 ? "was" : "were")} lost beyond the capture point, {before} before it");
        }

        return new Finding
        {
            Cause = cause,
            Side = refused ? Side.Server : Side.Network,
            Host = refused ? sides[0].Connection.Server.ToString() : null,
            Confidence = oneSided ? Confidence.Possible : Confidence.Likely,
            Severity = evidence.Limits.Of(cost.Share, cost.LongStalls, cost.Elapsed),
            Count = count,
            CostMs = cost.Ms,
            CostShare = cost.Share,
            Connections = ConnectionNames.Of(sides.Select(s => s.Connection)),
            For = because,
            Against = [.. Against(spurious, oneSided)],
            Recommendation = unrepaired > 0 && unrepaired == count
                ? "Find out whether the peer still ran; where connections break after being idle, a firewall or NAT on the way forgets them: keep-alives "
                    + "more often than it forgets, or a longer timeout there."
                : refused
                ? "On the server: a longer backlog of the listener (listen, somaxconn), or an application that accepts connections sooner: a SYN that "
                    + "meets a full backlog is dropped without a word."
                : syns == count
                ? "Find where the path drops, or whether the listener was up and its backlog full: a SYN that meets a full one is dropped without a word."
                : cause == Cause.LossRto
                ? "Find where the path drops (interface counters, switches, a full queue); a shorter minimum RTO or tail-loss probes only soften it."
                : "Find where the path drops (interface counters, switches, a full queue).",
        };
    }

    private static IEnumerable<string> Against(long spurious, bool oneSided)
    {
        if (spurious > 0)
        {
            yield return $"{Counted.Were(spurious, "further retransmission")} needless: the data had arrived";
        }

        if (oneSided)
        {
            yield return "only one direction was captured: whether the data had arrived is not known";
        }
    }
}
