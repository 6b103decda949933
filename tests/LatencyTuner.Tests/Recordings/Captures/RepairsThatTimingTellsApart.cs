using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings.Captures;
using LatencyTuner.Core.Recordings.Captures.Rules;
using LatencyTuner.Tests.Capture;
using Xunit;

namespace LatencyTuner.Tests.Recordings.Captures;

/// <summary>Holes whose filling only the time tells to be a fast repair, a timer's, or no repair at all.</summary>
public sealed class RepairsThatTimingTellsApart
{
    private const uint Mss = 1460;

    // The last segment of a first response comes first. Its sender has not heard of the hole; only a response that is 200 ms late leaves room for a timer.
    [Theory]
    [InlineData(600, 0, 2)]
    [InlineData(900, 2, 0)]
    public void TheBeginningOfAResponse_OvertakenByItsEnd_WasNoLoss(double responseMs, long losses, long reorderings)
    {
        SideFacts server = Assert.Single(
            new SegmentSequence(sackPermitted: true).Syn(0).SynAck(262).FromClient(262.1, 1000, 0).FromClient(263, 1000, 200).FromServer(525, 1200)
                .FromServer(responseMs, 1200, 217, 7500).Sack(7500, 7717).FromClient(responseMs + 0.1, 1200, 0)
                .FromServer(responseMs + 0.5, 1200, 1250).Sack(7500, 7717).FromClient(responseMs + 0.6, 1200, 0, ack: 6250)
                .FromServer(responseMs + 1, 1200, 1250, 6250).FromClient(responseMs + 1.1, 1200, 0, ack: 7717).Evidence().Connections).Sides[1];

        Assert.Equal((losses, reorderings), (server.Timeouts + server.FastRetransmissions, server.Reorderings));
    }

    // A path of 20 ms that varies: the repair comes 60 ms after the SACK block. A timer can have ended only if the data below the hole is 200 ms old; so soon
    // behind the block it was perhaps asked for all the same.
    [Theory]
    [InlineData(90, 101, 1, 0, false)]
    [InlineData(190, 101, 0, 1, true)]
    [InlineData(190, 290, 0, 1, false)]
    public void AHoleThatIsFilledBeforeAnyTimerCanEnd_WasAskedFor(double aboveMs, double repairMs, long fast, long timeouts, bool early)
    {
        CaptureEvidence evidence = new SegmentSequence(sackPermitted: true).Syn(0).SynAck(20).FromClient(20.1, 1000, 0).FromClient(21, 1000, 200)
            .FromServer(41, 1200, 1460).FromClient(41.1, 1200, 0, ack: 6460).FromServer(41 + aboveMs, 1200, 1460, 7920).Sack(7920, 9380)
            .FromClient(41.1 + aboveMs, 1200, 0, ack: 6460).FromServer(repairMs + aboveMs, 1200, 1460, 6460)
            .FromClient(repairMs + aboveMs + 0.1, 1200, 0, ack: 9380).Evidence();
        SideFacts server = Assert.Single(evidence.Connections).Sides[1];

        Assert.Equal((fast, timeouts), (server.FastRetransmissions, server.Timeouts));
        Finding finding = Assert.Single(CaptureFindings.Of(evidence), f => f.Id is "LT121" or "LT122");
        Assert.Equal(early ? Confidence.Possible : Confidence.Likely, finding.Confidence);
        Assert.Equal(early, finding.Against.Any(a => a.StartsWith("1 repair came less than 200 ms after", StringComparison.Ordinal)));
    }

    // A path of 20 ms: two round trips behind the SACK block a sender that waits for packets in the wrong order can still answer it; three later, hardly.
    [Theory]
    [InlineData(52, 1, 0)]
    [InlineData(62, 0, 1)]
    public void ARepairSoonBehindItsReport_WasAskedFor(double afterMs, long fast, long timeouts)
    {
        SideFacts server = Assert.Single(new SegmentSequence(sackPermitted: true).Syn(0).SynAck(20).FromClient(20.1, 1000, 0).FromClient(21, 1000, 200)
            .FromServer(41, 1200, 1460).FromClient(41.1, 1200, 0, ack: 6460).FromServer(341, 1200, 1460, 7920).Sack(7920, 9380)
            .FromClient(341.1, 1200, 0, ack: 6460).FromServer(341.1 + afterMs, 1200, 1460, 6460).FromClient(341.2 + afterMs, 1200, 0, ack: 9380)
            .Evidence().Connections).Sides[1];

        Assert.Equal((fast, timeouts), (server.FastRetransmissions, server.Timeouts));
    }

