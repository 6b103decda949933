using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings.Captures;
using LatencyTuner.Core.Recordings.Captures.Rules;
using LatencyTuner.Tests.Capture;
using Xunit;

namespace LatencyTuner.Tests.Recordings.Captures;

/// <summary>Data sent again where the capture shows neither a loss nor a timer.</summary>
public sealed class VagueRepeats
{
    // Beside the sender, pure ACKs of the receiver left out of the capture: it may have sent one; within 180 ms it may just have waited with it.
    [Theory]
    [InlineData(150, false, Confidence.Possible, true)]
    [InlineData(400, false, Confidence.Possible, false)]
    [InlineData(150, true, Confidence.Possible, false)]
    public void LastOfSeveralSegments_SentAgainSoon_MayHaveArrived(double againMs, bool pureAcks, Confidence confidence, bool info)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(0.1);
        if (pureAcks)
        {
            sequence.FromClient(40, 1000, 0);
        }

        sequence.FromClient(41, 1000, 300).FromServer(42, 1300, 60).FromServer(60, 1300, 400, 5060).FromServer(60 + againMs, 1300, 400, 5060);
        sequence.FromClient(100 + againMs, 1300, 200, ack: 5460).FromServer(101 + againMs, 1500, 60, 5460).FromClient(141 + againMs, 1500, 200, ack: 5520)
            .FromServer(142 + againMs, 1700, 60, 5520).FromClient(182 + againMs, 1700, 200, ack: 5580);

