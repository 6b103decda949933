using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings.Captures.Rules;
using LatencyTuner.Tests.Capture;
using Xunit;
using static LatencyTuner.Tests.Recordings.Captures.RareHolds;

namespace LatencyTuner.Tests.Recordings.Captures;

/// <summary>Whether a delayed-ACK timer made the ACKs late that held segments waited for, or the path.</summary>
public sealed class TimersOfHolds
{
    // Behind one address, ACKs to one port come by a timer of 40 ms and to another by one of 200 ms, or late by all kinds of times.
    [Theory]
    [InlineData(200, "LT101")]
    [InlineData(0, "LT102")]
    public void OfSeveralTimersBehindOneAddress_TheOneThatHeldIsFound(double timerMs, string id)
    {
        SegmentSequence sequence = Begun(new SegmentSequence(), 0, 2);
        double at = 5;
        for (int i = 0; i < 40; i++)
        {
            at = Held(sequence, i, at, 2, 40) + 3;
        }

        Begun(sequence.To("10.0.0.2", 40001, serverPort: 81), at, 2);
        at += 5;
        for (int i = 0; i < 60; i++)
        {
            at = Held(sequence, i, at, 2, i % 5 != 0 ? 0 : timerMs > 0 ? timerMs : 65 + (i * 17 % 110)) + 3;
        }

        Finding finding = CaptureFindings.Of(sequence.Evidence()).First(
            f => f.Id is "LT101" or "LT102" && f.Connections.Contains("10.0.0.1:40001 > 10.0.0.2:81"));
        Assert.Equal(id, finding.Id);
    }

