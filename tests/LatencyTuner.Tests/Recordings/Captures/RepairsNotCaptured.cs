using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings.Captures;
using LatencyTuner.Core.Recordings.Captures.Rules;
using LatencyTuner.Tests.Capture;
using Xunit;

namespace LatencyTuner.Tests.Recordings.Captures;

/// <summary>Losses whose retransmission the capture lacks, and what looks like one.</summary>
public sealed class RepairsNotCaptured
{
    private const int Mss = 1460;

    // Beside the client, 40 ms from the server: the second of five segments is missing, and an ACK of all five comes after a timer.
    [Theory]
    [InlineData(620, true)]
    [InlineData(1900, false)]
    public void AHoleThatIsAcknowledgedAfterATimer_WasRepaired(double timerMs, bool sack)
    {
        SegmentSequence sequence = Response(sack, skip: 1);
        double at = 141 + timerMs;
        CaptureEvidence evidence = sequence.FromClient(at, 1100, 0, ack: 5000 + (5 * Mss)).Evidence();

        SideFacts server = Assert.Single(evidence.Connections).Sides[1];
        Assert.Equal((1, 1), (server.Timeouts, server.UnseenRepairs));
        Finding finding = Assert.Single(CaptureFindings.Of(evidence), f => f.Id == "LT121");
        Assert.Equal((Side.Network, sack ? Confidence.Likely : Confidence.Possible), (finding.Side, finding.Confidence));
        Assert.Equal(timerMs, finding.CostMs!.Value, 2.0);
        Assert.Contains(finding.For, f => f.StartsWith("the capture lacks the repairs", StringComparison.Ordinal));
    }

    // At once: overtaken, or only the capture lacks it. Late, with another window: the reader had paused. With a response: it carries an ACK that came before.
    [Theory]
    [InlineData(20, 64000, 0)]
    [InlineData(150, 64000, 0)]
    [InlineData(900, 32000, 0)]
    [InlineData(900, 64000, 300)]
    public void AHoleThatIsAcknowledgedOtherwise_IsNoLoss(double lateMs, ushort window, int length)
    {
        SegmentSequence sequence = Response(sack: false, skip: 1);
        CaptureEvidence evidence = sequence.FromClient(141 + lateMs, 1100, length, ack: 5000 + (5 * Mss), window: window).Evidence();

        Assert.Equal(0, Assert.Single(evidence.Connections).Sides[1].Timeouts);
        Assert.DoesNotContain(CaptureFindings.Of(evidence), f => f.Id == "LT121");
    }

    // The capture has a gap in a request's way; what the client sends behind it is acknowledged 200 ms later, by the server's timer. Or the server had said
    // before that it lacks something.
    [Theory]
    [InlineData(false, 0)]
    [InlineData(true, 1)]
    public void AReceiverThatLacksNothing_OnlyDelaysItsAck(bool lacks, int timeouts)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(12).FromClient(12.05, 1000, 0).FromClient(30, 1000, 400).FromServer(42, 1400);
        sequence.FromClient(900, 5000, 300);
        sequence = lacks ? sequence.FromServer(912, 1400) : sequence;
        CaptureEvidence evidence = sequence.FromServer(1112.3, 5300).FromClient(1112.4, 5300, 80).FromServer(1125, 5380, 500).Evidence();

        Assert.Equal(timeouts, Assert.Single(evidence.Connections).Sides[0].Timeouts);
        Assert.Equal(timeouts > 0, CaptureFindings.Of(evidence).Any(f => f.Id == "LT121"));
    }

    [Fact]
    public void WhatWasSentBeforeTheCaptureBegan_LeavesNoHole()
    {
        SegmentSequence sequence = new();
        for (uint i = 0; i < 4; i++)
        {
            sequence.FromServer(400 * i, 1000, 0, 5000).FromClient((400 * i) + 0.1, 9000 + (i * Mss), Mss);
        }

        // The ACKs are still of what had been sent before.
        CaptureEvidence evidence = sequence.FromServer(1900, 2460).FromServer(2400, 3920).FromServer(2900, 5380).Evidence();
        Assert.Equal(0, Assert.Single(evidence.Connections).Sides[0].Timeouts);
    }

    // A capture that flips bits: numbers far from all others, once; or all from there on, because it lacks what came between.
    [Theory]
    [InlineData(402_653_198, false)]
    [InlineData(402_653_198, true)]
    public void NumbersFarAway_AreLeftOut_UnlessTheNextAgree(uint jump, bool goesOn)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0, scale: 7).SynAck(1, scale: 7).FromClient(1.1, 1000, 0);
        (uint client, uint server) = (1000, 5000);
        for (int i = 0; i < 30; i++)
        {
            double at = 10 + (i * 3000);
            client += goesOn && i == 10 ? jump : 0;
            sequence.FromClient(at, client, 100, ack: server).FromServer(at + 1, client + 100, 50, server);
            (client, server) = (client + 100, server + 50);
            sequence.FromClient(at + 1.1, client + (!goesOn && i % 7 == 3 ? jump : 0), 10, ack: server);
            client += 10;
        }

        CaptureEvidence evidence = sequence.Evidence();
        ConnectionFacts connection = Assert.Single(evidence.Connections);
        Assert.Equal(0, connection.Sides[0].Timeouts);
        Assert.Equal(goesOn ? 2 : 4, connection.DoubtfulPackets);
        Assert.Equal(!goesOn, connection.IsDamaged);
        Assert.True(connection.Sides[0].DataBytes >= 2900);
        Assert.DoesNotContain(CaptureFindings.Of(evidence), f => f.Id is "LT121" or "LT122");
    }

    // Without a handshake, numbers may be far apart. But no packet is later than the last one by its own number and earlier by what it acknowledges.
    [Theory]
    [InlineData(7_000_000, 2)]
    [InlineData(0, 0)]
    public void NumbersThatContradictEachOther_AreLeftOut(uint back, long doubtful)
    {
        SegmentSequence sequence = new();
        (uint client, uint server) = (1000, 50_000_000);
        for (int i = 0; i < 20; i++)
        {
            double at = i * 1000;
            uint ahead = i % 9 == 8 ? 1_700_000u : 0;
            sequence.FromClient(at, client + ahead, 100, ack: server - (ahead > 0 ? back : 0)).FromServer(at + 1, client += 100, 50, server);
            server += 50;
        }

        Assert.Equal(doubtful, Assert.Single(sequence.Evidence().Connections).DoubtfulPackets);
    }

    /// <summary>A request, and a response of five segments of which one was not captured.</summary>
    private static SegmentSequence Response(bool sack, int skip)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(40).FromClient(40.05, 1000, 0).FromClient(100, 1000, 100);
        for (int i = 0; i < 5; i++)
        {
            if (i != skip)
            {
                sequence.FromServer(140 + (0.1 * i), 1100, Mss, (uint)(5000 + (i * Mss)));
            }
        }

        sequence = sack ? sequence.Sack(5000 + (2 * Mss), 5000 + (5 * Mss)) : sequence;
        return sequence.FromClient(141, 1100, 0, ack: (uint)(5000 + (skip * Mss)));
    }
}
