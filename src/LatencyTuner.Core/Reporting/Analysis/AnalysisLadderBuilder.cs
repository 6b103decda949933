using System.Net;
using LatencyTuner.Core.Analysis;
using LatencyTuner.Core.Analysis.Recordings;
using LatencyTuner.Core.Capture;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings.Captures;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.Analysis;

/// <summary>Picks one example and describes it step by step.</summary>
internal static class AnalysisLadderBuilder
{
    internal static AnalysisLadder? Of(RecordingResult result)
    {
        Finding? worst = RecordingOutcome.Leading(result.Findings, Gate.Open)
            ?? result.Findings.FirstOrDefault(f => f.Confidence >= Confidence.Likely && f.Cause is not (Cause.EvidenceIncomplete or Cause.DelayedAck));
        if (worst is not null && result.Traces.Count > 0 && TraceLadderBuilder.Of(result, worst) is { } told)
        {
            return told;
        }

        if (worst?.Cause is Cause.NagleDelayedAck or Cause.NagleHold)
        {
            bool late = worst.Cause == Cause.NagleDelayedAck;
            IpAddressValue? host = IPAddress.TryParse(worst.Host, out IPAddress? address) ? IpAddressValue.From(address) : null;
            (SideOfConnection Side, NagleHold Hold)[] typical = result.Evidence.SelectMany(e => e.Sides)
                .Where(s => s.Host == host && s.Side == worst.Side && s.Facts.MayHaveHeld && worst.Connections.Contains(ConnectionNames.Of(s.Connection)))
                .SelectMany(s => s.Facts.Holds.All.Where(h => h.Late == late).Select(h => (Side: s, Hold: h)))
                .OrderBy(x => x.Hold.HeldNs).ToArray();
            if (typical.Length > 0)
            {
                (SideOfConnection side, NagleHold hold) = typical[typical.Length / 2];
                return Hold(side, hold);
            }
        }

        ConnectionFacts? slowest = null;
        Transaction longest = default;
        foreach (ConnectionFacts c in result.Evidence.SelectMany(e => e.Connections))
        {
            foreach (TransactionLog log in new[] { c.Transactions, c.Later })
            {
                int index = Longest(log);

                // The name takes longest to make and is made last.
                if (index >= 0 && (slowest is null || log.DurationNs(index) > longest.DurationNs)
                    && (worst is null || worst.Connections.Count == 0 || worst.Connections.Contains(ConnectionNames.Of(c))))
                {
                    (slowest, longest) = (c, log[index]);
                }
            }
        }

        return slowest is null ? null : Slowest(slowest, longest);
    }

    /// <summary>The index of the first of the longest; -1 when there is none.</summary>
    private static int Longest(TransactionLog transactions)
    {
        int longest = -1;
        for (int i = 0; i < transactions.Count; i++)
        {
            longest = longest < 0 || transactions.DurationNs(i) > transactions.DurationNs(longest) ? i : longest;
        }

        return longest;
    }

    private static AnalysisLadder Hold(SideOfConnection side, NagleHold hold)
    {
        ConnectionFacts c = side.Connection;
        string sender = FindingWords.Of(side.Side);
        string receiver = FindingWords.Of(side.PeerSide);
        Transaction around = c.Transactions.FirstOrDefault(t => t.RequestStartNs <= hold.FirstSentNs && t.ResponseEndNs >= hold.ReleasedNs);
        double At(long ns) => AnalysisReportBuilder.Ms(ns - hold.FirstSentNs);
        uint end = hold.FirstSequence + (uint)hold.FirstLength;
        List<LadderStep> steps =
        [
            new() { AtMs = 0, From = sender, Frame = hold.FirstFrame, Text = $"sends {Counted.Of(hold.FirstLength, "byte")}, seq {hold.FirstSequence}" },
            new()
            {
                AtMs = At(hold.AckNs),
                From = receiver,
                Frame = hold.AckFrame,
                Text = $"acknowledges up to seq {end}, without data",
                Because = hold.Late ? $"the {receiver}'s delayed-ACK timer delayed it by {hold.AckDelayNs / 1e6:0.0} ms"
                    : side.Connection.Vantage == (side.Index == 0 ? Vantage.Server : Vantage.Client) ? $"the {receiver} acknowledged it at once"
                    : "the round trip",
            },
            new()
            {
                AtMs = At(hold.ReleasedNs),
                From = sender,
                Frame = hold.ReleasedFrame,
                Text = $"sends the {Counted.Of(hold.ReleasedLength, "byte")} that waited, seq {end}",
                Because = $"Nagle's algorithm at the {sender} held them until that ACK",
            },
        ];
        if (around.RequestStartNs != 0 && side.Index == 0)
        {
            steps.Add(
                new()
                {
                    AtMs = At(around.ResponseStartNs),
                    From = "server",
                    Text = $"answers with {Counted.Of(around.ResponseBytes, "byte")}",
                    Because = $"server {around.ServerNs / 1e6:0.0} ms and the path",
                });
        }

        return new AnalysisLadder { Title = "A typical hold", Connection = ConnectionNames.Of(c), Steps = steps };
    }

    private static AnalysisLadder Slowest(ConnectionFacts c, Transaction t)
    {
        double At(long ns) => AnalysisReportBuilder.Ms(ns - t.RequestStartNs);
        string stall = t.WorstStall < 0 ? "" : $"{AnalysedConnectionBuilder.NameOf((StallKind)t.WorstStall)} {t.WorstStallNs / 1e6:0.0} ms";
        List<LadderStep> steps = [new() { AtMs = 0, From = "client", Frame = t.FirstFrame, Text = $"begins a request of "
            + $"{Counted.Of(t.RequestBytes, "byte")}" }];
        if (t.RequestEndNs > t.RequestStartNs)
        {
            steps.Add(
                new()
                {
                    AtMs = At(t.RequestEndNs),
                    From = "client",
                    Text = "has sent the whole request",
                    Because = c.NotSeparable ? null : t.ClientInsideNs > Math.Max(t.StallNs, 1_000_000) ? "the client paused" : stall.Length > 0 ? stall : null,
                });
        }

        steps.Add(
            new()
            {
                AtMs = At(t.ResponseStartNs),
                From = "server",
                Text = "begins to answer",
                Because = c.NotSeparable ? "requests and responses overlap: the time cannot be divided"
                    : $"server {t.ServerNs / 1e6:0.0} ms and the path",
            });
        if (t.ResponseEndNs > t.ResponseStartNs)
        {
            steps.Add(
                new()
                {
                    AtMs = At(t.ResponseEndNs),
                    From = "server",
                    Frame = t.LastFrame,
                    Text = $"has answered with {Counted.Of(t.ResponseBytes, "byte")}",
                    Because = !c.NotSeparable && t.ServerInsideNs > Math.Max(t.StallNs, 1_000_000) ? $"the server paused {t.ServerInsideNs / 1e6:0.0} ms"
                        : stall.Length > 0 ? stall : null,
                });
        }

        return new AnalysisLadder { Title = "The slowest transaction", Connection = ConnectionNames.Of(c), Steps = steps };
    }
}
