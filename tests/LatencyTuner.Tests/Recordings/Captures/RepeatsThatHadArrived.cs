using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings.Captures;
using LatencyTuner.Core.Recordings.Captures.Rules;
using LatencyTuner.Tests.Capture;
using Xunit;

namespace LatencyTuner.Tests.Recordings.Captures;

/// <summary>SYNs and bytes that are sent again although the first ones had arrived, and copies that no stack sends.</summary>
public sealed class RepeatsThatHadArrived
{
    // The receiver's machine answers in 48 us, its peer is 0.35 ms away: a copy that comes after a timer, and is acknowledged at once, had arrived.
    [Theory]
    [InlineData(0.35, 0, 1)]
    [InlineData(0.15, 1, 0)]
    public void ACopyBesideItsReceiver_HadArrived(double serverMs, long timeouts, long spurious)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(serverMs).FromClient(serverMs + 0.048, 1000, 0).FromClient(10, 1000, 700)
            .FromServer(10 + serverMs, 1700).FromServer(12, 1700, 1460).FromServer(12.01, 1700, 1460, 6460).FromClient(12.06, 1700, 0, ack: 7920)
            .FromClient(300, 1700, 789, ack: 7920).FromServer(302, 2489, 459, 7920).FromServer(504, 2489, 459, 7920).FromClient(504.048, 2489, 0, ack: 8379);