    // A path of 268 ms: two segments that one ACK let go come in the wrong order. The timer began anew with that ACK; only much later can it have ended.
    [Theory]
    [InlineData(808, 0, 1)]
    [InlineData(1508, 1, 0)]
    public void SegmentsInTheWrongOrder_BehindTheAckThatLetThemGo_AreNoLoss(double atMs, long losses, long reorderings)
    {
        SideFacts server = Assert.Single(new SegmentSequence().Syn(0).SynAck(268).FromClient(268.1, 1000, 0).FromClient(269, 1000, 200)
            .FromServer(539, 1200, 1460).FromClient(539.1, 1200, 0, ack: 6460).FromServer(atMs, 1200, 1460, 7920).FromClient(atMs + 0.1, 1200, 0, ack: 6460)
            .FromServer(atMs + 2.5, 1200, 1460, 6460).FromClient(atMs + 2.6, 1200, 0, ack: 9380).Evidence().Connections).Sides[1];

        Assert.Equal((losses, reorderings), (server.Timeouts + server.FastRetransmissions, server.Reorderings));
    }

    // What ACKs asked for is never acknowledged, although the server still says what it lacks: it was sent again, and not repaired.
    [Fact]
    public void WhatIsNeverAcknowledged_WasNotRepaired()
    {
        CaptureEvidence evidence = new SegmentSequence(sackPermitted: true).Syn(0).SynAck(20).FromClient(20.1, 1000, 0).FromClient(21, 1000, 1460)
            .FromClient(21.1, 2460, 1460).FromClient(21.2, 3920, 100).Sack(3920, 4020).FromServer(41.2, 1000).FromClient(46, 1000, 1460)
            .FromClient(46.1, 2460, 1460).Sack(3920, 4020).FromServer(200, 1000).Evidence();

        Finding finding = Assert.Single(CaptureFindings.Of(evidence), f => f.Id is "LT121" or "LT122");
        Assert.Equal(("LT122", 2L), (finding.Id, finding.Count));
        Assert.StartsWith("2 lost segments were sent again after duplicate ACKs or SACK blocks", finding.For[0], StringComparison.Ordinal);
    }

    // The same connection asks for one repair and has it at once; another comes 60 ms behind its SACK block. Each finding names the repair that may be its own.
    [Fact]
    public void WhatMayBelongToTheOtherFinding_IsNamedInBoth()
    {
        const string Otherwise = " came less than 200 ms after the receiver had reported the loss (60.0 ms in all): "
            + "it may have been a fast retransmission (LT122) that the path held up";
        CaptureEvidence evidence = new SegmentSequence(sackPermitted: true).Syn(0).SynAck(20).FromClient(20.1, 1000, 0).FromClient(21, 1000, 200)
            .FromServer(41, 1200, 1460).FromClient(41.1, 1200, 0, ack: 6460).FromServer(231, 1200, 1460, 7920).Sack(7920, 9380)
            .FromClient(231.1, 1200, 0, ack: 6460).FromServer(291, 1200, 1460, 6460).FromClient(291.1, 1200, 0, ack: 9380)
            .FromServer(311, 1200, 1460, 9380).FromServer(311.1, 1200, 1460, 12300).Sack(12300, 13760).FromClient(311.2, 1200, 0, ack: 10840)
            .FromServer(332, 1200, 1460, 10840).FromClient(332.1, 1200, 0, ack: 13760).Evidence();

        Assert.Equal(
            [
                ("LT121", "1 repair" + Otherwise),
                ("LT122", "1 further repair of these connections, counted as LT121," + Otherwise),
            ],
            CaptureFindings.Of(evidence).Where(f => f.Id is "LT121" or "LT122").OrderBy(f => f.Id).SelectMany(f => f.Against.Select(a => (f.Id, a))));
    }

