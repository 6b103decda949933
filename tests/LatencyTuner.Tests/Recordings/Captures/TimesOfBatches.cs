using LatencyTuner.Core.Analysis.Recordings;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings;
using LatencyTuner.Core.Recordings.Captures.Rules;
using LatencyTuner.Tests.Capture;
using Xunit;

namespace LatencyTuner.Tests.Recordings.Captures;

/// <summary>A program that captures a phone gets packets once in a second, and gives them the time of then.</summary>
public sealed class TimesOfBatches
{
    // Requests of 70 ms, the packets of which the capture has microseconds apart, once in a second. Or the path alone holds what the server sends.
    [Theory]
    [InlineData(true, true, 70.0)]
    [InlineData(false, true, null)]
    [InlineData(true, false, null)]
    public void ClocksOfBothEnds_GoOnWithinABatch(bool client, bool server, double? stepMs)
    {
        byte[] capture = Batches(client, server).Pcap();
        RecordingResult result = RecordingAnalysis.Run(
            [new RecordingInput("x", () => new MemoryStream(capture))], RecordingFilter.All, SeverityLimits.Standard, null, CancellationToken.None);

        Assert.Equal(stepMs, Assert.Single(result.Evidence[0].Connections).CoarseStepNs / 1e6);
        string gaps = string.Concat(result.Findings.Where(f => f.Id == "LT301").SelectMany(f => f.For));
        Assert.Equal(stepMs is not null, gaps.Contains("in batches", StringComparison.Ordinal) && gaps.Contains("by up to 70 ms", StringComparison.Ordinal));
    }

    [Fact]
    public void ALoss_SaysThatItsCostIsUnsure()
    {
        SegmentSequence sequence = Batches(true, true);
        sequence.Ticks(15_000).FromClient(15_000, 9000, 1448, ack: 9000).Ticks(15_400).FromClient(15_400, 9000, 1448, ack: 9000);
        sequence.Ticks(15_430).FromServer(15_430, 10_448, 100, 9000);

        Finding finding = Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id == "LT121");
        Assert.Contains(finding.Against, a => a.Contains("batches of up to 70 ms", StringComparison.Ordinal));
    }

    // Six segments behind ACKs that come 42 or 190 ms late, on a connection with batches of up to 70 ms or none.
    [Theory]
    [InlineData(true, 42, false)]
    [InlineData(true, 190, true)]
    [InlineData(false, 42, true)]
    public void HoldsAsLongAsABatch_AreNotJudged(bool batches, double timerMs, bool found)
    {
        SegmentSequence sequence = Batches(true, batches);
        (double at, uint next, uint answer) = (15_000, 9000, 9000);
        for (int i = 0; i < 6; i++, at += 300 + (i * 7))
        {
            sequence.Ticks(at).FromClient(at, next, 100, answer).Ticks(at + timerMs).FromServer(at + timerMs, next + 100, 0, answer);
            sequence.FromClient(at + timerMs + 0.04, next + 100, 50, answer).FromServer(at + timerMs + 0.1, next += 150, 200, answer);
            sequence.FromClient(at + timerMs + 0.2, next, 0, answer += 200);
        }

        Assert.Equal(found, CaptureFindings.Of(sequence.Evidence()).Any(f => f.Id is "LT101" or "LT102"));
    }

    // Segments behind ACKs that come within 2 ms, or by a timer. Within one host the prompt ones come before a send call returns: nothing was held for them.
    [Theory]
    [InlineData("10.0.0.1", 1, false)]
    [InlineData("10.0.0.1", 42, true)]
    [InlineData("10.0.0.2", 1, true)]
    public void PromptAcksWithinOneHost_HoldNothing(string server, double ackMs, bool found)
    {
        SegmentSequence sequence = new SegmentSequence().To(server).Syn(0).SynAck(0.02).FromClient(0.04, 1000, 0);
        (double at, uint next, uint answer) = (100, 1000, 5000);
        for (int i = 0; i < 12; i++, at += 100 + (i * 7))
        {
            double late = ackMs + (i % 5 * 0.2);
            sequence.FromClient(at, next, 100, answer).FromServer(at + late, next + 100, 0, answer);
            sequence.FromClient(at + late + 0.02, next + 100, 50, answer).FromServer(at + late + 0.1, next += 150, 200, answer);
            sequence.FromClient(at + late + 0.2, next, 0, answer += 200);
        }

        Assert.Equal(found, CaptureFindings.Of(sequence.Evidence()).Any(f => f.Id is "LT101" or "LT102"));
    }

    private static SegmentSequence Batches(bool client, bool server)
    {
        SegmentSequence sequence = new SegmentSequence(timestamps: true).Ticks(0).Syn(0).Ticks(0).SynAck(0.02).Ticks(1).FromClient(0.04, 1000, 0);
        (uint request, uint answer) = (1000, 5000);
        for (int batch = 1; batch <= 10; batch++)
        {
            double at = batch * 1001;
            for (int i = 0; i < 4; i++, request += 200, answer += 100)
            {
                double ticks = at - 300 + (i * 70);
                sequence.Ticks(client ? ticks : at).FromClient(at + (i * 0.2), request, 200, ack: answer);
                sequence.Ticks(server ? ticks + 30 : at).FromServer(at + (i * 0.2) + 0.1, request + 200, 100, answer);
            }
        }

        return sequence;
    }
}
