using LatencyTuner.Core.Capture;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings.Captures;
using LatencyTuner.Core.Recordings.Captures.Rules;
using LatencyTuner.Tests.Capture;
using Xunit;

namespace LatencyTuner.Tests.Recordings.Captures;

/// <summary>What looks like data sent again, and what the receiver's own packets say about it.</summary>
public sealed class LossesThatAreNone
{
    // Tools begin each connection with the same number, on the same ports.
    [Theory]
    [InlineData(300, 5000, 2, 0)]
    [InlineData(0, 5000, 1, 1)]
    [InlineData(300, 500, 1, 0)]
    public void SynWithTheSameNumber_AfterData_OpensAnother(int length, double laterMs, int connections, int syns)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(20).FromClient(21, 1000, 0);
        if (length > 0)
        {
            sequence.FromClient(22, 1000, length).FromServer(43, 1000 + (uint)length, 500);
        }

        sequence.Syn(43 + laterMs);
        if (length > 0)
        {
            sequence.SynAck(63 + laterMs).FromClient(64 + laterMs, 1000, length).FromServer(85 + laterMs, 1000 + (uint)length, 500);
        }

        CaptureEvidence evidence = sequence.Evidence();

        Assert.Equal(connections, evidence.Connections.Count);
        Assert.Equal(syns, evidence.Connections.Sum(c => c.SynRetransmissions));
        Assert.Equal(0, connections == 2 ? evidence.Connections.Sum(c => c.Sides.Sum(s => s.Timeouts)) : 0);
    }

    // No first timeout is that short: the SYN had been held back on its way, and its answer is under way. Without an answer it may be lost all the same.
    [Theory]
    [InlineData(567, true, 0)]
    [InlineData(567, false, 1)]
    [InlineData(1000, true, 1)]
    public void SynAgainBeforeAnyTimeout_AfterItsAnswer_WasLate(double againMs, bool answered, int syns)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0);
        if (answered)
        {
            sequence.SynAck(0.2);
        }

        sequence.Syn(againMs);
        if (!answered)
        {
            sequence.SynAck(againMs + 0.2);
        }

        CaptureEvidence evidence = sequence.FromClient(againMs + 400, 1000, 0).FromClient(againMs + 401, 1000, 100).FromServer(againMs + 402, 1100, 300)
            .Evidence();

        Assert.Equal(syns, Assert.Single(evidence.Connections).SynRetransmissions);
    }

    // A device that changes sequence numbers, but not those in the options: its blocks tell of nothing. Others ask for data.
    [Theory]
    [InlineData(2_000_000_000u, 1)]
    [InlineData(4_000_000_000u, 1)]
    [InlineData(2600u, 0)]
    public void SackBlockOfWhatWasNeverSent_AsksForNothing(uint left, int hasty)
    {
        CaptureEvidence evidence = new SegmentSequence().Syn(0, scale: 0).SynAck(15.6, scale: 0).FromClient(15.7, 1000, 0).FromClient(16, 1000, 1400)
            .Sack(left, left + 100).FromServer(32, 2400).FromClient(100, 2400, 400).FromClient(131, 2400, 400).FromServer(147, 2800, 300)
            .FromClient(147.1, 2800, 0, ack: 5300).Evidence();

        SideFacts client = Assert.Single(evidence.Connections).Sides[0];
        Assert.Equal((1, hasty), (client.Timeouts + client.FastRetransmissions, client.HastyRepeats));
    }

    // Between a virtual machine and its host's address translation: the machine delays its ACK, and the translation does not wait for it.
    [Theory]
    [InlineData(0.03, 100, 0, 1)]
    [InlineData(0.15, 100, 1, 0)]
    [InlineData(0.03, 250, 1, 0)]
    public void DataAgainBesideTheReceiver_BeforeAnyTimer_HadArrived(double receiverMs, double againMs, int losses, int spurious)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(0.15).FromClient(0.15 + receiverMs, 1000, 0);
        double at = 1;
        (uint request, uint answer) = (1000, 5000);
        for (int i = 0; i < 4; i++, at += 50)
        {
            sequence.FromClient(at, request, 100, ack: answer).FromServer(at + 0.15, request + 100, 300, answer);
            (request, answer) = (request + 100, answer + 300);
            sequence.FromClient(at + 0.15 + receiverMs, request, 0, ack: answer);
        }

        CaptureEvidence evidence = sequence.FromServer(at, request, 170, answer).FromServer(at + againMs, request, 170, answer)
            .FromClient(at + againMs + receiverMs, request, 0, ack: answer + 170).FromClient(at + againMs + 20, request, 100, ack: answer + 170)
            .FromServer(at + againMs + 20.15, request + 100, 50, answer + 170).Evidence();

        SideFacts server = Assert.Single(evidence.Connections).Sides[1];
        Assert.Equal((losses, spurious), (server.Timeouts, server.SpuriousRetransmissions));
    }

    // Keep-alives with a byte of garbage are all that the capture has of one end; a browser sends them every 45 s.
    [Theory]
    [InlineData(1, 0)]
    [InlineData(2, 1)]
    public void OneByteThatIsNotPushed_IsAKeepAlive(int length, int findings) => Assert.Equal(
        findings,
        CaptureFindings.Of(new SegmentSequence().FromClient(0, 1000, length).FromClient(45_000, 1000, length).FromClient(90_000, 1000, length).Evidence())
            .Count(f => f.Id == "LT121"));

    // A path that holds everything back for a while: each copy arrives, and a receiver without D-SACK answers each of them with the same ACK.
    [Theory]
    [InlineData(2, 0, 2)]
    [InlineData(1, 1, 1)]
    [InlineData(0, 2, 0)]
    public void CopiesThatAreAllAnswered_HadAllArrived(int answers, int losses, int spurious)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(40).FromClient(40.1, 1000, 0).FromClient(41, 1000, 300)
            .FromClient(320, 1000, 300).FromClient(880, 1000, 300).FromServer(1560, 1300, 190);
        for (int i = 0; i < answers; i++)
        {
            sequence.FromServer(1570 + (i * 10), 1300, 0, 5190);
        }

        CaptureEvidence evidence = sequence.FromClient(1600, 1300, 0, ack: 5190).FromClient(1700, 1300, 100, ack: 5190).FromServer(1741, 1400, 50, 5190)
            .Evidence();

        SideFacts client = Assert.Single(evidence.Connections).Sides[0];
        Assert.Equal((losses, spurious), (client.Timeouts, client.SpuriousRetransmissions));
    }

    // Duplicate ACKs behind new data are asked for by a hole, not by a copy.
    [Fact]
    public void DuplicateAcksBehindNewData_SayNothingOfTheCopyBefore()
    {
        CaptureEvidence evidence = new SegmentSequence().Syn(0).SynAck(40).FromClient(40.1, 1000, 0).FromClient(41, 1000, 300).FromClient(320, 1000, 300)
            .FromServer(361, 1300).FromClient(362, 1300, 300).FromClient(362.1, 1600, 300).FromServer(403, 1300).FromClient(700, 1300, 300)
            .FromServer(741, 1900).Evidence();

        Assert.Equal((2, 0), (Assert.Single(evidence.Connections).Sides[0].Timeouts, evidence.Connections[0].Sides[0].SpuriousRetransmissions));
    }

    // Tools that write captures begin the data with the number of the SYN itself.
    [Fact]
    public void DataWithTheNumberOfTheSyn_IsNew()
    {
        CaptureEvidence evidence = new SegmentSequence().Syn(0).SynAck(0.5).FromClient(1, 999, 0).FromClient(500, 999, 57, ack: 4999)
            .FromServer(505, 1056, 57, 4999).FromClient(510, 1056, 27, ack: 5056).FromServer(515, 1083, 27, 5056).Evidence();

        Assert.All(Assert.Single(evidence.Connections).Sides, s => Assert.Equal(0, s.Timeouts + s.FastRetransmissions + s.SpuriousRetransmissions));
    }

    // The server's answer passed the capture each time. Where the client goes on, the answer was lost; where it never does, it may refuse it itself.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void AnsweredSynsThatAreSentAgain_NameNobodyUntilTheClientGoesOn(bool goesOn)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(1.7).Syn(1000).SynAck(1001.6);
        if (goesOn)
        {
            sequence.FromClient(1002, 1000, 0).FromClient(1003, 1000, 100).FromServer(1005, 1100, 100);
        }

        Finding finding = Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id == "LT121");
        Assert.Equal(goesOn ? Side.Network : null, finding.Side);
        Assert.Equal(!goesOn, finding.Against.Any(a => a.Contains("something at the client refuses them", StringComparison.Ordinal)));
        Assert.Equal(!goesOn, finding.Recommendation!.Contains("filter at the client", StringComparison.Ordinal));
    }

    // An ACK of what was never sent is dropped with its data (RFC 9293 3.10.7.4); of a little more than was captured, the capture has a gap.
    [Theory]
    [InlineData(1_200_000_000, 0)]
    [InlineData(100_000, 1)]
    public void SegmentThatAcknowledgesWhatNobodySent_IsNotOfThisConnection(int beyond, int below)
    {
        CaptureEvidence evidence = new SegmentSequence().FromClient(0, 1000, 12).FromServer(1000, 1012, 200, sequence: 5000)
            .FromServer(2000, 1012 + (uint)beyond, 200, sequence: 1_200_000).FromServer(3000, 1012, 200, sequence: 6000).Evidence();

        SideFacts server = Assert.Single(evidence.Connections).Sides[1];
        Assert.Equal(below, server.Timeouts + server.FastRetransmissions + server.SpuriousRetransmissions);
    }

    /// <summary>One direction of a long download: the client's ACKs go far beyond what it shows of the server, and stay its own.</summary>
    [Fact]
    public void OneDirectionOfAnHourLong_IsFollowedToItsEnd()
    {
        SegmentSequence sequence = new();
        uint acknowledged = 5000;
        for (uint i = 0; i < 40; i++)
        {
            acknowledged += 100_000_000;
            sequence.FromClient(i * 1000, 1000 + (i * 100), 100, ack: acknowledged);
        }

        Assert.Equal(40, Assert.Single(sequence.Evidence().Connections).Sides[0].DataSegments);
    }

    // The only data of a host, twice: one identification is one packet, unless the host gives all packets the same.
    [Theory]
    [InlineData(60, true, false, 0)]
    [InlineData(60, false, false, 1)]
    [InlineData(60, true, true, 1)]
    [InlineData(260, true, false, 1)]
    public void TheOnlyDataTwice_IsOnePacketUnderOneIdentification(double laterMs, bool samePacket, bool numbersNothing, int losses)
    {
        const ushort Id = 0x1234;
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(20).FromClient(21, 1000, 0, id: Id);
        if (numbersNothing)
        {
            sequence.FromClient(22, 1000, 100, id: Id).FromServer(43, 1100);
        }

        uint first = numbersNothing ? 1100u : 1000u;
        sequence.FromClient(50, first, 300, id: Id).FromClient(50 + laterMs, first, 300, id: samePacket ? Id : (ushort)(Id + 1));
        CaptureEvidence evidence = sequence.FromServer(75 + laterMs, first + 300).FromServer(80 + laterMs, first + 300, 500).Evidence();

        Assert.Equal(losses, Assert.Single(evidence.Connections).Sides[0].Timeouts);
    }

    // A hole below data that had passed, filled within a round trip. With the receiver's ACKs in the capture, their silence would show a timer.
    [Theory]
    [InlineData(false, 30, 1, 0)]
    [InlineData(true, 30, 0, 1)]
    [InlineData(false, 260, 0, 1)]
    public void HoleFilledWithinARoundTrip_WithoutAnyAckCaptured_WasAskedFor(bool acks, double fillMs, int fast, int timeouts)
    {
        const int Mss = 1460;
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(0.1).FromClient(30.1, 1000, 200, ack: 5000).FromServer(30.3, 1200, Mss, 5000);
        if (acks)
        {
            sequence.FromClient(60, 1200, 0, ack: 5000 + Mss);
        }

        // The second of four segments is missing here.
        sequence.FromServer(70, 1200, Mss, 5000 + (2 * Mss)).FromServer(70.2, 1200, Mss, 5000 + (3 * Mss));
        sequence.FromServer(70 + fillMs, 1200, Mss, 5000 + Mss);
        CaptureEvidence evidence = sequence.FromClient(105 + fillMs, 1200, 200, ack: 5000 + (4 * Mss)).Evidence();

        SideFacts server = Assert.Single(evidence.Connections).Sides[1];
        Assert.Equal((fast, timeouts), (server.FastRetransmissions, server.Timeouts));
    }

    // Beside the receiver. Its ACKs after the first copy still stop before it: the copy did not reach it. Or it had acknowledged it, and the ACK was lost.
    [Theory]
    [InlineData(false, 1, 0)]
    [InlineData(true, 0, 1)]
    public void DataThatTheReceiverStillAsksFor_WasLostBehindTheTap(bool acknowledged, int lost, int spurious)
    {
        const int Mss = 1460;
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(30).FromClient(30.05, 1000, 200).FromServer(60.1, 1200, Mss, 5000)
            .FromClient(60.15, 1200, 0, ack: 5000 + Mss);
        sequence.FromServer(100, 1200, Mss, 5000 + Mss).FromServer(110, 1200, Mss, 5000 + (2 * Mss));
        uint after = acknowledged ? 5000u + (3 * Mss) : 5000u + Mss;
        sequence.FromClient(110.05, 1200, 0, ack: after).FromServer(120, 1200, 0, 5000 + (3 * Mss)).FromClient(130, 1200, 10, ack: after);
        sequence.FromServer(400, 1200, Mss, 5000 + Mss);
        CaptureEvidence evidence = sequence.FromClient(400.05, 1210, 0, ack: 5000 + (3 * Mss)).FromServer(440, 1210, 100, 5000 + (3 * Mss)).Evidence();

        SideFacts server = Assert.Single(evidence.Connections).Sides[1];
        Assert.Equal((lost, spurious), (server.Timeouts, server.SpuriousRetransmissions));
        Assert.Equal(lost, server.LostBeyondTap);
    }

    /// <summary>A peer that is gone: the path is not blamed for what nothing answered.</summary>
    [Theory]
    [InlineData(4, null)]
    [InlineData(0, Side.Network)]
    public void RetransmissionsMostlyUnanswered_BlameNoPath(int unanswered, Side? side)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(20).FromClient(20.05, 1000, 0).FromClient(21, 1000, 300)
            .FromClient(321, 1000, 300).FromServer(341, 1300, 500).FromClient(341.1, 1300, 0, ack: 5500).FromClient(400, 1300, 300, ack: 5500);
        double at = 700;
        for (int i = 0; i < unanswered; i++)
        {
            sequence.FromClient(at, 1300, 300, ack: 5500);
            at += 600 << i;
        }

        if (unanswered == 0)
        {
            sequence.FromServer(420, 1600, 500, sequence: 5500).FromClient(420.1, 1600, 0, ack: 6000);
        }

        Assert.Equal(side, Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id == "LT121").Side);
    }

    // Beside the sender, which sends again at the second duplicate ACK, or only when its timer ends.
    [Theory]
    [InlineData(0.1, 1, 0)]
    [InlineData(60, 0, 1)]
    public void DataSentAgainAtTheSecondDuplicateAck_WasAskedFor(double afterMs, int fast, int timeouts)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(40).FromClient(40.05, 1000, 0);
        for (uint i = 0; i < 3; i++)
        {
            sequence.FromClient(50 + (0.1 * i), 1000 + (i * 1460), 1460);
        }

        sequence.FromServer(90, 1000).FromServer(90.1, 1000);
        double at = 90.1 + afterMs;
        CaptureEvidence evidence = sequence.FromClient(at, 1000, 1460).FromServer(at + 40, 5380).FromServer(at + 41, 5380, 300)
            .FromClient(at + 41.1, 5380, 0, ack: 5300).Evidence();

        SideFacts client = Assert.Single(evidence.Connections).Sides[0];
        Assert.Equal((fast, timeouts), (client.FastRetransmissions, client.Timeouts));
    }

    // One segment on its way, acknowledged as soon as it came again: its receiver may only have delayed its ACK. No common timer ends so early.
    [Theory]
    [InlineData(150, false, Confidence.Possible)]
    [InlineData(310, false, Confidence.Likely)]
    [InlineData(310, true, null)]
    public void SegmentSentAgainBeforeADelayedAckWasDue_IsPossiblyLost_AndByAToolNotAtAll(double againMs, bool handmade, Confidence? confidence)
    {
        SegmentSequence sequence = handmade ? new SegmentSequence().Handmade() : new SegmentSequence(sackPermitted: true);
        sequence.Syn(0).SynAck(0.2).FromClient(0.3, 1000, 0).FromClient(10, 1000, 100).FromServer(10.2, 1100, 100);
        sequence.FromServer(10 + againMs, 1100, 100);
        CaptureEvidence evidence = sequence.FromClient(10.1 + againMs, 1100, 0, ack: 5100).FromClient(2000, 1100, 100, ack: 5100)
            .FromServer(2000.2, 1200, 100, 5100).FromClient(2000.3, 1200, 0, ack: 5200).Evidence();

        Finding? finding = CaptureFindings.Of(evidence).SingleOrDefault(f => f.Id == "LT121");
        Assert.Equal(confidence, finding?.Confidence);
        Assert.Equal(confidence == Confidence.Likely, finding?.Against.Count == 0);
        Assert.Equal(handmade, evidence.Sides.Any(s => s.WhyCopied?.Contains("neither SYN names a segment size", StringComparison.Ordinal) == true));
    }

    /// <summary>A tool that sends one segment after the other, each behind an ACK: nobody's Nagle algorithm holds them.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void SegmentsBehindAcks_AreHeldByNobodyWhereAToolWroteThem(bool handmade)
    {
        SegmentSequence sequence = handmade ? new SegmentSequence().Handmade() : new SegmentSequence();
        sequence.Syn(0).SynAck(20).FromClient(20.05, 1000, 0);
        double at = 30;
        Random random = new(5);
        for (uint i = 0; i < 20; i++)
        {
            sequence.FromClient(at, 1000 + (i * 50), 50);
            at += 20 + random.NextDouble();
            sequence.FromServer(at, 1000 + ((i + 1) * 50));
            at += 0.05;
        }

        Assert.Equal(!handmade, CaptureFindings.Of(sequence.Evidence()).Any(f => f.Id is "LT101" or "LT102"));
    }

    /// <summary>
    /// A window of full segments vanishes: a router takes less, and the sender cuts what it has anew, so that only the first piece begins where a lost
    /// segment did. Or they are simply lost.
    /// </summary>
    [Theory]
    [InlineData(1452, true)]
    [InlineData(1460, false)]
    public void AWindowThatComesThroughInPieces_IsTheMtuOfThePath(int piece, bool tooBig)
    {
        const int Lost = 4;
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(20).FromClient(20.05, 1000, 0);
        for (uint i = 0; i < Lost; i++)
        {
            sequence.FromClient(21 + (i * 0.02), 1000 + (i * 1460), 1460);
        }

        (double at, uint next, uint end) = (321, 1000, 1000 + (Lost * 1460));
        while (next < end)
        {
            uint length = Math.Min((uint)piece, end - next);
            sequence.FromClient(at, next, (int)length).FromServer(at + 20, next += length);
            at += 20.05;
        }

        CaptureEvidence evidence = sequence.FromServer(at + 1, end, 500).FromClient(at + 1.1, end, 0, ack: 5500).Evidence();

        Finding finding = Assert.Single(CaptureFindings.Of(evidence), f => f.Id == "LT121");
        Assert.Equal(tooBig, finding.Recommendation!.Contains("fragmentation needed", StringComparison.Ordinal));
    }

    /// <summary>
    /// A path that takes smaller packets than the sender believes: full segments vanish until they are cut. Or they are simply lost, also where the sender
    /// tries smaller ones although a full one had arrived.
    /// </summary>
    [Theory]
    [InlineData(1400, 300, true)]
    [InlineData(1460, 300, false)]
    [InlineData(1400, 1460, false)]
    public void FullSegmentsThatComeThroughInPieces_AreTheMtuOfThePath(int piece, int arrived, bool tooBig)
    {
        uint first = 1000 + (uint)arrived;
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(20).FromClient(20.05, 1000, 0).FromClient(20.1, 1000, arrived).FromServer(40.2, first);
        sequence.FromClient(41, first, 1460).FromClient(341, first, piece).FromServer(361, first + (uint)piece);
        if (piece < 1460)
        {
            sequence.FromClient(361.1, first + (uint)piece, 1460 - piece).FromServer(381, first + 1460);
        }

        CaptureEvidence evidence = sequence.FromServer(382, first + 1460, 500).FromClient(382.1, first + 1460, 0, ack: 5500).Evidence();

        Finding finding = Assert.Single(CaptureFindings.Of(evidence), f => f.Id == "LT121");
        Assert.Equal(tooBig, finding.For.Any(f => f.Contains("smaller pieces", StringComparison.Ordinal)));
        Assert.Equal(tooBig, finding.Recommendation!.Contains("MTU", StringComparison.Ordinal));
    }

    /// <summary>A last answer that is sent again after both ends have closed: it was lost, and nobody waits for it.</summary>
    [Theory]
    [InlineData(true, 0)]
    [InlineData(false, 900)]
    public void DataSentAgainAfterBothEndsHaveClosed_CostsNothing(bool closed, double costMs)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(0.2).FromClient(20.2, 1000, 0).FromClient(30, 1000, 100)
            .FromServer(30.2, 1100, 100);
        if (closed)
        {
            sequence.Fin(50, client: true, 1100, 5000).Fin(50.1, client: false, 5100, 1101);
        }

        CaptureEvidence evidence = sequence.FromServer(330.2, closed ? 1101u : 1100u, 100).FromServer(930.2, closed ? 1101u : 1100u, 100).Evidence();

        SideFacts server = Assert.Single(evidence.Connections).Sides[1];
        Assert.Equal(2, server.Timeouts);
        Assert.Equal(costMs, Math.Round(server.OwnedNs(StallKind.LossRto) / 1e6));
    }

    // Devices that count the padding of a short frame into the IP length. Data has PSH, other bytes, or is a keep-alive's one byte.
    [Theory]
    [InlineData(false, 6, 0, 0)]
    [InlineData(false, 2, 0, 0)]
    [InlineData(false, 1, 0, 1)]
    [InlineData(false, 7, 0, 7)]
    [InlineData(false, 6, 1, 6)]
    [InlineData(true, 6, 0, 6)]
    public void ZerosBehindAnAck_ArePadding(bool push, int length, byte last, int payload)
    {
        byte[] tcp = new byte[20 + length];
        (tcp[12], tcp[13], tcp[^1]) = (0x50, (byte)(push ? TcpFlags.Ack | TcpFlags.Psh : TcpFlags.Ack), last);
        TcpSegment segment = default;

        Assert.Equal(DecodeOutcome.Tcp, TcpHeader.Decode(tcp, tcp.Length, ref segment));
        Assert.Equal(payload, segment.PayloadLength);
    }
}