    // From the middle, beside a client that sends nothing: three SACK blocks and newer data, then the repair. After 300 ms, was it asked for on a long path,
    // or a timer? After 150 ms no timer can have ended.
    [Theory]
    [InlineData(150, Confidence.Likely)]
    [InlineData(300, Confidence.Possible)]
    public void ALateRepairFromAnUnknownDistance_IsFastPossibly(double laterMs, Confidence confidence)
    {
        SegmentSequence sequence = new SegmentSequence(sackPermitted: true).FromServer(0, 1000, 1460).FromServer(0.1, 1000, 1460, 6460)
            .FromClient(0.2, 1000, 0, ack: 7920);
        for (uint i = 1; i <= 4; i++)
        {
            double at = i < 4 ? 50 : laterMs - 50;
            sequence.FromServer(at + (i * 0.2), 1000, 1460, 7920 + (i * 1460)).Sack(9380, 9380 + (i * 1460))
                .FromClient(at + (i * 0.2) + 0.1, 1000, 0, ack: 7920);
        }

        Finding finding = Assert.Single(
            CaptureFindings.Of(
                sequence.FromServer(50.3 + laterMs, 1000, 1460, 7920).FromClient(50.4 + laterMs, 1000, 0, ack: 9380 + (4 * 1460)).Evidence()),
            f => f.Id is "LT121" or "LT122");
        Assert.Equal(("LT122", confidence), (finding.Id, finding.Confidence));
    }

    // From the middle, only data and its answers show how far the sender is: 250 ms may be its path, or its own time. With a handshake it is the path.
    [Theory]
    [InlineData(true, 20, Confidence.Likely)]
    [InlineData(false, 20, Confidence.Likely)]
    [InlineData(true, 250, Confidence.Likely)]
    [InlineData(false, 250, Confidence.Possible)]
    public void ALongRoundTrip_IsKnownByItsHandshakeOnly(bool handshake, double roundTripMs, Confidence confidence)
    {
        SegmentSequence sequence = new(sackPermitted: handshake);
        if (handshake)
        {
            sequence = sequence.Syn(-roundTripMs - 1).SynAck(-1).FromClient(-0.9, 1000, 0);
        }

        double at = roundTripMs;
        sequence.FromClient(0, 1000, 100).FromServer(at, 1100, 1460).FromServer(at + 0.1, 1100, 1460, 6460).FromClient(at + 0.2, 1100, 0, ack: 7920);
        for (uint i = 1; i <= 4; i++)
        {
            sequence.FromServer(at + 50 + (i * 0.2), 1100, 1460, 7920 + (i * 1460)).Sack(9380, 9380 + (i * 1460))
                .FromClient(at + 50.1 + (i * 0.2), 1100, 0, ack: 7920);
        }

        double repair = at + 50.2 + (roundTripMs * 1.2);
        Finding finding = Assert.Single(
            CaptureFindings.Of(
                sequence.FromServer(repair, 1100, 1460, 7920).FromClient(repair + 0.1, 1100, 0, ack: 9380 + (4 * 1460)).Evidence()),
            f => f.Id is "LT121" or "LT122");
        Assert.Equal(("LT122", confidence), (finding.Id, finding.Confidence));
    }

