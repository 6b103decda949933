using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings.Captures;
using LatencyTuner.Core.Recordings.Captures.Rules;
using LatencyTuner.Tests.Capture;
using Xunit;

namespace LatencyTuner.Tests.Recordings.Captures;

/// <summary>SYNs and bytes that are sent again although the first ones had arrived, and copies that no stack sends.</summary>
public sealed class RepeatsThatHadArrived
{
    // The answer comes 600 ms after the second SYN. Where the path takes 1600 ms it is the one to the first, and nothing was lost.
    [Theory]
    [InlineData(1600, 0)]
    [InlineData(600, 1)]
    public void ASynAnsweredSoonerThanThePathTakes_HadArrived(double roundTripMs, int findings) => Assert.Equal(
        findings,
        CaptureFindings.Of(
            new SegmentSequence().Syn(0).Syn(1000).SynAck(1600).FromClient(1600.1, 1000, 0).FromClient(1601, 1000, 200)
                .FromServer(1601 + roundTripMs, 1200, 300).FromClient(1601.1 + roundTripMs, 1200, 0, ack: 5300).Evidence()).Count(f => f.Id == "LT121"));

    // No handshake; one byte, or more, from before what the capture has of the client, while newer data is on its way.
    [Theory]
    [InlineData(1, 0)]
    [InlineData(2, 1)]
    public void AKeepAliveBelowWhatWasAcknowledged_RepeatsNothing(int length, int findings) => Assert.Equal(
        findings,
        CaptureFindings.Of(
            new SegmentSequence().FromClient(0, 1001, 101).FromClient(300, 1001 - (uint)length, length).FromServer(325, 1102, 171)
                .FromClient(325.1, 1102, 0, ack: 5171).Evidence()).Count(f => f.Id == "LT121"));

    // The capture begins with a FIN that nothing answers; then one byte, or two, from below it.
    [Theory]
    [InlineData(1, 0)]
    [InlineData(2, 1)]
    public void AKeepAliveBelowAFinThatIsSentAgain_RepeatsNothing(int length, int findings) => Assert.Equal(
        findings,
        CaptureFindings.Of(
            new SegmentSequence().Fin(0, true, 1001, 5000).Fin(600, true, 1001, 5000).Fin(1800, true, 1001, 5000)
                .FromClient(7700, 1001 - (uint)length, length).Fin(9700, true, 1001, 5000).Evidence()).Count(f => f.Id == "LT121"));

    // The second of three segments comes last, with a later identification. On a path of 262 ms its sender has not heard of the hole within 3 ms.
    [Theory]
    [InlineData(3, 0, 1)]
    [InlineData(270, 1, 0)]
    public void AHoleThatIsFilledBeforeItsSenderHeardOfIt_WasNoLoss(double laterMs, long losses, long reorderings)
    {
        SideFacts server = Assert.Single(
            new SegmentSequence().Syn(0).SynAck(262).FromClient(262.1, 1000, 0).FromClient(263, 1000, 200).FromServer(525, 1200)
                .FromServer(600, 1200, 1250).FromServer(600.1, 1200, 217, 7500).FromClient(600.2, 1200, 0, ack: 6250)
                .Sack(7500, 7717).FromClient(600.3, 1200, 0, ack: 6250).FromServer(600 + laterMs, 1200, 1250, 6250)
                .FromClient(600.1 + laterMs, 1200, 0, ack: 7717).Evidence().Connections).Sides[1];

        Assert.Equal((losses, reorderings), (server.Timeouts + server.FastRetransmissions, server.Reorderings));
    }

    // A download, from the middle; the client sends nothing that the server could acknowledge. Below 200 ms no timer ends; later it may be one.
    [Theory]
    [InlineData(15, "LT122", Confidence.Likely)]
    [InlineData(300, "LT121", Confidence.Possible)]
    public void ARepairFromAnUnknownDistance_IsATimersPossibly_UnlessItIsTooEarly(double laterMs, string id, Confidence confidence)
    {
        SegmentSequence sequence = new SegmentSequence().FromServer(0, 1000, 1460).FromServer(0.1, 1000, 1460, 6460).FromClient(0.2, 1000, 0, ack: 7920)
            .FromServer(50, 1000, 1460, 9380).Sack(9380, 10840).FromClient(50.1, 1000, 0, ack: 7920).FromServer(50.1 + laterMs, 1000, 1460, 7920);

        Finding finding = Assert.Single(
            CaptureFindings.Of(sequence.FromClient(50.2 + laterMs, 1000, 0, ack: 10840).Evidence()), f => f.Id is "LT121" or "LT122");
        Assert.Equal((id, confidence), (finding.Id, finding.Confidence));
    }
}
