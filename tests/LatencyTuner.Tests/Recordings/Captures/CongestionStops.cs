using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings.Captures.Rules;
using LatencyTuner.Tests.Capture;
using Xunit;

namespace LatencyTuner.Tests.Recordings.Captures;

/// <summary>A download seen at its receiver: what a stop of the distant sender costs, which ACK ended it, and whose it is.</summary>
public sealed class CongestionStops
{
    private const double RoundTripMs = 100;
    private const int Mss = 1460;

    // Flights of 10, 20, 40 and 80 segments. The second one comes late: data waited all the same, unless the first flight ends with a smaller segment.
    [Theory]
    [InlineData(0, Mss, 3, 300, 0)]
    [InlineData(60, Mss, 3, 300, 0)]
    [InlineData(60, 900, 2, 200, 1)]
    [InlineData(250, Mss, 2, 200, 1)]
    public void AStopBehindTheFirstWindow_CostsOneRoundTrip(double laterMs, int last, long stops, double costMs, int pauses)
    {
        SegmentSequence sequence = Asked();
        (double at, uint next) = Flight(sequence, 2 * RoundTripMs, 5000, 10, last);
        (at, next) = Flight(sequence, at + RoundTripMs + laterMs, next, 20, Mss);
        (at, next) = Flight(sequence, at + RoundTripMs, next, 40, Mss);
        Flight(sequence, at + RoundTripMs, next, 80, Mss);

        Finding finding = Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id == "LT113");
        Assert.Equal(stops, finding.Count);
        Assert.Equal(costMs, finding.CostMs!.Value, 4.0);
        Assert.Equal(pauses, finding.Against.Count(a => a.Contains("a pause of its own", StringComparison.Ordinal)));
    }

    // Six flights; the fourth continues up to a round trip later than the ACK, or later than that: that was a pause. Flights that double are just what slow
    // start allows: data waited behind them.
    [Theory]
    [InlineData(0, 1.7, 5, null)]
    [InlineData(60, 1.7, 4, "5 stops, ")]
    [InlineData(60, 2, 5, null)]
    [InlineData(250, 2, 4, null)]
    public void AStopThatEndsALittleLater_IsCountedApart(double laterMs, double growth, int stops, string? all)
    {
        SegmentSequence sequence = Asked();
        (double at, uint next) = Flight(sequence, 2 * RoundTripMs, 5000, 10, Mss);
        for (int i = 1; i <= 5; i++)
        {
            (at, next) = Flight(sequence, at + RoundTripMs + (i == 3 ? laterMs : 0), next, (int)(10 * Math.Pow(growth, i)), Mss);
        }

        Finding finding = Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id == "LT113");
        Assert.Equal(stops, finding.Count);
        string? said = finding.Against.SingleOrDefault(a => a.StartsWith("counting stops that ended a little later", StringComparison.Ordinal));
        Assert.Equal(all is not null, said is not null);
        Assert.Contains(all ?? "", said ?? "", StringComparison.Ordinal);
    }

    // Flights of 2, 4, 8 and 16 segments. One of the first two lacks a byte, as some servers write it, or much.
    [Theory]
    [InlineData(Mss, 3)]
    [InlineData(Mss - 1, 3)]
    [InlineData(800, 2)]
    public void TwoSegmentsThatAreNearlyFull_AreAFirstWindow(int last, long stops)
    {
        SegmentSequence sequence = Asked();
        (double at, uint next) = Flight(sequence, 2 * RoundTripMs, 5000, 2, last);
        (at, next) = Flight(sequence, at + RoundTripMs, next, 4, Mss);
        (at, next) = Flight(sequence, at + RoundTripMs, next, 8, Mss);
        Flight(sequence, at + RoundTripMs, next, 16, Mss);

        Assert.Equal(stops, Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id == "LT113").Count);
    }

    // An upload at its sender: three flights, and the server says something among the ACKs of the first. A flight that ends without the push flag has more
    // behind it; with it, or where nothing is ever pushed, the client may have waited for what the server said.
    [Theory]
    [InlineData(true, false, 3)]
    [InlineData(true, true, 2)]
    [InlineData(false, false, 2)]
    public void AnAnswerAmongTheAcks_DoesNotEndAStopOfAnUnfinishedMessage(bool pushes, bool ends, int stops)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0, scale: 7).SynAck(RoundTripMs, scale: 7).FromClient(100.1, 1000, 0);
        sequence = pushes ? sequence.Push() : sequence;
        sequence.FromClient(100.2, 1000, 200).FromServer(200.2, 1200, 300).FromClient(200.3, 1200, 0, 5300);
        (double at, uint next, uint said) = (210, 1200, 5300);
        for (int segments = 10; segments <= 80; segments *= 2, at += RoundTripMs)
        {
            uint first = next;
            for (int i = 1; i <= segments; i++, next += Mss)
            {
                sequence = ends && i == segments && segments == 10 ? sequence.Push() : sequence;
                sequence.FromClient(at + (i * 0.001), next, Mss, said);
            }

            said += segments == 10 ? 38u : 0;
            for (int i = 1; i <= segments; i++)
            {
                bool says = segments == 10 && i == 1;
                sequence.FromServer(at + RoundTripMs - 0.1 + (i * 0.001), first + ((uint)i * Mss), says ? 38 : 0, says ? said - 38 : said);
            }
        }

        Assert.Equal(stops, Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id == "LT113").Count);
    }

    // Flights of 10, 20 and 40 segments, and a last one behind which a segment is lost; or one of the first flight is. What came before a loss is not its
    // consequence.
    [Theory]
    [InlineData(true, Confidence.Likely)]
    [InlineData(false, Confidence.Possible)]
    public void OnlyALossBeforeAStop_MayHaveReducedTheWindow(bool after, Confidence confidence)
    {
        SegmentSequence sequence = Asked();
        (double at, uint next) = Flight(sequence, 2 * RoundTripMs, 5000, 10, Mss);
        (at, next) = after ? (at, next) : Repaired(sequence, at, next);
        for (int segments = 20; segments <= 80; segments *= 2)
        {
            (at, next) = Flight(sequence, at + RoundTripMs, next, segments, Mss);
        }

        if (after)
        {
            Repaired(sequence, at, next);
        }

        Finding finding = Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id == "LT113");
        Assert.Equal(confidence, finding.Confidence);
        Assert.Equal(!after, finding.Against.Any(a => a.Contains("reduce the congestion window", StringComparison.Ordinal)));
    }

    // Two clients of one server: one stops for round trips of 100 ms, one on a path of 1 ms. Only the first is an example.
    [Fact]
    public void AConnectionWithHardlyAnyOfTheTime_IsNotNamed()
    {
        SegmentSequence sequence = new SegmentSequence().To("10.0.0.2", 40001).Syn(0, scale: 7).SynAck(1, scale: 7).FromClient(1.05, 1000, 0)
            .FromClient(1.1, 1000, 200);
        (double at, uint next) = Flight(sequence, 3, 5000, 10, Mss);
        (at, next) = Flight(sequence, at + 1, next, 20, Mss);
        Flight(sequence, at + 1, next, 40, Mss);
        sequence.To("10.0.0.2", 40002, "10.0.0.3").Syn(100, scale: 7).SynAck(200, scale: 7).FromClient(200.05, 1000, 0).FromClient(200.1, 1000, 200);
        (at, next) = Flight(sequence, 300, 5000, 10, Mss);
        (at, next) = Flight(sequence, at + RoundTripMs, next, 20, Mss);
        Flight(sequence, at + RoundTripMs, next, 40, Mss);

        Finding finding = Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id == "LT113");
        Assert.Contains(":40002", Assert.Single(finding.Connections), StringComparison.Ordinal);
    }

    // Times by a clock of 16.67 ms: what stops for one step may not have stopped at all. With a stop of six steps the clock does not matter.
    [Theory]
    [InlineData(1, "possible", "info")]
    [InlineData(6, "likely", "error")]
    public void StopsOfOneStepOfTheClock_AreNotCharged(int steps, string confidence, string severity)
    {
        const double StepMs = 1000 / 60.0;
        (double pathMs, double lastMs) = (steps * StepMs, steps > 1 ? StepMs : 0);
        SegmentSequence sequence = new SegmentSequence().Syn(0, scale: 7).SynAck(pathMs, scale: 7).FromClient(pathMs, 1000, 0).FromClient(pathMs, 1000, 200);
        uint next = 5000;
        for (int flight = 0; flight < 12; flight++)
        {
            double at = (2 * pathMs) + (flight * (pathMs + lastMs));
            for (int i = 0; i < 10; i++, next += Mss)
            {
                sequence.FromServer(at + (i < 9 ? 0 : lastMs), 1200, Mss, next);
            }

            sequence.FromClient(at + lastMs, 1200, 0, ack: next);
        }

        Finding finding = Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id == "LT113");
        Assert.Equal((confidence, severity), (finding.Confidence.ToString().ToLowerInvariant(), finding.Severity.ToString().ToLowerInvariant()));
        Assert.Equal(steps == 1, finding.Against.Any(a => a.Contains("moves in steps of 16.67 ms", StringComparison.Ordinal)));
    }

    // Four ACKs of a flight; the last, small segment left with the first of them, or only with the last.
    [Theory]
    [InlineData(-0.3, 2)]
    [InlineData(0.1, 1)]
    public void TheFirstAckThatOpensRoom_EndsTheStop(double sinceLastMs, long stops)
    {
        SegmentSequence sequence = Asked();
        (double at, uint next) = (2 * RoundTripMs, 5000);
        foreach (int count in new[] { 2, 4 })
        {
            for (int i = 0; i < count; i++)
            {
                sequence.FromServer(at + (i * 0.05), 1200, Mss, next + ((uint)i * Mss));
            }

            for (int i = 1; i <= count; i++)
            {
                sequence.FromClient(at + 0.5 + (i * 0.12), 1200, 0, ack: next + ((uint)i * Mss));
            }

            next += (uint)(count * Mss);
            at += 0.5 + (count * 0.12) + RoundTripMs + (count == 4 ? sinceLastMs : 0);
        }

        sequence.FromServer(at, 1200, 700, next).FromClient(at + 0.1, 1200, 0, ack: next + 700);
        Finding finding = Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id == "LT113");
        Assert.Equal(stops, finding.Count);
        Assert.Equal(stops * RoundTripMs, finding.CostMs!.Value, 3.0);
    }

    // The receiver stands still: its ACKs, one for each segment, leave late. No window of the sender took that long.
    [Theory]
    [InlineData(90, false)]
    [InlineData(0, true)]
    public void AcksThatTheReceiverSendsLate_AreNotTheCongestionWindows(double lateMs, bool found)
    {
        const double ShortMs = 4;
        SegmentSequence sequence = new SegmentSequence().Syn(0, scale: 7).SynAck(ShortMs, scale: 7).FromClient(ShortMs + 0.05, 1000, 0)
            .FromClient(5, 1000, 200);
        (double at, uint next) = (10, 5000);
        for (int flight = 0; flight < 4; flight++)
        {
            for (int i = 0; i < 4; i++)
            {
                sequence.FromServer(at + (i * 0.05), 1200, Mss, next + ((uint)i * Mss));
            }

            at += 0.2 + lateMs;
            for (int i = 1; i <= 4; i++)
            {
                sequence.FromClient(at + (i * 0.02), 1200, 0, ack: next + ((uint)i * Mss));
            }

            next += 4 * Mss;
            at += ShortMs + 0.1;
        }

        Assert.Equal(found, CaptureFindings.Of(sequence.Evidence()).Any(f => f.Id == "LT113"));
    }

    // A small segment is unacknowledged when the rest of a message leaves: Nagle's algorithm holds its small end, whatever the congestion window is. The same
    // message with a full segment in front of it waits for the window.
    [Theory]
    [InlineData(300, 0)]
    [InlineData(Mss, 4)]
    public void ASmallEndBehindASmallSegment_DoesNotShowTheCongestionWindow(int first, long stops)
    {
        SegmentSequence sequence = Connected();
        (double at, uint next, uint answer) = (300, 1000, 5000);
        for (int i = 0; i < 4; i++, at += (2 * RoundTripMs) + 5, answer += 50)
        {
            sequence.FromClient(at, next, first, ack: answer);
            uint behind = next + (uint)first;
            for (uint s = 0; s < 4; s++)
            {
                sequence.FromClient(at + 2 + (s * 0.02), behind + (s * Mss), Mss, ack: answer);
            }

            sequence.FromServer(at + RoundTripMs, behind, 0, answer).FromClient(at + RoundTripMs + 0.02, behind + (4 * Mss), 100, ack: answer);
            sequence.FromServer(at + RoundTripMs + 2, behind + (4 * Mss), 0, answer);
            sequence.FromServer(at + (2 * RoundTripMs) + 1, next = behind + (4 * Mss) + 100, 50, answer);
        }

        Assert.Equal(stops, CaptureFindings.Of(sequence.Evidence()).SingleOrDefault(f => f.Id == "LT113")?.Count ?? 0);
    }

    // The end of one message, small, and the next message: its small end passes over earlier ACKs and leaves with the ACK of the small one, with full segments
    // still in flight. A full segment does not show which ACK let it go.
    [Theory]
    [InlineData(100, "LT102")]
    [InlineData(Mss, "LT113")]
    public void WhatLeavesWithTheAckOfASmallSegment_WasHeldForIt(int length, string id)
    {
        SegmentSequence sequence = Connected();
        (double at, uint next, uint answer) = (300, 1000, 5000);
        for (int i = 0; i < 8; i++, at += (2 * RoundTripMs) + 33 + (i * 7), answer += 50)
        {
            double acked = at + RoundTripMs;
            foreach (int part in new[] { Mss, Mss, 300, Mss, Mss })
            {
                sequence.FromClient(at += 0.02, next, part, ack: answer);
                next += (uint)part;
            }

            sequence.FromServer(acked, next - (2 * Mss) - 300, 0, answer).FromServer(acked + 1, next - (2 * Mss), 0, answer);
            sequence.FromClient(acked + 1.02, next, length, ack: answer).FromServer(acked + 2, next, 0, answer);
            sequence.FromServer(acked + 1 + RoundTripMs, next += (uint)length, 50, answer);
        }

        string found = Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id is "LT101" or "LT102" or "LT113" or "LT114").Id;
        Assert.Equal(id, found);
    }

    // The window doubles, then stands still: too few stops after as many bytes for a send buffer.
    [Fact]
    public void StopsAfterAsManyBytes_TooFewForTheSendBuffer_AreStopsAllTheSame()
    {
        SegmentSequence sequence = Connected();
        (double at, uint next) = (300, 1000);
        foreach (int count in new[] { 4, 8, 12, 12, 12, 12 })
        {
            for (int s = 0; s < count; s++)
            {
                sequence.FromClient(at + (s * 0.02), next + ((uint)s * Mss), Mss);
            }

            sequence.FromServer(at + RoundTripMs, next + ((uint)count / 2 * Mss)).FromServer(at + RoundTripMs + 0.2, next += (uint)count * Mss);
            at += RoundTripMs + 0.23;
        }

        IReadOnlyList<Finding> findings = CaptureFindings.Of(sequence.FromClient(at, next, Mss).Evidence());
        Finding finding = Assert.Single(findings, f => f.Id == "LT113");
        Assert.Equal(6, finding.Count);
        Assert.InRange(finding.CostMs!.Value, 5.9 * RoundTripMs, 6.1 * RoundTripMs);
    }

    // The first answer came in 10 ms. What follows the ACKs in 12.8 ms was released by them if the handshake took as long; else the sender pauses by itself.
    [Theory]
    [InlineData(13, 3)]
    [InlineData(10, 0)]
    public void ARoundTripThatTheHandshakeTook_IsOneOfThePath(double handshakeMs, long stops)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0, scale: 7).SynAck(handshakeMs, scale: 7).FromClient(handshakeMs + 0.05, 1000, 0)
            .FromClient(20, 1000, 200).FromServer(30, 1200);
        (double at, uint next) = (31, 5000);
        foreach (int count in new[] { 10, 17, 28, 49 })
        {
            (at, next) = Flight(sequence, at, next, count, Mss);
            at += 12.8;
        }

        Assert.Equal(stops, CaptureFindings.Of(sequence.Evidence()).SingleOrDefault(f => f.Id == "LT113")?.Count ?? 0);
    }

    // Data that comes back sooner than the ACK of the data before can have reached its sender.
    [Theory]
    [InlineData(80, 0)]
    [InlineData(RoundTripMs, 3)]
    public void WhatLeavesBeforeAnyAckCanHaveArrived_DidNotWait(double laterMs, long stops)
    {
        SegmentSequence sequence = Asked();
        (double at, uint next) = (2 * RoundTripMs, 5000);
        foreach (int count in new[] { 10, 20, 40, 80 })
        {
            (at, next) = Flight(sequence, at, next, count, Mss);
            at += laterMs;
        }

        Assert.Equal(stops, CaptureFindings.Of(sequence.Evidence()).SingleOrDefault(f => f.Id == "LT113")?.Count ?? 0);
    }

    // Flights of 10, 20, 40 and 40 segments, and a window of 40: two stops are the congestion window's, the third is the receiver's.
    [Fact]
    public void StopsThatTheReceiversWindowExplains_AreNotCountedTwice()
    {
        const ushort Window = 40 * Mss;
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(RoundTripMs).FromClient(RoundTripMs + 0.05, 1000, 0, window: Window)
            .FromClient(RoundTripMs + 0.1, 1000, 200, window: Window);
        (double at, uint next) = (2 * RoundTripMs, 5000);
        foreach (int count in new[] { 10, 20, 40, 40 })
        {
            for (int i = 0; i < count; i++, next += Mss)
            {
                sequence.FromServer(at += 0.01, 1200, Mss, next);
            }

            sequence.FromClient(at += 0.1, 1200, 0, ack: next - (Mss * (uint)count / 2), window: Window);
            sequence.FromClient(at + 0.05, 1200, 0, ack: next, window: Window);
            at += RoundTripMs;
        }

        Assert.Equal(2, Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id == "LT113").Count);
    }

    // Each ACK of what was sent before the capture lets one segment go. How long a round trip takes is unknown: the ACKs may just pace a full path.
    [Fact]
    public void AcksThatPaceASenderWhosePathIsUnknown_ShowNoStop()
    {
        SegmentSequence sequence = new();
        for (uint i = 0; i < 5; i++)
        {
            sequence.FromServer(170 * i, 1000 + (i * Mss)).FromClient((170 * i) + 0.03, 9760 + (i * Mss), Mss);
        }

        Assert.DoesNotContain(CaptureFindings.Of(sequence.Evidence()), f => f.Id == "LT113");
    }

    private static SegmentSequence Connected() => new SegmentSequence().Syn(0, scale: 7).SynAck(RoundTripMs, scale: 7).FromClient(RoundTripMs + 0.05, 1000, 0);

    private static SegmentSequence Asked() =>
        new SegmentSequence().Syn(0, scale: 7).SynAck(RoundTripMs, scale: 7).FromClient(RoundTripMs + 0.05, 1000, 0).FromClient(RoundTripMs + 0.1, 1000, 200);

    private static (double At, uint Next) Flight(SegmentSequence sequence, double at, uint next, int count, int last)
    {
        for (int i = 0; i < count; i++)
        {
            int length = i == count - 1 ? last : Mss;
            sequence.FromServer(at += 0.01, 1200, length, next);
            next += (uint)length;
        }

        sequence.FromClient(at += 0.1, 1200, 0, ack: next);
        return (at, next);
    }

    /// <summary>Four segments a round trip later, of which the first is lost and repaired.</summary>
    private static (double At, uint Next) Repaired(SegmentSequence sequence, double at, uint next)
    {
        at += RoundTripMs;
        for (uint i = 1; i <= 3; i++)
        {
            sequence.FromServer(at += 0.01, 1200, Mss, next + (i * Mss)).FromClient(at += 0.01, 1200, 0, ack: next);
        }

        sequence.FromServer(at += RoundTripMs, 1200, Mss, next).FromClient(at += 0.01, 1200, 0, ack: next + (4 * Mss));
        return (at, next + (4 * Mss));
    }
}
