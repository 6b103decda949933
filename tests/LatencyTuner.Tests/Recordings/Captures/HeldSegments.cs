using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings.Captures.Rules;
using LatencyTuner.Tests.Capture;
using Xunit;

namespace LatencyTuner.Tests.Recordings.Captures;

/// <summary>Which hold is the timer's, what tells a held segment from a reply and from a host that sends one segment at a time, and whose time it is.</summary>
public sealed class HeldSegments
{
    // One ACK in time and one that the timer of 40 ms delays: the larger part decides, and the advice never hides the timer.
    [Theory]
    [InlineData(10, "LT101")]
    [InlineData(60, "LT102")]
    public void ATimerThatIsMoreThanHalfOfTheHold_IsTheCause(double roundTripMs, string id)
    {
        SegmentSequence sequence = Begun(roundTripMs);
        Held(sequence, 1, Held(sequence, 0, 200, roundTripMs, 0) + 1, roundTripMs, 40);

        Finding finding = Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id is "LT101" or "LT102");
        Assert.Equal((id, Confidence.Possible, 2L), (finding.Id, finding.Confidence, finding.Count));
        Assert.Contains("timer of 40 ms", finding.Recommendation!, StringComparison.Ordinal);
    }

    // At the server's tap, on Linux: a small piece, a full segment, and the end, which waits for the ACK of the small one alone. Two segments may also be
    // all that the congestion window lets go: only behind holds that are none of its does the end count.
    [Theory]
    [InlineData(3, 6)]
    [InlineData(0, 0)]
    public void TheEndBehindAFullSegment_WaitsForTheSmallOneBefore(int others, long held)
    {
        const double RoundTripMs = 20;
        SegmentSequence sequence = new SegmentSequence().Ttl(64).Syn(0).SynAck(0.05).FromClient(RoundTripMs + 0.05, 1000, 0);
        (double at, uint request, uint answer) = (100, 1000, 5000);
        for (int i = 0; i < others + 3; i++, request += 100, at += 100 + (i * 7))
        {
            uint full = i < others ? 0 : 1460u;
            sequence.FromClient(at, request, 100, ack: answer).FromServer(at += 2, request + 100, 17, answer);
            sequence = full > 0 ? sequence.FromServer(at + 0.1, request + 100, 1460, answer + 17) : sequence;
            sequence.FromClient(at += RoundTripMs + 200, request + 100, 0, ack: answer + 17);
            sequence.FromServer(at + 0.05, request + 100, 96, answer + 17 + full);
            sequence.FromClient(at += RoundTripMs + 0.1, request + 100, 0, ack: answer += 113 + full);
        }

        Finding? finding = CaptureFindings.Of(sequence.Evidence()).SingleOrDefault(f => f.Id is "LT101" or "LT102");
        Assert.Equal(held, finding?.Count ?? 0);
    }

    // Nine holds on six connections to one peer: its other late ACKs hide the timer, but six of these fit one that is known.
    [Theory]
    [InlineData(40, "LT101")]
    [InlineData(26, "LT102")]
    public void ThePeersTimer_ShowsOnAllConnectionsTogether(double timerMs, string id)
    {
        const double RoundTripMs = 7;
        SegmentSequence sequence = new();
        for (int i = 0; i < 6; i++)
        {
            double at = i * 2000;
            sequence.To("10.0.0.2", (ushort)(40001 + i)).Syn(at).SynAck(at + RoundTripMs).FromClient(at + RoundTripMs + 0.05, 1000, 0);
            uint sent = 1000;
            foreach (double heldMs in i < 3 ? new double[] { timerMs, 0 } : [timerMs])
            {
                at += 100;
                sequence.FromClient(at, sent, 100).FromServer(at + RoundTripMs + heldMs + (i * 0.2), sent + 100, 0);
                sequence.FromClient(at + RoundTripMs + heldMs + (i * 0.2) + 0.05, sent + 100, 50);
                sequence.FromServer(at + (2 * RoundTripMs) + heldMs + (i * 0.2) + 0.1, sent + 150, 0);
                sent += 150;
            }

            // ACKs that nothing waits for, late by as much as they like.
            sequence.FromClient(at + 500, sent, 100).FromServer(at + 500 + RoundTripMs + 61 + (i * 19), sent + 100, 0);
        }

        Finding finding = Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id is "LT101" or "LT102");
        Assert.Equal(id, finding.Id);
        Assert.Equal(id == "LT102", finding.Against.Any(a => a.Contains("fits no delayed-ACK timer that is known", StringComparison.Ordinal)));
    }

    // At the client's tap: the server's second piece, behind the client's late ACK. The client spoke as well, and the piece acknowledges that or not.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void DataThatTheHeldSegmentDoesNotAcknowledge_HadNotReachedItsSender(bool acknowledged)
    {
        const double RoundTripMs = 20;
        SegmentSequence sequence = Begun(RoundTripMs);
        (double at, uint request, uint answer) = (100, 1000, 5000);
        for (int i = 0; i < 4; i++, request += 300, answer += 350)
        {
            sequence.FromClient(at, request, 200, ack: answer).FromServer(at += RoundTripMs, request + 200, 300, answer);
            sequence.FromClient(at += 40, request + 200, 0, ack: answer + 300).FromClient(at + 1, request + 200, 100, ack: answer + 300);
            sequence.FromServer(at += RoundTripMs, acknowledged ? request + 300 : request + 200, 50, answer + 300);
            sequence.FromServer(at + 1.1, request + 300, 0, answer + 350).FromClient(at + 1.2, request + 300, 0, ack: answer + 350);
            at += 30 + (i * 7);
        }

        Finding? finding = CaptureFindings.Of(sequence.Evidence()).SingleOrDefault(f => f.Id is "LT101" or "LT102");
        Assert.Equal(acknowledged ? default : (Side.Server, 4L), (finding?.Side ?? default, finding?.Count ?? 0));
    }

    // At the client's tap. The client uploads messages of three segments, whose ACKs let the server's small segments go. The server acknowledges only the
    // first segment with what it sends: no answer to the message. It does so at the message's end, or without holds behind pure ACKs elsewhere: perhaps one.
    [Theory]
    [InlineData(1460, 4, 8)]
    [InlineData(3300, 4, 4)]
    [InlineData(1460, 0, 0)]
    public void WhatEndsInsideAMessage_IsNoAnswerToIt(uint acknowledged, int others, long held)
    {
        const double RoundTripMs = 20;
        SegmentSequence sequence = Begun(RoundTripMs);
        (double at, uint request, uint answer) = (100, 1000, 5000);
        for (int i = 0; i < others + 4; i++, at += 70 + (i * 7))
        {
            sequence.FromServer(at, request, 60, answer);
            answer += 60;
            if (i < others)
            {
                sequence.FromClient(at + 31 + i, request, 0, ack: answer).FromServer(at += 31 + i + RoundTripMs, request, 90, answer);
            }
            else
            {
                sequence.FromClient(at += 31 + i, request, 1460, ack: answer).FromClient(at + 0.01, request + 1460, 1460, ack: answer);
                sequence.Push().FromClient(at + 0.02, request + 2920, 380, ack: answer).FromServer(at += RoundTripMs, request + acknowledged, 90, answer);
                sequence.FromServer(at + 0.1, request += 3300, 0, answer + 90);
            }

            sequence.FromClient(at + 0.2, request, 0, ack: answer += 90);
        }

        Finding? finding = CaptureFindings.Of(sequence.Evidence()).SingleOrDefault(f => f.Id is "LT101" or "LT102");
        Assert.Equal(held, finding?.Count ?? 0);
    }

    // At the server's tap, far from the client that is held: most of its segments come later than the round trip by what this path varies.
    [Theory]
    [InlineData(new[] { 3, 0, 2.2, 0.1, 1.9 }, 5)]
    [InlineData(new[] { 3, 0, 14.2, 0.1, 1.9 }, 2)]
    [InlineData(new[] { 2.8, 2.9, 2.7, 2.6, 2.95 }, 0)]
    public void FarFromTheSender_AllOfManyInANarrowBandWereHeld(double[] laterMs, long held)
    {
        const double RoundTripMs = 2.4;
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(0.05).FromClient(RoundTripMs + 0.05, 1000, 0);
        double at = 100;
        for (int i = 0; i < laterMs.Length; i++)
        {
            (uint request, uint answer) = (1000 + ((uint)i * 150), 5000 + ((uint)i * 200));
            sequence.FromClient(at, request, 100, ack: answer).FromServer(at += 40, request + 100, 0, answer);
            sequence.FromClient(at += RoundTripMs + laterMs[i], request + 100, 50, ack: answer).FromServer(at + 0.05, request + 150, 200, answer);
            sequence.FromClient(at + RoundTripMs + 0.1, request + 150, 0, ack: answer + 200);
            at += 20 + (i * 3.3);
        }

        Finding? finding = CaptureFindings.Of(sequence.Evidence()).SingleOrDefault(f => f.Id is "LT101" or "LT102");
        Assert.Equal(held, finding?.Count ?? 0);
    }

    // In a network of hosts beside each other the SYN-ACK alone took long, and no other answer shows how far the client is: at the server's tap.
    [Theory]
    [InlineData(0.85)]
    [InlineData(0.46)]
    public void ASlowAnswerToTheSyn_HidesNoHolds(double handshakeMs)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(0.05).FromClient(handshakeMs + 0.05, 1000, 0);
        double at = 100;
        for (uint i = 0; i < 12; i++, at += 60 + (i * 7 % 11))
        {
            (uint request, uint answer) = (1000 + (i * 150), 5000 + (i * 200));
            sequence.FromClient(at, request, 100, ack: answer).FromServer(at += 40.05, request + 100, 0, answer);
            sequence.FromClient(at += 0.2 + (i % 5 * 0.06), request + 100, 50, ack: answer).FromServer(at + 0.3, request + 150, 200, answer);
            sequence.FromClient(at + 155, request + 150, 0, ack: answer + 200);
            at += 160;
        }

        Finding finding = Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id is "LT101" or "LT102");
        Assert.Equal((Side.Client, 12L), (finding.Side, finding.Count));
    }

    // The same where the path mostly takes longer than at best: most answers of this host show it, and the held segments come with them.
    [Theory]
    [InlineData(3.6, 8)]
    [InlineData(0, 0)]
    public void FarFromTheSender_WhatComesAsMostAnswersDo_WasHeld(double mostlyMs, long held)
    {
        const double RoundTripMs = 8;
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(0.05).FromClient(RoundTripMs + 0.05, 1000, 0);
        double at = 100;
        for (uint i = 0; i < 24; i++, at += 60)
        {
            sequence.FromServer(at, 1000, 200, 5000 + (i * 200)).FromClient(at + RoundTripMs + mostlyMs + (i % 3 * 0.1), 1000, 0, ack: 5200 + (i * 200));
        }

        for (uint i = 0; i < 8; i++, at += 30 + i)
        {
            sequence.FromClient(at, 1000 + (i * 150), 100, ack: 9800).FromServer(at += 40, 1100 + (i * 150), 0, 9800);
            sequence.FromClient(at += RoundTripMs + 3.5 + (i % 4 * 0.1), 1100 + (i * 150), 50, ack: 9800);
            sequence.FromServer(at + 0.05, 1150 + (i * 150), 0, 9800);
        }

        Assert.Equal(held, CaptureFindings.Of(sequence.Evidence()).SingleOrDefault(f => f.Id is "LT101" or "LT102")?.Count ?? 0);
    }

    // At the sender's own tap: a host that answers its ACKs now sooner, now later. A time of nothing lies behind the answers, or they have no end.
    [Theory]
    [InlineData(new[] { 0.08, 0.9, 2.1, 0.1, 1.6, 0.4 }, 6)]
    [InlineData(new[] { 0.08, 0.9, 2.1, 0.1, 1.6, 30 }, 5)]
    [InlineData(new[] { 0.08, 0.9, 2.1, 0.1, 1.6, 4.2, 8, 12, 17, 25 }, 2)]
    [InlineData(new[] { 0.9, 2.1, 1.6, 1.1, 1.9, 2.3 }, 0)]
    public void BesideTheSender_WhatManyLateAcksReleased_MayBeSpread(double[] laterMs, long held)
    {
        const double RoundTripMs = 2.4;
        SegmentSequence sequence = Begun(RoundTripMs);
        double at = 100;
        for (int i = 0; i < laterMs.Length; i++)
        {
            (uint request, uint answer) = (1000 + ((uint)i * 150), 5000 + ((uint)i * 200));
            sequence.FromClient(at, request, 100, ack: answer).FromServer(at += 40 + RoundTripMs, request + 100, 0, answer);
            sequence.FromClient(at += laterMs[i], request + 100, 50, ack: answer).FromServer(at + RoundTripMs, request + 150, 200, answer);
            sequence.FromClient(at + RoundTripMs + 0.1, request + 150, 0, ack: answer + 200);
            at += 20 + (i * 3.3);
        }

        Finding? finding = CaptureFindings.Of(sequence.Evidence()).SingleOrDefault(f => f.Id is "LT101" or "LT102");
        Assert.Equal(held, finding?.Count ?? 0);
    }

    // Messages that the application writes at times of its own, each held for the ACK of the one before: on average they wait half of the hold.
    [Theory]
    [InlineData(50, 50, 20 * 20, "They waited for up to 801 ms in all, and 401 ms of that count")]
    [InlineData(100, 150, (10 * 40 * 2.0 / 3) + (10 * 40 * 0.75), "They waited for up to 801 ms in all, and 567 ms of that count")]
    public void WhatFollowsAnotherHeldSegment_WaitedAPartOfTheTime(int even, int odd, double costMs, string bounds)
    {
        SegmentSequence sequence = Begun(0.4).FromClient(100, 1000, 50);
        (double at, uint next) = (100, 1050);
        for (int i = 0; i < 21; i++)
        {
            int length = i % 2 == 0 ? even : odd;
            sequence.FromServer(at += 40, next).FromClient(at += 0.05, next, length);
            next += (uint)length;
        }

        Finding finding = Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id is "LT101" or "LT102");
        Assert.Equal(21, finding.Count);
        // The first of them is held whole.
        Assert.InRange(finding.CostMs!.Value, costMs + 39, costMs + 42);
        string said = Assert.Single(finding.Against, a => a.StartsWith("20 held segments came right behind another held one", StringComparison.Ordinal));
        Assert.EndsWith(bounds, said, StringComparison.Ordinal);
    }

    // Beside the client, connections of one answer each: one byte and the rest, which waits for the client's timer, over a path that varies by 12 ms. A
    // server whose rest takes its own time is innocent.
    [Theory]
    [InlineData(40, true, 30)]
    [InlineData(40, false, 0)]
    [InlineData(9, true, 0)]
    public void OtherConnectionsOfThePath_ShowHowMuchItVaries(int connections, bool waits, long held)
    {
        SegmentSequence sequence = new();
        Random random = new(7);
        for (int c = 0; c < connections; c++)
        {
            double Trip() => 2 + (12 * random.NextDouble());
            double at = c * 1000;
            sequence.To("10.0.0.2", (ushort)(40000 + c), serverPort: 53).Syn(at).SynAck(at += Trip()).FromClient(at + 0.05, 1000, 0);
            sequence.FromClient(at + 0.1, 1000, 40).FromServer(at += Trip(), 1040, 1).FromClient(at + 45, 1040, 0, ack: 5001);
            at += waits ? 45 + Trip() : 30 + (60 * random.NextDouble());
            sequence.FromServer(at, 1040, 120, 5001).FromClient(at + 0.05, 1040, 0, ack: 5121);
        }

        Finding? finding = CaptureFindings.Of(sequence.Evidence()).SingleOrDefault(f => f.Id is "LT101" or "LT102");
        Assert.InRange(finding?.Count ?? 0, held, held == 0 ? 0 : connections);
    }

    // Beside the client; sshd holds twice for the client's timer, before it sets TCP_NODELAY. A prompt ACK before which nothing was held says nothing.
    [Fact]
    public void TwoHoldsBehindLateAcks_AreJudgedAmongTheLateOnes()
    {
        const double RoundTripMs = 0.5;
        SegmentSequence sequence = Begun(RoundTripMs);
        (double at, uint answer) = (20, 5000);
        sequence.FromServer(at, 1000, 21).FromClient(at + 0.02, 1000, 0, ack: 5021);
        sequence.FromServer(at + 1.9, 1000, 60, 5021).FromClient(at + 1.95, 1000, 0, ack: 5081);
        (at, answer) = (40, 5081);
        for (int i = 0; i < 2; i++, at += 60, answer += 264)
        {
            sequence.FromServer(at, 1000, 200, answer).FromClient(at += 42 + i, 1000, 0, ack: answer + 200).FromServer(at += 0.6, 1000, 64, answer + 200);
            sequence.FromClient(at + 0.02, 1000, 0, ack: answer + 264);
        }

        for (int i = 0; i < 10; i++, at += 20, answer += 200)
        {
            sequence.FromServer(at, 1000, 100, answer).FromServer(at + 0.05, 1000, 100, answer + 100).FromClient(at + 0.1, 1000, 0, ack: answer + 200);
        }

        Finding finding = Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id is "LT101" or "LT102");
        Assert.Equal((Side.Server, 2L), (finding.Side, finding.Count));
    }

    // A message of more than two segments, one segment for each ACK: full ones wait too. With two full ones at once it is Nagle's algorithm.
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void WhereFullSegmentsWaitToo_SomethingElseLetsOneGoAtATime(bool oneAtATime)
    {
        const double RoundTripMs = 0.4;
        const int Mss = 1460;
        SegmentSequence sequence = Begun(RoundTripMs);
        double at = 100;
        for (int i = 0; i < 12; i++)
        {
            (uint request, uint answer) = (1000 + ((uint)i * 3020), 5000 + ((uint)i * 200));
            sequence.FromClient(at, request, Mss, ack: answer);
            if (oneAtATime)
            {
                sequence.FromServer(at += RoundTripMs, request + Mss, 0, answer);
            }

            sequence.FromClient(at += 0.03, request + Mss, Mss, ack: answer);
            if (!oneAtATime)
            {
                sequence.FromServer(at + RoundTripMs - 0.03, request + Mss, 0, answer);
            }

            sequence.FromServer(at += RoundTripMs, request + (2 * Mss), 0, answer).FromClient(at += 0.03, request + (2 * Mss), 100, ack: answer);
            sequence.FromServer(at += RoundTripMs + 0.1, request + 3020, 200, answer).FromClient(at + 0.02, request + 3020, 0, ack: answer + 200);
            at += 20 + (i * 3.1);
        }

        Assert.Equal(oneAtATime ? [] : ["LT102"], CaptureFindings.Of(sequence.Evidence()).Select(f => f.Id).Where(f => f is "LT101" or "LT102"));
    }

    [Fact]
    public void AHostThatAnnouncesNoMss_GetsSegmentsOf536Bytes()
    {
        // The SYN-ACK carries no MSS (RFC 9293 3.7.1); every segment but the last of each message is full.
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(0.4, mss: 0).FromClient(0.43, 1000, 0);
        double at = 100;
        for (int i = 0; i < 12; i++, at += 20 + (i * 3.1))
        {
            uint next = 1000 + ((uint)i * 1172);
            foreach (int length in new[] { 536, 536, 100 })
            {
                sequence.FromClient(at, next, length, ack: 5000 + ((uint)i * 200));
                next += (uint)length;
                sequence.FromServer(at += 0.4, next, length == 100 ? 200 : 0, 5000 + ((uint)i * 200));
                at += 0.03;
            }

            sequence.FromClient(at, next, 0, ack: 5200 + ((uint)i * 200));
        }

        Assert.DoesNotContain(CaptureFindings.Of(sequence.Evidence()), f => f.Id is "LT101" or "LT102");
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void TimeInWhichBothEndsWereHeld_IsThatOfTheEndThatIsHeldMoreOften(bool alsoAlone)
    {
        const double RoundTripMs = 2;
        SegmentSequence sequence = Begun(RoundTripMs);
        double at = 100;
        if (alsoAlone)
        {
            // The server's second piece behind the client's late ACK, twice.
            for (int i = 0; i < 2; i++, at += 30)
            {
                (uint request, uint answer) = (1000 + ((uint)i * 100), 5000 + ((uint)i * 150));
                sequence.FromClient(at, request, 100, ack: answer).FromServer(at += RoundTripMs, request + 100, 100, answer);
                sequence.FromClient(at += 40, request + 100, 0, ack: answer + 100).FromServer(at += RoundTripMs, request + 100, 50, answer + 100);
                sequence.FromClient(at + 0.02, request + 100, 0, ack: answer + 150);
            }
        }

        // Both speak, both ACKs come late, and the second pieces cross.
        (uint client, uint server) = alsoAlone ? (1200u, 5300u) : (1000u, 5000u);
        sequence.FromClient(at, client, 100, ack: server).FromServer(at + 1, client, 100, server);
        sequence.FromServer(at + 42, client + 100, 0, server + 100).FromClient(at + 42.03, client + 100, 0, ack: server + 100);
        sequence.FromClient(at + 42.06, client + 100, 50, ack: server + 100).FromServer(at + 44.03, client + 100, 50, server + 100);
        sequence.FromServer(at + 44.1, client + 150, 0, server + 150).FromClient(at + 44.2, client + 150, 0, ack: server + 150);

        Finding? finding = CaptureFindings.Of(sequence.Evidence()).SingleOrDefault(f => f.Id is "LT101" or "LT102" && f.Side == Side.Server);
        Assert.Equal(alsoAlone ? 3 * 43 : 0, finding?.CostMs ?? 0, 3.0);
    }

    // One hold that no Nagle finding tells, because it is a small part of the time; other late ACKs show the timer.
    [Theory]
    [InlineData(0.3, 0.03, 1)]
    [InlineData(0.3, 9, 0)]
    [InlineData(12, 0.03, 1)]
    public void AHoldThatNoOtherFindingTells_IsTheHarmOfTheDelayedAck(double roundTripMs, double gapMs, long harmful)
    {
        SegmentSequence sequence = Begun(roundTripMs);
        double at = Held(sequence, 0, 100, roundTripMs, 40, gapMs) + 700;
        (uint request, uint answer) = (1150, 5200);
        for (int i = 0; i < 6; i++, request += 100, answer += 100)
        {
            sequence.FromClient(at, request, 100, ack: answer).FromServer(at + roundTripMs + 40 + (i * 0.2), request + 100, 0, answer);
            sequence.FromServer(at += 900 + (i * 37), request + 100, 100, answer).FromClient(at + 0.02, request + 100, 0, ack: answer + 100);
            at += 50;
        }

        IReadOnlyList<Finding> findings = CaptureFindings.Of(sequence.Evidence());
        Finding finding = Assert.Single(findings, f => f.Id == "LT103");
        Assert.DoesNotContain(findings, f => f.Id is "LT101" or "LT102");
        Assert.DoesNotContain(finding.Against, a => a.Contains("Nagle", StringComparison.Ordinal));
        Assert.Equal((Side.Server, harmful), (finding.Side, finding.Harmful));
        Assert.Equal(harmful * 40, finding.CostMs!.Value, 1.0);
        // The round trip stays.
        Assert.Equal(harmful * 40, finding.Predictions.Sum(p => p.SavesMs), 1.0);
    }

    [Theory]
    [InlineData("10.0.0.1")]
    [InlineData("10.0.0.2")]
    public void TheEndsOfAHostThatSpeaksToItself_AreToldApart(string server)
    {
        SegmentSequence sequence = new SegmentSequence().To(server);
        sequence.Syn(0).SynAck(0.02).FromClient(0.03, 1000, 0);
        (double at, uint request, uint answer) = (100, 1000, 5000);
        for (int i = 0; i < 7; i++, request += 100, answer += 100)
        {
            // The server's ACKs are late, of five requests; the client's, of two answers.
            sequence.FromClient(at, request, 100, ack: answer).FromServer(at + (i < 5 ? 40 + (i * 0.1) : 0.02), request + 100, 0, answer);
            sequence.FromServer(at += 300 + (i * 31), request + 100, 100, answer).FromClient(at + (i < 5 ? 0.02 : 40.2), request + 100, 0, ack: answer + 100);
            at += 230 + (i * 17);
        }

        Finding[] findings = [.. CaptureFindings.Of(sequence.Evidence()).Where(f => f.Id == "LT103")];
        bool itself = server == "10.0.0.1";
        Finding ofServer = Assert.Single(findings, f => f.Side == Side.Server);
        Assert.Equal(5, ofServer.Count);
        Assert.Equal(itself ? [2L] : [], findings.Where(f => f.Side == Side.Client).Select(f => f.Count));
        Assert.Equal(itself, ofServer.For[0].Contains("as the server", StringComparison.Ordinal));
    }

    private static SegmentSequence Begun(double roundTripMs) =>
        new SegmentSequence().Syn(0).SynAck(roundTripMs).FromClient(roundTripMs + 0.03, 1000, 0);

    /// <summary>A request in two pieces, the second behind the ACK of the first, and its response.</summary>
    private static double Held(SegmentSequence sequence, int index, double at, double roundTripMs, double timerMs, double gapMs = 0.03)
    {
        (uint request, uint answer) = (1000 + ((uint)index * 150), 5000 + ((uint)index * 200));
        sequence.FromClient(at, request, 100, ack: answer).FromServer(at += roundTripMs + timerMs, request + 100, 0, answer);
        sequence.FromClient(at += gapMs, request + 100, 50, ack: answer).FromServer(at += roundTripMs + 0.05, request + 150, 200, answer);
        sequence.FromClient(at + 0.02, request + 150, 0, ack: answer + 200);
        return at;
    }
}
