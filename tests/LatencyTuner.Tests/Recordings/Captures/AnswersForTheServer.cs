using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings.Captures;
using LatencyTuner.Core.Recordings.Captures.Rules;
using LatencyTuner.Tests.Capture;
using Xunit;

namespace LatencyTuner.Tests.Recordings.Captures;

/// <summary>What answers for the server from nearby hides the path behind it, and an idle connection's end looks like an answer.</summary>
public sealed class AnswersForTheServer
{
    [Theory]
    [InlineData(70, 75, Confidence.Possible, true)]
    [InlineData(70, 400, Confidence.Likely, true)]
    [InlineData(0.3, 75, Confidence.Likely, false)]
    public void HandshakeMuchLongerThanTheAcks_SpeaksAgainstTheServer(double handshakeMs, double thinkMs, Confidence confidence, bool against)
    {
        Finding finding = Of(handshakeMs, 12, _ => thinkMs);

        Assert.Equal(confidence, finding.Confidence);
        Assert.Equal(against, finding.Against.Any(a => a.Contains("A nearer device seems to answer for the server", StringComparison.Ordinal)));
    }

    // The address translation of a virtual machine's host answers the SYN when the server has answered its own, however often the SYN came meanwhile.
    [Theory]
    [InlineData(64, 1600, 0)]
    [InlineData(64, 1000.4, 1)]
    [InlineData(52, 1600, 1)]
    public void SynsThatADeviceHadTaken_WereNotLost(byte ttl, double answeredMs, int findings)
    {
        SegmentSequence sequence = new SegmentSequence().Ttl(ttl).Syn(0).Syn(1000).SynAck(answeredMs).FromClient(answeredMs + 0.05, 1000, 0);
        for (uint i = 0; i < 5; i++)
        {
            double at = answeredMs + 10 + (i * 400);
            sequence.FromClient(at, 1000 + (i * 100), 100, ack: 5000 + (i * 200)).FromServer(at + 0.3, 1100 + (i * 100), 0, 5000 + (i * 200))
                .FromServer(at + 300, 1100 + (i * 100), 200, 5000 + (i * 200)).FromClient(at + 300.1, 1100 + (i * 100), 0, ack: 5200 + (i * 200));
        }

        CaptureEvidence evidence = sequence.Evidence();
        Assert.Equal(findings, CaptureFindings.Of(evidence).Count(f => f.Id == "LT121"));
        Assert.Equal(findings == 0, Assert.Single(evidence.Connections).Sides[1].IsProxied);
    }

    [Fact]
    public void OneThatTookAlmostAllOfIt_MayBeNoAnswer()
    {
        Finding finding = Of(0.3, 6, i => i == 5 ? 230_000 : 20);

        Assert.Contains(finding.Against, a => a.Contains("one of 6 requests took 230.0 s", StringComparison.Ordinal));
        Assert.Empty(Of(0.3, 6, _ => 20).Against);
    }

    [Theory]
    [InlineData(25, 12, Confidence.Possible)]
    [InlineData(25, 200, Confidence.Likely)]
    [InlineData(9, 12, Confidence.Likely)]
    public void PathThatTakesNowMoreNowLess_SpeaksAgainstTheServer(double handshakeMs, double thinkMs, Confidence confidence)
    {
        // Answers carry their ACKs: what came after 6 ms at the quickest is path or server.
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(handshakeMs).FromClient(handshakeMs + 0.05, 1000, 0);
        double at = 300;
        for (uint i = 0; i < 20; i++)
        {
            double answered = at + 6 + (i == 7 ? 0 : thinkMs + (i % 3));
            sequence.FromClient(at, 1000 + (i * 100), 100, ack: 5000 + (i * 200)).FromServer(answered, 1100 + (i * 100), 200, 5000 + (i * 200))
                .FromClient(answered + 0.05, 1100 + (i * 100), 0, ack: 5200 + (i * 200));
            at = answered + 2;
        }

        Finding finding = Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id == "LT141");
        Assert.Equal(confidence, finding.Confidence);
        Assert.Equal(confidence == Confidence.Possible, finding.Against.Any(a => a.Contains("The path's own time varies", StringComparison.Ordinal)));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void ServerThatPausesInsideItsAnswer_IsNotThePath(bool delayedAcks)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(10).FromClient(10.05, 1000, 0).FromClient(20, 1000, 100);
        for (uint i = 0; i < 5; i++)
        {
            double at = 31 + (i * 50);
            sequence.FromServer(at, 1100, 300, 5000 + (i * 300)).FromClient(at + (delayedAcks ? 25 : 0.05), 1100, 0, ack: 5300 + (i * 300));
        }

        Transaction answer = Assert.Single(Assert.Single(sequence.Evidence().Connections).Transactions);
        Assert.Equal((1.0, 200.0), (answer.ServerNs / 1e6, answer.ServerInsideNs / 1e6));
    }

    [Fact]
    public void AnswerThatAcksDraw_HasNoPauses()
    {
        // One segment per round trip, each right behind the ACK of the one before.
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(10).FromClient(10.05, 1000, 0).FromClient(20, 1000, 100);
        for (uint i = 0; i < 5; i++)
        {
            double at = 31 + (i * 10.1);
            sequence.FromServer(at, 1100, 1460, 5000 + (i * 1460)).FromClient(at + 0.05, 1100, 0, ack: 6460 + (i * 1460));
        }

        Assert.Equal(0, Assert.Single(Assert.Single(sequence.Evidence().Connections).Transactions).ServerInsideNs);
    }

    private static Finding Of(double handshakeMs, int count, Func<int, double> thinkMs)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(handshakeMs).FromClient(handshakeMs + 0.05, 1000, 0);
        uint request = 1000;
        uint answer = 5000;
        double at = 100;
        for (int i = 0; i < count; i++, request += 100, answer += 200)
        {
            sequence.FromClient(at, request, 100, ack: answer).FromServer(at + 0.2, request + 100, 0, answer);
            at += thinkMs(i);
            sequence.FromServer(at, request + 100, 200, answer).FromClient(at + 0.05, request + 100, 0, ack: answer + 200);
            at += 1;
        }

        return Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id == "LT141");
    }
}
