using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings.Captures;
using LatencyTuner.Core.Recordings.Captures.Rules;
using LatencyTuner.Core.Statistics;
using LatencyTuner.Tests.Capture;
using Xunit;

namespace LatencyTuner.Tests.Recordings.Captures;

/// <summary>Packets that look like a stall and are none, or like another one.</summary>
public sealed class MisleadingPackets
{
    private const int Mss = 1460;

    [Fact]
    public void AnswerThatFits_DidNotWaitForAWindowOfUnknownScale()
    {
        // Beside the client; more was in flight than its bare window field allows.
        SegmentSequence sequence = new SegmentSequence().FromClient(0, 1000, 400, window: 700);
        sequence.FromServer(14, 1400, Mss).FromServer(14.1, 1400, Mss, 5000 + Mss).FromServer(14.2, 1400, 300, 5000 + (2 * Mss));
        sequence.FromClient(15.5, 1400, 120, ack: 8220, window: 700).FromServer(29.6, 1520, 240, 8220);
        sequence.FromClient(31, 1520, 100, ack: 8460, window: 700).FromServer(45.2, 1620, 90, 8460).FromClient(45.3, 1620, 0, ack: 8550, window: 700);

        Assert.DoesNotContain(CaptureFindings.Of(sequence.Evidence()), f => f.Id == "LT111");
    }

    // Decrypted data that a tool writes as packets, all with the number 0: none of them is of a connection, and none repeats another.
    [Fact]
    public void PacketsWithoutAFlag_AreNoConnections()
    {
        SegmentSequence sequence = new();
        for (int i = 0; i < 20; i++)
        {
            sequence.Flagless(10 * i, 1000);
        }

        Assert.Empty(sequence.Evidence().Connections);
    }

