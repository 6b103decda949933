using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings.Captures;
using LatencyTuner.Core.Recordings.Captures.Rules;
using LatencyTuner.Tests.Capture;
using Xunit;

namespace LatencyTuner.Tests.Recordings.Captures;

/// <summary>Captures that begin in the middle, end before the stall does, or whose clock was set back.</summary>
public sealed class UnfinishedConnections
{
    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    public void WindowClosedToTheEnd_WithProbes_IsAStall(int probeBytes)
    {
        ConnectionFacts connection = Closed(probeBytes, probed: true, out CaptureEvidence evidence);

        Finding finding = Assert.Single(CaptureFindings.Of(evidence), f => f.Id == "LT112");
        Assert.Equal((Side.Client, 2200.0), (finding.Side, Math.Round(finding.CostMs!.Value)));
        Assert.True(connection.Sides[1].AllOwnedNs <= connection.ActiveNs);
    }

    [Fact]
    public void WindowClosedToTheEnd_NobodyAsked_IsNone()
    {
        Closed(0, probed: false, out CaptureEvidence evidence);

        Assert.DoesNotContain(CaptureFindings.Of(evidence), f => f.Id == "LT112");
    }

    [Fact]
    public void Deadlock_WithoutHandshake_IsNoPauseOfTheClient()
    {
        CaptureEvidence evidence = Deadlocks(new SegmentSequence(), _ => 0.03).Evidence();

        IReadOnlyList<Finding> findings = CaptureFindings.Of(evidence);
        Assert.Contains(findings, f => f is { Id: "LT101", Side: Side.Client, Confidence: Confidence.Likely });
        Assert.DoesNotContain(findings, f => f.Id == "LT142");
        Assert.Equal(Vantage.Client, Assert.Single(evidence.Connections).Vantage);
    }

    [Fact]
    public void Deadlock_WithoutHandshake_SeenFromTheServer_IsPossible_AndNoPauseForCertain()
    {
        // 2 ms from the tap to the client, which seems to be 3 because it thinks for one before it acknowledges.
        IReadOnlyList<Finding> findings = CaptureFindings.Of(Deadlocks(new SegmentSequence(), _ => 2.03, serverMs: 0.05, thinkMs: 3).Evidence());

        Assert.Contains(
            findings,
            f => f is { Id: "LT101", Side: Side.Client, Confidence: Confidence.Possible }
                && f.Against.Any(a => a.Contains("no handshake", StringComparison.Ordinal)));
        Assert.DoesNotContain(
            findings, f => f is { Id: "LT142", Confidence: Confidence.Likely } && f.For[0].Contains("nothing to wait for", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData(0.3, true)]
    [InlineData(60, false)]
    public void RepliesARoundTripApart_WithoutHandshake_AreHeld_Possibly(double spreadMs, bool held)
    {
        // Updates of the server, each acknowledged at once, and none sooner than 50 ms after that; two messages of the client show how far it is.
        SegmentSequence sequence = new();
        double at = 100;
        for (uint i = 0; i < 120; i++)
        {
            if (i % 60 == 0)
            {
                sequence.FromClient(at - 50.05, 1000 + i, 60, ack: 5000 + (i * 40)).FromServer(at - 0.05, 1060 + i, 0, 5000 + (i * 40));
            }

            sequence.FromServer(at, 1060 + (i / 60 * 60), 40, 5000 + (i * 40)).FromClient(at + 0.1, 1060 + (i / 60 * 60), 0, ack: 5040 + (i * 40));
            at += 50.2 + (i * 0.37 % 1 * spreadMs) - (spreadMs > 50 ? 49 : 0);
        }

        IReadOnlyList<Finding> findings = CaptureFindings.Of(sequence.Evidence());
        Assert.Equal(held, findings.Any(f => f is { Id: "LT102", Side: Side.Server, Confidence: Confidence.Possible }));
    }

    [Fact]
    public void Pauses_WithoutHandshake_ArePausesStill()
    {
        IReadOnlyList<Finding> findings = CaptureFindings.Of(Deadlocks(new SegmentSequence(), i => 1.7 + (i * 7 % 11)).Evidence());

        Assert.DoesNotContain(findings, f => f.Id is "LT101" or "LT102");
        Assert.Contains(findings, f => f.Id == "LT142");
    }

    [Fact]
    public void Hold_EndsWithTheAck_WithinTheActiveTime()
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(0.01).FromClient(0.02, 1000, 0);
        for (uint i = 0; i < 5; i++)
        {
            sequence.FromClient(10 + (i * 10), 1000 + (i * 150), 100).FromServer(10.6 + (i * 10), 1100 + (i * 150));
            sequence.FromClient(10.64 + (i * 10), 1100 + (i * 150), 50).FromServer(10.66 + (i * 10), 1150 + (i * 150));
        }

        ConnectionFacts connection = Assert.Single(sequence.Evidence().Connections);
        Assert.InRange(connection.Sides[0].AllOwnedNs, 1, connection.ActiveNs);
    }

    [Fact]
    public void ClockSetBack_CountsOnce_AndTimeGoesOn()
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(2).FromClient(2.05, 1000, 0);
        ConnectionFacts connection = Assert.Single(Deadlocks(sequence, _ => 0.03, setBackMs: 2000).Evidence().Connections);

        Assert.Equal(1, connection.BackwardSteps);
        Assert.True(connection.Sides[0].AllOwnedNs <= connection.ActiveNs);
    }

