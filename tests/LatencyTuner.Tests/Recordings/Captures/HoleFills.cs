using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings.Captures;
using LatencyTuner.Core.Recordings.Captures.Rules;
using LatencyTuner.Tests.Capture;
using Xunit;

namespace LatencyTuner.Tests.Recordings.Captures;

/// <summary>A hole in the peer's data that is filled soon after, with nothing in the packets that would tell which was sent first.</summary>
public sealed class HoleFills
{
    private const int Mss = 1460;
    private const double BaseMs = 2.8;

    // Beside the receiver, which joins packets: what fills a hole is as many lost segments as it has.
    [Theory]
    [InlineData(1460, 1460, 1)]
    [InlineData(1460, 1461, 2)]
    [InlineData(1460, 5840, 4)]
    [InlineData(1360, 5840, 4)]
    public void APacketThatTheReceiverJoined_IsAsManyLosses(ushort taken, int length, long losses)
    {
        // What the sender takes itself does not limit what it sends.
        uint next = 5000 + (uint)length;
        SegmentSequence sequence = new SegmentSequence(sackPermitted: true).Syn(0).SynAck(40, mss: taken).FromClient(40.05, 1000, 200);
        for (uint i = 0; i < 3; i++)
        {
            sequence.FromServer(81 + (0.2 * i), 1200, 1460, next + (1460 * i)).Sack(next, next + (1460 * (i + 1))).FromClient(81.1 + (0.2 * i), 1200, 0);
        }

        Finding finding = Assert.Single(
            CaptureFindings.Of(sequence.FromServer(122, 1200, length, 5000).FromClient(122.1, 1200, 0, ack: next + 4380).Evidence()),
            f => f.Id is "LT121" or "LT122");
        Assert.Equal(("LT122", losses), (finding.Id, finding.Count));
    }

    // The same without a handshake: the longest packet may be several, as large as Ethernet takes them.
    [Theory]
    [InlineData(1408, 1)]
    [InlineData(4224, 3)]
    public void WithoutAHandshake_AJoinedPacketIsSeveralLosses(int length, long losses)
    {
        uint next = 5000 + 5632 + (uint)length;
        SegmentSequence sequence = new SegmentSequence().FromClient(0, 1000, 200).FromServer(40, 1200, 5632).FromClient(40.1, 1200, 0, ack: 10_632);
        for (uint i = 0; i < 4; i++)
        {
            sequence.FromServer(81 + (0.2 * i), 1200, 1408, next + (1408 * i)).FromClient(81.1 + (0.2 * i), 1200, 0, ack: 10_632);
        }

        Finding finding = Assert.Single(
            CaptureFindings.Of(sequence.FromServer(122, 1200, length, 10_632).FromClient(122.1, 1200, 0, ack: next + 5632).Evidence()),
            f => f.Id is "LT121" or "LT122");
        Assert.Equal(("LT122", losses), (finding.Id, finding.Count));
    }

    // Three writes of 6 bytes are lost, with others between them. One packet repeats all that is missing, and what lies between.
    [Fact]
    public void APacketThatFillsSeveralHoles_IsAsManyLosses()
    {
        SegmentSequence sequence = new SegmentSequence(sackPermitted: true).Syn(0).SynAck(40).FromClient(40.05, 1000, 200);
        for (uint i = 0; i < 3; i++)
        {
            sequence.FromServer(81 + i, 1200, 24, 5006 + (30 * i)).Sack(5006, 5030 + (30 * i)).FromClient(81.1 + i, 1200, 0);
        }

        CaptureEvidence evidence = sequence.FromServer(122, 1200, 90, 5000).FromClient(122.1, 1200, 0, ack: 5090).Evidence();
        Finding finding = Assert.Single(CaptureFindings.Of(evidence), f => f.Id is "LT121" or "LT122");
        Assert.Equal(("LT122", 3), (finding.Id, finding.Count));
        Assert.Equal(3, Assert.Single(evidence.Connections).Sides[1].LostBeforeTap);
    }

