using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings.Captures;
using LatencyTuner.Core.Recordings.Captures.Rules;
using LatencyTuner.Tests.Capture;
using Xunit;

namespace LatencyTuner.Tests.Recordings.Captures;

/// <summary>An upload that sends one chunk after the other, each once the chunk before has been acknowledged; no ACK is late.</summary>
public sealed class UploadsInBlockingSends
{
    private const int Mss = 1460;

    // Chunks of so many bytes; ACKs for every so many segments.
    [Theory]
    [InlineData(8192, 6, 20)]
    [InlineData(65536, 2, 12)]
    [InlineData(4096, 1, 85)]
    public void EachChunkAfterTheAckOfAll_IsTheSendBuffer(int chunk, int each, double roundTripMs)
    {
        CaptureEvidence evidence = Upload(_ => chunk, each, roundTripMs, firstAckReleases: false);

        IReadOnlyList<Finding> findings = CaptureFindings.Of(evidence);
        Finding finding = Assert.Single(findings, f => f.Id == "LT114");
        Assert.Equal((Side.Client, Confidence.Likely), (finding.Side, finding.Confidence));
        Assert.True(finding.CostShare > 0.5);
        Assert.DoesNotContain(findings, f => f.Id is "LT113" or "LT103" or "LT111");
    }

    [Fact]
    public void AGrowingWindow_IsTheCongestionWindow()
    {
        CaptureEvidence evidence = Upload(i => (4 + (2 * i)) * Mss, 100, 20, firstAckReleases: false);

        IReadOnlyList<Finding> findings = CaptureFindings.Of(evidence);
        Assert.DoesNotContain(findings, f => f.Id == "LT114");
        Assert.Contains(findings, f => f.Id == "LT113");
    }

    [Fact]
    public void AWindowThatStandsStill_ButGoesOnWithTheFirstAck_IsNotTheSendBuffer()
    {
        CaptureEvidence evidence = Upload(_ => 20 * Mss, 2, 20, firstAckReleases: true);

        Assert.DoesNotContain(CaptureFindings.Of(evidence), f => f.Id == "LT114");
    }

    [Fact]
    public void ALargeFlightThatOneAckAnswers_MayBeTheCongestionWindow()
    {
        CaptureEvidence evidence = Upload(_ => 40 * Mss, 1000, 20, firstAckReleases: false);

        Assert.DoesNotContain(CaptureFindings.Of(evidence), f => f.Id == "LT114");
    }

    [Fact]
    public void ChunksThatTheServerConfirms_AreAConversation()
    {
        SegmentSequence sequence = Begun(20);
        (uint next, uint answer, double at) = (1000, 5000, 50);
        for (int i = 0; i < 20; i++, next += 6000, answer += 30, at += 20.1)
        {
            for (uint sent = 0; sent < 6000; sent += 1500)
            {
                sequence.FromClient(at + (sent / 1e5), next + sent, (int)Math.Min(1460, 6000 - sent), ack: answer);
            }

            sequence.FromServer(at + 20.06, next + 6000, 30, answer);
        }

        Assert.DoesNotContain(CaptureFindings.Of(sequence.Evidence()), f => f.Id == "LT114");
    }