    // Two holds of a client, without a handshake, beside answers with data that took as long: both ACKs fit the timer of 40 ms, on the clock of Linux or of
    // Windows, or one of them fits none.
    [Theory]
    [InlineData(42, 45, "LT101")]
    [InlineData(41, 55, "LT101")]
    [InlineData(42, 80, "LT102")]
    public void TwoAcksThatFitOneTimer_AreIts_WhateverItsAnswersTook(double firstMs, double secondMs, string id)
    {
        SegmentSequence sequence = new SegmentSequence().FromClient(0, 1000, 300).FromServer(2, 1300).FromServer(30, 1300, 500)
            .FromClient(30.1, 1300, 0, ack: 5500);
        (double at, uint next, uint answer) = (3000, 1300, 5500);
        foreach (double timerMs in new[] { firstMs, secondMs })
        {
            sequence.FromClient(at, next, 200, ack: answer).FromServer(at + 38, next += 200, 500, answer).FromClient(at + 38.1, next, 0, ack: answer += 500);
            at += 100;
            sequence.FromClient(at, next, 886, ack: answer).FromServer(at += 2 + timerMs, next += 886, 0, answer)
                .FromClient(at += 0.05, next, 127, ack: answer);
            sequence.FromServer(at + 2, next += 127, 0, answer).FromServer(at + 38, next, 500, answer).FromClient(at + 38.1, next, 0, ack: answer += 500);
            at += 3000;
        }

        Finding finding = Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id is "LT101" or "LT102");
        Assert.Equal((id, Side.Client, 2L), (finding.Id, finding.Side, finding.Count));
    }

    // A path of 9 ms that varies. Of 100 ACKs that held segments waited for, 12 come 40 ms later; or are as late as that by chance, among others.
    [Theory]
    [InlineData(true, 12)]
    [InlineData(false, 0)]
    public void ATimersPeakAmongOtherLateAcks_IsSeen(bool timer, long byTimer)
    {
        SegmentSequence sequence = Begun(new SegmentSequence(), 0, 9);
        double at = 100;
        for (int i = 0; i < 100; i++)
        {
            double lateMs = i % 8 == 7 ? timer ? 40 + (i % 3 * 0.4) : 20 + (i * 0.4) : i % 2 == 0 ? 0.1 : 3 + (i % 7);
            at = Held(sequence, i, at, 9, lateMs) + 50;
        }

        Finding[] findings = [.. CaptureFindings.Of(sequence.Evidence()).Where(f => f.Id is "LT101" or "LT102")];

        Assert.Equal(byTimer, findings.Where(f => f.Id == "LT101").Sum(f => f.Count));
        Assert.Equal(100, findings.Sum(f => f.Count));
    }

    // A path of 200 ms. Of ten ACKs that held segments waited for, some came by a timer that is a small part of the path, or late by all kinds of times.
    [Theory]
    [InlineData(4, 0, 4, 6)]
    [InlineData(4, 6, 0, 10)]
    [InlineData(2, 0, 0, 10)]
    public void ATimerMuchShorterThanThePath_PartsTheHolds(int late, double spreadMs, long byTimer, long prompt)
    {
        SegmentSequence sequence = Begun(new SegmentSequence(), 0, 200);
        double at = 500;
        for (int i = 0; i < 10; i++)
        {
            at = Held(sequence, i, at, 200, i < late ? 41 + (i * spreadMs) : i * 0.1) + 300;
        }

        Finding[] findings = [.. CaptureFindings.Of(sequence.Evidence()).Where(f => f.Id is "LT101" or "LT102")];

        Assert.Equal((byTimer, prompt), (findings.Where(f => f.Id == "LT101").Sum(f => f.Count), findings.Where(f => f.Id == "LT102").Sum(f => f.Count)));
    }

    // Beside the server, 0.2 ms from its client. On some connections the whole wait is no longer than a busy client needs: it proves
    // nothing.
    [Theory]
    [InlineData(0, null)]
    [InlineData(20, "20 further small segments waited no longer than the sender takes")]
    public void WaitsThatAreTooShortToTell_AreSaid(int brief, string? said)
    {
        SegmentSequence sequence = new();
        for (int i = 0; i < 40 + brief; i++)
        {
            double at = i * 100;
            (double ackMs, double laterMs) = i < 40 ? (3, 0.2) : (0.01, 0.4);
            sequence.To("10.0.0.2", (ushort)(40_000 + i)).Syn(at).SynAck(at + 0.02).FromClient(at + 0.22, 1000, 0);
            sequence.FromClient(at + 10, 1000, 20).FromServer(at + 10 + ackMs, 1020).FromClient(at + 10 + ackMs + laterMs, 1020, 112);
            sequence.FromServer(at + 10.42 + ackMs, 1132).FromServer(at + 11 + ackMs, 1132, 300).FromClient(at + 11.2 + ackMs, 1132, 0, ack: 5300);
        }

        Finding finding = Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id is "LT101" or "LT102");
        Assert.Equal(said is not null, finding.Against.Any(a => a.StartsWith(said ?? "none", StringComparison.Ordinal)));
        Assert.Equal(40, finding.Count);
    }

    // A path of 230 or 305 ms, by the handshake, too: what an ACK takes longer than the shorter one is no timer's. Where only ACKs of data take longer, it is.
    [Theory]
    [InlineData(true, "LT102")]
    [InlineData(false, "LT101")]
    public void APathOfTwoLengths_IsNoTimer(bool handshakes, string id)
    {
        SegmentSequence sequence = new();
        for (int i = 0; i < 30; i++)
        {
            double at = 400 * i;
            double handshakeMs = handshakes && i % 3 == 0 ? 305 : 230;
            sequence.To("10.0.0.2", (ushort)(40000 + i)).Syn(at).SynAck(at + handshakeMs).FromClient(at += handshakeMs + 0.03, 1000, 0);
            // The path is slow for the data, too, and where the handshake was quick it may just have become slow.
            Held(sequence, 0, at + 1, 230, handshakes ? (i % 3 == 2 ? 0.1 : 75) : 75 + (i % 3 * 0.5));
        }

        Assert.Equal(id, CaptureFindings.Of(sequence.Evidence()).First(f => f.Id is "LT101" or "LT102").Id);
    }

    // A server 42 ms away. Each answer comes in two pieces, the second a round trip behind the late ACK of the first; one of them a little later than the
    // others, as paths vary, or much later, by itself.
    [Theory]
    [InlineData(3, (3 * 85.1) + 3)]
    [InlineData(15, 2 * 85.1)]
    public void AHoldThatThePathMadeALittleLater_CountsToItsSegment(double laterMs, double costMs)
    {
        SegmentSequence sequence = Begun(new SegmentSequence(), 0, 42);
        (double at, uint next, uint answer) = (100, 1000, 5000);
        foreach (double extraMs in new[] { 0, 0, laterMs })
        {
            sequence.FromClient(at, next, 300, ack: answer).FromServer(at += 43, next += 300, 110, answer).FromClient(at += 43, next, 0, ack: answer += 110);
            sequence.FromServer(at += 42.1 + extraMs, next, 150, answer).FromClient(at + 40, next, 0, ack: answer += 150);
            at += 700;
        }

        Finding finding = Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id is "LT101" or "LT102");
        Assert.Equal(costMs, finding.CostMs!.Value, 5);
    }
}