    // Beside a sender whose congestion window lets a full segment go in two parts: they were one. Parts of no full segment were two.
    [Theory]
    [InlineData(573, 887, 1)]
    [InlineData(573, 500, 2)]
    public void TwoPartsOfOneSegment_AreOneLoss(int first, int second, long losses)
    {
        SegmentSequence sequence = new SegmentSequence(sackPermitted: true).Syn(0).SynAck(40).FromClient(40.05, 1000, 0);
        uint middle = 1000 + (uint)first;
        uint next = middle + (uint)second;
        sequence = losses == 1 ? sequence.FromClient(50, 1000, first + second) : sequence.FromClient(50, 1000, first).FromClient(50, middle, second);
        for (uint i = 0; i < 4; i++)
        {
            sequence.FromClient(50.1 + i, next + (i * Mss), Mss).Sack(next, next + ((i + 1) * Mss)).FromServer(90.2 + i, 1000);
        }

        sequence.FromClient(93.3, 1000, first).Sack(next, next + (4 * Mss)).FromServer(133.4, middle).FromClient(133.5, middle, second);
        SideFacts client = Assert.Single(sequence.FromServer(173.6, next + (4 * Mss)).Evidence().Connections).Sides[0];
        Assert.Equal((losses, losses), (client.FastRetransmissions, client.LostBeyondTap));
    }

