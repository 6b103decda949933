using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings.Captures;
using LatencyTuner.Core.Recordings.Captures.Rules;
using LatencyTuner.Tests.Capture;
using Xunit;

namespace LatencyTuner.Tests.Recordings.Captures;

/// <summary>Losses that a timer repaired: with other data in one segment, or after duplicate ACKs had begun a recovery.</summary>
public sealed class RepairedByTimers
{
    // The second and the third piece again in one segment; all three; the first two, of which the first had come.
    [Theory]
    [InlineData(1700, 1100, 265)]
    [InlineData(1000, 1800, 420)]
    [InlineData(1700, 700, 300)]
    public void LostAndReceivedPartsInOneSegment_AreALoss_NotTheServer(uint again, int length, double timerMs)
    {
        SegmentSequence sequence = Begun(0.05, 30).FromClient(100, 1000, 700).FromClient(100.1, 2400, 400).FromServer(100.15, 1700);
        double at = 100 + timerMs;
        sequence.FromClient(at, again, length).FromServer(at + 0.05, 2800).FromServer(at + 3, 2800, 500);
        CaptureEvidence evidence = sequence.FromClient(at + 33.1, 2800, 0, ack: 5500).Evidence();

        ConnectionFacts connection = Assert.Single(evidence.Connections);
        Assert.Equal((1, 0, 0), (connection.Sides[0].Timeouts, connection.Sides[0].FastRetransmissions, connection.Sides[0].SpuriousRetransmissions));
        Assert.InRange(Assert.Single(connection.Transactions).ServerNs / 1e6, 2, 4);
        Assert.Contains(CaptureFindings.Of(evidence), f => f is { Id: "LT121", Side: Side.Network });
    }

    [Theory]
    [InlineData(300)]
    [InlineData(1100)]
    public void ALostTailThatComesWithWhatHadArrived_IsALoss(double timerMs)
    {
        SegmentSequence sequence = Begun(0.05, 30).FromClient(100, 1000, 700, id: 50);
        double at = 100 + timerMs;
        sequence.FromClient(at, 1000, 1200, id: 52).FromServer(at + 0.05, 2200).FromServer(at + 2, 2200, 500);
        CaptureEvidence evidence = sequence.FromClient(at + 32.1, 2200, 0, ack: 5500).Evidence();

        ConnectionFacts connection = Assert.Single(evidence.Connections);
        Assert.Equal((1, timerMs), (connection.Sides[0].Timeouts, Math.Round(connection.Sides[0].OwnedNs(StallKind.LossRto) / 1e6)));
    }