    // Half a millisecond of round trip: what the sender waits is less than its application's own pauses may last elsewhere.
    [Fact]
    public void ShortRoundTrips_SeenAtTheReceiver_AreTheSendBuffer()
    {
        const double RoundTripMs = 0.53;
        SegmentSequence sequence = new(timestamps: true);
        sequence.Syn(0, scale: 7).SynAck(0.01, scale: 7).FromClient(RoundTripMs, 1000, 0);
        (uint next, double at) = (1000, 5);
        for (int i = 0; i < 100; i++, at += RoundTripMs + 0.04)
        {
            for (int sent = 0; sent < 12288; sent += Mss, at += 0.06)
            {
                int length = Math.Min(Mss, 12288 - sent);
                // The clock ticks in milliseconds: an ACK of the same tick as an earlier one does not show how near the client is.
                sequence.Ticks(at, at - RoundTripMs).FromClient(at, next, length);
                next += (uint)length;
                sequence.Ticks(at + 0.007).FromServer(at + 0.007, next);
            }

            at -= 0.06;
        }

        Finding finding = Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id == "LT114");
        Assert.Equal((Side.Client, Confidence.Possible), (finding.Side, finding.Confidence));
    }

    // At the receiver of a full line: it acknowledges every second segment, and the next one, which was on its way, comes no later than the others. Those
    // that an ACK let go come a round trip behind it.
    [Theory]
    [InlineData(0, 0)]
    [InlineData(1.1, 1)]
    public void SegmentsOnAFullLine_WaitForNoAck(double laterMs, int findings)
    {
        const double LineMs = 0.123;
        SegmentSequence sequence = new SegmentSequence().Syn(0, scale: 7).SynAck(0.01, scale: 7).FromClient(laterMs + 0.1, 1000, 0);
        (uint next, double at) = (1000, 5);
        for (int i = 0; i < 60; i++, at += laterMs)
        {
            sequence.FromClient(at, next, Mss).FromClient(at += LineMs, next += Mss, Mss).FromServer(at + 0.015, next += Mss);
            at += LineMs;
        }

        Assert.Equal(findings, CaptureFindings.Of(sequence.Evidence()).Count(f => f.Id == "LT114"));
    }

    [Theory]
    [InlineData(0.69)]
    [InlineData(0.9)]
    [InlineData(1.4)]
    public void ChunksAtRegularTimes_OnAShortPath_WaitForNoAck(double everyMs)
    {
        SegmentSequence sequence = Begun(0.5);
        uint next = 1000;
        for (int i = 0; i < 100; i++)
        {
            double at = 5 + (i * everyMs);
            for (int sent = 0; sent < 8 * Mss; sent += Mss, next += Mss)
            {
                sequence.FromClient(at, next, Mss);
            }

            sequence.FromServer(at + 0.5, next - (4 * Mss)).FromServer(at + 0.5, next);
        }

        Assert.DoesNotContain(CaptureFindings.Of(sequence.Evidence()), f => f.Id == "LT114");
    }

    // One segment is sent again although it had arrived.
    [Theory]
    [InlineData(18, false)]
    [InlineData(60, true)]
    public void ASegmentSentAgain_AmongManyWaits_DoesNotHideThem(int chunks, bool told)
    {
        SegmentSequence sequence = Begun(20);
        (uint next, double at) = (1000, 50);
        for (int i = 0; i < chunks; i++, at += 20.05)
        {
            for (int sent = 0; sent < 8 * Mss; sent += Mss, next += Mss)
            {
                sequence.FromClient(at, next, Mss);
            }

            sequence.FromServer(at + 20, next - (4 * Mss)).FromServer(at + 20.01, next);
            if (i % 20 == 10 && i < 40)
            {
                sequence.FromClient(at + 20.02, next - Mss, Mss);
            }
        }

        Assert.Equal(told, CaptureFindings.Of(sequence.Evidence()).Any(f => f.Id == "LT114"));
    }

    // The path takes 40 ms for each segment: while it carries the chunk, a larger send would gain nothing.
    [Fact]
    public void OnASlowPath_AWaitCostsWhatThePathStandsIdle()
    {
        const double RoundTripMs = 85;
        SegmentSequence sequence = Begun(RoundTripMs);
        (uint next, double at) = (1000, 300);
        for (int i = 0; i < 20; i++)
        {
            for (int sent = 0; sent < 8192; sent += Mss)
            {
                sequence.FromClient(at + (sent / 1e5), next + (uint)sent, Math.Min(Mss, 8192 - sent));
            }

            for (int s = 1; s <= 6; s++)
            {
                sequence.FromServer(at + RoundTripMs + (s * 40), next + (uint)Math.Min(s * Mss, 8192));
            }

            (next, at) = (next + 8192, at + RoundTripMs + 240.05);
        }

        Finding finding = Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id == "LT114");
        Assert.InRange(finding.CostMs!.Value, 17 * RoundTripMs, 20 * RoundTripMs);
    }

    // The address translation of a virtual machine's host answers for the server, and passes on what comes from there.
    [Theory]
    [InlineData(20, false)]
    [InlineData(0.2, true)]
    public void ADeviceThatSpeaksForTheSender_HasNoSendBuffer(double answeredMs, bool told)
    {
        SegmentSequence sequence = new SegmentSequence().Ttl(64).Syn(0, scale: 7).SynAck(answeredMs, scale: 7).FromClient(answeredMs + 0.01, 1000, 0);
        sequence.FromClient(30, 1000, 200).FromServer(30.2, 1200);
        (uint next, double at) = (5000, 40);
        for (int i = 0; i < 30; i++, next += 2 * Mss, at += 1.44)
        {
            sequence.FromServer(at, 1200, Mss, next).FromServer(at + 0.01, 1200, Mss, next + Mss).FromClient(at + 1.21, 1200, 0, ack: next + (2 * Mss));
        }

        Assert.Equal(told, CaptureFindings.Of(sequence.Evidence()).Any(f => f.Id is "LT113" or "LT114"));
    }

    // A VPN app on a phone answers for the server, and sends on when the phone acknowledges. Hardly an operating system omits the MSS.
    [Theory]
    [InlineData(1460, "Likely", 0)]
    [InlineData(0, "Possible", 1)]
    public void ASynAckWithoutMss_MayBeAProgramsThatAnswersForTheSender(int mss, string confidence, int against)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(1.2, mss: (ushort)mss).FromClient(8.2, 1000, 0).FromClient(9, 1000, 139)
            .FromServer(9.3, 1139);
        (uint next, double at) = (5000, 350);
        for (int i = 0; i < 8; i++, at += 50.8)
        {
            sequence.FromServer(at, 1139, 2764, next).FromClient(at + 50.5, 1139, 0, ack: next += 2764);
        }

        Finding finding = Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id == "LT114");
        Assert.Equal(confidence, finding.Confidence.ToString());
        Assert.Equal(against, finding.Against.Count(a => a.Contains("contains no MSS", StringComparison.Ordinal)));
        Assert.Equal(against == 0 ? "On " : "Find out whether a VPN app or proxy beside ", finding.Recommendation![..(against == 0 ? 3 : 43)]);
    }

    // As many bytes each time behind a late ACK, as with a buffer of that size. Eight segments on their way at once show that it is larger.
    [Theory]
    [InlineData(2, 1)]
    [InlineData(8, 0)]
    public void WhatHadFarMoreOnItsWay_HasALargerBuffer(int segments, int findings)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(1.2).FromClient(8.2, 1000, 0).FromClient(9, 1000, 139).FromServer(9.3, 1139);
        (uint next, double at) = (5000, 350);
        for (int i = 0; i < 8; i++, at += 50.8)
        {
            sequence.FromServer(at, 1139, 2764, next).FromClient(at + 50.5, 1139, 0, ack: next += 2764);
        }

        for (int i = 0; i < segments; i++, next += Mss)
        {
            sequence.FromServer(at + 500, 1139, Mss, next);
        }

        Assert.Equal(findings, CaptureFindings.Of(sequence.FromClient(at + 501, 1139, 0, ack: next).Evidence()).Count(f => f.Id == "LT114"));
    }

    private static SegmentSequence Begun(double roundTripMs) =>
        new SegmentSequence().Syn(0, scale: 7).SynAck(roundTripMs, scale: 7).FromClient(roundTripMs + 0.03, 1000, 0);

    private static CaptureEvidence Upload(Func<int, int> chunk, int each, double roundTripMs, bool firstAckReleases)
    {
        SegmentSequence sequence = Begun(roundTripMs);
        List<(double At, uint Next, int Length, uint Ack)> packets = [];
        (uint next, double at) = (1000, 50);
        for (int i = 0; i < 25; i++)
        {
            int bytes = chunk(i);
            int segments = (bytes + Mss - 1) / Mss;
            for (int s = 0; s < segments; s++)
            {
                int length = Math.Min(Mss, bytes - (s * Mss));
                packets.Add((at + (s * 0.02), next, length, 0));
                next += (uint)length;
                if ((s + 1) % each == 0 || s == segments - 1)
                {
                    packets.Add((at + (s * 0.02) + roundTripMs, 0, 0, next));
                }
            }

            at += roundTripMs + 0.03 + (firstAckReleases ? each * 0.02 : segments * 0.02);
        }

        foreach ((double time, uint data, int length, uint ack) in packets.OrderBy(p => p.At))
        {
            _ = length > 0 ? sequence.FromClient(time, data, length) : sequence.FromServer(time, ack);
        }

        return sequence.Evidence();
    }
}