    [Theory]
    [InlineData(3_600_000)]
    [InlineData(20_000)]
    public void ClockSetAhead_WhileDataWaits_CountsForNothing(double aheadMs)
    {
        SegmentSequence sequence = new SegmentSequence(timestamps: aheadMs < 300_000).Syn(0).SynAck(2).FromClient(2.05, 1000, 0);
        for (uint i = 0; i < 4; i++)
        {
            double at = 10 + (i * 10) + (i > 2 ? aheadMs : 0);
            sequence.Ticks(10 + (i * 10)).FromClient(at, 1000 + (i * 100), 100, ack: 5000 + (i * 200));
            at += i == 2 ? aheadMs : 0;
            sequence.FromServer(at + 2, 1100 + (i * 100), 0, 5000 + (i * 200)).FromServer(at + 3, 1100 + (i * 100), 200, 5000 + (i * 200))
                .FromClient(at + 3.1, 1100 + (i * 100), 0, ack: 5200 + (i * 200));
        }

        CaptureEvidence evidence = sequence.Evidence();
        ConnectionFacts connection = Assert.Single(evidence.Connections);
        Assert.Equal((1, 3), (connection.ForwardSteps, connection.TransactionCount));
        // With the 8 ms from the open connection to the first request.
        Assert.InRange(connection.ActiveNs / 1e6, 17, 23);
        Assert.DoesNotContain(CaptureFindings.Of(evidence), f => f.Id is "LT141" or "LT103");
    }

    [Fact]
    public void RequestAnsweredLate_IsNoClockSetAhead()
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(2).FromClient(2.05, 1000, 0);
        sequence.FromClient(10, 1000, 100).FromServer(12, 1100).FromServer(900_010, 1100, 200).FromClient(900_010.1, 1100, 0, ack: 5200);