    // A segment too big for the path is lost, and again, until its server sends it in pieces. Each piece goes behind the ACK of the one before it: none of
    // them was asked for by the report of the hole above.
    [Fact]
    public void PiecesBehindTheFirstMissingByte_AreTheTimers()
    {
        const double RoundTripMs = 100;
        SegmentSequence sequence = new SegmentSequence(sackPermitted: true).Syn(0).SynAck(RoundTripMs).FromClient(RoundTripMs + 0.05, 1000, 0);
        sequence.FromClient(150, 1000, 350).FromServer(250, 1350, 560, 6460).Sack(6460, 7020).FromClient(250.1, 1350, 0, ack: 5000);
        double at = 21_000;
        foreach (uint piece in new uint[] { 5000, 5500, 6000 })
        {
            sequence.FromServer(at, 1350, piece == 6000 ? 460 : 500, piece);
            sequence.Sack(6460, 7020).FromClient(at + 0.1, 1350, 0, ack: piece == 6000 ? 7020 : piece + 500);
            at += RoundTripMs;
        }

        Finding finding = Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id == "LT121");
        Assert.Equal((Confidence.Likely, 3L), (finding.Confidence, finding.Count));
        Assert.DoesNotContain(finding.Against, a => a.Contains("came less than 200 ms after the receiver", StringComparison.Ordinal));
    }

    // On one connection the SYN is sent again; on another one, between the same hosts, the server repeats one of its two segments.
    [Fact]
    public void SegmentsAreThoseOfWhoRepeatedData()
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).Syn(1000).SynAck(1020).FromClient(1020.1, 1000, 0);
        sequence.FromClient(1021, 1000, 200).FromServer(1041, 1200, 500).FromClient(1041.1, 1200, 0, ack: 5500);
        sequence.To("10.0.0.2", 40001).Syn(2000).SynAck(2020).FromClient(2020.1, 1000, 0).FromClient(2021, 1000, 200).FromServer(2041, 1200, 300, 5500);
        sequence.FromClient(2041.1, 1200, 0).FromServer(2600, 1200, 500).FromClient(2600.1, 1200, 0, ack: 5800);

        Finding finding = Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id == "LT121");
        Assert.Contains(finding.For, f => f.EndsWith("among 2 segments with data from 10.0.0.2", StringComparison.Ordinal));
    }

    [Fact]
    public void NewDataBehindARepeatedByte_SoonAfter_IsNoLoss()
    {
        SegmentSequence sequence = Begun(0.05, 30).FromClient(100, 1000, 700).FromClient(150, 1600, 500).FromServer(150.05, 2100);
        CaptureEvidence evidence = sequence.FromServer(152, 2100, 500).FromClient(182, 2100, 0, ack: 5500).Evidence();

        Assert.Equal(0, Assert.Single(evidence.Connections).Sides[0].Timeouts);
    }

    // Three duplicate ACKs bring the first repeat. The second comes without an ACK in between: a timer, also where it is shorter than two round trips.
    [Theory]
    [InlineData(false, 1, 2)]
    [InlineData(true, 2, 1)]
    public void ARepeatThatNoAckAskedFor_IsATimers(bool acked, long fast, long timeouts)
    {
        SegmentSequence sequence = Begun(290, 30);
        for (uint i = 0; i < 5; i++)
        {
            sequence.FromServer(1000 + i, 1000, 500, 5000 + (500 * i));
        }

        for (int i = 0; i < 4; i++)
        {
            sequence.FromClient(1031 + i, 1000, 0);
        }

        sequence.FromServer(1334, 1000, 500);
        if (acked)
        {
            sequence.FromClient(1400, 1000, 0);
        }

        ConnectionFacts connection = Assert.Single(
            sequence.FromServer(1805, 1000, 500).FromServer(2805, 1000, 500).FromClient(2835, 1000, 0, ack: 7500).Evidence().Connections);
        Assert.Equal((fast, timeouts), (connection.Sides[1].FastRetransmissions, connection.Sides[1].Timeouts));
    }

    // An upload beside its sender, 160 ms from the server. Seven duplicate ACKs ask for the first segment: it follows the third, or as late as a sender that
    // expects packets in the wrong order; or only when no ACK has come for long.
    [Theory]
    [InlineData(0.1, 1, 0)]
    [InlineData(80, 1, 0)]
    [InlineData(147, 0, 1)]
    public void ATimerAmongDuplicateAcks_IsATimeout(double silentMs, long fast, long timeouts)
    {
        SegmentSequence sequence = Begun(160, 0.05).FromClient(170, 1000, 1000).FromServer(330, 2000);
        for (uint i = 0; i < 8; i++)
        {
            sequence.FromClient(330.1 + (i * 0.01), 2000 + (i * 1000), 1000);
        }

        for (uint i = 1; i < 8; i++)
        {
            sequence.Sack(3000, 3000 + (i * 1000)).FromServer(490 + (i * 5), 2000);
        }

        sequence.FromClient(525 + silentMs, 2000, 1000).FromServer(685 + silentMs, 10_000).FromClient(686 + silentMs, 10_000, 1000)
            .FromServer(846 + silentMs, 11_000);
        SideFacts client = Assert.Single(sequence.Evidence().Connections).Sides[0];
        Assert.Equal((fast, timeouts), (client.FastRetransmissions, client.Timeouts));
    }

    // The server's direction alone. New data passed until just before the repeat, three segments of it beyond; or two; or nothing for the time of a timer.
    [Theory]
    [InlineData(8, 1, 1, 0)]
    [InlineData(2, 1, 0, 1)]
    [InlineData(8, 320, 0, 1)]
    public void WithoutTheReceiversAcks_DataThatFlowsUpToTheRepeatShowsThatNoTimerRan(int beyond, double silentMs, long fast, long timeouts)
    {
        const int Mss = 1460;
        SegmentSequence sequence = new();
        uint next = 5000;
        for (int i = 0; i < 10; i++, next += Mss)
        {
            sequence.FromServer(i, 1000, Mss, next);
        }

        uint lost = next;
        next += Mss;
        double at = 10;
        for (int i = 0; i < beyond; i++, next += Mss)
        {
            sequence.FromServer(at += 40, 1000, Mss, next);
        }

        sequence.FromServer(at += silentMs, 1000, Mss, lost);
        for (int i = 0; i < 10; i++, next += Mss)
        {
            sequence.FromServer(at += 5, 1000, Mss, next);
        }

        SideFacts server = Assert.Single(sequence.Evidence().Connections).Sides[1];
        Assert.Equal((fast, timeouts), (server.FastRetransmissions, server.Timeouts));
    }

    // The capture is beside the client, 40 ms from the server. The last segment follows the partial ACK at once, or after its timer.
    [Theory]
    [InlineData(0.1, 2, 0)]
    [InlineData(350, 1, 1)]
    [InlineData(900, 1, 1)]
    public void TimerInsideARecovery_IsATimeout(double waitMs, int fast, int timeouts)
    {
        const int Mss = 1460;
        SegmentSequence sequence = Begun(40, 0.05);
        for (uint i = 0; i < 10; i++)
        {
            sequence.FromClient(100 + (0.1 * i), 1000 + (i * Mss), Mss);
        }

        // The second and the last are lost.
        for (uint i = 0; i < 8; i++)
        {
            sequence.FromServer(140 + (0.1 * i), 1000 + Mss);
        }

        sequence.FromClient(140.85, 1000 + Mss, Mss).FromServer(181, 1000 + (9 * Mss));
        double at = 181 + waitMs;
        CaptureEvidence evidence = sequence.FromClient(at, 1000 + (9 * Mss), Mss).FromServer(at + 40, 1000 + (10 * Mss))
            .FromServer(at + 41, 1000 + (10 * Mss), 300).FromClient(at + 41.1, 1000 + (10 * Mss), 0, ack: 5300).Evidence();

        SideFacts client = Assert.Single(evidence.Connections).Sides[0];
        Assert.Equal((fast, timeouts), (client.FastRetransmissions, client.Timeouts));
        Assert.Equal(timeouts > 0, CaptureFindings.Of(evidence).Any(f => f.Id == "LT121"));
        Assert.InRange(client.OwnedNs(StallKind.LossRto) / 1e6, timeouts * (waitMs - 1), timeouts * (waitMs + 41));
    }

    // Beside the sender, 40 ms from the server: the first repetition is lost as well. The second one follows the last duplicate ACK by less than a timer's
    // least time, because the timer began earlier; or it follows at once, because that ACK showed the loss.
    [Theory]
    [InlineData(130, 1, 1)]
    [InlineData(45, 1, 1)]
    [InlineData(0.1, 2, 0)]
    public void BesideTheSender_WhatNoAckAskedFor_WasSentByATimer(double sinceAckMs, int fast, int timeouts)
    {
        const int Mss = 1460;
        SegmentSequence sequence = Begun(40, 0.05);
        for (uint i = 0; i < 30; i++)
        {
            sequence.FromClient(100 + (i < 10 ? 0.1 * i : 40.5 + i), 1000 + (i * Mss), Mss);
            if (i == 9)
            {
                for (uint ack = 0; ack < 3; ack++)
                {
                    sequence.FromServer(140 + (0.1 * ack), 1000 + Mss);
                }

                sequence.FromClient(140.25, 1000 + Mss, Mss);
            }
        }

        for (uint i = 0; i < 20; i++)
        {
            sequence.FromServer(190.5 + i, 1000 + Mss);
        }

        double at = 209.5 + sinceAckMs;
        CaptureEvidence evidence = sequence.FromClient(at, 1000 + Mss, Mss).FromServer(at + 40, 1000 + (30 * Mss)).Evidence();

        SideFacts client = Assert.Single(evidence.Connections).Sides[0];
        Assert.Equal((fast, timeouts), (client.FastRetransmissions, client.Timeouts));
        // The timer ran since the copy before, whatever was sent meanwhile.
        Assert.Equal(timeouts > 0 ? at - 140.25 : 0, client.OwnedNs(StallKind.LossRto) / 1e6, 0.5);
    }

    // Beside the sender, 130 ms from the server. The first segment is lost, or both are. A probe repeats the last bytes after two round trips of silence, as
    // much as a packet takes or the last segment alone; the timer repeats the first segment. What the probe has brought a part of is one loss, not two.
    [Theory]
    [InlineData(1322, 1460, 1, 577)]
    [InlineData(2460, 322, 2, 577)]
    public void AProbeThatBringsTheEndOfWhatIsLost_AndTheTimerBehindIt_AreOneLoss(uint probe, int length, long losses, double costMs)
    {
        SegmentSequence sequence = new SegmentSequence(sackPermitted: true).Syn(0).SynAck(130).FromClient(130.1, 1000, 0)
            .FromClient(200, 1000, 1460).FromClient(200.1, 2460, 322);
        sequence = losses == 1 ? sequence.Sack(2460, 2782).FromServer(330.1, 1000) : sequence;
        CaptureEvidence evidence = sequence.FromClient(465, probe, length).Sack(probe, 2782).FromServer(595, 1000)
            .FromClient(777, 1000, 1460).FromServer(907, 2782).FromServer(907.5, 2782, 300).FromClient(907.6, 2782, 0, ack: 5300).Evidence();

        SideFacts client = Assert.Single(evidence.Connections).Sides[0];
        Assert.Equal((losses, 0, losses), (client.Timeouts, client.FastRetransmissions, client.LostBeyondTap));
        Finding told = Assert.Single(CaptureFindings.Of(evidence), f => f.Id is "LT121" or "LT122");
        Assert.Equal(("LT121", losses, costMs), (told.Id, told.Count, Math.Round(told.CostMs!.Value)));
    }

    // Cut anew after a fifth of a round trip: no ACK and no timer asks for that so soon, a router does. After a timer it may have been silent.
    [Theory]
    [InlineData(4, "LT122", "path MTU discovery works")]
    [InlineData(300, "LT121", "may be filtered")]
    public void PiecesThatComeSoonerThanAnAck_WereAskedForByARouter(double laterMs, string id, string said)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(20).FromClient(20.05, 1000, 0).FromClient(21, 1000, 1460);
        double at = 21 + laterMs;
        sequence.FromClient(at, 1000, 1400).FromClient(at + 0.1, 2400, 60).FromServer(at + 20, 2400).FromServer(at + 20.1, 2460);
        CaptureEvidence evidence = sequence.FromServer(at + 22, 2460, 500).FromClient(at + 22.1, 2460, 0, ack: 5500).Evidence();

        Finding finding = Assert.Single(CaptureFindings.Of(evidence), f => f.Id is "LT121" or "LT122");
        Assert.Equal(id, finding.Id);
        Assert.Contains(finding.For, f => f.Contains(said, StringComparison.Ordinal));
        Assert.Equal(laterMs, finding.CostMs!.Value, 0.2);
    }

    // The capture has the router's report. Whenever it comes, and however many pieces the packet becomes, one was lost; a report of what had arrived before, or
    // of what was never sent, anybody could have made.
    [Theory]
    [InlineData(0.5, 1000, "LT122", 1, "takes packets of 1440 bytes at most: path MTU discovery works")]
    [InlineData(30, 1000, "LT122", 1, "takes packets of 1440 bytes at most: path MTU discovery works")]
    [InlineData(300, 1000, "LT121", 1, "takes packets of 1440 bytes at most")]
    [InlineData(300, 900, "LT121", 2, "may be filtered")]
    [InlineData(300, 2460, "LT121", 2, "may be filtered")]
    public void AReportOfARouter_IsTheReason(double laterMs, uint reported, string id, int count, string said)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(20).FromClient(20.05, 1000, 0).FromClient(21, 1000, 1460);
        double at = 21 + laterMs;
        sequence.Reported(at - 0.05, reported).FromClient(at, 1000, 1400).FromClient(at + 0.1, 2400, 60).FromServer(at + 20, 2400).FromServer(at + 20.1, 2460);
        CaptureEvidence evidence = sequence.FromServer(at + 22, 2460, 500).FromClient(at + 22.1, 2460, 0, ack: 5500).Evidence();

        Finding finding = Assert.Single(CaptureFindings.Of(evidence), f => f.Id is "LT121" or "LT122");
        Assert.Equal((id, count), (finding.Id, finding.Count));
        Assert.Contains(finding.For, f => f.EndsWith(said, StringComparison.Ordinal));
        Assert.Equal(laterMs, finding.CostMs!.Value, 0.2);
    }

    // Beside the receiver, 40 ms from the sender. Of ten segments the second, the sixth and the seventh are lost, the repair of the sixth, too. Its next copy
    // comes so long behind the last data: a timer of 200 ms has run since the ACK of the first repair, and its wait is the timer's; or none can have run.
    [Theory]
    [InlineData(60, 205, 1, 2, 245)]
    [InlineData(0, 150, 3, 0, 0)]
    public void ATimerRunsFromTheAckOfTheRepairBefore(double moreMs, double silentMs, long fast, long timeouts, double timerMs)
    {
        const int Mss = 1460;
        const uint First = 5000;
        SegmentSequence sequence = new SegmentSequence(sackPermitted: true).Syn(0).SynAck(40).FromClient(40.05, 1000, 200);
        for (uint i = 0; i < 10; i++)
        {
            if (i is not (1 or 5 or 6))
            {
                sequence.FromServer(81 + (0.2 * i), 1200, Mss, First + (i * Mss));
                sequence = i > 1 ? sequence.Sack(First + (2 * Mss), First + ((i + 1) * Mss)) : sequence;
                sequence.FromClient(81.1 + (0.2 * i), 1200, 0, ack: First + Mss);
            }
        }

        // The first repair, then new data.
        sequence.FromServer(122, 1200, Mss, First + Mss).Sack(First + (7 * Mss), First + (10 * Mss)).FromClient(122.1, 1200, 0, ack: First + (5 * Mss));
        double at = 122.5 + moreMs;
        sequence.FromServer(at, 1200, Mss, First + (10 * Mss)).Sack(First + (7 * Mss), First + (11 * Mss))
            .FromClient(at + 0.1, 1200, 0, ack: First + (5 * Mss));
        at += silentMs;
        sequence.FromServer(at, 1200, Mss, First + (5 * Mss)).Sack(First + (7 * Mss), First + (11 * Mss))
            .FromClient(at + 0.1, 1200, 0, ack: First + (6 * Mss));
        at += 40;
        SideFacts server = Assert.Single(
            sequence.FromServer(at, 1200, Mss, First + (6 * Mss)).FromClient(at + 0.1, 1200, 0, ack: First + (11 * Mss)).Evidence().Connections).Sides[1];

        Assert.Equal((fast, timeouts), (server.FastRetransmissions, server.Timeouts));
        Assert.Equal(timerMs, server.OwnedNs(StallKind.LossRto) / 1e6, 0.5);
        Assert.Equal(at - 81.4 - timerMs, server.OwnedNs(StallKind.LossFastRetransmit) / 1e6, 0.5);
    }

    private static SegmentSequence Begun(double serverMs, double clientMs) =>
        new SegmentSequence().Syn(0).SynAck(serverMs).FromClient(serverMs + clientMs, 1000, 0);
}