    // Beside the client, whose other connections to the same server took 70 ms. Here the handshake took 70 or 190 ms, and the repair comes 240 ms behind three
    // SACK blocks: three round trips later, or a little more than one.
    [Theory]
    [InlineData(70, "LT121")]
    [InlineData(190, "LT122")]
    public void TheRoundTripOfItsOwnHandshake_TellsATimerFromARequest(double roundTripMs, string id)
    {
        SegmentSequence sequence = new(sackPermitted: true);
        for (ushort i = 0; i < 5; i++)
        {
            sequence.To("10.0.0.2", (ushort)(41_000 + i)).Syn(i * 200).SynAck((i * 200) + 70).FromClient((i * 200) + 70.1, 1000, 0);
        }

        double at = 2000 + roundTripMs;
        sequence.To("10.0.0.2", 42_000).Syn(2000).SynAck(at).FromClient(at + 0.1, 1000, 0).FromClient(at + 80, 1000, 500);
        at += 80 + roundTripMs;
        sequence.FromServer(at, 1500);
        for (uint i = 1; i <= 3; i++)
        {
            sequence.FromServer(at + (i * 0.1), 1500, 1460, 5000 + (i * 1460)).Sack(6460, 6460 + (i * 1460)).FromClient(at + (i * 0.1) + 0.05, 1500, 0);
        }

        sequence.FromServer(at + 240, 1500, 1460).FromClient(at + 240.1, 1500, 0, ack: 5000 + (4 * 1460));
        Assert.Equal(id, Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id is "LT121" or "LT122").Id);
    }

    // One duplicate ACK from an unknown distance: no round trip takes 3 s, so what comes later was a timer's.
    [Theory]
    [InlineData(1000, Confidence.Possible)]
    [InlineData(3500, Confidence.Likely)]
    public void ARepairLaterThanAnyRoundTrip_WasATimers(double laterMs, Confidence confidence)
    {
        Finding finding = Assert.Single(
            CaptureFindings.Of(
                new SegmentSequence().FromServer(0, 1000, 1460).FromServer(0.1, 1000, 1460, 6460).FromClient(0.2, 1000, 0, ack: 7920)
                    .FromServer(50, 1000, 1460, 9380).FromClient(50.1, 1000, 0, ack: 7920)
                    .FromServer(50 + laterMs, 1000, 1460, 7920).FromClient(50.1 + laterMs, 1000, 0, ack: 10840).Evidence()),
            f => f.Id is "LT121" or "LT122");
        Assert.Equal(("LT121", confidence), (finding.Id, finding.Confidence));
    }

    // Repairs that are a timer's for certain, and one that may have been asked for: up to a fifth of them leaves the count as good as known.
    [Theory]
    [InlineData(3, Confidence.Possible)]
    [InlineData(5, Confidence.Likely)]
    public void ManyCertainTimersAndAnUnsureOne_AreLikely(int certain, Confidence confidence)
    {
        SegmentSequence sequence = new SegmentSequence().FromServer(0, 1000, 1460).FromServer(0.1, 1000, 1460, 6460).FromClient(0.2, 1000, 0, ack: 7920);
        for (uint i = 0; i <= certain; i++)
        {
            (double at, uint hole) = ((i * 5000) + 50, 7920 + (i * 2920));
            double laterMs = i == certain ? 1000 : 3500;
            sequence.FromServer(at, 1000, 1460, hole + 1460).FromClient(at + 0.1, 1000, 0, ack: hole)
                .FromServer(at + laterMs, 1000, 1460, hole).FromClient(at + laterMs + 0.1, 1000, 0, ack: hole + 2920);
        }

        Finding finding = Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id is "LT121" or "LT122");
        Assert.Equal(("LT121", certain + 1, confidence), (finding.Id, finding.Count, finding.Confidence));
    }

    // Two holes from an unknown distance. The first is filled, and the ACK stops at the second: its repair, 300 ms later, may be asked for or a timer's.
    [Theory]
    [InlineData(150, Confidence.Likely)]
    [InlineData(300, Confidence.Possible)]
    public void ASecondHoleOfARecovery_IsAsUnsure(double laterMs, Confidence confidence)
    {
        SegmentSequence sequence = new SegmentSequence().FromServer(0, 1000, 1460).FromServer(0.1, 1000, 1460, 6460).FromClient(0.2, 1000, 0, ack: 7920);
        foreach (uint i in new uint[] { 1, 3, 4, 5 })
        {
            sequence.FromServer(50 + (i * 0.2), 1000, 1460, 7920 + (i * 1460)).FromClient(50.1 + (i * 0.2), 1000, 0, ack: 7920);
        }

        Finding[] findings = [.. CaptureFindings.Of(
                sequence.FromServer(150, 1000, 1460, 7920).FromClient(150.1, 1000, 0, ack: 7920 + (2 * 1460))
                    .FromServer(150 + laterMs, 1000, 1460, 7920 + (2 * 1460)).FromClient(150.1 + laterMs, 1000, 0, ack: 7920 + (6 * 1460)).Evidence())
            .Where(f => f.Id is "LT121" or "LT122")];
        Assert.NotEmpty(findings);
        Assert.All(findings, f => Assert.Equal(confidence, f.Confidence));
    }

    // The path is down for 3 s. Then the receiver repeats its ACK, which has none of the copies; the answer to the last copy is quicker than any before, and
    // still the answer to that one. Without such an ACK, or with one just before, it may be a late answer to an earlier copy.
    [Theory]
    [InlineData(3400, 4)]
    [InlineData(3650, 3)]
    [InlineData(2310, 3)]
    public void AQuickAnswerAfterTheReceiverStillLackedTheData_IsToTheLastCopy(double lackedMs, long timeouts)
    {
        SideFacts client = Assert.Single(
            new SegmentSequence().Syn(0).SynAck(8).FromClient(8.1, 1000, 0).FromClient(10, 1000, 100).FromServer(18, 1100, 20)
                .FromClient(200, 1100, 100, ack: 5020).FromClient(500, 1100, 100, ack: 5020).FromClient(1100, 1100, 100, ack: 5020)
                .FromClient(2300, 1100, 100, ack: 5020).FromServer(lackedMs, 1100, 0, 5020).FromClient(3700, 1100, 100, ack: 5020)
                .FromServer(3700.4, 1200, 0, 5020).Evidence().Connections).Sides[0];

        Assert.Equal(timeouts, client.Timeouts);
    }

    // Beside the receiver, 11 ms from the sender. Of two holes one is repaired at once, and the other after a silence that seems a little shorter than the
    // shortest timer; or after a short one.
    [Theory]
    [InlineData(198, 1, 1)]
    [InlineData(60, 0, 2)]
    public void ASilenceOfManyRoundTrips_IsATimers(double silentMs, long timeouts, long fast)
    {
        SegmentSequence sequence = new SegmentSequence(sackPermitted: true).Syn(0).SynAck(11).FromClient(11.05, 1000, 200).FromServer(23, 1200, 1000)
            .FromClient(23.05, 1200, 0, ack: 6000);
        for (uint i = 0; i < 3; i++)
        {
            sequence.FromServer(40 + i, 1200, 1000, 7000 + (1000 * i)).Sack(7000, 8000 + (1000 * i)).FromClient(40.05 + i, 1200, 0, ack: 6000);
        }

        sequence.FromServer(43, 1200, 1000, 11_000).Sack(11_000, 12_000).FromClient(43.05, 1200, 0, ack: 6000).FromServer(54.3, 1200, 1000, 10_000)
            .Sack(7000, 12_000).FromClient(54.35, 1200, 0, ack: 6000).FromServer(54.3 + silentMs, 1200, 1000, 6000)
            .FromClient(54.35 + silentMs, 1200, 0, ack: 12_000);

        SideFacts server = Assert.Single(sequence.Evidence().Connections).Sides[1];
        Assert.Equal((timeouts, fast), (server.Timeouts, server.FastRetransmissions));
    }

    // One direction only, so no ACK ends a recovery. Two holes in later data, then after a silence the first byte that is missing: a timer, and what goes on
    // upward from there. New data ends that; holes behind it are filled at once again, and the end is repeated by a timer. Going on upward after the
    // silence, the sender was asked.
    [Theory]
    [InlineData(true, 3, 4)]
    [InlineData(false, 1, 6)]
    public void OneDirection_ATimerGoesBackToTheFirstByteThatIsMissing(bool back, long timeouts, long fast)
    {
        SegmentSequence sequence = new();
        void Send(double ms, params uint[] segments)
        {
            for (int i = 0; i < segments.Length; i++)
            {
                sequence.FromServer(ms + (i * 0.1), 1000, 1000, 5000 + (segments[i] * 1000));
            }
        }

        Send(0, 0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 16);
        // The repair of segment 3 is lost where the timer has to go back to it.
        Send(60, back ? [7] : [3, 7]);
        Send(460, back ? [3, 11] : [11]);
        Send(500, 17, 18, 19, 21, 22, 23, 24);
        Send(560, 15, 20);
        Send(600, 25, 26, 27, 29, 30, 31, 32);
        Send(660, 28);
        Send(700, 33, 34);
        Send(1500, 34);

        SideFacts server = Assert.Single(sequence.Evidence().Connections).Sides[1];
        Assert.Equal((timeouts, fast), (server.Timeouts, server.FastRetransmissions));
    }

    // The snap length cuts the options. A duplicate ACK whose header is longer by a block asked for what follows it at once; a plain one, alone, asked for
    // nothing yet.
    [Theory]
    [InlineData(true, true, false, "LT122")]
    [InlineData(true, true, true, "LT122")]
    [InlineData(true, false, false, "LT121")]
    [InlineData(true, false, true, "LT121")]
    [InlineData(false, true, true, "LT122")]
    public void ALongerHeader_HidesSackBlocks(bool cut, bool sack, bool timestamps, string id)
    {
        SegmentSequence sequence = new SegmentSequence(timestamps, sackPermitted: true).Syn(0).SynAck(20).FromClient(20.05, 1000, 0);
        sequence = cut ? sequence.Cut() : sequence;
        for (uint i = 0; i < 6; i++)
        {
            sequence.FromClient(100 + i, 1000 + (i * Mss), (int)Mss);
        }

        sequence.FromServer(122, 1000 + (3 * Mss));
        sequence = sack ? sequence.Sack(1000 + (4 * Mss), 1000 + (5 * Mss)) : sequence;
        sequence.FromServer(124, 1000 + (3 * Mss)).FromClient(124.05, 1000 + (3 * Mss), (int)Mss).FromServer(144.1, 1000 + (6 * Mss));

        Assert.Equal([id], CaptureFindings.Of(sequence.Evidence()).Where(f => f.Id is "LT121" or "LT122" or "LT123").Select(f => f.Id));
    }

    // Beside the sender, 60 ms after the SACK block of a path of 20 ms: several lost segments leave at once, as ACKs allow and no timer does; or one, and the
    // next when that is acknowledged.
    [Theory]
    [InlineData(true, 60, "LT122")]
    [InlineData(false, 60, "LT121")]
    [InlineData(true, 400, "LT121")]
    public void SeveralSegmentsAtOnce_WereNotSentByATimer(bool atOnce, double afterMs, string id)
    {
        SegmentSequence sequence = new SegmentSequence(sackPermitted: true).Syn(0).SynAck(20).FromClient(20.05, 1000, 0);
        for (uint i = 0; i < 4; i++)
        {
            sequence.FromClient(100 + (i * 0.1), 1000 + (i * Mss), i == 3 ? 244 : (int)Mss);
        }

        double at = 120 + afterMs;
        sequence.Sack(1000 + (3 * Mss), 1244 + (3 * Mss)).FromServer(120, 1000).FromClient(at, 1000, (int)Mss);
        at += atOnce ? 0.01 : 20;
        sequence = atOnce ? sequence : sequence.Sack(1000 + (3 * Mss), 1244 + (3 * Mss)).FromServer(at, 1000 + Mss);
        sequence.FromClient(at + 0.01, 1000 + Mss, (int)Mss).FromServer(at + 20, 1000 + (2 * Mss)).FromClient(at + 20.02, 1000 + (2 * Mss), (int)Mss);
        sequence.FromServer(at + 40, 1244 + (3 * Mss));

        Assert.Equal(id, CaptureFindings.Of(sequence.Evidence()).Where(f => f.Id is "LT121" or "LT122").MaxBy(f => f.CostMs)!.Id);
    }

    // A path that suddenly holds what the server sends. By both clocks the repair left as soon as the report came, or after a timer; where the server's clock
    // goes in other steps than the client's, or nothing is known of the clocks, the silence counts.
    [Theory]
    [InlineData(21, 1, "LT122")]
    [InlineData(45, 1, "LT122")]
    [InlineData(230, 1, "LT121")]
    [InlineData(580, 1, "LT121")]
    [InlineData(21, 10, "LT121")]
    [InlineData(20, 1, "LT121", 2_147_483_648.0)]
    public void WhatThePathHeld_WasNotSentByATimer(double leadMs, int stepMs, string id, double absurdMs = 0)
    {
        SegmentSequence sequence = new SegmentSequence(timestamps: true, sackPermitted: true).Ticks(0).Syn(0).Ticks(20 / stepMs, 0).SynAck(40)
            .Ticks(40, 20 / stepMs).FromClient(40.05, 1000, 0);
        (double at, uint next) = (40, 5000);
        for (int i = 0; i < 12; i++, at += 40, next += 100)
        {
            sequence.Ticks(at, (at - 20) / stepMs).FromClient(at + 0.1, 1000 + ((uint)i * 50), 50, next).Ticks((at + 20) / stepMs, at)
                .FromServer(at + 40, 1050 + ((uint)i * 50), 100, next);
        }

        for (uint i = 0; i < 4; i++)
        {
            sequence.Ticks((at + 20) / stepMs, at).FromServer(at + 40 + (0.2 * i), 1600, (int)Mss, next + ((1 + i) * Mss))
                .Sack(next + Mss, next + ((2 + i) * Mss)).Ticks(at + 40, (at + 20) / stepMs).FromClient(at + 40.1 + (0.2 * i), 1600, 0, next);
        }

        Finding finding = Assert.Single(
            CaptureFindings.Of(sequence.Ticks((at + 40 + leadMs) / stepMs, at + 40 + absurdMs).FromServer(at + 680, 1600, (int)Mss, next)
                .Ticks(at + 680, (at + 40 + leadMs) / stepMs).FromClient(at + 680.1, 1600, 0, next + (5 * Mss)).Evidence()),
            f => f.Id is "LT121" or "LT122");
        Assert.Equal((id, 1), (finding.Id, finding.Count));
        Assert.Equal(640, finding.CostMs!.Value, 0.5);
    }
}
