using LatencyTuner.Core.Analysis.Recordings;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings;
using LatencyTuner.Core.Recordings.Captures;
using LatencyTuner.Core.Recordings.Captures.Rules;
using LatencyTuner.Tests.Capture;
using Xunit;

namespace LatencyTuner.Tests.Recordings.Captures;

/// <summary>Copies of data that may have arrived: what tells that, and what is said where nothing does.</summary>
public sealed class UnprovenLosses
{
    // Beside the client, whose request comes again 300 ms later and is acknowledged at once. Receivers with SACK or timestamps would tell that it came twice.
    // So does one that took no longer than 40 ms with single segments before, or after; one that took 280 ms may just have taken a little longer.
    [Theory]
    [InlineData(false, false, 0, 0, false, Confidence.Possible)]
    [InlineData(true, false, 0, 0, false, Confidence.Likely)]
    [InlineData(false, true, 0, 0, false, Confidence.Likely)]
    [InlineData(false, false, 3, 40, false, Confidence.Likely)]
    [InlineData(false, false, 3, 40, true, Confidence.Likely)]
    [InlineData(false, false, 2, 40, false, Confidence.Possible)]
    [InlineData(false, false, 3, 280, false, Confidence.Possible)]
    public void OfAReceiverThatCannotTellCopies_ALossIsOnlyPossible(bool sack, bool timestamps, int single, double lateMs, bool behind, Confidence confidence)
    {
        SegmentSequence sequence = new SegmentSequence(timestamps, sack).Ticks(0).Syn(0).Ticks(20).SynAck(20).FromClient(20.1, 1000, 0);
        (double at, uint next) = (1000, 1000);
        void Singles()
        {
            for (int i = 0; i < single; i++, at += 500, next += 100)
            {
                sequence.Ticks(at).FromClient(at, next, 100).Ticks(at + lateMs).FromServer(at + lateMs, next + 100);
            }
        }

        if (!behind)
        {
            Singles();
        }

        sequence.Ticks(at).FromClient(at, next, 100).Ticks(at + 300, timestamps ? (uint)(at + 300) : 0).FromClient(at + 300, next, 100);
        sequence.Ticks(at + 320, (uint)(at + 300)).FromServer(at + 320, next += 100).Ticks(at + 325).FromServer(at + 325, next, 200);
        at += 1000;
        if (behind)
        {
            Singles();
        }

        Finding finding = Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id == "LT121");
        Assert.Equal((confidence, 1L), (finding.Confidence, finding.Count));
        Assert.Equal(confidence == Confidence.Possible, finding.Against.Any(a => a.Contains("only its ACK was late or lost", StringComparison.Ordinal)));
    }

    // A capture that began behind the handshake. Nothing shows the round trip: the ACK right behind the copy may have been on its way for long. An exchange
    // before shows it.
    [Theory]
    [InlineData(false, Confidence.Possible)]
    [InlineData(true, Confidence.Likely)]
    public void OfAnUnknownRoundTrip_ALossIsOnlyPossible(bool known, Confidence confidence)
    {
        SegmentSequence sequence = new(sackPermitted: true);
        sequence = known ? sequence.FromClient(0, 800, 100).FromServer(5, 900).FromServer(6, 900, 100, 4900).FromClient(6.1, 900, 0)
            .FromClient(500, 900, 100).FromServer(505, 1000) : sequence;
        sequence.FromClient(1000, 1000, 39).FromClient(1344, 1000, 39).FromServer(1349.5, 1039);

        Finding finding = Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id == "LT121");
        Assert.Equal(confidence, finding.Confidence);
        Assert.Equal(confidence == Confidence.Possible, finding.Against.Any(a => a.Contains("the round trip to it is unknown", StringComparison.Ordinal)));
    }

    // A capture that began behind the handshake, beside the client. Nothing shows how far away the server is, because the only data that it answered was sent
    // twice: the segment that never passed was lost on its way to the client.
    [Fact]
    public void OfAnUnknownRoundTripToTheSender_WhatNeverPassedWasLostBeforeTheTap()
    {
        SegmentSequence sequence = new SegmentSequence(sackPermitted: true).FromServer(0, 1000, 51).FromClient(2.5, 1000, 299, 5051)
            .FromClient(303, 1000, 299, 5051).FromServer(320, 1299, 1460, 5051, id: 500).FromClient(320.3, 1299, 0, 6511)
            .FromServer(400, 1299, 1460, 6511, id: 501).FromClient(400.3, 1299, 0, 7971).FromServer(520, 1299, 575, 9431, id: 503)
            .Sack(9431, 10006).FromClient(520.3, 1299, 0, 7971).FromServer(595, 1299, 1460, 7971, id: 504).FromClient(595.2, 1299, 0, 10006);

        SideFacts server = Assert.Single(sequence.Evidence().Connections).Sides[1];
        Assert.Equal((1, 0, 1), (server.LostBeforeTap, server.LostBeyondTap, server.FastRetransmissions));
    }

    // A duplicate ACK behind later data shows that the request was missing, whatever the receiver can tell.
    [Theory]
    [InlineData(true, Confidence.Likely)]
    [InlineData(false, Confidence.Possible)]
    public void AReceiverThatAskedForIt_LackedIt(bool asked, Confidence confidence)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(20).FromClient(20.1, 1000, 0).FromClient(30, 1000, 100).FromClient(40, 1100, 100);
        sequence = asked ? sequence.FromServer(60.1, 1000) : sequence;
        sequence.FromClient(330, 1000, 100).FromServer(350, 1200).FromServer(355, 1200, 200);

        Assert.Equal(confidence, Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id == "LT121").Confidence);
    }

    // The server has closed, and the client's goodbye comes twice. Nobody waited; where it is not even sure that it was lost, there is nothing to tell.
    [Theory]
    [InlineData(true, 1)]
    [InlineData(false, 0)]
    public void WhatIsInDoubtAndCostNothing_IsNotTold(bool sack, int findings)
    {
        SegmentSequence sequence = new SegmentSequence(sackPermitted: sack).Syn(0).SynAck(0.4).FromClient(0.45, 1000, 0).FromClient(1, 1000, 100)
            .FromServer(20, 1100, 200).FromClient(20.1, 1100, 0, 5200).Fin(5000, false, 5200, 1100).FromClient(5000.05, 1100, 0, 5201)
            .FromClient(5000.1, 1100, 31, 5201).FromClient(5300.1, 1100, 31, 5201).FromServer(5300.5, 1131, 0, 5201);

        Assert.Equal(findings, CaptureFindings.Of(sequence.Evidence()).Count(f => f.Id == "LT121"));
    }

    // The packets of the server carry a clock of their own, which is a little or much behind; a request is lost.
    [Theory]
    [InlineData(0.5, Confidence.Likely)]
    [InlineData(5, Confidence.Possible)]
    public void WhereTimesGoBack_NothingIsSure(double behindMs, Confidence confidence)
    {
        SegmentSequence sequence = new SegmentSequence(sackPermitted: true).Syn(0).SynAck(20).FromClient(20.1, 1000, 0);
        (double at, uint next, uint answer) = (100, 1000, 5000);
        for (int i = 0; i < 10; i++, at += 100, next += 100, answer += 200)
        {
            sequence.FromClient(at, next, 100, answer).FromServer(at - behindMs, next + 100, 200, answer);
        }

        sequence.FromClient(at, next, 100, answer).FromClient(at + 300, next, 100, answer).FromServer(at + 325, next + 100, 200, answer);

        Finding finding = Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id == "LT121");
        Assert.Equal(confidence, finding.Confidence);
        Assert.Equal(confidence == Confidence.Possible, finding.Against.Any(a => a.Contains("steps back by up to 5 ms", StringComparison.Ordinal)));
    }

    // A SYN comes again after a second; a tool wrote it, or a stack sent it.
    [Theory]
    [InlineData(true, 0)]
    [InlineData(false, 1)]
    public void ASynThatAToolWroteAgain_IsNotJudged(bool handmade, int findings)
    {
        SegmentSequence sequence = new SegmentSequence().Handmade(handmade).Syn(0).Syn(1000).SynAck(1020).FromClient(1020.1, 1000, 0)
            .FromClient(1030, 1000, 100).FromServer(1050, 1100, 200).FromClient(1050.1, 1100, 0, 5200);

        Assert.Equal(findings, CaptureFindings.Of(sequence.Evidence()).Count(f => f.Id == "LT121"));
    }

    // One direction, in which one packet comes four times: no loss, but the capture is told to be odd.
    [Fact]
    public void WhatAToolRepeated_IsAGapOfTheCapture()
    {
        SegmentSequence sequence = new();
        for (int i = 0; i < 4; i++)
        {
            sequence.FromClient(i * 1000, 1000, 100, id: 4660);
        }

        byte[] capture = sequence.Pcap();
        RecordingResult result = RecordingAnalysis.Run(
            [new RecordingInput("x", () => new MemoryStream(capture))], RecordingFilter.All, SeverityLimits.Standard, null, CancellationToken.None);

        Finding gaps = Assert.Single(result.Findings);
        Assert.Equal("LT301", gaps.Id);
        Assert.Contains(gaps.For, g => g.StartsWith("what 1 connection sent again is not judged: only one direction", StringComparison.Ordinal));
    }

    // One loss was repaired. On another connection copies of the last request are not answered when the capture ends, although the server still sends: only
    // several of them show that something keeps them back.
    [Theory]
    [InlineData(2, false)]
    [InlineData(3, true)]
    public void BehindARepair_FewCopiesWithoutAnAnswer_DoNotShowWhatDropsThem(int copies, bool stuck)
    {
        SegmentSequence sequence = new SegmentSequence(sackPermitted: true).Syn(0).SynAck(20).FromClient(20.05, 1000, 0);
        sequence.FromClient(21, 1000, 50).FromClient(321, 1000, 50).FromServer(341, 1050, 200).FromClient(341.05, 1050, 0, ack: 5200);
        sequence.To("10.0.0.2", 40001).Syn(1000).SynAck(1020).FromClient(1020.05, 1000, 0).FromClient(1021, 1000, 50).FromServer(1041, 1050, 200)
            .FromClient(1041.05, 1050, 0, ack: 5200).FromClient(1100, 1050, 50, ack: 5200);
        double at = 1100;
        for (int i = 0; i < copies; i++)
        {
            sequence.FromClient(at += 300 << i, 1050, 50, ack: 5200).FromServer(at + 50, 1050, sequence: 5200);
        }

        Finding finding = Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id == "LT121");
        Assert.Equal((copies + 1, Confidence.Likely), (finding.Count, finding.Confidence));
        Assert.Contains("so it was there", finding.For[0], StringComparison.Ordinal);
        Assert.Equal(stuck, finding.For[0].Contains("did not get through", StringComparison.Ordinal));
        Assert.Equal(stuck, finding.Recommendation!.Contains("what drops these packets", StringComparison.Ordinal));
    }

    // A path that holds packets for long: six seconds behind the request comes an ACK that lacks it, and behind its copy one that has it. Which of the two it
    // answers, the timestamp that it echoes tells.
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void AnEchoOfTheFirstCopy_TellsThatItArrived_HoweverLongTheReceiverLackedIt(bool first)
    {
        SegmentSequence sequence = new SegmentSequence(timestamps: true, sackPermitted: true).Ticks(0).Syn(0).Ticks(20).SynAck(20).Ticks(20.05)
            .FromClient(20.05, 1000, 0).Ticks(30).FromClient(30, 1000, 100).Ticks(50, 30).FromServer(50, 1100, 200).Ticks(51)
            .FromClient(51, 1100, 0, ack: 5200).Ticks(1000).FromClient(1000, 1100, 100, ack: 5200).Ticks(7000, 51).FromServer(7000, 1100, sequence: 5200)
            .Ticks(21_000).FromClient(21_000, 1100, 100, ack: 5200).Ticks(28_000, first ? 1000u : 21_000u).FromServer(28_000, 1200, 200, 5200)
            .Ticks(28_001).FromClient(28_001, 1200, 0, ack: 5400);
        Assert.Equal(first ? 0 : 1, CaptureFindings.Of(sequence.Evidence()).Count(f => f.Id == "LT121"));
    }
}