        SideFacts server = Assert.Single(sequence.Evidence().Connections).Sides[1];
        Assert.Equal((timeouts, spurious), (server.Timeouts, server.SpuriousRetransmissions));
    }

    // Two proxies on one link forward each packet, tens of milliseconds apart, as it came; a sender that repeats some data gives it a new identification.
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void OnePacketAtSeveralPlaces_IsNoLoss(bool forwarded)
    {
        SegmentSequence sequence = new SegmentSequence(timestamps: true).Syn(0).SynAck(20).FromClient(20.05, 1000, 0);
        (double at, uint next) = (100, 1000);
        for (int i = 0; i < 16; i++, at += 3000, next += 33)
        {
            sequence.Ticks(at).FromClient(at, next, 33);
            ushort id = sequence.LastId;
            double copiedMs = forwarded || i % 2 == 0 ? 250 : 0;
            sequence = forwarded ? sequence : sequence.Ticks(at + copiedMs);
            sequence = copiedMs > 0 ? sequence.FromClient(at + copiedMs, next, 33, id: forwarded ? id : null) : sequence;
            sequence.FromServer(at + copiedMs + 21, next + 33);
        }

        Finding? finding = CaptureFindings.Of(sequence.Evidence()).SingleOrDefault(f => f.Id == "LT121");
        Assert.Equal(forwarded ? null : Confidence.Likely, finding?.Confidence);
    }

    // ACKs of each first packet come late, behind a probe that repeats them, and then a report of the last byte alone. Where no ACK stops before the last
    // packet, the probe may have brought what is below that byte.
    [Theory]
    [InlineData(true, 0, 1)]
    [InlineData(false, 1, 0)]
    public void AReportOfTheLastByte_BehindAcksOfEachPacket_IsOfAllOfThem(bool each, long timeouts, long spurious)
    {
        SegmentSequence sequence = new SegmentSequence(sackPermitted: true).Syn(0).SynAck(5).FromClient(5.05, 1000, 0).FromClient(20, 1000, 1412)
            .FromClient(20.05, 2412, 179).FromClient(20.1, 2591, 122).FromClient(52, 1301, 1412).FromServer(66, 2412);
        sequence = each ? sequence.FromServer(66.1, 2591) : sequence;
        sequence = sequence.FromServer(66.2, 2713).Sack(2712, 2713).FromServer(70, 2713);

        SideFacts client = Assert.Single(sequence.Evidence().Connections).Sides[0];
        Assert.Equal((timeouts, spurious), (client.Timeouts, client.SpuriousRetransmissions));
    }

    // Nothing answers the first two, and the third is reported as a duplicate: of the first two one arrived, and its ACK was lost. Had an ACK of the second
    // come, the first would have been lost.
    [Theory]
    [InlineData(false, Confidence.Possible)]
    [InlineData(true, Confidence.Likely)]
    public void CopiesWithoutAnAnswer_BehindWhichOneIsADuplicate_MayHaveLostOnlyTheirAcks(bool answered, Confidence confidence)
    {
        SegmentSequence sequence = new SegmentSequence(sackPermitted: true).Syn(0).SynAck(10).FromClient(10.05, 1000, 0).FromClient(100, 1000, 39)
            .FromClient(470, 1000, 39);
        sequence = answered ? sequence.FromServer(480.2, 1039) : sequence;
        Finding finding = Assert.Single(
            CaptureFindings.Of(sequence.FromClient(845, 1000, 39).Sack(1000, 1039).FromServer(859, 1039).FromServer(900, 1039, 500).Evidence()),
            f => f.Id == "LT121");
        Assert.Equal((1, confidence), (finding.Count, finding.Confidence));
        Assert.Equal(!answered, finding.Against.Any(a => a.Contains("only its ACKs were lost", StringComparison.Ordinal)));
    }

    // Copies begin in the middle of a packet and go on with new data. What is below them is still known when the next copy begins there.
    [Theory]
    [InlineData(true, 0, 2)]
    [InlineData(false, 1, 1)]
    public void ACopyBehindCopiesThatGoOnWithNewData_IsReportedAsTheOthers(bool reported, long losses, long spurious)
    {
        SegmentSequence sequence = new SegmentSequence(sackPermitted: true).Syn(0).SynAck(90).FromClient(90.05, 1000, 0).FromClient(100, 1000, 1360)
            .FromClient(100.1, 2360, 39).FromClient(330, 1000, 447).FromClient(330.1, 1447, 1360).FromClient(330.2, 2807, 1360).FromServer(331, 2399)
            .Sack(1000, 1447).FromServer(415, 2399).Sack(1447, 2399).FromServer(415.1, 2399).FromClient(416, 2399, 1360);
        sequence = reported ? sequence.FromServer(421, 2807).FromServer(421.1, 4167).Sack(2399, 3759).FromServer(507, 4167) : sequence.FromServer(507, 4167);

        SideFacts client = Assert.Single(sequence.Evidence().Connections).Sides[0];
        Assert.Equal((losses, spurious), (client.Timeouts + client.FastRetransmissions, client.SpuriousRetransmissions));
    }

    // The answer comes 600 ms after the second SYN. Where the path takes 1600 ms it is the one to the first, and nothing was lost.
    [Theory]
    [InlineData(1600, 0)]
    [InlineData(600, 1)]
    public void ASynAnsweredSoonerThanThePathTakes_HadArrived(double roundTripMs, int findings) => Assert.Equal(
        findings,
        CaptureFindings.Of(
            new SegmentSequence().Syn(0).Syn(1000).SynAck(1600).FromClient(1600.1, 1000, 0).FromClient(1601, 1000, 200)
                .FromServer(1601 + roundTripMs, 1200, 300).FromClient(1601.1 + roundTripMs, 1200, 0, ack: 5300).Evidence()).Count(f => f.Id == "LT121"));

    // No handshake; one byte, or more, from before what the capture has of the client, while newer data is on its way.
    [Theory]
    [InlineData(1, 0)]
    [InlineData(2, 1)]
    public void AKeepAliveBelowWhatWasAcknowledged_RepeatsNothing(int length, int findings) => Assert.Equal(
        findings,
        CaptureFindings.Of(
            new SegmentSequence().FromClient(0, 1001, 101).FromClient(300, 1001 - (uint)length, length).FromServer(325, 1102, 171)
                .FromClient(325.1, 1102, 0, ack: 5171).Evidence()).Count(f => f.Id == "LT121"));

    // One direction: the capture begins with a keep-alive. The byte comes again while data is on its way, or the data does.
    [Theory]
    [InlineData(1000, 1, 0)]
    [InlineData(1001, 99, 1)]
    public void AKeepAliveWithWhichTheCaptureBegins_RepeatsNothing(uint sequence, int length, int findings) => Assert.Equal(
        findings,
        CaptureFindings.Of(
            new SegmentSequence().FromClient(0, 1000, 1).FromClient(550, 1001, 99).FromClient(3000, sequence, length).FromClient(6000, sequence, length)
                .FromClient(9000, sequence, length).Evidence()).Count(f => f.Id == "LT121"));

    // The capture begins with a FIN that nothing answers; then one byte, or two, from below it.
    [Theory]
    [InlineData(1, 0)]
    [InlineData(2, 1)]
    public void AKeepAliveBelowAFinThatIsSentAgain_RepeatsNothing(int length, long timeouts) => Assert.Equal(
        timeouts,
        Assert.Single(
            new SegmentSequence().Fin(0, true, 1001, 5000).Fin(600, true, 1001, 5000).Fin(1800, true, 1001, 5000)
                .FromClient(7700, 1001 - (uint)length, length).Fin(9700, true, 1001, 5000).Evidence().Connections).Sides[0].Timeouts);

    // Beside the sender: two segments again as one. The ACK that comes first ends where the first of the two did, sooner than an answer to the copy can.
    [Theory]
    [InlineData(4.5, 0)]
    [InlineData(23, 1)]
    public void AnAckThatStopsInsideTheCopySoon_AnswersThePacketsBefore(double ackMs, long losses)
    {
        SideFacts client = Assert.Single(
            new SegmentSequence().Syn(0).SynAck(22.5).FromClient(22.55, 1000, 0).FromClient(100, 1000, 39).FromClient(100.1, 1039, 24)
                .FromClient(365, 1000, 63).FromServer(365 + ackMs, 1039).FromServer(400, 1063).FromServer(420, 1063, 100)
                .FromClient(420.1, 1063, 0, ack: 5100).Evidence().Connections).Sides[0];

        Assert.Equal((losses, 1 - losses), (client.Timeouts + client.FastRetransmissions, client.SpuriousRetransmissions));
    }

    // Beside the client, a download fills the path: both SYNs are answered, as far apart as they were sent, and the first answer names the first SYN. The copy
    // of an answer by the server's timer comes sooner, and an answer that names the second SYN shows nothing of the first.
    [Theory]
    [InlineData(950, 0, false)]
    [InlineData(1080, 0, false)]
    [InlineData(305, 0, true)]
    [InlineData(950, 1000, true)]
    public void BothSynsAnswered_AsFarApartAsTheyWereSent_WereHeldOnly(double apartMs, double echoMs, bool lost)
    {
        SegmentSequence sequence = new SegmentSequence(timestamps: true).Ticks(0).Syn(0).Ticks(1000).Syn(1000).Ticks(5000, echoMs).SynAck(1400)
            .Ticks(1400, 5000).FromClient(1400.1, 1000, 0).Ticks(5000 + apartMs, echoMs).SynAck(1400 + apartMs).Ticks(2600, 5000).FromClient(2600, 1000, 100)
            .Ticks(6400, 2600).FromServer(2800, 1100, 100).Ticks(2801, 6400).FromClient(2800.1, 1100, 0, 5100);

        Assert.Equal(lost, CaptureFindings.Of(sequence.Evidence()).Any(f => f.Id == "LT121"));
    }

    // The same where a queue lets both answers go together: the server's clock shows how far apart they left. Its own timer copies an answer sooner.
    [Theory]
    [InlineData(960, 0, false)]
    [InlineData(308, 0, true)]
    [InlineData(960, 1000, true)]
    public void BothSynsAnswered_OutOfOneQueue_WereHeldOnly(double sentApartMs, double echoMs, bool lost)
    {
        SegmentSequence sequence = new SegmentSequence(timestamps: true).Ticks(0).Syn(0).Ticks(1000).Syn(1000).Ticks(5000, echoMs).SynAck(1400)
            .Ticks(1400, 5000).FromClient(1400.1, 1000, 0).Ticks(5000 + (sentApartMs / 3), echoMs).SynAck(1500).Ticks(5000 + sentApartMs, echoMs).SynAck(1600)
            .Ticks(2600, 5000).FromClient(2600, 1000, 100).Ticks(6400, 2600).FromServer(2800, 1100, 100).Ticks(2801, 6400).FromClient(2800.1, 1100, 0, 5100);

        Assert.Equal(lost, CaptureFindings.Of(sequence.Evidence()).Any(f => f.Id == "LT121"));
    }

    // A server on this machine. Its answer echoes the first SYN, or the second: then the first may have met a full backlog.
    [Theory]
    [InlineData(0, null)]
    [InlineData(1000, Side.Server)]
    public void ASynWhoseTimestampIsAnswered_WasTaken(double echoMs, Side? side)
    {
        SegmentSequence sequence = new SegmentSequence(timestamps: true).To("127.0.0.1", client: "127.0.0.1").Ticks(0).Syn(0).Ticks(1000).Syn(1000)
            .Ticks(1000, echoMs).SynAck(1000.1).Ticks(1001).FromClient(1000.2, 1000, 0).FromClient(1000.3, 1000, 100).FromServer(1000.6, 1100, 100);

        Assert.Equal(side, Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id == "LT121").Side);
    }

    // A browser's spare connection: its first request leaves long after it stood.
    [Theory]
    [InlineData(50, false, Severity.Error)]
    [InlineData(9000, false, Severity.Info)]
    [InlineData(50, true, Severity.Error)]
    [InlineData(9000, true, Severity.Info)]
    public void ASynOfAConnectionOpenedAhead_MayHaveKeptNobodyWaiting(double requestMs, bool andOneNeverUsed, Severity severity)
    {
        double at = 1288 + requestMs;
        SegmentSequence sequence = new SegmentSequence().Syn(0).Syn(1000).SynAck(1288).FromClient(1288.1, 1000, 0).FromClient(at, 1000, 100)
            .FromServer(at + 288, 1100, 100).FromClient(at + 288.1, 1100, 0, ack: 5100);
        sequence = andOneNeverUsed ? sequence.To("10.0.0.2", 40001).Syn(11_000).Syn(12_000).SynAck(12_288).FromClient(12_288.1, 1000, 0) : sequence;
        Finding finding = Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id == "LT121");

        Assert.Equal(severity, finding.Severity);
        Assert.Equal(severity == Severity.Info, finding.Against.Any(a => a.Contains("perhaps nothing waited", StringComparison.Ordinal)));
    }

    // A tool wrote a packet of 700 bytes as one of 1,300: the receiver stops inside it, and the next message begins there. Or just the rest is sent again.
    [Theory]
    [InlineData(300, 0)]
    [InlineData(600, 1)]
    public void WhatFollowsAFalseLength_IsNoCopy(int length, long losses)
    {
        uint next = 5700 + (uint)length;
        SideFacts server = Assert.Single(
            new SegmentSequence().Syn(0).SynAck(0.1).FromClient(20.1, 1000, 0).FromClient(21, 1000, 200).FromServer(21.2, 1200, 1300, 5000)
                .FromClient(41.3, 1200, 0, ack: 5700).FromServer(345, 1200, length, 5700).FromClient(365.1, 1200, 0, ack: next)
                .FromServer(650, 1200, 100, next).FromClient(670.1, 1200, 0, ack: next + 100).Evidence().Connections).Sides[1];

        Assert.Equal((losses, 0), (server.Timeouts + server.FastRetransmissions, server.SpuriousRetransmissions));
    }

    // Two holes on a path of 314 ms. The second one is young when the first is filled, which is what its repair needs at least, or sooner.
    [Theory]
    [InlineData(281, 2, 0)]
    [InlineData(150, 0, 2)]
    public void AHoleThatIsOpenForLongerThanATimer_MayBeALoss(double filledMs, long losses, long reorderings)
    {
        SideFacts server = Assert.Single(
            new SegmentSequence().Syn(0).SynAck(314).FromClient(314.1, 1000, 0).FromClient(315, 1000, 200).FromServer(630, 1200)
                .FromServer(700, 1200, 1000).FromServer(700.1, 1200, 1000, 7000).FromServer(700 + filledMs - 14, 1200, 1000, 8000)
                .FromServer(700 + filledMs - 13, 1200, 1000, 10000, id: 400).FromServer(700.1 + filledMs, 1200, 1000, 6000)
                .FromServer(701 + filledMs, 1200, 1000, 9000).FromClient(702 + filledMs, 1200, 0, ack: 11000).Evidence().Connections).Sides[1];

        Assert.Equal((losses, reorderings), (server.LostBeforeTap, server.Reorderings));
    }

    // The second of three segments comes last, with a later identification. On a path of 262 ms its sender has not heard of the hole within 3 ms.
    [Theory]
    [InlineData(3, 0, 1)]
    [InlineData(270, 1, 0)]
    public void AHoleThatIsFilledBeforeItsSenderHeardOfIt_WasNoLoss(double laterMs, long losses, long reorderings)
    {
        SideFacts server = Assert.Single(
            new SegmentSequence().Syn(0).SynAck(262).FromClient(262.1, 1000, 0).FromClient(263, 1000, 200).FromServer(525, 1200)
                .FromServer(600, 1200, 1250).FromServer(600.1, 1200, 217, 7500).FromClient(600.2, 1200, 0, ack: 6250)
                .Sack(7500, 7717).FromClient(600.3, 1200, 0, ack: 6250).FromServer(600 + laterMs, 1200, 1250, 6250)
                .FromClient(600.1 + laterMs, 1200, 0, ack: 7717).Evidence().Connections).Sides[1];

        Assert.Equal((losses, reorderings), (server.Timeouts + server.FastRetransmissions, server.Reorderings));
    }

    // A download, from the middle; the client sends nothing that the server could acknowledge. Below 200 ms no timer ends; later it may be one.
    [Theory]
    [InlineData(15, "LT122", Confidence.Likely)]
    [InlineData(300, "LT121", Confidence.Possible)]
    public void ARepairFromAnUnknownDistance_IsATimersPossibly_UnlessItIsTooEarly(double laterMs, string id, Confidence confidence)
    {
        SegmentSequence sequence = new SegmentSequence().FromServer(0, 1000, 1460).FromServer(0.1, 1000, 1460, 6460).FromClient(0.2, 1000, 0, ack: 7920)
            .FromServer(50, 1000, 1460, 9380).Sack(9380, 10840).FromClient(50.1, 1000, 0, ack: 7920).FromServer(50.1 + laterMs, 1000, 1460, 7920);

        Finding finding = Assert.Single(
            CaptureFindings.Of(sequence.FromClient(50.2 + laterMs, 1000, 0, ack: 10840).Evidence()), f => f.Id is "LT121" or "LT122");
        Assert.Equal((id, confidence), (finding.Id, finding.Confidence));
    }

    // 378 ms for each segment on a path of 32 ms, without SACK: the timer ends before the first ACK, and everything is sent again once. Each copy is
    // answered with the same ACK. Where these are no more than the segments above, a hole may be there as well.
    [Theory]
    [InlineData(10, 0, 11)]
    [InlineData(3, 10, 1)]
    public void CopiesOnASlowPath_AreAnsweredOneByOne_WhenAllHadArrived(int answers, long losses, long spurious)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(32).FromClient(32.1, 1000, 0);
        void Send(double ms, int number) => sequence.FromClient(ms, 1000 + (1460 * (uint)number), 1460);
        for (int i = 0; i < 10; i++)
        {
            Send(33 + (i * 0.01), i);
        }

        Send(270, 0);
        (double at, int next) = (439, 1);
        for (uint i = 1; i <= 10; i++, at += 378)
        {
            sequence.FromServer(at, 1000 + (1460 * i));
            for (int sent = 0; sent < (i < 6 ? 2 : 1); sent++)
            {
                Send(at + 0.1 + (sent * 0.1), next++);
            }
        }

        for (int i = 0; i < answers; i++, at += 378)
        {
            sequence.FromServer(at, 15600);
        }

        Send(at - 100, 10);
        for (uint i = 11; i <= 16; i++, at += 378)
        {
            sequence.FromServer(at, 1000 + (1460 * i));
        }

        Assert.Equal((losses, spurious), AtTheClient(sequence));
    }

    // The first of four segments is sent again. An ACK of it alone, and at once of the others: no hole was filled. Else the second was lost as well.
    [Theory]
    [InlineData(525, 0)]
    [InlineData(625, 2)]
    public void AnAckThatStopsAtTheCopy_AndThenGoesOn_ShowsThatNoHoleWasFilled(double restMs, long losses)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(100).FromClient(100.1, 1000, 0).FromClient(101, 1000, 1460).FromClient(101.1, 2460, 1460)
            .FromClient(101.2, 3920, 1460).FromClient(101.3, 5380, 1460).FromClient(401, 1000, 1460).FromServer(520, 2460);
        if (losses > 0)
        {
            sequence.FromClient(520.1, 2460, 1460);
        }

        Assert.Equal(losses, AtTheClient(sequence.FromServer(restMs, 6840)).Losses);
    }

    // The last data is sent again. What is acknowledged next is a FIN, which was sent after the copy.
    [Fact]
    public void AnAckOfAFinBehindTheCopy_ShowsNothing() => Assert.Equal(
        1,
        AtTheClient(
            new SegmentSequence().Syn(0).SynAck(100).FromClient(100.1, 1000, 0).FromClient(101, 1000, 1460).FromClient(401, 1000, 1460).FromServer(520, 2460)
                .Fin(521, true, 2460, 5000).FromServer(621, 2461)).Losses);

    // Both ends repeat what they sent last, while the path of 20 ms stands still. What comes later than a round trip after the peer's copy does not show it,
    // nor what comes as soon as after any copy, nor an ACK instead of the peer's copy.
    [Theory]
    [InlineData(568, 100, 10, 0)]
    [InlineData(568, 100, 30, 1)]
    [InlineData(330, 100, 10, 1)]
    [InlineData(568, 0, 10, 1)]
    public void ACopyAnsweredTogetherWithThePeersOwn_WasSentWhileThePathStoodStill(double peerMs, int length, double laterMs, long losses) => Assert.Equal(
        losses,
        AtTheClient(
            new SegmentSequence().Syn(0).SynAck(20).FromClient(20.1, 1000, 0).FromClient(30, 1000, 100).FromServer(50, 1100, 100)
                .FromClient(80, 1100, 100, ack: 5100).FromClient(306, 1100, 100, ack: 5100)
                .FromServer(peerMs, 1100, length, (uint)(5100 - length)).FromClient(peerMs + 0.1, 1200, 0, ack: 5100)
                .FromServer(peerMs + laterMs, 1200, 0, 5100).FromServer(peerMs + laterMs + 0.1, 1200, 100, 5100).FromClient(650, 1200, 100, ack: 5200)
                .FromServer(670, 1300, 100, 5200)).Losses);

    // The timer repeats four segments, of which only the first was lost. Three ACKs answer the rest. A round trip after new data
    // a new hole can be meant: only as many of them answer copies as are more than the segments above.
    [Theory]
    [InlineData(1, 1)]
    [InlineData(25, 2)]
    public void ARepeatedAckBeforeNewDataCanHaveArrived_AnswersACopy(double laterMs, long losses)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(20).FromClient(20.1, 1000, 0);
        for (uint i = 0; i < 4; i++)
        {
            sequence.FromClient(30 + i, 1000 + (1460 * i), 1460);
        }

        for (uint i = 0; i < 4; i++)
        {
            sequence.FromClient(300 + (i * 0.1), 1000 + (1460 * i), 1460);
        }

        sequence.FromServer(320, 6840).FromClient(320.1, 6840, 1460).FromClient(320.2, 8300, 1460);
        for (int i = 0; i < 3; i++)
        {
            sequence.FromServer(320 + laterMs + (i * 0.1), 6840);
        }

        Assert.Equal(losses, AtTheClient(sequence.FromServer(380, 9760)).Losses);
    }

    // A path of 20 ms answers no copy sooner than that.
    [Theory]
    [InlineData(17, 0)]
    [InlineData(19, 1)]
    public void ACopyAnsweredSoonerThanThePathTakes_HadArrived(double answerMs, long losses) => Assert.Equal(
        losses,
        AtTheClient(
            new SegmentSequence().Syn(0).SynAck(20).FromClient(20.1, 1000, 0).FromClient(30, 1000, 100).FromServer(50, 1100, 100)
                .FromClient(80, 1100, 100, ack: 5100).FromClient(306, 1100, 100, ack: 5100)
                .FromServer(306 + answerMs, 1200, 100, 5100)).Losses);

    // A server that numbers its packets one by one; behind three copies its ACK. Two numbers are missing: it had answered each of them. Other data, or
    // another count of numbers, leaves that open.
    [Theory]
    [InlineData(12, 3, 0, 0, 2)]
    [InlineData(12, 1, 0, 2, 0)]
    [InlineData(12, 2, 0, 2, 0)]
    [InlineData(12, 4, 0, 2, 0)]
    [InlineData(12, 3, 50, 2, 0)]
    [InlineData(5, 3, 0, 2, 0)]
    public void AnAnswerOfEachCopyThatIsMissing_ShowsThatAllHadArrived(int exchanges, int step, int more, long losses, long spurious)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(20, id: 200).FromClient(20.1, 1000, 0);
        (double at, uint request, uint answer, ushort id) = (100, 1000, 5000, 200);
        for (int i = 0; i < exchanges; i++, at += 50 + i, request += 100, answer += 100)
        {
            sequence.FromClient(at, request, 100, answer).FromServer(at + 20, request + 100, 100, answer, id: ++id)
                .FromClient(at + 20.1, request + 100, 0, answer + 100);
        }

        sequence.FromClient(at, request, 100, answer).FromClient(at + 300, request, 100, answer);
        sequence = more > 0 ? sequence.FromClient(at + 400, request + 100, more, answer) : sequence;
        sequence.FromClient(at + 900, request, 100, answer).FromServer(at + 920, request + 100, 0, answer, id: (ushort)(id + step));

        Assert.Equal((losses, spurious), AtTheClient(sequence));
    }

    // Three copies while the path stands still, behind them the ACK. Its timestamp echo is the original's, the first copy's or the last one's.
    [Theory]
    [InlineData(100, 0, 3)]
    [InlineData(450, 2, 1)]
    [InlineData(1600, 3, 0)]
    public void AnEchoOfTheOriginal_ShowsThatEachCopyWasNeedless(double echoMs, long losses, long spurious) => Assert.Equal(
        (losses, spurious),
        AtTheClient(
            new SegmentSequence(timestamps: true).Ticks(0).Syn(0).Ticks(20, 0).SynAck(20).Ticks(20).FromClient(20.1, 1000, 0)
                .Ticks(100).FromClient(100, 1000, 100).Ticks(450).FromClient(450, 1000, 100).Ticks(900).FromClient(900, 1000, 100)
                .Ticks(1600).FromClient(1600, 1000, 100).Ticks(1700, echoMs).FromServer(1700, 1100)));

    // Beside the client, on a path of 20 ms that holds one ACK for 170 ms: by its timestamp it left before the copy, or behind it.
    [Theory]
    [InlineData(30, 0)]
    [InlineData(195, 1)]
    public void AnAckThatLeftBeforeTheCopy_AnswersTheOriginal(double leftMs, long losses)
    {
        SegmentSequence sequence = new SegmentSequence(timestamps: true).Ticks(0).Syn(0).SynAck(20).FromClient(20.1, 1000, 0);
        uint next = 1000;
        for (double at = 50; at < 550; at += 50, next += 100)
        {
            sequence.Ticks(at).FromClient(at, next, 100, 5000 + next - 1000).Ticks(at + 10).FromServer(at + 20, next + 100, 100, 5000 + next - 1000);
        }

        sequence.Ticks(600).FromClient(600, next, 100, 5000 + next - 1000).Ticks(700).FromClient(700, next, 100, 5000 + next - 1000);
        // Its echo shows nothing.
        sequence.Ticks(600 + leftMs, 700).FromServer(805, next + 100, 0, 5000 + next - 1000);
        Assert.Equal(losses, AtTheClient(sequence).Losses);
    }

    private static (long Losses, long Spurious) AtTheClient(SegmentSequence sequence)
    {
        SideFacts client = Assert.Single(sequence.Evidence().Connections).Sides[0];
        return (client.Timeouts + client.FastRetransmissions, client.SpuriousRetransmissions);
    }
}
