using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings.Captures;
using LatencyTuner.Core.Recordings.Captures.Rules;
using LatencyTuner.Tests.Capture;
using Xunit;

namespace LatencyTuner.Tests.Recordings.Captures;

/// <summary>A mirror of several ports shows a packet again long after: the IP identification tells it from a retransmission.</summary>
public sealed class CapturedAgain
{
    [Theory]
    [InlineData(true, 0)]
    [InlineData(false, 1)]
    public void Data_IsLostOnlyWhenItWasSentAgain(bool samePacket, int losses)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(20).FromClient(21, 1000, 0).FromClient(22, 1000, 300);
        ushort first = sequence.LastId;
        CaptureEvidence evidence = sequence.FromClient(60, 1000, 300, id: samePacket ? first : null).FromServer(85, 1300).FromServer(90, 1300, 500).Evidence();

        ConnectionFacts connection = Assert.Single(evidence.Connections);
        Assert.Equal(losses, connection.Sides[0].Timeouts);
        Assert.Equal(samePacket ? 1 : 0, connection.CaptureDuplicates);
        Assert.Equal(losses > 0, CaptureFindings.Of(evidence).Any(f => f.Id == "LT121"));
    }

    // A router that forwards the packet lowers its time to live, however long it takes.
    [Theory]
    [InlineData(64, 2, 0)]
    [InlineData(63, 0, 2)]
    public void Data_SentAgainUnderOneIdentification_IsLostWhenATimerWasDue(byte ttl, long losses, long duplicates)
    {
        SegmentSequence sequence = new SegmentSequence().Ttl(64).Syn(0).SynAck(20).FromClient(21, 1000, 0).FromClient(22, 1000, 300);
        ushort first = sequence.LastId;
        CaptureEvidence evidence = sequence.Ttl(ttl).FromClient(332, 1000, 300, id: first).FromClient(942, 1000, 300, id: first).Ttl(64)
            .FromServer(965, 1300).FromServer(970, 1300, 500).Evidence();

        ConnectionFacts connection = Assert.Single(evidence.Connections);
        Assert.Equal((losses, duplicates), (connection.Sides[0].Timeouts, connection.CaptureDuplicates));
    }

    [Theory]
    [InlineData(true, 1)]
    [InlineData(false, 2)]
    public void WhatWasSentAgain_AndIsCapturedTwice_WasSentAgainOnce(bool samePacket, int losses)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(20).FromClient(21, 1000, 0).FromClient(22, 1000, 300).FromClient(332, 1000, 300);
        ushort again = sequence.LastId;
        CaptureEvidence evidence = sequence.FromClient(338, 1000, 300, id: samePacket ? again : null).FromServer(360, 1300).FromServer(365, 1300, 500)
            .Evidence();

        Assert.Equal(losses, Assert.Single(evidence.Connections).Sides[0].Timeouts);
    }

    // A session with four held segments and a retransmission, and once more: on other ports, or with the same ports and numbers as a tool replays it, also
    // where the capture began inside the first one.
    [Theory]
    [InlineData(40001, true, 8)]
    [InlineData(40000, true, 0)]
    [InlineData(40000, false, 0)]
    public void ASessionThatIsReplayed_HasNoTimesOfItsHosts(int port, bool whole, long held)
    {
        SegmentSequence sequence = new();
        for (int session = 0; session < 2; session++)
        {
            double at = session * 300_000;
            sequence.To("10.0.0.2", (ushort)(session == 0 ? 40000 : port));
            sequence = whole || session > 0 ? sequence.Syn(at).SynAck(at + 20).FromClient(at += 20.05, 1000, 0) : sequence;
            uint next = 1000;
            for (int i = 0; i < 4; i++, next += 150)
            {
                sequence.FromClient(at += 100 + (i * 7), next, 100).FromServer(at += 60, next + 100).FromClient(at + 0.05, next + 100, 50);
                sequence.FromServer(at + 20, next + 150);
            }

            sequence.FromClient(at += 200, next, 100).FromClient(at += 400, next, 100).FromServer(at += 20, next + 100);
        }

        CaptureEvidence evidence = sequence.Evidence();
        IReadOnlyList<Finding> findings = CaptureFindings.Of(evidence);
        Assert.Equal(held, findings.SingleOrDefault(f => f.Id is "LT101" or "LT102")?.Count ?? 0);
        Assert.Equal(held > 0, findings.Any(f => f.Id == "LT121"));
        Assert.Equal(held == 0, evidence.Sides.Any(s => s.WhyCopied?.Contains("a tool replayed it", StringComparison.Ordinal) == true));
    }

    // A mirror that numbers nothing, and a device that cuts segments anew: no timer ends so early.
    [Theory]
    [InlineData(1.7, 0)]
    [InlineData(25, 1)]
    public void ACopyThatNoTimerCanHaveSent_IsNoLoss(double laterMs, int losses)
    {
        CaptureEvidence evidence = new SegmentSequence().FromClient(0, 1000, 286).FromClient(laterMs, 1000, 286).FromClient(300, 1286, 0, ack: 5243)
            .FromClient(460, 1286, 0, ack: 5613).Evidence();

        Assert.Equal(losses, Assert.Single(evidence.Connections).Sides[0].Timeouts);
    }

    [Fact]
    public void DataInSynsOfOtherLengths_IsNotDataSentAgain()
    {
        CaptureEvidence evidence = new SegmentSequence().Syn(0, length: 41).Syn(1.2, length: 22).Syn(2.2, length: 32).Evidence();

        Assert.DoesNotContain(CaptureFindings.Of(evidence), f => f.Id == "LT121");
    }

    [Theory]
    [InlineData(0.05, 20, Side.Server)]
    [InlineData(20, 0.05, null)]
    [InlineData(9, 14, null)]
    public void Syn_ThatReachedTheServer_IsNotLostOnThePath(double serverMs, double clientMs, Side? side)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).Syn(1000).SynAck(1000 + serverMs).FromClient(1000 + serverMs + clientMs, 1000, 0);
        CaptureEvidence evidence = sequence.FromClient(1100, 1000, 300).FromServer(1100 + serverMs, 1300, 200)
            .FromClient(1100.1 + serverMs + clientMs, 1300, 0, ack: 5200).Evidence();

        Finding finding = Assert.Single(CaptureFindings.Of(evidence), f => f.Id == "LT121");
        Assert.Equal((side, side == Side.Server ? "10.0.0.2" : null), (finding.Side, finding.Host));
        Assert.Equal(side is null, finding.Against.Any(a => a.Contains("backlog", StringComparison.Ordinal)));
    }

    [Fact]
    public void BurstsThatAMirrorShowsTwice_AreNeitherSentAgainNorOvertaken()
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(20).FromClient(20.05, 1000, 0);
        ushort id = 1000;
        for (uint round = 0; round < 10; round++)
        {
            double at = 50 + (round * 30);
            foreach (double late in new[] { 0, 0.06 })
            {
                for (uint i = 0; i < 8; i++)
                {
                    sequence.FromServer(at + late + (i * 0.01), 1000, 1460, 5000 + (((round * 8) + i) * 1460), id: (ushort)(id + i));
                    sequence.FromClient(at + late + (i * 0.01) + 0.005, 1000, 0, ack: 5000 + (((round * 8) + i + 1) * 1460), id: (ushort)(id + i));
                }
            }

            id += 8;
        }

        ConnectionFacts connection = Assert.Single(sequence.Evidence().Connections);
        Assert.Equal(
            (0, 0, 0),
            (connection.Sides[1].SpuriousRetransmissions, connection.Sides[1].Reorderings,
                connection.Sides[1].Timeouts + connection.Sides[1].FastRetransmissions));
    }

    [Fact]
    public void Syn_SentAgain_CostsTimeThatCountsAsActive()
    {
        CaptureEvidence evidence = new SegmentSequence().Syn(0).Syn(1000).SynAck(1020).FromClient(1021, 1000, 0).FromClient(1022, 1000, 300)
            .FromServer(1522, 1300, 200).FromClient(1523, 1300, 0, ack: 5200).Evidence();

        ConnectionFacts connection = Assert.Single(evidence.Connections);
        Assert.Equal((1000.0, 1502.0), (connection.Sides[0].AllOwnedNs / 1e6, connection.ActiveNs / 1e6));
        Finding finding = Assert.Single(CaptureFindings.Of(evidence), f => f.Id == "LT121");
        Assert.Equal((1000.0, 0.666), (finding.CostMs!.Value, Math.Round(finding.CostShare!.Value, 3)));
    }

    [Fact]
    public void Syn_SentAgainAfterItsAnswerHadPassed_LostTheAnswerOnThePath()
    {
        CaptureEvidence evidence = new SegmentSequence().Syn(0).SynAck(20).Syn(1000).SynAck(1020).FromClient(1021, 1000, 0).FromClient(1022, 1000, 300)
            .FromServer(1043, 1300, 200).FromClient(1043.1, 1300, 0, ack: 5200).Evidence();

        Assert.Equal(Side.Network, Assert.Single(CaptureFindings.Of(evidence), f => f.Id == "LT121").Side);
    }

    [Theory]
    [InlineData(1000)]
    [InlineData(3100)]
    public void Syn_AnsweredForAnOlderConnection_IsNoLoss(double againMs)
    {
        // The server still has the connection before: its ACK is of that one.
        CaptureEvidence evidence = new SegmentSequence().Syn(0).FromServer(20, 777_000, 0, 888_000).Syn(againMs).SynAck(againMs + 20)
            .FromClient(againMs + 20.05, 1000, 0).FromClient(againMs + 21, 1000, 300).FromServer(againMs + 42, 1300, 200)
            .FromClient(againMs + 42.1, 1300, 0, ack: 5200).Evidence();

        ConnectionFacts connection = Assert.Single(evidence.Connections);
        Assert.Equal((0, 1), (connection.SynRetransmissions, connection.SynsChallenged));
        Assert.DoesNotContain(CaptureFindings.Of(evidence), f => f.Id == "LT121");
    }

    [Theory]
    [InlineData(50, true, 0)]
    [InlineData(79, false, 0)]
    [InlineData(300, false, 1)]
    [InlineData(1000, true, 1)]
    public void Syn_IsSentAgain_OnlyWhenATimerWasDue(double ms, bool samePacket, int retransmissions)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0);
        ushort first = sequence.LastId;
        CaptureEvidence evidence = sequence.Syn(ms, samePacket ? first : null).SynAck(ms + 20).FromClient(ms + 21, 1000, 0).FromClient(ms + 22, 1000, 300)
            .FromServer(ms + 43, 1300, 200).Evidence();

        Assert.Equal(retransmissions, Assert.Single(evidence.Connections).SynRetransmissions);
    }

    [Fact]
    public void ASenderThatDoesNotNumberItsPackets_IsTakenAtItsWord()
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0, id: 7).SynAck(20).FromClient(21, 1000, 0, id: 7).FromClient(22, 1000, 300, id: 7);
        CaptureEvidence evidence = sequence.FromClient(260, 1000, 300, id: 7).FromServer(285, 1300).FromServer(290, 1300, 500).Evidence();

        Assert.Equal(1, Assert.Single(evidence.Connections).Sides[0].Timeouts);
    }

    // Files that overlap were put together: the last four of eight exchanges come once more with their times. With other times, its data is known again.
    [Theory]
    [InlineData(0, 16)]
    [InlineData(0.001, 8)]
    public void PacketsThatAMergedFileHoldsTwice_CountOnce(double laterMs, long duplicates)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(20).FromClient(20.05, 1000, 0);
        void Exchanges(int from, int to, double later)
        {
            for (int i = from; i < to; i++)
            {
                double at = 100 + (50 * i) + later;
                (uint request, uint response) = ((uint)(1000 + (100 * i)), (uint)(5000 + (200 * i)));
                ushort id = (ushort)(1000 + (4 * i));
                sequence.FromClient(at, request, 100, response, id).FromServer(at + 20, request + 100, 0, response, id: (ushort)(id + 1))
                    .FromServer(at + 21, request + 100, 200, response, id: (ushort)(id + 2))
                    .FromClient(at + 21.05, request + 100, 0, response + 200, (ushort)(id + 3));
            }
        }

        Exchanges(0, 8, 0);
        Exchanges(4, 8, laterMs);
        Exchanges(8, 10, 0);
        ConnectionFacts connection = Assert.Single(sequence.Evidence().Connections);
        Assert.Equal((duplicates, laterMs > 0), (connection.CaptureDuplicates, connection.BackwardSteps > 0));
    }
}