        ConnectionFacts connection = Assert.Single(sequence.Evidence().Connections);
        Assert.Equal((0, 1), (connection.ForwardSteps, connection.TransactionCount));
    }

    [Theory]
    [InlineData(30_000, 30_000)]
    [InlineData(0, 0)]
    public void LastRequest_NeverAnswered_IsKnown(double waitMs, double knownMs)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(2).FromClient(2.05, 1000, 0);
        sequence.FromClient(10, 1000, 100).FromServer(13, 1100, 200).FromClient(13.1, 1100, 0, ack: 5200);
        if (waitMs > 0)
        {
            sequence.FromClient(20, 1100, 100, ack: 5200).FromServer(22, 1200, 0, 5200).FromClient(20 + waitMs, 1200, 0, ack: 5200);
        }

        Assert.Equal(knownMs, Assert.Single(sequence.Evidence().Connections).UnansweredNs / 1e6);
    }

    [Fact]
    public void DataNeverAnswered_IsNotSaidToBeRepaired()
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(20).FromClient(20.05, 1000, 0);
        sequence.FromClient(50, 1000, 100).FromServer(70.2, 1100, 200).FromClient(70.3, 1100, 0, ack: 5200).FromClient(3000, 1100, 100, ack: 5200);
        foreach (double ms in new[] { 3220.0, 3660, 4540, 6300 })
        {
            sequence.FromClient(ms, 1100, 100, ack: 5200);
        }

        Finding finding = Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id == "LT121");
        Assert.Contains("4 retransmissions were never answered", finding.For[0], StringComparison.Ordinal);
        Assert.Null(finding.Side);
        Assert.DoesNotContain(finding.For, f => f.Contains("repaired", StringComparison.Ordinal));
        Assert.Equal(3300, Math.Round(finding.CostMs!.Value));
    }

    // Beside the client, which has closed; the last response was lost. Its copy is answered by a RST at once, much later, or by an ACK.
    [Theory]
    [InlineData(true, true, 0.1, 0)]
    [InlineData(true, true, 5000, 470)]
    [InlineData(true, false, 0.1, 470)]
    [InlineData(false, true, 0.1, 470)]
    public void ARstOfAnEndThatHadClosed_IsTheAnswer_AndNobodyWaited(bool closed, bool reset, double laterMs, double costMs)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(20).FromClient(20.03, 1000, 0).FromClient(30, 1000, 100).FromServer(50, 1100, 1000)
            .FromClient(50.03, 1100, 0, ack: 6000);
        sequence = closed ? sequence.Fin(60, true, 1100, 6000) : sequence;
        sequence.FromServer(90, 1100, 0, 7000).FromServer(520, 1100, 1000, 6000);
        sequence = reset ? sequence.Reset(520 + laterMs, 1101, client: true) : sequence.FromClient(520 + laterMs, 1101, 0, ack: 7000);

        Finding finding = Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id == "LT121");
        Assert.Equal((1L, costMs), (finding.Count, Math.Round(finding.CostMs!.Value)));
        Assert.Equal(reset && laterMs < 1000, finding.For[0].StartsWith("1 retransmission was answered by a RST only", StringComparison.Ordinal));
    }

    // A request on a connection that works, sent again once to three times until the capture ends. One or two copies settle nothing.
    [Theory]
    [InlineData(1, Confidence.Possible)]
    [InlineData(2, Confidence.Possible)]
    [InlineData(3, Confidence.Likely)]
    public void ACopyOrTwoWithoutAnAnswer_ShowNoLossForSure(int copies, Confidence confidence)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(20).FromClient(20.1, 1000, 0).FromClient(30, 1000, 100).FromServer(50, 1100, 100)
            .FromClient(50.1, 1100, 0, ack: 5100).FromClient(1000, 1100, 100, ack: 5100);
        for (int i = 0; i < copies; i++)
        {
            sequence.FromClient(1000 + (300 * ((1 << (i + 1)) - 1)), 1100, 100, ack: 5100);
        }

        Finding finding = Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id == "LT121");
        Assert.Equal((confidence, (long)copies), (finding.Confidence, finding.Count));
        Assert.Equal(copies < 3, finding.Against.Any(a => a.StartsWith("nothing shows whether the data had arrived", StringComparison.Ordinal)));
    }

    // A RST that can be the answer to the last copy; one that comes sooner than any answer, and one that comes much later.
    [Theory]
    [InlineData(21, true)]
    [InlineData(2, false)]
    [InlineData(4000, false)]
    public void DataAnsweredByARst_WasAnswered(double afterMs, bool answered)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(20).FromClient(20.05, 1000, 0).FromClient(50, 1000, 100).FromClient(350, 1000, 100);
        Finding finding = Assert.Single(CaptureFindings.Of(sequence.Reset(350 + afterMs).Evidence()), f => f.Id == "LT121");

        string told = answered ? "1 retransmission was answered by a RST only" : "1 retransmission was never answered";
        Assert.StartsWith(told, finding.For[0], StringComparison.Ordinal);
        Assert.Equal(answered, finding.Recommendation!.Contains("RST", StringComparison.Ordinal));
        Assert.Null(finding.Side);
    }

    [Fact]
    public void LossKnownForLong_WaitedForTheTimer()
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(0.2).FromClient(30, 1000, 0);
        for (uint i = 0; i < 5; i++)
        {
            if (i != 1)
            {
                sequence.FromClient(60 + (i * 20), 1000 + (i * 1460), 1460).FromServer(60.1 + (i * 20), 2460);
            }
        }

        CaptureEvidence evidence = sequence.FromClient(2000, 2460, 1460).FromServer(2000.1, 1000 + (5 * 1460)).Evidence();
        SideFacts client = Assert.Single(evidence.Connections).Sides[0];
        Assert.Equal((1, 0), (client.Timeouts, client.FastRetransmissions));
    }

    private static ConnectionFacts Closed(int probeBytes, bool probed, out CaptureEvidence evidence)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(10).FromClient(10.05, 1000, 0);
        sequence.FromClient(20, 1000, 100, window: 2000).FromServer(30, 1100, 1000, 5000).FromServer(30.01, 1100, 1000, 6000);
        sequence.FromClient(30.2, 1100, 0, ack: 7000, window: 0);
        foreach (double ms in probed ? new[] { 330.0, 930, 2130 } : [])
        {
            sequence.FromServer(ms, 1100, probeBytes, probeBytes == 0 ? 6999u : 7000).FromClient(ms + 0.05, 1100, 0, ack: 7000, window: 0);
        }

        evidence = sequence.FromClient(2230.2, 1100, 0, ack: 7000, window: 0).Evidence();
        return Assert.Single(evidence.Connections);
    }

    /// <summary>Requests in two small segments, the second so long after the late ACK of the first; the client answers with its next request only.</summary>
    private static SegmentSequence Deadlocks(SegmentSequence sequence, Func<int, double> gapMs, double setBackMs = 0, double serverMs = 2, double thinkMs = 1)
    {
        uint request = 1000;
        uint answer = 5000;
        double at = 100;
        for (int i = 0; i < 20; i++, request += 150, answer += 200)
        {
            at -= i == 10 ? setBackMs : 0;
            sequence.FromClient(at, request, 100, ack: answer);
            sequence.FromServer(at += 200 + serverMs, request + 100, 0, answer);
            sequence.FromClient(at += gapMs(i), request + 100, 50, ack: answer);
            sequence.FromServer(at += serverMs + 0.1, request + 150, 200, answer);
            at += thinkMs;
        }

        return sequence;
    }

    // One direction only, and waits longer than any first timer: copies before were not answered either, so none was.
    [Fact]
    public void CopiesOfOneDirection_BehindLongWaits_WereNeverAnswered()
    {
        SegmentSequence sequence = new SegmentSequence().FromClient(0, 1000, 100).FromClient(18_600, 1000, 100).FromClient(39_700, 1000, 100);
        Finding finding = Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id == "LT121");
        Assert.StartsWith("2 retransmissions were never answered", finding.For[0], StringComparison.Ordinal);
    }

    // What a tool writes as SYNs begins with the same number each time, and the client's system resets what it did not ask for. The next SYN is another try;
    // not where the server had answered an old connection, so that the client asks again.
    [Theory]
    [InlineData(true, 2)]
    [InlineData(false, 1)]
    public void ASynBehindAReset_RepeatsNone(bool accepted, int connections)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0);
        sequence = accepted ? sequence.SynAck(20) : sequence.FromServer(20, 800, 0, 9000);
        CaptureEvidence evidence = sequence.Reset(20.1, 800, client: true).Syn(3700).SynAck(3720).FromClient(3720.1, 1000, 0).Evidence();

        Assert.Equal(connections, evidence.Connections.Count);
        Assert.DoesNotContain(CaptureFindings.Of(evidence), f => accepted && f.Id == "LT121");
    }
}
