using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings.Captures;
using LatencyTuner.Core.Recordings.Captures.Rules;
using LatencyTuner.Tests.Capture;
using Xunit;

namespace LatencyTuner.Tests.Recordings.Captures;

/// <summary>Which time counts as active, and which of it the client's pauses are.</summary>
public sealed class ActiveTimes
{
    [Theory]
    [InlineData(20, 2000, 96)]
    [InlineData(7, 640, 130)]
    public void WaitingForTheFirstResponse_IsActiveTime(int connections, double serverMs, double lostMs)
    {
        SegmentSequence sequence = new();
        for (int i = 0; i < connections; i++)
        {
            double at = i * 5000;
            Begun(sequence.To("10.0.0.2", (ushort)(40001 + i)), at).FromClient(at + 21, 1000, 100);
            at += 21;
            if (i == 3)
            {
                sequence.FromClient(at += lostMs, 1000, 100);
            }

            sequence.FromServer(at + 20, 1100).FromServer(at + 20 + serverMs, 1100, 300).FromClient(at + 20.1 + serverMs, 1100, 0, ack: 5300);
        }

        Finding finding = Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id == "LT121");
        Assert.Equal(lostMs / (lostMs + serverMs + 20), finding.CostShare!.Value, 0.02);
    }

    [Theory]
    [InlineData(1300, true)]
    [InlineData(45, true)]
    [InlineData(2, false)]
    [InlineData(60_000, false)]
    public void TimeBeforeTheFirstRequest_IsTheClients(double pauseMs, bool told)
    {
        SegmentSequence sequence = new();
        for (int i = 0; i < 6; i++)
        {
            Begun(sequence.To("10.0.0.2", (ushort)(40001 + i)), i * 70_000);
            Answered(sequence, (i * 70_000) + 20 + pauseMs, 30);
        }

        CaptureEvidence evidence = sequence.Evidence();
        Finding? finding = CaptureFindings.Of(evidence).SingleOrDefault(f => f.Id == "LT142");
        Assert.Equal(told, finding is not null);
        Assert.Equal(pauseMs < 5000 ? pauseMs + 50 : 50, evidence.Connections[0].ActiveNs / 1e6, 1.0);
        if (finding is not null)
        {
            Assert.Equal(pauseMs * 6, finding.CostMs!.Value, 6.0);
            Assert.Contains("first request", finding.For[0], StringComparison.Ordinal);
        }
    }

    [Fact]
    public void AServerThatSpeaksFirst_IsWaitedFor()
    {
        SegmentSequence sequence = new();
        for (int i = 0; i < 6; i++)
        {
            double at = i * 5000;
            Begun(sequence.To("10.0.0.2", (ushort)(40001 + i)), at).FromServer(at + 900, 1000, 40).FromClient(at + 900.1, 1000, 0, ack: 5040);
            sequence.FromClient(at + 901, 1000, 100, ack: 5040).FromServer(at + 925, 1100, 200, 5040).FromClient(at + 925.1, 1100, 0, ack: 5240);
        }

        Assert.DoesNotContain(CaptureFindings.Of(sequence.Evidence()), f => f.Id == "LT142");
    }

    [Fact]
    public void DataThatNobodyAnswers_IsActiveOnlyWhileItIsOutstanding()
    {
        SegmentSequence sequence = Begun(new SegmentSequence(), 0);
        for (uint i = 0; i < 20; i++)
        {
            sequence.FromClient(30 + (i * 10_000), 1000 + (i * 100), 100).FromServer(50 + (i * 10_000), 1100 + (i * 100));
        }

        Assert.InRange(Assert.Single(sequence.Evidence().Connections).ActiveNs / 1e6, 400, 500);
    }

    // Beside the client, and beside the server.
    [Theory]
    [InlineData(20, 0.05)]
    [InlineData(0.05, 33)]
    public void AnUploadThatFlows_IsNoPauseOfTheClient(double serverMs, double clientMs)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(serverMs).FromClient(serverMs + clientMs, 1000, 0);
        (uint next, uint answer, double at) = (1000, 5000, 60);
        for (int request = 0; request < 6; request++)
        {
            for (int i = 0; i < 300; i++, next += 1460, at += 1)
            {
                sequence.FromClient(at, next, 1460, ack: answer);
                if (i > 60)
                {
                    sequence.FromServer(at + 0.05, next - (60 * 1460), 0, answer);
                }
            }

            sequence.FromServer(at += serverMs, next, 100, answer).FromClient(at += clientMs + 2, next, 0, ack: answer + 100);
            (answer, at) = (answer + 100, at + 1);
        }

        CaptureEvidence evidence = sequence.Evidence();
        Assert.All(Assert.Single(evidence.Connections).Transactions, t => Assert.Equal(0, t.ClientInsideNs));
        Assert.DoesNotContain(CaptureFindings.Of(evidence), f => f.Id == "LT142");
    }

    [Theory]
    [InlineData(40)]
    [InlineData(7.5)]
    public void APauseInsideARequest_StillIs(double pauseMs)
    {
        SegmentSequence sequence = Begun(new SegmentSequence(), 0);
        double at = 50;
        for (uint i = 0; i < 12; i++)
        {
            (uint request, uint answer) = (1000 + (i * 400), 5000 + (i * 200));
            sequence.FromClient(at, request, 300, ack: answer).FromServer(at + 1.2, request + 300, 0, answer);
            sequence.FromClient(at += pauseMs, request + 300, 100, ack: answer).FromServer(at += 2.5, request + 400, 200, answer);
            at += 0.5;
        }

        CaptureEvidence evidence = sequence.Evidence();
        Assert.All(Assert.Single(evidence.Connections).Transactions, t => Assert.Equal(pauseMs, t.ClientInsideNs / 1e6, 0.1));
        Assert.Contains(CaptureFindings.Of(evidence), f => f.Id == "LT142");
    }

    // The window opens some time before the client goes on: only that time is the client's.
    [Theory]
    [InlineData(90, 40)]
    [InlineData(400, 7)]
    public void AWindowThatIsClosed_IsNoPauseOfTheClient(double closedMs, double pauseMs)
    {
        SegmentSequence sequence = Begun(new SegmentSequence(), 0);
        double at = 50;
        for (uint i = 0; i < 12; i++)
        {
            (uint request, uint answer) = (1000 + (i * 400), 5000 + (i * 200));
            sequence.FromClient(at, request, 300, ack: answer).FromServer(at += 1.2, request + 300, 0, answer, window: 0);
            sequence.FromServer(at += closedMs, request + 300, 0, answer);
            sequence.FromClient(at += pauseMs, request + 300, 100, ack: answer).FromServer(at += 2.5, request + 400, 200, answer);
            at += 0.5;
        }

        // The time until the first ACK counts, as in every pause.
        Assert.All(Assert.Single(sequence.Evidence().Connections).Transactions, t => Assert.Equal(pauseMs + 1.2, t.ClientInsideNs / 1e6, 0.1));
    }

    [Fact]
    public void KeepAlivesBeforeTheFirstRequest_AreNoRequest()
    {
        SegmentSequence sequence = new();
        for (int i = 0; i < 4; i++)
        {
            sequence.FromClient(i * 10_000, 999, 1).FromServer((i * 10_000) + 3, 1000);
        }

        CaptureEvidence evidence = sequence.FromClient(41_000, 1000, 100).FromServer(41_005, 1100, 200).FromClient(41_005.1, 1100, 0, ack: 5200).Evidence();

        Assert.Equal(5, Assert.Single(Assert.Single(evidence.Connections).Transactions).DurationNs / 1e6, 1);
        Assert.DoesNotContain(CaptureFindings.Of(evidence), f => f.Id == "LT142");
    }

    private static SegmentSequence Begun(SegmentSequence sequence, double at) => sequence.Syn(at).SynAck(at + 20).FromClient(at + 20.05, 1000, 0);

    private static void Answered(SegmentSequence sequence, double at, double serverMs) => sequence.FromClient(at, 1000, 100)
        .FromServer(at + 20, 1100).FromServer(at + 20 + serverMs, 1100, 300).FromClient(at + 20.1 + serverMs, 1100, 0, ack: 5300);
}
