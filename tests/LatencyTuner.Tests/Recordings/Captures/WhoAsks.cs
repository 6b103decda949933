using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings.Captures;
using LatencyTuner.Core.Recordings.Captures.Rules;
using LatencyTuner.Tests.Capture;
using Xunit;

namespace LatencyTuner.Tests.Recordings.Captures;

/// <summary>Which end asks and which answers, where no handshake shows it, or where a server speaks by itself: idle time is nobody's slow answer.</summary>
public sealed class WhoAsks
{
    // A device beats every 423 s, and its peer answers 17 ms later. The capture begins in between. A peer with a client's port, or a device with a
    // server's, is what it seems.
    [Theory]
    [InlineData(4116, 10000, true)]
    [InlineData(50001, 60000, true)]
    [InlineData(4116, 50123, false)]
    [InlineData(443, 10000, false)]
    public void WherePortsTellNothing_TheEndThatBeginsAsks(ushort device, ushort peer, bool begins)
    {
        CaptureEvidence evidence = Beats(new SegmentSequence().To("10.0.0.2", device, serverPort: peer), 423_000, 17).Evidence();

        Assert.Equal(begins ? "10.0.0.1" : "10.0.0.2", Assert.Single(evidence.Connections).Client.ToString());
        Assert.Equal(!begins, CaptureFindings.Of(evidence).Any(f => f.Id == "LT141"));
        Assert.All(CaptureFindings.Of(evidence), f => Assert.Equal(Confidence.Possible, f.Confidence));
    }

    // The same ports, but the end with the lower one takes 1.5 s to answer, and the other one asks again later: nobody answers the answer.
    [Theory]
    [InlineData(2000)]
    [InlineData(900)]
    public void AServerThatTakesLong_StaysTheServer(double laterMs)
    {
        SegmentSequence sequence = new SegmentSequence().To("10.0.0.2", 10000, serverPort: 4116);
        double at = 0;
        for (uint i = 0; i < 8; i++, at += laterMs)
        {
            sequence.FromClient(at, 1000 + (i * 26), 26, ack: 5000 + (i * 20)).FromServer(at + 20, 1026 + (i * 26), 0, 5000 + (i * 20));
            sequence.FromServer(at += 1500, 1026 + (i * 26), 20, 5000 + (i * 20));
        }

        CaptureEvidence evidence = sequence.Evidence();

        Assert.Equal("10.0.0.1", Assert.Single(evidence.Connections).Client.ToString());
        Finding finding = Assert.Single(CaptureFindings.Of(evidence), f => f.Id == "LT141");
        Assert.Equal(Confidence.Possible, finding.Confidence);
        Assert.Contains(finding.Against, a => a.Contains("which end asks", StringComparison.Ordinal));
    }

    // The server speaks every minute, and the client answers at once; or the client asks two seconds after each answer, for which the server takes 6 s.
    [Theory]
    [InlineData(60_000, 0.5, Confidence.Possible)]
    [InlineData(6000, 2000, Confidence.Likely)]
    public void AServerThatMaySpeakByItself_IsNotSaidToBeSlow(double serverMs, double clientMs, Confidence confidence)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(20).FromClient(20.1, 1000, 0);
        double at = 21;
        for (uint i = 0; i < 8; i++, at += clientMs)
        {
            sequence.FromClient(at, 1000 + i, 1, ack: 5000 + i).FromServer(at + 20, 1001 + i, 0, 5000 + i);
            sequence.FromServer(at += 20 + serverMs, 1001 + i, 1, 5000 + i).FromClient(at + 0.1, 1001 + i, 0, ack: 5001 + i);
        }

        Finding finding = Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id == "LT141");
        Assert.Equal(confidence, finding.Confidence);
        Assert.Equal(confidence == Confidence.Possible, finding.Against.Any(a => a.Contains("send by itself", StringComparison.Ordinal)));
    }

    // The ACK of the request comes with the response: no timer waits so long, so the path took the time. Or it came at once.
    [Theory]
    [InlineData(true, false)]
    [InlineData(false, true)]
    public void AnAckThatComesWithTheResponse_LeavesTheServerNoTime(bool late, bool told)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(20).FromClient(20.1, 1000, 0);
        for (uint i = 0; i < 4; i++)
        {
            double at = 100 + (i * 1000);
            sequence.FromClient(at, 1000 + (i * 100), 100, ack: 5000 + (i * 100));
            sequence.FromServer(late ? at + 205 : at + 20, 1100 + (i * 100), 0, 5000 + (i * 100));
            sequence.FromServer(at + 205.1, 1100 + (i * 100), 100, 5000 + (i * 100)).FromClient(at + 205.2, 1100 + (i * 100), 0, ack: 5100 + (i * 100));
        }

        Assert.Equal(told, CaptureFindings.Of(sequence.Evidence()).Any(f => f.Id == "LT141"));
    }

    private static SegmentSequence Beats(SegmentSequence sequence, double everyMs, double answerMs)
    {
        for (uint i = 0; i < 8; i++)
        {
            double at = i * everyMs;
            sequence.FromClient(at, 1000 + (i * 26), 26, ack: 5000 + (i * 20)).FromServer(at + answerMs, 1026 + (i * 26), 20, 5000 + (i * 20));
            sequence.FromClient(at + answerMs + 0.1, 1026 + (i * 26), 0, ack: 5020 + (i * 20));
        }

        return sequence;
    }

    // The server's packets have a clock of their own, half a second ahead: its times are not those of the client.
    [Theory]
    [InlineData(0, Confidence.Likely)]
    [InlineData(500, Confidence.Possible)]
    public void AClockForEachDirection_MakesEveryTimeDoubtful(double aheadMs, Confidence confidence)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(20).FromClient(20.1, 1000, 0);
        (double at, uint next, uint answer) = (100, 1000, 5000);
        for (int i = 0; i < 30; i++, at += 3200)
        {
            sequence.FromClient(at, next, 200, ack: answer).FromServer(at + 3000 + aheadMs, next += 200, 300, answer)
                .FromClient(at + 3050, next, 0, ack: answer += 300);
        }

        Finding finding = Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id == "LT141");
        Assert.Equal(confidence, finding.Confidence);
        Assert.Equal(aheadMs > 0, finding.Against.Any(a => a.Contains("steps back 30 times", StringComparison.Ordinal)));
    }
}
