using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings.Captures;
using LatencyTuner.Core.Recordings.Captures.Rules;
using LatencyTuner.Tests.Capture;
using Xunit;

namespace LatencyTuner.Tests.Recordings.Captures;

/// <summary>Packets whose checksum is wrong: changed on their way, or not yet filled in.</summary>
public sealed class DamagedPackets
{
    // Three copies of a request reach the server's capture, two of them damaged; or an adapter fills in what is wrong at the capture point: then what is wrong
    // is acknowledged elsewhere too, or the copy that arrives is as wrong. Where nothing repairs the request, nothing shows what a wrong checksum means.
    [Theory]
    [InlineData(false, false, true, 2, 2)]
    [InlineData(true, false, true, 0, 0)]
    [InlineData(true, true, true, 0, 0)]
    [InlineData(false, true, true, 2, 0)]
    [InlineData(false, false, false, 2, 0)]
    public void WhatArrivesDamaged_IsLost(bool everywhere, bool repairWrong, bool repaired, int timeouts, int damaged)
    {
        SegmentSequence sequence = new SegmentSequence(sackPermitted: true).Syn(0).SynAck(0.02).FromClient(20, 1000, 0)
            .Wrong(everywhere).FromClient(30, 1000, 100).FromServer(30.03, 1100, 200)
            .Wrong().FromClient(100, 1100, 100, 5200).Wrong().FromClient(400, 1100, 100, 5200).Wrong(repairWrong).FromClient(1000, 1100, 100, 5200);
        sequence = repaired ? sequence.FromServer(1000.03, 1200, 200, 5200).FromClient(1020, 1200, 0, 5400) : sequence;

        CaptureEvidence evidence = sequence.Evidence();
        SideFacts client = Assert.Single(evidence.Connections).Sides[0];
        Assert.Equal((timeouts, damaged, timeouts - damaged), (client.Timeouts, client.LostDamaged, client.LostBeyondTap));
        Finding? finding = CaptureFindings.Of(evidence).SingleOrDefault(f => f.Id == "LT121");
        Assert.Equal(timeouts > 0, finding is not null);
        Assert.Equal(damaged > 0, finding?.For.Any(s => s.Contains("2 packets passed it damaged", StringComparison.Ordinal)) ?? false);
        Assert.Equal(damaged > 0, finding?.Recommendation?.Contains("damages packets", StringComparison.Ordinal) ?? false);
        // The server did not have to take what came damaged.
        Assert.True(damaged == 0 || finding?.Side == Side.Network);
    }

    // The capture began behind the handshake, with a request whose acknowledgement number is 4 MB too low; or that packet is right, and 4 MB are missing.
    [Theory]
    [InlineData(true, 0)]
    [InlineData(false, 4_194_304)]
    public void ADamagedFirstPacket_DoesNotSayWhereItsPeerBegins(bool wrong, long missed)
    {
        const uint Start = 5_000_000;
        SegmentSequence sequence = new SegmentSequence().Wrong(wrong).FromClient(0, 1000, 100, Start - 4_194_304).FromClient(300, 1000, 100, Start)
            .FromServer(300.1, 1100, 200, Start).FromClient(301, 1100, 0, Start + 200);

        Assert.Equal(missed, Assert.Single(sequence.Evidence().Connections).MissedBytes);
    }
}