        Finding finding = Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id == "LT121");
        Assert.Equal((confidence, info), (finding.Confidence, finding.Severity == Severity.Info));
    }

    // A filter left only packets with data. The server repeats a response after 200 ms: whether the client had acknowledged it, nobody knows.
    [Theory]
    [InlineData(false, Confidence.Possible)]
    [InlineData(true, Confidence.Likely)]
    public void WithoutAnyAckOfTheClient_AResponseMayHaveArrived(bool acks, Confidence confidence)
    {
        SegmentSequence sequence = new();
        for (uint i = 0; i < 3; i++)
        {
            double at = i == 2 ? 400 : 60 * i;
            sequence.FromClient(at, 1000 + (i * 100), 100, ack: 5000 + (i * 400)).FromServer(at + 0.05, 1100 + (i * 100), 400, 5000 + (i * 400));
            sequence = i == 1 ? sequence.FromServer(at + 201.5, 1200, 400, 5400) : sequence;
            sequence = acks ? sequence.FromClient(at + (i == 1 ? 240 : 40), 1100 + (i * 100), 0, ack: 5400 + (i * 400)) : sequence;
        }

        Finding finding = Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id == "LT121");
        Assert.Equal(confidence, finding.Confidence);
        Assert.Equal(!acks, finding.Against.Any(a => a.StartsWith("the packets of the peer around them were not captured", StringComparison.Ordinal)));
    }

    // Beside the client. Its request is repeated after 300 ms and answered in a round trip; by its numbers the server had sent more before.
    [Theory]
    [InlineData(1, Confidence.Likely)]
    [InlineData(4, Confidence.Possible)]
    public void WhereAnswersAreMissingByTheirNumbers_TheDataMayHaveArrived(ushort step, Confidence confidence)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0, id: 100).SynAck(30, id: 500).FromClient(30.1, 1000, 0, id: 101);
        (double at, ushort mine, ushort theirs) = (100, 102, 501);
        for (uint i = 0; i < 8; i++, at += 100)
        {
            sequence.FromClient(at, 1000 + (i * 100), 100, ack: 5000 + (i * 50), id: mine++);
            sequence.FromServer(at + 31, 1100 + (i * 100), 50, 5000 + (i * 50), id: theirs++);
        }

        sequence.FromClient(at, 1800, 300, ack: 5400, id: mine++).FromClient(at + 0.1, 2100, 100, ack: 5400, id: mine++);
        sequence.FromClient(at + 300, 1800, 300, ack: 5400, id: mine++).FromServer(at + 335, 2200, 50, 5400, id: (ushort)(theirs - 1 + step));
        Finding finding = Assert.Single(
            CaptureFindings.Of(sequence.FromClient(at + 375, 2200, 0, ack: 5450, id: mine).Evidence()), f => f.Id == "LT121");
        Assert.Equal(confidence, finding.Confidence);
        Assert.Equal(step > 1, finding.Against.Any(a => a.StartsWith("before 1 repair, answers of the receiver were lost", StringComparison.Ordinal)));
    }

    // A sender whose timer ends after 100 ms repeats its lone segments, which the receiver acknowledges at its next tick. A path that loses some of the
    // originals spares others.
    [Theory]
    [InlineData(false, 0)]
    [InlineData(true, 6)]
    public void WhereEachLoneSegmentIsRepeated_NoneWasLost(bool somePass, int losses)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(2).FromClient(2.05, 1000, 0);
        (double at, uint next) = (100, 1000);
        for (int i = 0; i < 6; i++, at += 400)
        {
            sequence.FromClient(at, next, 100).FromClient(at + 101, next, 100).FromServer(at + 107, next += 100);
            sequence = somePass ? sequence.FromClient(at + 200, next, 100).FromServer(at + 203, next += 100) : sequence;
        }

        SideFacts client = Assert.Single(sequence.Evidence().Connections).Sides[0];
        Assert.Equal((losses, 6 - losses), (client.Timeouts, client.SpuriousRetransmissions));
    }

    // Beside a server, 18 connections with one response each, a third of which it repeats after 290 ms. The client answers each copy at once, and delays all
    // other ACKs: it had the originals. Where it answers the others at once, too, the originals were lost.
    [Theory]
    [InlineData(190, 0)]
    [InlineData(20.1, 6)]
    public void WhereOneHostAnswersOnlyCopiesAtOnce_NoneOfItsConnectionsLost(double ackMs, long losses)
    {
        SegmentSequence sequence = new();
        for (int i = 0; i < 18; i++)
        {
            double at = i * 2000;
            sequence.To("10.0.0.2", (ushort)(41_000 + i)).Syn(at).SynAck(at + 0.02).FromClient(at + 20, 1000, 0).FromClient(at + 20.1, 1000, 100)
                .FromServer(at + 20.2, 1100).FromServer(at + 100, 1100, 400);
            sequence = i % 3 == 0 ? sequence.FromServer(at + 390, 1100, 400).FromClient(at + 410, 1100, 0, ack: 5400)
                : sequence.FromClient(at + 100 + ackMs + (i * 0.2), 1100, 0, ack: 5400);
        }

        Assert.Equal(losses, CaptureFindings.Of(sequence.Evidence()).SingleOrDefault(f => f.Id == "LT121")?.Count ?? 0);
    }

    // A device that speaks for the server, 0.3 ms away, repeats after 100 ms what the client's delayed ACK would have covered: it had arrived.
    [Theory]
    [InlineData(100)]
    [InlineData(170)]
    public void ASegmentBesideItsReceiver_SentAgainBeforeAnyTimerOfAStack_HadArrived(double againMs)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(280).FromClient(280.04, 1000, 0);
        (double at, uint client, uint server) = (282, 1000, 5000);
        for (int i = 0; i < 6; i++)
        {
            sequence.FromClient(at, client, 120, ack: server).FromServer(at + 0.3, client += 120, 0, server);
            sequence.FromServer(at += 240, client, 340, server).FromServer(at += againMs, client, 340, server);
            sequence.FromClient(at + 0.02, client, 0, ack: server += 340);
            at += 500;
        }

        Assert.DoesNotContain(CaptureFindings.Of(sequence.Evidence()), f => f.Id is "LT121" or "LT122");
    }

    // Beside a sender whose timer ends after 100 ms, at a receiver that delays its ACK of a lone segment for longer. A copy that it answers at once tells it
    // nothing new; one that it delays too, or a receiver that never delays, had not the first.
    [Theory]
    [InlineData(0, 150, true, 0)]
    [InlineData(140, 150, true, 4)]
    [InlineData(0, 0, true, 4)]
    [InlineData(0, 150, false, 0)]
    [InlineData(140, 150, false, 4)]
    public void EarlyCopyOfALoneSegment_AnsweredAtOnce_HadArrived(double copyAnsweredMs, double delayMs, bool othersAlone, int losses)
    {
        const double RoundTripMs = 20;
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(RoundTripMs).FromClient(RoundTripMs + 0.05, 1000, 0);
        (double at, uint next) = (100, 1000);
        for (int i = 0; i < 24; i++)
        {
            bool copied = i % 6 == 0;
            if (copied || othersAlone)
            {
                // Without a copy only where the receiver's timer, which runs freely, ends sooner.
                sequence.FromClient(at, next, 100);
                at += copied ? 100 : RoundTripMs + (delayMs == 0 ? 0 : 70);
                at = copied ? Copy(sequence, at, next) + RoundTripMs + copyAnsweredMs : at;
                sequence.FromServer(at, next += 100);
            }
            else
            {
                // The second segment makes the receiver acknowledge.
                sequence.FromClient(at, next, 100).FromClient(at + 0.1, next + 100, 100).FromServer(at += RoundTripMs + 0.1, next += 200);
            }

            at += 50 + (i * 3.1);
        }

        SideFacts client = Assert.Single(sequence.Evidence().Connections).Sides[0];
        Assert.Equal((losses, 4 - losses), (client.Timeouts + client.FastRetransmissions, client.SpuriousRetransmissions));
    }

    // A device that speaks for many servers and repeats after 100 ms, one copy on each of four connections, each acknowledged at once. Two other connections
    // show that the client delays its ACKs: its data comes later, without an ACK before. Copies after different times are of no common timer, and a client
    // that acknowledges lone segments at once shows nothing.
    [Theory]
    [InlineData(100, 0, true, true)]
    [InlineData(150, 15, true, true)]
    [InlineData(100, 60, true, false)]
    [InlineData(100, 0, false, false)]
    public void EarlyCopiesOnManyConnections_AnsweredAtOnce_HadArrived(double firstMs, double spreadMs, bool delays, bool arrived)
    {
        const double ClientMs = 3;
        SegmentSequence sequence = new();
        for (int c = 0; c < 6; c++)
        {
            double at = c * 4000;
            sequence.To("10.9.0." + (c + 1), (ushort)(41000 + c)).Syn(at).SynAck(at + 40).FromClient(at + 40 + ClientMs, 1000, 0);
            (uint client, uint server) = (1000, 5000);
            sequence.FromClient(at += 50, client, 200, ack: server).FromServer(at + 0.2, client += 200, 0, server);
            if (c < 4)
            {
                sequence.FromServer(at += 60, client, 300, server).FromServer(at += firstMs + (c * spreadMs / 4), client, 300, server);
                sequence.FromClient(at + ClientMs, client, 0, ack: server + 300);
                continue;
            }

            for (int i = 0; i < 8; i++, server += 300)
            {
                sequence.FromServer(at += 150, client, 300, server);
                sequence = !delays ? sequence.FromClient(at + ClientMs, client, 0, ack: server + 300) : sequence;
                sequence.FromClient(at + ClientMs + 30, client, 100, ack: server + 300).FromServer(at + ClientMs + 30.2, client += 100, 0, server + 300);
            }
        }

        CaptureEvidence evidence = sequence.Evidence();
        IReadOnlyList<Finding> findings = CaptureFindings.Of(evidence);
        Assert.Equal(!arrived, findings.Any(f => f.Id == "LT121"));
        Assert.Equal(arrived ? 4 : 0, evidence.Connections.Sum(c => c.Sides[1].SpuriousRetransmissions));
        Assert.Equal(arrived, evidence.Connections.Sum(c => c.StallNs) == 0);
    }

    // Keys of a client, some of which the server's application answers at once. Only the others are sent again after 65 ms, and all of them or but one; or
    // too few are answered for more than chance.
    [Theory]
    [InlineData(10, 20, 0, true)]
    [InlineData(10, 20, 1, false)]
    [InlineData(1, 20, 0, false)]
    public void OnlyWhatTheApplicationDoesNotAnswer_IsSentAgain_AndHadArrived(int answered, int others, int prompt, bool arrived)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(1).FromClient(1.1, 1000, 0);
        (double at, uint next, uint answer, long copies) = (100, 1000, 5000, 0);
        for (int i = 0; i < answered + others; i++, at += 300, next++)
        {
            sequence.FromClient(at, next, 1, answer);
            if (i % 3 == 0 && i / 3 < answered)
            {
                sequence.FromServer(at + 2, next + 1, 1, answer).FromClient(at + 2.1, next + 1, 0, ++answer);
            }
            else if (i % 3 == 1 && i / 3 < prompt)
            {
                sequence.FromServer(at + 1, next + 1, 0, answer);
            }
            else
            {
                sequence.FromClient(at + 65, next, 1, answer).FromServer(at + 66.5, next + 1, 0, answer);
                copies++;
            }
        }

        SideFacts client = Assert.Single(sequence.Evidence().Connections).Sides[0];
        Assert.Equal(arrived ? (0, copies) : (copies, 0), (client.Timeouts, client.SpuriousRetransmissions));
    }

    private static double Copy(SegmentSequence sequence, double atMs, uint next)
    {
        sequence.FromClient(atMs, next, 100);
        return atMs;
    }

    // The peer has reset the connection; what is still sent again reaches nobody who waits. Where the peer speaks again, its RST was not of this connection.
    [Theory]
    [InlineData(true, false, 0, 0)]
    [InlineData(true, true, 2, 900)]
    [InlineData(false, false, 2, 900)]
    public void DataSentAgainAfterTheReset_WasNotLost(bool reset, bool speaks, long losses, double costMs)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(20).FromClient(20.2, 1000, 0).FromClient(30, 1000, 100);
        sequence = reset ? sequence.Reset(40) : sequence;
        sequence = speaks ? sequence.FromServer(45, 1000) : sequence;

        SideFacts client = Assert.Single(sequence.FromClient(330, 1000, 100).FromClient(930, 1000, 100).Evidence().Connections).Sides[0];
        Assert.Equal(losses, client.Timeouts);
        Assert.Equal(costMs, Math.Round(client.OwnedNs(StallKind.LossRto) / 1e6));
    }

    // Between both ends: a RST that acknowledges the data, a part of it, or nothing of it. In the last case it may never have reached the peer.
    [Theory]
    [InlineData(1100, 0)]
    [InlineData(1050, 0)]
    [InlineData(1000, 2)]
    public void AResetThatAcknowledgesNothing_DoesNotShowThatDataArrived(uint ack, long losses)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(20).FromClient(40, 1000, 0).FromClient(50, 1000, 100).Reset(300, 5000, ack: ack);

        SideFacts client = Assert.Single(sequence.FromClient(350, 1000, 100).FromClient(950, 1000, 100).Evidence().Connections).Sides[0];
        Assert.Equal((losses, 2 - losses), (client.Timeouts, client.SpuriousRetransmissions));
    }

    // One direction, and one packet again and again; a stack gives a packet that it sends again another number.
    [Theory]
    [InlineData(true, true)]
    [InlineData(false, false)]
    public void OnePacketRepeatedByATool_IsNotJudged(bool sameId, bool tool)
    {
        SegmentSequence sequence = new();
        for (int i = 0; i < 4; i++)
        {
            sequence.FromClient(i * 1000, 1000, 100, id: (ushort)(sameId ? 4660 : 4660 + i));
        }

        CaptureEvidence evidence = sequence.Evidence();
        Assert.Equal(tool ? null : Confidence.Possible, CaptureFindings.Of(evidence).SingleOrDefault(f => f.Id == "LT121")?.Confidence);
        Assert.Equal(tool, evidence.Sides.Any(s => s.WhyCopied?.Contains("one packet several times", StringComparison.Ordinal) == true));
    }
}
