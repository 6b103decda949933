using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings.Captures.Rules;
using LatencyTuner.Tests.Capture;
using Xunit;

namespace LatencyTuner.Tests.Recordings.Captures;

/// <summary>Small segments behind unacknowledged ones show TCP_NODELAY, except for those that Windows sends with Nagle's algorithm as well.</summary>
public sealed class SmallBehindSmall
{
    // Four writes: a small one, two full segments with their end in one batch, and two small ones. Windows sends the end of a batch behind a small segment;
    // Linux with Nagle's algorithm does not.
    [Theory]
    [InlineData(128, 30, 6)]
    [InlineData(64, 30, 0)]
    [InlineData(128, 400, 0)]
    public void TheEndOfABatch_IsNoSignOfNodelay(byte ttl, double endUs, long held)
    {
        const int Mss = 1460;
        SegmentSequence sequence = new SegmentSequence().Ttl(ttl).Syn(0).SynAck(0.2).FromClient(0.23, 1000, 0);
        (double at, uint next) = (100, 1000);
        for (int i = 0; i < 6; i++)
        {
            sequence.FromClient(at, next, 505).FromClient(at + 0.03, next + 505, Mss).FromClient(at + 0.04, next + 505 + Mss, Mss);
            sequence.FromClient(at + 0.04 + (endUs / 1000), next + 505 + (2 * Mss), 888).FromServer(at + 0.9, next += 505 + (2 * Mss) + 888);
            sequence.FromClient(at + 1, next, 147).FromServer(at += 207 + (i * 1.3), next += 147).FromClient(at + 0.05, next, 171);
            sequence.FromServer(at + 0.3, next += 171, 100, 5000 + ((uint)i * 100)).FromClient(at + 0.4, next, 0, ack: 5100 + ((uint)i * 100));
            at += 50;
        }

        Assert.Equal(held, CaptureFindings.Of(sequence.Evidence()).SingleOrDefault(f => f.Id is "LT101" or "LT102")?.Count ?? 0);
    }

    // A server beside the tap sends a keystroke's echo now and then. Each is lost and sent again by a timer, and what was written meanwhile follows its ACK;
    // or the ACK itself comes as late.
    [Theory]
    [InlineData(true, 0)]
    [InlineData(false, 8)]
    public void WhatFollowsTheAckOfARepeatedSegment_WasNotHeldByNagle(bool repeated, long held)
    {
        SegmentSequence sequence = new SegmentSequence().Ttl(64).Syn(0).SynAck(0.05).FromClient(60, 1000, 0);
        (double at, uint next) = (100, 5000);
        for (int i = 0; i < 8; i++, at += 2000)
        {
            sequence.FromServer(at, 1000, 44, next);
            if (repeated)
            {
                sequence.FromServer(at + 325, 1000, 44, next).FromServer(at + 960, 1000, 44, next);
            }

            sequence.FromClient(at + 1020 + (i * 3.7), 1000, 0, ack: next + 44).FromServer(at + 1020.03 + (i * 3.7), 1000, 88, next + 44);
            sequence.FromClient(at + 1080 + (i * 3.7), 1000, 0, ack: next += 132);
        }

        Assert.Equal(held, CaptureFindings.Of(sequence.Evidence()).SingleOrDefault(f => f.Id is "LT101" or "LT102")?.Count ?? 0);
    }