    // The number of an ACK shows that data before it is missing. What comes later brings that, and more.
    [Theory]
    [InlineData(271, 271)]
    [InlineData(341, 271)]
    public void WhatAnAckShowedToBeMissing_WaitsSinceThen(int length, uint shown)
    {
        uint end = 5000 + (uint)length;
        SegmentSequence sequence = new SegmentSequence(sackPermitted: true).Syn(0).SynAck(60).FromClient(60.1, 1000, 0).FromClient(62, 1000, 100)
            .FromServer(123, 1100, 0, 5000 + shown).FromServer(400, 1100, 200, end).Sack(end, end + 200).FromClient(400.1, 1100, 0)
            .FromServer(465, 1100, length, 5000).FromClient(465.1, 1100, 0, ack: end + 200);

        Finding finding = Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id is "LT121" or "LT122");
        Assert.Equal(465 - 123, finding.CostMs!.Value, 0.5);
    }

    // Beside a client that sends its FIN, and then the last data below it: at once it has swapped them itself, after a timer it repeats what the capture lacks.
    [Theory]
    [InlineData(0.2, 0)]
    [InlineData(320, 1)]
    public void LastDataBehindItsFin_IsALossOnlyAfterATimer(double laterMs, long losses)
    {
        SegmentSequence sequence = new SegmentSequence(sackPermitted: true).Syn(0).SynAck(11).FromClient(11.1, 1000, 0).FromClient(12, 1000, 100)
            .FromServer(24, 1100, 300).FromClient(24.1, 1100, 0, ack: 5300).Fin(30, true, 1131, 5300).FromClient(30 + laterMs, 1100, 31, ack: 5300);
        SideFacts client = Assert.Single(sequence.FromServer(41.5 + laterMs, 1132, 0, 5300).Evidence().Connections).Sides[0];
        Assert.Equal(losses, client.Timeouts + client.FastRetransmissions);
    }

    // 18 ms from the sender. One block asks for the hole: what waits for packets in the wrong order goes two round trips later at most, so what comes after
    // three and more of silence, alone, a timer sent, however short. Three blocks let it go at once, and its copy may have been lost.
    [Theory]
    [InlineData(1, 30, "LT122")]
    [InlineData(1, 76, "LT122")]
    [InlineData(1, 87, "LT121")]
    [InlineData(3, 87, "LT122")]
    public void WhatOneReportAsksFor_DoesNotComeSoLate(int blocks, double afterMs, string id)
    {
        SegmentSequence sequence = new SegmentSequence(sackPermitted: true).Syn(0).SynAck(18).FromClient(18.05, 1000, 0).FromClient(19, 1000, 200)
            .FromServer(38, 1200, Mss);
        for (uint i = 0; i < blocks; i++)
        {
            sequence.FromServer(38.1, 1200, Mss, 5000 + ((2 + i) * Mss)).Sack(5000 + (2 * Mss), 5000 + ((3 + i) * Mss))
                .FromClient(38.15, 1200, 0, ack: 5000 + Mss);
        }

        uint end = 5000 + ((2 + (uint)blocks) * Mss);
        CaptureEvidence evidence = sequence.FromServer(38.15 + afterMs, 1200, Mss, 5000 + Mss).FromClient(38.2 + afterMs, 1200, 0, ack: end).Evidence();

        Finding finding = Assert.Single(CaptureFindings.Of(evidence), f => f.Id is "LT121" or "LT122");
        Assert.Equal((id, 1), (finding.Id, finding.Count));
        Assert.Equal(afterMs, finding.CostMs!.Value, 0.1);
    }

    // An ACK shows that 500 bytes are missing. They come again alone, or in one segment with what was written meanwhile.
    [Theory]
    [InlineData(500)]
    [InlineData(507)]
    public void AHoleThatAnAckShows_IsFilledByWhatGoesOnBehindItAsWell(int length)
    {
        SegmentSequence sequence = new SegmentSequence(sackPermitted: true).Syn(0).SynAck(0.05).FromClient(20, 1000, 0).FromServer(100, 1000, 5)
            .FromClient(120, 1000, 5, ack: 5005).FromServer(320, 1005, 5).FromClient(340, 1505, 0, ack: 5005).FromClient(5317, 1005, length, ack: 5005);

        Finding finding = Assert.Single(
            CaptureFindings.Of(sequence.FromServer(5317.1, 1005 + (uint)length).Evidence()), f => f.Id == "LT121" && f.Connections.Count > 0);
        Assert.Equal((1, 4977), (finding.Count, Math.Round(finding.CostMs!.Value)));
    }

    // What fills the hole may acknowledge a request as well, which had left long before.
    [Theory]
    [InlineData(1200)]
    [InlineData(2445)]
    public void WhatAlsoAcknowledges_CostsFromTheHoleOn(uint acknowledged)
    {
        SegmentSequence sequence = new SegmentSequence(sackPermitted: true).Syn(0).SynAck(84).FromClient(84.05, 1000, 0).FromClient(85, 1000, 200)
            .FromServer(170, 1200, 336).FromClient(180, 1200, 1245, ack: 5336).FromServer(265, 1200, 38, 5726).Sack(5726, 5764)
            .FromClient(265.1, 2445, 0, ack: 5336).FromServer(371, acknowledged, 390, 5336).FromClient(371.1, 2445, 0, ack: 5764);

        Finding finding = Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id == "LT122");
        Assert.Equal((1, 106), (finding.Count, Math.Round(finding.CostMs!.Value)));
    }

    // Beside the receiver, 4 ms from the sender. What fills a hole comes again; with an older timestamp, or an identification from before, that is the
    // original.
    [Theory]
    [InlineData(true, 19, 44, 0)]
    [InlineData(true, 40, 44, 1)]
    [InlineData(false, 0, 41, 0)]
    [InlineData(false, 0, 44, 1)]
    public void WhatFillsAHoleBeforeItsOriginal_RepairsNothing(bool timestamps, double ticks, ushort id, int losses)
    {
        SegmentSequence sequence = new SegmentSequence(sackPermitted: true, timestamps: timestamps).Syn(0).SynAck(4).FromClient(4.05, 1000, 200)
            .Ticks(9).FromServer(9, 1200, 517, id: 40).FromClient(9.1, 1200, 0, ack: 5517).Ticks(20).FromServer(20, 1200, 249, 5517 + Mss, id: 42)
            .Sack(5517 + Mss, 5766 + Mss).FromClient(20.1, 1200, 0, ack: 5517).Ticks(26.8).FromServer(26.8, 1200, Mss, 5517, id: 43)
            .FromClient(26.85, 1200, 0, ack: 5766 + Mss).Ticks(ticks).FromServer(40, 1200, Mss, 5517, id: id).Ticks(41).FromClient(40.1, 1200, 0, 5766 + Mss);

        SideFacts server = Assert.Single(sequence.Evidence().Connections).Sides[1];
        Assert.Equal(losses, server.Timeouts + server.FastRetransmissions);
    }

    // SACK blocks show that data above the hole had passed before the capture began: what is behind the hole has waited since the first of them.
    [Theory]
    [InlineData(true, 16)]
    [InlineData(false, 8)]
    public void DataBehindAHoleThatWasNotCaptured_HasWaitedSinceItsReport(bool reported, double costMs)
    {
        SegmentSequence sequence = new SegmentSequence(sackPermitted: true).Syn(0).SynAck(8).FromClient(8.05, 1000, 200).FromServer(17, 1200, Mss)
            .FromClient(17.1, 1200, 0, ack: 6460);
        sequence = reported ? sequence.Sack(7920, 13_760).FromClient(30, 1200, 0, ack: 6460) : sequence;
        sequence.FromServer(38, 1200, Mss, 13_760).Sack(7920, 15_220).FromClient(38.1, 1200, 0, ack: 6460).FromServer(46, 1200, Mss, 6460)
            .FromClient(46.1, 1200, 0, ack: 15_220);

        Finding finding = Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id == "LT122");
        Assert.Equal(costMs, finding.CostMs!.Value, 0.2);
    }

    // Beside the receiver: 16 bytes, and 204 ms later the same ones with 44 more, in the next packet of their sender, or in a later one. Nagle's algorithm may
    // have held the 44; they were lost only if a packet is missing.
    [Theory]
    [InlineData(31, 0)]
    [InlineData(32, 1)]
    public void WhatGoesWithDataThatIsSentAgain_HadBeenLostOnlyInAPacketThatIsMissing(ushort second, long losses)
    {
        SegmentSequence sequence = new SegmentSequence(sackPermitted: true).Syn(0).SynAck(4).FromClient(4.05, 1000, 200).FromServer(9, 1200, 16, id: 30)
            .FromServer(213, 1200, 60, id: second).FromClient(213.1, 1200, 0, ack: 5060);

        Assert.Equal(losses, Assert.Single(sequence.Evidence().Connections).Sides[1].LostBeforeTap);
    }

    // A response begins with its end, after two seconds of silence and 250 ms from its sender: the rest comes in the same burst, or after a timer.
    [Theory]
    [InlineData(0.01, 0)]
    [InlineData(200, 1)]
    public void WhatComesInOneBurst_WasOnlyOvertaken(double afterMs, long timeouts)
    {
        SegmentSequence sequence = new SegmentSequence(sackPermitted: true).Syn(0).SynAck(250).FromClient(250.05, 1000, 0).FromClient(251, 1000, 200)
            .FromServer(502, 1200).FromServer(2500, 1200, 217, 5000 + Mss).FromServer(2500 + afterMs, 1200, Mss).FromClient(2501 + afterMs, 1200, 0, ack: 6677);

        SideFacts server = Assert.Single(sequence.Evidence().Connections).Sides[1];
        Assert.Equal((timeouts, 1 - timeouts), (server.Timeouts, server.Reorderings));
    }

    // The number of an ACK shows that an answer is missing. It was due 24 ms after its request; what the client asks later makes its wait no shorter than since
    // that ACK.
    [Theory]
    [InlineData(true, 876)]
    [InlineData(false, 929)]
    public void AHoleThatAnAckShows_CostsFromThenOnAtLeast(bool asksMore, double costMs)
    {
        SegmentSequence sequence = new SegmentSequence(sackPermitted: true).Syn(0).SynAck(23).FromClient(23.05, 1000, 0).FromClient(24, 1000, 200)
            .FromServer(48, 1200, 250).FromClient(48.1, 1200, 141, ack: 5250).FromServer(124, 1341, 0, 5500);
        uint asked = 1341;
        if (asksMore)
        {
            (sequence, asked) = (sequence.FromClient(600, asked, 141, ack: 5250).FromServer(624, asked + 141, 0, 5500), asked + 141);
        }

        CaptureEvidence evidence = sequence.FromServer(1000, asked, 250, 5250).FromClient(1000.05, asked, 0, ack: 5500).Evidence();
        Finding finding = Assert.Single(CaptureFindings.Of(evidence), f => f.Id == "LT121");
        Assert.Equal((1, costMs), (finding.Count, Math.Round(finding.CostMs!.Value)));
    }

    [Theory]
    [InlineData(0.6 * BaseMs, true)]
    [InlineData(1.02 * BaseMs, false)]
    public void WithinTheRoundTripToTheSender_IsReordering_LaterIsARepairedLoss(double afterMs, bool overtaken)
    {
        SideFacts server = Assert.Single(Filled(afterMs).Connections).Sides[1];

        Assert.Equal((overtaken ? 5 : 0, overtaken ? 0 : 5), (server.Reorderings, server.LostBeforeTap));
    }

    [Theory]
    [InlineData(9.8, false)]
    [InlineData(0.4, true)]
    public void AnswerThatAnAckShowsWasSent_IsLost_AndNotTheServersTime(double afterMs, bool before)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(20).FromClient(20.05, 1000, 0);
        sequence.FromClient(50, 1000, 100).FromServer(70.2, 1100, 200).FromClient(80, 1100, 100, ack: 5200);
        sequence.FromClient(310, 1100, 100, ack: 5200).FromServer(330, 1200, 0, 5400, id: 400);
        CaptureEvidence evidence = sequence.FromServer(330 + afterMs, 1200, 200, 5200, id: before ? (ushort)399 : (ushort)401)
            .FromClient(341, 1200, 0, ack: 5400).Evidence();

        ConnectionFacts connection = Assert.Single(evidence.Connections);
        Assert.Equal((before ? 0 : 1, before ? 1 : 0), (connection.Sides[1].Timeouts, connection.Sides[1].Reorderings));
        // Behind a lost answer, the client's copy was needless: its request had arrived.
        Assert.Equal(before ? (1, 0) : (0, 1), (connection.Sides[0].Timeouts, connection.Sides[0].SpuriousRetransmissions));
        Transaction last = connection.Transactions[1];
        Assert.Equal(before ? 230 : 239.8, Math.Round((connection.Sides[0].AllOwnedNs + connection.Sides[1].AllOwnedNs) / 1e6, 1));
        Assert.Equal(before ? 0.4 : 0, Math.Round(last.ServerNs / 1e6, 1));
    }

    // The peer's ACK is numbered beyond data that comes a little later. Where no packet is missing between it and the one before, the data had not left yet.
    [Theory]
    [InlineData(1, 0)]
    [InlineData(2, 1)]
    public void DataThatAnAckOvertook_IsLostOnlyWhereAPacketIsMissing(int step, long lost)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(20, id: 300).FromClient(20.05, 1000, 0);
        sequence.FromClient(50, 1000, 100).FromServer(70.2, 1100, 200, id: 301).FromClient(80, 1100, 100, ack: 5200);
        sequence.FromServer(100, 1200, 200, 5200, id: 302).FromClient(100.1, 1200, 100, ack: 5400);
        ushort ack = (ushort)(302 + step);
        sequence.FromServer(130, 1300, 0, 5600, id: ack).FromServer(930, 1300, 200, 5400, id: (ushort)(ack + 1)).FromClient(930.1, 1300, 0, ack: 5600);

        SideFacts server = Assert.Single(sequence.Evidence().Connections).Sides[1];
        Assert.Equal((lost, lost), (server.LostBeforeTap, server.Timeouts));
    }

    // The receiver's tap. An ACK of the sender shows 60 ms before the next data that some is missing.
    [Theory]
    [InlineData(5400u, 100)]
    [InlineData(5600u, 100)]
    [InlineData(null, 40)]
    public void AHole_IsThereOnceAnythingBeyondItComes(uint? ack, double standstillMs)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(20).FromClient(20.05, 1000, 0);
        sequence.FromClient(50, 1000, 100).FromServer(70.2, 1100, 200, 5000, id: 310).FromClient(70.3, 1100, 0, ack: 5200);
        sequence = ack is { } number ? sequence.FromServer(200, 1100, 0, number, id: 330) : sequence;
        for (uint i = 0; i < 3; i++)
        {
            sequence.FromServer(260 + i, 1100, 200, 5400 + (200 * i), id: (ushort)(340 + i)).FromClient(260.1 + i, 1100, 0, ack: 5200);
        }

        CaptureEvidence evidence = sequence.FromServer(300, 1100, 200, 5200, id: 350).FromClient(300.1, 1100, 0, ack: 6000).Evidence();

        Assert.Equal(standstillMs, Math.Round(Assert.Single(CaptureFindings.Of(evidence), f => f.Id == "LT122").CostMs!.Value));
    }

    // The sender's round trip from here is 1 ms, but nothing told it of a loss.
    [Theory]
    [InlineData(1, true)]
    [InlineData(30, false)]
    public void WithoutADuplicateAck_OnlyATimerRepairs(double afterMs, bool overtaken)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(1).FromClient(2, 1000, 0).FromClient(3, 1004, 4, id: 0);
        SideFacts client = Assert.Single(sequence.FromClient(3 + afterMs, 1000, 4, id: 0).FromServer(4 + afterMs, 1008).Evidence().Connections).Sides[0];

        Assert.Equal((overtaken ? 1 : 0, overtaken ? 0 : 1), (client.Reorderings, client.LostBeforeTap));
    }

    // Away from the sender, 100 ms from it: holes are filled 290 ms after the last ACK, by two segments at once, or by two that a round trip parts. A timer
    // lets one go, and none ends 50 ms after the ACK has reached the sender.
    [Theory]
    [InlineData(290, 0.5, 2, 0)]
    [InlineData(450, 0.5, 2, 0)]
    [InlineData(450, 100, 0, 2)]
    [InlineData(290, 100, 0, 2)]
    [InlineData(150, 100, 2, 0)]
    public void HolesFilledInOneBurst_WereAskedFor(double afterMs, double apartMs, long fast, long timeouts)
    {
        SegmentSequence sequence = new SegmentSequence(sackPermitted: true).Syn(0).SynAck(100).FromClient(100.1, 1000, 0).FromClient(200, 1000, 100)
            .FromServer(300, 1100, 1460, 5000).FromClient(300.1, 1100, 0, 6460);
        for (uint i = 3; i < 8; i++)
        {
            sequence.FromServer(301 + i, 1100, 1460, 5000 + (1460 * i)).Sack(9380, 6460 + (1460 * i)).FromClient(301.1 + i, 1100, 0, 6460);
        }

        sequence.FromServer(308.1 + afterMs, 1100, 1460, 6460).FromClient(308.2 + afterMs, 1100, 0, 7920)
            .FromServer(308.1 + afterMs + apartMs, 1100, 1460, 7920).FromClient(308.2 + afterMs + apartMs, 1100, 0, 16680);
        SideFacts server = Assert.Single(sequence.Evidence().Connections).Sides[1];

        Assert.Equal((fast, timeouts), (server.FastRetransmissions, server.Timeouts));
    }

    // The first data of a connection passes the tap and is not acknowledged; what follows is, as data beyond a hole. At the server, near it, or elsewhere.
    [Theory]
    [InlineData(0.02, "10.0.0.2", Side.Server)]
    [InlineData(0.3, null, Side.Network)]
    [InlineData(15, null, Side.Network)]
    public void WhatReachedTheReceiversTap_WasNotLostOnThePath(double awayMs, string? host, Side side)
    {
        SegmentSequence sequence = new SegmentSequence(sackPermitted: true).Syn(0).SynAck(awayMs).FromClient(40 + awayMs, 1000, 0).FromClient(41, 1000, 20)
            .FromClient(250, 1020, 200).Sack(1020, 1220).FromServer(250 + awayMs, 1000).FromClient(290 + awayMs, 1000, 20).FromServer(290 + (2 * awayMs), 1220)
            .FromServer(291 + (2 * awayMs), 1220, 100).FromClient(340, 1220, 0, 5100);
        Finding finding = Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id is "LT121" or "LT122");

        Assert.Equal((side, host), (finding.Side, finding.Host));
        Assert.Equal(host is not null, finding.Recommendation!.Contains("backlog", StringComparison.Ordinal));
    }

    /// <summary>Five answers of four segments at the client's tap; the second segment of each comes last.</summary>
    private static CaptureEvidence Filled(double afterMs)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(BaseMs).FromClient(BaseMs + 0.05, 1000, 0);
        uint request = 1000;
        uint answer = 5000;
        for (int i = 0; i < 5; i++, request += 100, answer += 4 * Mss)
        {
            double start = 20 + (i * 50);
            double first = start + BaseMs + 0.1;
            sequence.FromClient(start, request, 100, ack: answer)
                .FromServer(first, request + 100, Mss, answer, id: 0)
                .FromServer(first + 0.02, request + 100, Mss, answer + (2 * Mss), id: 0)
                .FromClient(first + 0.03, request + 100, 0, ack: answer + Mss)
                .FromServer(first + 0.04, request + 100, Mss, answer + (3 * Mss), id: 0)
                .FromClient(first + 0.05, request + 100, 0, ack: answer + Mss)
                .FromServer(first + 0.02 + afterMs, request + 100, Mss, answer + Mss, id: 0)
                .FromClient(first + 0.05 + afterMs, request + 100, 0, ack: answer + (4 * Mss));
        }

        return sequence.Evidence();
    }

    // The last segment of an answer comes first, then what is missing below it, half a millisecond later, far from the sender. Its identifications count up
    // without a gap, in either order of bytes: the sender itself sent them so. Where two are missing before the first, these were lost.
    [Theory]
    [InlineData(1, 1, false)]
    [InlineData(256, 256, false)]
    [InlineData(1, 3, true)]
    public void WhatHadNotBeenSent_WhenAHoleOpened_IsNoLoss(int step, int first, bool lost)
    {
        ushort id = 0x1034;
        SegmentSequence sequence = new SegmentSequence(sackPermitted: true).Syn(0).SynAck(100, id: id).FromClient(100.05, 1000, 0);
        (uint request, uint answer, double at) = (1100, 5200, 500);
        sequence.FromClient(200, 1000, 100).FromServer(301, 1100, 100, 5000, id: id += (ushort)step);
        sequence.FromServer(301.1, 1100, 100, 5100, id: id += (ushort)step).FromClient(301.2, 1100, 0, ack: 5200);
        for (int i = 0; i < 4; i++, at += 400)
        {
            sequence.FromClient(at, request, 100, ack: answer).FromServer(at + 101, request += 100, 0, answer, id: id += (ushort)step);
            sequence.FromServer(at + 600, request, 300, answer + 2920, id: id += (ushort)first).Sack(answer + 2920, answer + 3220);
            sequence.FromClient(at + 600.05, request, 0, ack: answer);
            sequence.FromServer(at + 600.6, request, 1460, answer, id: id += (ushort)step);
            sequence.FromServer(at + 600.6, request, 1460, answer + 1460, id: id += (ushort)step);
            sequence.FromClient(at += 600.7, request, 0, ack: answer += 3220);
        }

        SideFacts server = Assert.Single(sequence.Evidence().Connections).Sides[1];
        Assert.Equal(lost ? 8 : 0, server.LostBeforeTap);
    }

    // Beside the client, in the middle of its upload: what the server misses had been sent before the capture began, and is sent again because of SACK
    // blocks. It was lost beyond the tap. Where nothing asked for it, it may have arrived.
    [Theory]
    [InlineData(4, 2)]
    [InlineData(0, 0)]
    public void WhatWasSentBeforeTheCapture_WasLostBeyondATapBesideItsSender_WhereItWasAskedFor(uint reports, long lost)
    {
        SegmentSequence sequence = new SegmentSequence().FromServer(0, 4000).FromClient(1, 9000, 1460).FromClient(1.01, 10_460, 1460);
        for (uint i = 0; i < reports; i++)
        {
            sequence.Sack(6000, 7460 + (i * 400)).FromServer(31 + i, 4000);
        }

        sequence.FromClient(34.05, 4000, 1460).FromClient(34.06, 5460, 540).FromServer(74, 11_920);
        (double at, uint next, uint answer) = (75, 11_920, 5000);
        for (int i = 0; i < 5; i++, at += 80, next += 200, answer += 300)
        {
            sequence.FromServer(at, next, 300, answer).FromClient(at + 0.05, next, 0, ack: answer + 300);
            sequence.FromClient(at + 5, next, 200, ack: answer + 300).FromServer(at + 35, next + 200, 0, answer + 300);
        }

        SideFacts client = Assert.Single(sequence.Evidence().Connections).Sides[0];

        Assert.Equal((0, lost), (client.LostBeforeTap, client.LostBeyondTap));
    }
}