    [Theory]
    [InlineData(480, false)]
    [InlineData(0, true)]
    public void DataOfTheSyn_ThatTheServerRefused_WasNotLost(int refused, bool lost)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0, length: refused).SynAck(11);
        if (lost)
        {
            sequence.FromClient(11.1, 1000, 480);
        }

        sequence.FromClient(lost ? 320 : 11.1, 1000, 480).FromServer(lost ? 331.2 : 22.3, 1480, 900);
        double answered = lost ? 331.2 : 22.3;
        sequence.FromClient(answered + 0.1, 1480, 100, ack: 5900).FromServer(answered + 11.2, 1580, 200, 5900);

        Assert.Equal(lost, CaptureFindings.Of(sequence.Evidence()).Any(f => f.Id == "LT121"));
    }

    [Fact]
    public void SecondSynAckWithAnotherNumber_ChangesNothing()
    {
        // The answer to the first SYN comes after the answer to the second one was accepted.
        SegmentSequence sequence = new SegmentSequence().Syn(0).Syn(1000).SynAck(1030).FromClient(1030.1, 1000, 0).FromClient(1031, 1000, 150);
        sequence.SynAck(1600, sequence: 2_000_000_000).FromClient(1600.1, 1150, 0);
        for (uint i = 0; i < 8; i++)
        {
            double at = 1700 + (i * 100);
            sequence.FromServer(at, 1150 + (i * 100), 300, 5000 + (i * 300)).FromClient(at + 20, 1150 + (i * 100), 100, ack: 5300 + (i * 300));
        }

        SideFacts server = Assert.Single(sequence.Evidence().Connections).Sides[1];
        Assert.Equal((0, 0, 8), (server.Reorderings, server.LostBeforeTap, server.DataSegments));
    }

    [Theory]
    [InlineData(27_000, 0.01, true)]
    [InlineData(15_001, 40, false)]
    public void RandomIdentifications_ShowNoOrder(ushort id, double afterMs, bool overtaken)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(20).FromClient(20.1, 1000, 0).FromClient(30, 1000, 100);
        sequence.FromServer(50.2, 1100, 0).FromServer(55, 1100, 200, 6000, id: 15_000).FromServer(55 + afterMs, 1100, 1000, 5000, id: id);
        sequence.FromClient(55.1 + afterMs, 1100, 0, ack: 6200);

        SideFacts server = Assert.Single(sequence.Evidence().Connections).Sides[1];
        Assert.Equal((overtaken ? 1 : 0, overtaken ? 0 : 1), (server.Reorderings, server.LostBeforeTap));
    }

    [Fact]
    public void RetransmissionWhoseAnswersWereNotCaptured_IsPossibleOnly()
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(40).FromClient(40.1, 1000, 0).FromClient(50, 1000, 100).FromServer(90.2, 1100, 200);
        // From here on the capture lacks the server's packets.
        for (uint i = 0; i < 6; i++)
        {
            sequence.FromClient(140 + (i * 45), 1100 + (i * Mss), Mss, ack: 9000);
        }

        sequence.FromClient(430, 1100 + (3 * Mss), Mss, ack: 9000).FromClient(431, 1100 + (6 * Mss), Mss, ack: 9000);

        Finding finding = Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id == "LT121");
        Assert.Equal(Confidence.Possible, finding.Confidence);
        Assert.DoesNotContain(finding.For, f => f.Contains("never answered", StringComparison.Ordinal) || f.Contains("repaired", StringComparison.Ordinal));
        Assert.Contains(finding.Against, a => a.Contains("not captured", StringComparison.Ordinal));
    }

    [Fact]
    public void RetransmissionInOneDirection_IsNotSaidToBeUnanswered()
    {
        SegmentSequence sequence = new();
        for (uint i = 0; i < 20; i++)
        {
            sequence.FromClient(i * 30, 1000 + (i * Mss), Mss);
        }

        sequence.FromClient(900, 1000 + (19 * Mss), Mss);

        Finding finding = Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id == "LT121");
        Assert.Equal((Confidence.Possible, Side.Network), (finding.Confidence, finding.Side));
        Assert.DoesNotContain(finding.For, f => f.Contains("never answered", StringComparison.Ordinal));
    }

    [Fact]
    public void PiecesThatThePeersApplicationAnswers_FillNoSendBuffer()
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(0.1).FromClient(0.15, 1000, 0);
        (uint next, uint answer, double at) = (1000, 5000, 10);
        for (int i = 0; i < 15; i++)
        {
            sequence.FromClient(at, next, Mss, ack: answer).FromClient(at + 0.01, next + Mss, Mss, ack: answer);
            sequence.FromServer(at + 0.03, next + (2 * Mss), 0, answer).FromClient(at + 0.2, next + (2 * Mss), 1100, ack: answer);
            next += (2 * Mss) + 1100;
            sequence.FromServer(at + 0.25, next, 48, answer);
            (answer, at) = (answer + 48, at + 0.9);
        }

        Assert.DoesNotContain(CaptureFindings.Of(sequence.Evidence()), f => f.Id == "LT114");
    }

    [Fact]
    public void WaitsWithinTheJitter_ShowNoSendBuffer()
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(900).FromClient(903, 1000, 0);
        (uint request, uint answer) = (1000, 5000);
        for (int i = 0; i < 14; i++)
        {
            double at = 2000 + (i * 6000);
            double path = 520 + (i * 37 % 11 * 30);
            sequence.FromClient(at, request, 12, ack: answer).FromServer(at + path, request += 12, 16, answer);
            sequence.FromClient(at + path + 159, request, 0, ack: answer + 16).FromServer(at + path + 170, request, 16, answer + 16);
            sequence.FromClient(at + path + 377, request, 0, ack: answer + 32).FromServer(at + path + 452, request, 25, answer + 32);
            sequence.FromClient(at + path + 596, request, 0, ack: answer + 57).FromServer(at + path + 623, request, 16, answer + 57);
            sequence.FromClient(at + path + 815, request, 0, ack: answer += 73);
        }

        Assert.DoesNotContain(CaptureFindings.Of(sequence.Evidence()), f => f.Id == "LT114");
    }

    [Fact]
    public void TickThatEndsDelaysOfAllLengths_IsATimer()
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(1).FromClient(1.03, 1000, 0);
        for (uint i = 0; i < 40; i++)
        {
            double tick = 1000 + (i * 500);
            (uint request, uint answer) = (1000 + (i * 60), 5000 + (i * 200));
            sequence.FromClient(tick - 14 - (i * 23 % 80), request, 8, ack: answer).FromServer(tick, request + 8, 0, answer);
            sequence.FromClient(tick + 0.03, request + 8, 52, ack: answer).FromServer(tick + 1.1, request + 60, 200, answer);
        }

        CaptureEvidence evidence = sequence.Evidence();
        HostTimer? timer = evidence.TimerOf(Assert.Single(evidence.Connections).Server);
        Assert.Equal((100.0, AckTimerModel.Tick), (timer!.Ms, timer.Known!.Model));
        Finding finding = Assert.Single(CaptureFindings.Of(evidence), f => f.Id is "LT101" or "LT102");
        Assert.Equal(("LT101", Side.Client), (finding.Id, finding.Side));
    }

    [Fact]
    public void HoldsOfWhichHalfFitATimer_AreChargedToIt()
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(1).FromClient(1.03, 1000, 0);
        double[] delays = [200, 131, 200, 93];
        (uint request, uint answer, double at) = (1000, 5000, 20);
        foreach (double delay in delays)
        {
            sequence.FromClient(at, request, 30, ack: answer).FromServer(at + 1.1, request += 30, 40, answer);
            sequence.FromClient(at + 1.1 + delay, request, 0, ack: answer + 40).FromServer(at + 2.15 + delay, request, 70, answer + 40);
            (answer, at) = (answer + 110, at + 2.2 + delay);
        }

        for (int i = 0; i < 4; i++, answer += 90, at += 337)
        {
            // ACKs as late that nothing waits for.
            sequence.FromClient(at, request, 30, ack: answer).FromServer(at + 1.1, request += 30, 90, answer);
            sequence.FromClient(at + 201.1, request, 0, ack: answer + 90);
        }

        Finding finding = Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id is "LT101" or "LT102");
        Assert.Equal(("LT101", Side.Server), (finding.Id, finding.Side));
    }

    // ACKs of two segments that come 90 to 130 ms late: a queue as long as the window is large, but none that two segments make.
    [Theory]
    [InlineData(4000, 0)]
    [InlineData(60_000, 8)]
    public void ReceiverThatNeverHasRoomForFourSegments_MakesNoQueue(ushort window, int ahead)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(0.2).FromClient(0.22, 1000, 0).FromServer(1, 1000, window: window);
        uint next = 1000;
        for (int i = 0; i < ahead; i++, next += 2 * Mss)
        {
            sequence.FromClient(9 + (i * 0.1), next, Mss).FromClient(9.05 + (i * 0.1), next + Mss, Mss);
        }

        double at = 10;
        uint acked = 1000;
        for (int i = 0; i < 80; i++, next += 2 * Mss)
        {
            sequence.FromClient(at, next, Mss).FromClient(at + 0.01, next + Mss, Mss);
            at += ahead == 0 ? 90 + (i * 17 % 40) : 12 + (i % 3);
            sequence.FromServer(at, acked += 2 * Mss, window: window);
            at += 0.05;
        }

        Assert.Equal(ahead > 0, CaptureFindings.Of(sequence.Evidence()).Any(f => f.Id == "LT132"));
    }

    [Theory]
    [InlineData(0, false)]
    [InlineData(0.04, true)]
    public void TimesThatAToolWrote_ShowNoHold(double unevenMs, bool held)
    {
        // The handshake, then data and its ACK in turn: a packet each millisecond.
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(1).FromClient(2, 1000, 0);
        double at = 3;
        for (uint i = 0; i < 30; i++)
        {
            double answered = at + 1 + (i * 7 % 5 * unevenMs);
            sequence.FromClient(at, 1000 + (i * 50), 50).FromServer(answered, 1050 + (i * 50));
            at = answered + 1 + (i * 3 % 5 * unevenMs);
        }

        Assert.Equal(held, CaptureFindings.Of(sequence.Evidence()).Any(f => f.Id is "LT101" or "LT102"));
    }

    // A load balancer asks with numbers of its own whether the client is still there; the client answers with the right ones. Or these are the numbers behind
    // the data, which then had been sent before.
    [Theory]
    [InlineData(3_000_005_000u, 1)]
    [InlineData(1_500_005_000u, 1)]
    [InlineData(5_300u, 0)]
    public void NumbersOfAPacketWithoutData_ThatNoWindowExplains_AreNotThoseOfTheEnd(uint sequence, int answers)
    {
        CaptureEvidence evidence = new SegmentSequence().FromServer(0, 1000, 0, sequence).FromClient(0.1, 1000, 0).FromClient(1200, 1000, 263)
            .FromServer(1470, 1263, 300).FromClient(1470.1, 1263, 0, 5300).Evidence();

        Assert.DoesNotContain(CaptureFindings.Of(evidence), f => f.Id is "LT121" or "LT122");
        Assert.Equal(answers, Assert.Single(evidence.Connections).TransactionCount);
    }
}