    // 60 ms from the server, whose second segment follows the ACK of its first. Where one in between was lost, that one had left before: nothing was held.
    [Theory]
    [InlineData(true, 0)]
    [InlineData(false, 8)]
    public void WhatComesAboveAHole_WasNotHeldByNagle(bool lost, long held)
    {
        SegmentSequence sequence = new SegmentSequence(sackPermitted: true).Ttl(60).Syn(0).SynAck(60).FromClient(60.05, 1000, 0);
        (double at, uint next) = (200, 5000);
        for (int i = 0; i < 8; i++, at += 2000)
        {
            double acked = at + 40 + (i * 3.7);
            uint second = lost ? next + 144 : next + 44;
            sequence.FromServer(at, 1000, 44, next).FromClient(acked, 1000, 0, ack: next + 44).FromServer(acked + 60.1, 1000, 88, second);
            if (lost)
            {
                sequence.Sack(second, second + 88).FromClient(acked + 60.15, 1000, 0, ack: next + 44).FromServer(acked + 400, 1000, 100, next + 44);
            }

            sequence.FromClient(acked + 440, 1000, 0, ack: next = second + 88);
        }

        Assert.Equal(held, CaptureFindings.Of(sequence.Evidence()).SingleOrDefault(f => f.Id is "LT101" or "LT102")?.Count ?? 0);
    }

    // A line typed character by character: each is held for a round trip, and the end of the line leaves half a second later, by itself; or at once, held as
    // well. A server that never answers gets what goes one way. Of a hold behind another one a part counts, and half of a key's behind another key.
    [Theory]
    [InlineData(true, true, 0)]
    [InlineData(false, true, 19)]
    [InlineData(true, false, 15)]
    public void WhatIsTyped_IsWaitedForOnlyAtItsEnd(bool pauses, bool answers, int roundTrips)
    {
        const double RoundTripMs = 47;
        SegmentSequence sequence = new SegmentSequence().Ttl(64).Syn(0).SynAck(RoundTripMs).FromClient(RoundTripMs + 0.05, 1000, 0);
        (double at, uint next, uint answer) = (100, 1000, 5000);
        for (int line = 0; line < 6; line++)
        {
            for (int i = 0; i < 6; i++, next++)
            {
                sequence.FromClient(at, next, 1, ack: answer).FromServer(at += RoundTripMs + (i * 0.31), next + 1, 0, answer);
                at += 0.06;
            }

            at += pauses ? 500 : 0;
            sequence.FromClient(at, next, 2, ack: answer).FromServer(at += RoundTripMs + 0.2, next += 2, answers ? 60 : 0, answer);
            answer += answers ? 60u : 0;
            sequence.FromClient(at + 1, next, 0, ack: answer);
            at += 900;
        }

        Finding finding = Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id == "LT102");
        Assert.Equal(roundTrips * RoundTripMs, finding.CostMs!.Value, (roundTrips * 2.0) + 1);
        Assert.Equal(pauses && answers, finding.Against.Any(a => a.Contains("nobody is seen to have waited", StringComparison.Ordinal)));
    }

    // Windows lets a held segment go behind data of the peer, with the ACK of that; Linux does not. What leaves by itself shows TCP_NODELAY on both.
    [Theory]
    [InlineData(128, 0.1, 9)]
    [InlineData(64, 0.1, 4)]
    [InlineData(128, 15, 4)]
    public void WhatLeavesBehindThePeersData_IsNoSignOfNodelayOnWindows(byte ttl, double behindMs, long held)
    {
        SegmentSequence sequence = new SegmentSequence().Ttl(ttl).Syn(0).SynAck(20).FromClient(20.05, 1000, 0);
        (double at, uint next, uint answer) = (100, 1000, 5000);
        for (int i = 0; i < 10; i++, at += 100 + (i * 7.3))
        {
            sequence.FromClient(at, next, 66, ack: answer);
            next += 66;
            if (i == 4)
            {
                sequence.FromServer(at + 10, next - 66, 700, answer).FromClient(at + 10 + behindMs, next, 132, ack: answer += 700);
                next += 132;
                sequence.FromServer(at + 60, next, 0, answer);
                continue;
            }

            sequence.FromServer(at += 60, next, 0, answer).FromClient(at + 0.05, next, 132, ack: answer).FromServer(at + 20, next += 132, 0, answer);
        }

        Assert.Equal(held, CaptureFindings.Of(sequence.Evidence()).SingleOrDefault(f => f.Id is "LT101" or "LT102")?.Count ?? 0);
    }

    // Windows lets a held segment go with the ACK that it owes, or behind an ACK of a part. A second one behind the same data owes no ACK: it was not held.
    [Theory]
    [InlineData(false, 4)]
    [InlineData(true, 9)]
    public void WhatOwesNoAck_IsASignOfNodelay(bool behindPart, long held)
    {
        SegmentSequence sequence = new SegmentSequence().Ttl(128).Syn(0).SynAck(20).FromClient(20.05, 1000, 0);
        (double at, uint next, uint answer) = (100, 1000, 5000);
        for (int i = 0; i < 10; i++, at += 100 + (i * 7.3))
        {
            sequence.FromClient(at, next, 66, ack: answer);
            next += 66;
            if (i == 4)
            {
                sequence.FromServer(at + 10, next - 66, 700, answer).FromClient(at + 10.1, next, 132, ack: answer += 700);
                sequence = behindPart ? sequence.FromServer(at + 20, next, 0, answer).FromClient(at + 20.1, next + 132, 99, ack: answer)
                    : sequence.FromClient(at + 10.1, next + 132, 99, ack: answer);
                next += 231;
                sequence.FromServer(at + 60, next, 0, answer);
                continue;
            }

            sequence.FromServer(at += 60, next, 0, answer).FromClient(at + 0.05, next, 132, ack: answer).FromServer(at + 20, next += 132, 0, answer);
        }

        Assert.Equal(held, CaptureFindings.Of(sequence.Evidence()).SingleOrDefault(f => f.Id is "LT101" or "LT102")?.Count ?? 0);
    }

    // Seen from far, where what leaves up to 6 ms behind an ACK of a part may have left at once.
    [Theory]
    [InlineData(0.5, 9)]
    [InlineData(4, 4)]
    public void WhatLeavesLaterBehindTheAckOfAPart_IsASignOfNodelayFromFar(double laterMs, long held)
    {
        const double RoundTripMs = 60;
        SegmentSequence sequence = new SegmentSequence().Ttl(128).Syn(0).SynAck(RoundTripMs).FromClient(RoundTripMs + 0.05, 1000, 0);
        (double at, uint next, uint request) = (100, 5000, 1000);
        for (int i = 0; i < 10; i++, at += 300 + (i * 7.3))
        {
            sequence.FromServer(at, request, 66, next);
            if (i == 4)
            {
                sequence.FromClient(at - 30, request, 700, ack: next).FromServer(at + 30, request += 700, 132, next += 66);
                sequence.FromClient(at + 40, request, 0, ack: next).FromServer(at + 100, request, 99, next += 132);
                sequence.FromServer(at + 100 + laterMs, request, 50, next += 99).FromClient(at + 170, request, 0, ack: next += 50);
                continue;
            }

            sequence.FromClient(at += 40, request, 0, ack: next += 66).FromServer(at += RoundTripMs, request, 132, next);
            sequence.FromClient(at + 0.1, request, 0, ack: next += 132);
        }

        Assert.Equal(held, CaptureFindings.Of(sequence.Evidence()).SingleOrDefault(f => f.Id is "LT101" or "LT102")?.Count ?? 0);
    }

    // Two connections on which a client holds. On others small segments of it do not wait, to the same port or to another one.
    [Theory]
    [InlineData(0, 80, Confidence.Likely)]
    [InlineData(2, 80, Confidence.Possible)]
    [InlineData(2, 81, Confidence.Likely)]
    public void WhereOtherConnectionsOfTheHostDoNotHold_ItIsNotSure(int others, ushort port, Confidence confidence)
    {
        SegmentSequence sequence = new();
        for (int c = 0; c < 2 + others; c++)
        {
            (double at, uint next) = (c * 10_000, 1000);
            sequence.To("10.0.0.2", (ushort)(40000 + c), serverPort: c < 2 ? (ushort)80 : port).Syn(at).SynAck(at + 20).FromClient(at + 20.05, 1000, 0);
            for (int i = 0; i < 10; i++)
            {
                sequence.FromClient(at += 100 + (i * 7.3), next, 66);
                sequence = c < 2 ? sequence : sequence.FromClient(at + 5, next + 66, 132);
                sequence.FromServer(at += 60, next + (c < 2 ? 66u : 198));
                sequence = c < 2 ? sequence.FromClient(at + 0.05, next + 66, 132).FromServer(at + 20, next + 198) : sequence;
                next += 198;
            }
        }

        Finding finding = Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id is "LT101" or "LT102");
        Assert.Equal((confidence, 20L), (finding.Confidence, finding.Count));
        Assert.Equal(confidence == Confidence.Possible, finding.Against.Any(a => a.StartsWith("on 2 other connections", StringComparison.Ordinal)));
    }

    // Half of the answers are a line and the rest, which Nagle's algorithm holds until the client's timer ends. In the other half a full segment lies in
    // between, which is still on its way when that timer ends: without it nobody can use the rest, so that a round trip is lost and not the timer.
    [Theory]
    [InlineData(0)]
    [InlineData(1460)]
    public void WhatIsHeldBehindDataThatStillComes_CostsARoundTripAtMost(int full)
    {
        const double RoundTripMs = 50;
        const double TimerMs = 200;
        SegmentSequence sequence = new SegmentSequence().Ttl(128).Syn(0).SynAck(0.05).FromClient(RoundTripMs, 1000, 0);
        (double at, uint next, uint request) = (100, 5000, 1000);
        for (int i = 0; i < 12; i++, at += 300 + (i * 7.3))
        {
            int between = i % 2 == 0 ? 0 : full;
            sequence.FromClient(at, request, 200, ack: next).FromServer(at += 0.2, request += 200, 17, next);
            sequence = between > 0 ? sequence.FromServer(at + 0.1, request, between, next + 17) : sequence;
            sequence.FromClient(at += RoundTripMs + TimerMs, request, 0, ack: next += 17).Push().FromServer(at += 0.05, request, 486, next + (uint)between);
            sequence = between > 0 ? sequence.FromClient(at + 3, request, 0, ack: next + (uint)between) : sequence;
            sequence.FromClient(at += RoundTripMs, request, 0, ack: next += 486 + (uint)between);
        }

        Finding finding = Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id == "LT101");
        // Behind a full segment a hold counts once two others were seen.
        Assert.Equal(full == 0 ? 12 : 11, finding.Count);
        Assert.Equal(full == 0 ? 12 * (RoundTripMs + TimerMs) : (6 * (RoundTripMs + TimerMs)) + (5 * RoundTripMs), finding.CostMs!.Value, 15.0);
    }

    // The capture begins inside the connection, beside the client: how far the server is shows only by a bound. A few of its segments come as long after an
    // ACK as one another, and behind them two at once, again and again.
    [Theory]
    [InlineData(false, 8)]
    [InlineData(true, 0)]
    public void AFewAtFirst_FarFromASenderThatDoesNotWait_ProveNothing(bool together, long held)
    {
        SegmentSequence sequence = new SegmentSequence().Ttl(128).FromClient(5, 800, 200).FromServer(95.2, 1000);
        sequence.FromServer(96, 1000, 1460).Push().FromServer(96.01, 1000, 12, 6460).FromClient(96.1, 1000, 0, ack: 6472);
        (double at, uint next) = (186.2, 6472);
        for (int i = 0; i < (together ? 24 : 8); i++)
        {
            bool two = together && i >= 8;
            sequence.Push().FromServer(at, 1000, 700, next);
            sequence = two ? sequence.Push().FromServer(at + 5, 1000, 700, next + 700) : sequence;
            next += two ? 1400u : 700;
            sequence.FromClient(at + 20 + (i * 5.3), 1000, 0, ack: next);
            at += 20 + (i * 5.3) + 90 + (i % 3 * 0.05);
        }

        Assert.Equal(held, CaptureFindings.Of(sequence.Evidence()).SingleOrDefault(f => f.Id is "LT101" or "LT102")?.Count ?? 0);
    }

    // Holds on one connection; on some others of this host a full segment waits for an ACK as well. One application may wait so, but not all of a host.
    [Theory]
    [InlineData(5, false)]
    [InlineData(4, true)]
    public void WhereFullSegmentsWaitOnSeveralConnections_TheHostLetsOneGoAtATime(ushort others, bool held)
    {
        const int Mss = 1460;
        SegmentSequence sequence = new();
        for (ushort other = 1; other <= others; other++)
        {
            double begun = other * 50;
            sequence.To("10.0.0.9", (ushort)(41_000 + other)).Syn(begun).SynAck(begun + 0.4).FromClient(begun + 0.43, 1000, 0)
                .FromClient(begun + 5, 1000, Mss).FromServer(begun + 5.4, 1000 + Mss).FromClient(begun + 5.43, 1000 + Mss, Mss)
                .FromServer(begun + 5.83, 1000 + (2 * Mss)).FromServer(begun + 6, 1000 + (2 * Mss), 200).FromClient(begun + 6.02, 1000 + (2 * Mss), 0, 5200);
        }

        double at = 500;
        sequence.To("10.0.0.2").Syn(at).SynAck(at + 0.4).FromClient(at + 0.43, 1000, 0);
        for (uint i = 0; i < 12; i++)
        {
            (uint request, uint answer) = (1000 + (i * 150), 5000 + (i * 200));
            at += 20 + (i * 3.1);
            sequence.FromClient(at, request, 100, answer).FromServer(at + 0.4, request + 100, 0, answer).FromClient(at + 0.43, request + 100, 50, answer)
                .FromServer(at + 0.9, request + 150, 200, answer).FromClient(at + 0.95, request + 150, 0, answer + 200);
        }

        Assert.Equal(held, CaptureFindings.Of(sequence.Evidence()).Any(f => f.Id is "LT101" or "LT102"));
    }

    // The end of a message leaves behind the ACK of the two segments before it. Now and then it leaves behind the ACK of the first of them: then it waits for
    // room in a window, and Nagle's algorithm would still hold it.
    [Theory]
    [InlineData(0, true)]
    [InlineData(5, true)]
    [InlineData(6, false)]
    public void WhatLeavesBehindAPartialAck_WaitsForRoom(int partial, bool held)
    {
        const int Mss = 1460;
        const double RoundTripMs = 20;
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(RoundTripMs).FromClient(RoundTripMs + 0.03, 1000, 0);
        double at = 100;
        for (int i = 0; i < 12 + partial; i++)
        {
            (uint request, uint answer) = (1000 + ((uint)i * 3020), 5000 + ((uint)i * 200));
            uint end = request + (2 * Mss);
            sequence.FromClient(at, request, Mss, ack: answer).FromClient(at += 0.03, request + Mss, Mss, ack: answer);
            sequence.FromServer(at + RoundTripMs - 0.02, request + Mss, 0, answer);
            sequence = i < 12 ? sequence.FromServer(at += RoundTripMs, end, 0, answer).Push().FromClient(at += 0.03, end, 100, ack: answer)
                : sequence.Push().FromClient(at += RoundTripMs + 0.03, end, 100, ack: answer).FromServer(at + 3, end, 0, answer);
            sequence.FromServer(at += RoundTripMs + 0.1, end + 100, 200, answer).FromClient(at + 0.02, end + 100, 0, ack: answer + 200);
            at += 20 + (i * 3.1);
        }

        Assert.Equal(held, CaptureFindings.Of(sequence.Evidence()).Any(f => f.Id is "LT101" or "LT102"));
    }
}
