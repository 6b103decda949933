using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings.Captures.Rules;
using LatencyTuner.Tests.Capture;
using Xunit;

namespace LatencyTuner.Tests.Recordings.Captures;

/// <summary>What a Nagle hold costs, and holds that are one of a kind on their connection.</summary>
public sealed class RareHolds
{
    // Requests in two pieces at the client's tap: the ACK takes the round trip and the timer, and TCP_NODELAY saves both.
    [Theory]
    [InlineData(100, 40)]
    [InlineData(31, 200)]
    [InlineData(0.4, 50)]
    public void AHold_CostsTheRoundTripAndTheTimer(double roundTripMs, double timerMs)
    {
        const int Requests = 20;
        SegmentSequence sequence = Begun(new SegmentSequence(), 0, roundTripMs);
        double at = roundTripMs + 1;
        for (int i = 0; i < Requests; i++)
        {
            at = Held(sequence, i, at, roundTripMs, timerMs) + 3;
        }

        Finding finding = Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id == "LT101");
        Assert.Equal(Requests * (roundTripMs + timerMs), finding.CostMs!.Value, Requests * 0.1);
        Assert.Equal((roundTripMs + timerMs) / ((2 * roundTripMs) + timerMs), finding.CostShare!.Value, 0.1);
    }

    [Theory]
    [InlineData(1.2, 150, false)]
    [InlineData(30, 1, true)]
    public void ARoundTripEach_IsSaidOnlyOfHoldsThatLong(double roundTripMs, double lateMs, bool said)
    {
        // ACKs that come late by no timer: LT102.
        SegmentSequence sequence = Begun(new SegmentSequence(), 0, roundTripMs);
        double at = 500;
        for (int i = 0; i < 30; i++)
        {
            at = Held(sequence, i, at, roundTripMs, lateMs * (1 + (i * 7 % 11 / 11.0))) + 3;
        }

        Finding finding = Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id == "LT102");
        Assert.Equal(said, finding.Recommendation!.Contains("costs a round trip", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData(200, 2, 0.03)]
    [InlineData(40, 0.3, 0.02)]
    public void OneDeadlock_ThatIsMostOfTheTime_IsTold(double timerMs, double roundTripMs, double gapMs)
    {
        SegmentSequence sequence = Begun(new SegmentSequence(), 0, roundTripMs);
        Held(sequence, 0, 5, roundTripMs, timerMs, gapMs);

        Finding finding = Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id is "LT101" or "LT102");
        Assert.Equal(("LT101", Side.Client, 1L), (finding.Id, finding.Side, finding.Count));
        Assert.True(finding.CostShare > 0.8);
        // A small probability is not printed as zero.
        Assert.DoesNotContain(finding.Against, a => a.Contains("p = 0.000", StringComparison.Ordinal));
    }

    // Too far from the ACK; no timer's delay; a small part of the time; a prompt ACK.
    [Theory]
    [InlineData(200, 3, 0)]
    [InlineData(73, 0.03, 0)]
    [InlineData(200, 0.03, 6000)]
    [InlineData(0.01, 0.03, 0)]
    public void OnePauseThatLooksLikeIt_IsNot(double timerMs, double gapMs, double serverMs)
    {
        SegmentSequence sequence = Begun(new SegmentSequence(), 0, 2);
        double at = Held(sequence, 0, 5, 2, timerMs, gapMs);
        sequence.FromClient(at + 1, 1150, 100, ack: 5200).FromServer(at + 3.1, 1250, 0, 5200).FromServer(at + 3 + serverMs, 1250, 200, 5200);
        sequence.FromClient(at + 3.1 + serverMs, 1250, 0, ack: 5400);

        Assert.DoesNotContain(CaptureFindings.Of(sequence.Evidence()), f => f.Id is "LT101" or "LT102");
    }

    [Theory]
    [InlineData(12)]
    [InlineData(5)]
    public void OneDeadlockAtEachOfManyServers_IsOneFinding(int servers)
    {
        SegmentSequence sequence = new();
        for (int i = 0; i < servers; i++)
        {
            Begun(sequence.To($"10.0.1.{i + 1}", (ushort)(40001 + i)), i * 400, 3);
            Held(sequence, 0, (i * 400) + 8, 3, 200);
        }

        Finding finding = Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id is "LT101" or "LT102");
        Assert.Equal(("LT101", "10.0.0.1", Confidence.Likely, (long)servers), (finding.Id, finding.Host, finding.Confidence, finding.Count));
        Assert.Equal(servers * 203, finding.CostMs!.Value, 2.0);
        Assert.Contains(finding.For, f => f.Contains($"{servers} servers", StringComparison.Ordinal));
    }

    // A client asks several servers on one port; each splits its answer once. Or answers that come when they like.
    [Theory]
    [InlineData(4, 0.03, 4)]
    [InlineData(4, 6, 0)]
    [InlineData(2, 0.03, 0)]
    public void OneHoldAtEachOfSeveralServersOfAPort_IsTheServers(int servers, double gapMs, int findings)
    {
        SegmentSequence sequence = new();
        for (int i = 0; i < servers; i++)
        {
            double at = i * 400;
            Begun(sequence.To($"10.0.1.{i + 1}", (ushort)(40001 + i)), at, 25);
            sequence.FromClient(at + 30, 1000, 40).FromServer(at + 56 + i, 1040, 185).FromClient(at + 98 + (2 * i), 1040, 0, ack: 5185);
            sequence.FromServer(at + 123 + (2 * i) + gapMs, 1040, 1, 5185).FromClient(at + 123.1 + (2 * i) + gapMs, 1040, 0, ack: 5186);
        }

        Finding[] found = [.. CaptureFindings.Of(sequence.Evidence()).Where(f => f.Id is "LT101" or "LT102")];
        Assert.Equal(findings, found.Length);
        Assert.All(found, f => Assert.Equal(("LT101", Side.Server, 1L), (f.Id, f.Side, f.Count)));
        Assert.Equal(findings, found.Select(f => f.Host).Distinct().Count());
    }

    // Ten holds against the timer, and as many for the round trip alone because a second request waits behind a segment that is acknowledged at once.
    [Theory]
    [InlineData(60, 10, 10, true, 0)]
    [InlineData(60, 10, 2, false, 2)]
    [InlineData(5, 10, 2, false, 0)]
    public void HoldsThatTookARoundTripAlone_HaveAFindingOfTheirOwn(double roundTripMs, int late, int prompt, bool apart, int counted)
    {
        SegmentSequence sequence = Begun(new SegmentSequence(), 0, roundTripMs);
        double at = 100;
        for (int i = 0; i < late + prompt; i++)
        {
            at = Held(sequence, i, at, roundTripMs, i % 2 == 0 || i >= 2 * prompt ? 40 : 0) + 5;
        }

        Finding[] found = [.. CaptureFindings.Of(sequence.Evidence())];
        Finding timer = Assert.Single(found, f => f.Id == "LT101");
        // What the cost is of is counted, unless it is far shorter.
        Assert.Equal(late + counted, timer.Count);
        Assert.Equal(timer.Count, timer.Parts!().Sum(p => p.Count));
        Assert.Equal((late * (roundTripMs + 40)) + (apart ? 0 : prompt * roundTripMs), timer.CostMs!.Value, late * 1.0);
        Finding? alone = found.SingleOrDefault(f => f.Id == "LT102");
        Assert.Equal(apart ? prompt : null, alone?.Count);
        Assert.Equal(apart ? prompt * roundTripMs : 0, alone?.CostMs ?? 0, prompt * 1.0);
    }

    [Fact]
    public void OneHoldAmongPausesAtManyServers_IsChance()
    {
        // The same late ACK at each server, and an application that goes on when it likes.
        SegmentSequence sequence = new();
        for (int i = 0; i < 100; i++)
        {
            Begun(sequence.To($"10.0.1.{i + 1}", (ushort)(40001 + i)), i * 900, 3);
            Held(sequence, 0, (i * 900) + 8, 3, 40, i == 50 ? 0.08 : 2 + (i * 37 % 60));
        }

        Assert.DoesNotContain(CaptureFindings.Of(sequence.Evidence()), f => f is { Id: "LT101" or "LT102", Confidence: >= Confidence.Likely });
    }

    // Both ends speak at once; the peer's message does not acknowledge this end's, its ACK comes by the timer.
    [Theory]
    [InlineData(40, 0.03, true)]
    [InlineData(40, 3, false)]
    [InlineData(0.5, 0.03, false)]
    public void AMessageAfterOneThatCrossed_IsHeldFromThereOn(double timerMs, double gapMs, bool held)
    {
        SegmentSequence sequence = Begun(new SegmentSequence(), 0, 1);
        sequence.FromClient(5, 1000, 600).FromServer(5.3, 1000, 300).FromClient(5.32, 1600, 0, ack: 5300).FromServer(6 + timerMs, 1600, 0, 5300);
        sequence.FromClient(6 + timerMs + gapMs, 1600, 48, ack: 5300).FromServer(7.1 + timerMs + gapMs, 1648, 200, 5300);

        Finding? finding = CaptureFindings.Of(sequence.Evidence()).SingleOrDefault(f => f.Id is "LT101" or "LT102");
        Assert.Equal(held ? ("LT101", Side.Client) : default, (finding?.Id, finding?.Side ?? default));
        Assert.Equal(held ? timerMs : 0, finding?.CostMs ?? 0, 1.0);
    }

    // Beside the server: two small pieces of the client, the second behind the ACK of the first. Or the second answers what the server had sent just before.
    [Theory]
    [InlineData(false, 1)]
    [InlineData(true, 0)]
    public void FarFromTheSender_WhatAnswersTheOtherEndsData_WasNotHeld(bool answers, int holds)
    {
        const double RoundTripMs = 120;
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(0.05).FromClient(RoundTripMs, 1000, 0).FromClient(RoundTripMs + 0.1, 1000, 41);
        sequence.FromServer(RoundTripMs + 0.12, 1041, 0, 5000);
        (double at, uint client, uint server) = (400, 1041, 5000);
        for (int i = 0; i < 8; i++)
        {
            uint acknowledged = server;
            if (answers)
            {
                // It crosses with the first piece, which does not acknowledge it.
                sequence.FromServer(at - 0.2, client, 1056, server);
                server += 1056;
            }

            sequence.FromClient(at, client, 976, ack: acknowledged).FromServer(at + 0.02, client += 976, 0, server);
            sequence.FromClient(at += RoundTripMs + 0.1, client, 48, ack: server).FromServer(at + 0.03, client += 48, 0, server);
            sequence.FromServer(at + 3, client, 300, server).FromClient(at + 3 + RoundTripMs, client, 0, ack: server += 300);
            at += 400;
        }

        Assert.Equal(holds > 0 ? 8 : null, CaptureFindings.Of(sequence.Evidence()).SingleOrDefault(f => f.Id is "LT101" or "LT102")?.Count);
    }

    [Fact]
    public void AnAckThatComesWithTheMessageThatCrossed_ShowsNothing()
    {
        SegmentSequence sequence = Begun(new SegmentSequence(), 0, 8);
        double at = Held(sequence, 0, 20, 8, 44);
        sequence.FromClient(at + 1, 1150, 600, ack: 5200).FromServer(at + 9.1, 1150, 300, 5200).FromServer(at + 9.12, 1750, 0, 5500);
        sequence.FromClient(at + 12, 1750, 48, ack: 5500).FromServer(at + 20.1, 1798, 100, 5500);

        Assert.Contains(CaptureFindings.Of(sequence.Evidence()), f => f is { Id: "LT101", Side: Side.Client, Count: 1 });
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void TcpNodelaySetLater_LeavesTheHoldsBefore(bool later)
    {
        SegmentSequence sequence = Begun(new SegmentSequence(), 0, 0.5);
        double at = 5;
        for (int i = 0; i < 4; i++)
        {
            if (i == (later ? 3 : 0))
            {
                // Two pieces at once.
                (uint request, uint answer) = (1000 + ((uint)i * 150), 5000 + ((uint)i * 200));
                sequence.FromClient(at, request, 100, ack: answer).FromClient(at + 0.05, request + 100, 50, ack: answer);
                at += 0.6;
                sequence.FromServer(at, request + 150, 200, answer).FromClient(at + 0.02, request + 150, 0, ack: answer + 200);
            }
            else
            {
                at = Held(sequence, i, at, 0.5, 40);
            }

            at += 1;
        }

        Finding? finding = CaptureFindings.Of(sequence.Evidence()).SingleOrDefault(f => f.Id is "LT101" or "LT102");
        Assert.Equal(later ? ("LT101", 3L) : default, (finding?.Id, finding?.Count ?? 0));
        Assert.Equal(later, finding?.Against.Any(a => a.Contains("only after the held ones", StringComparison.Ordinal)) ?? false);
    }

    // Two ACKs came by the timer. Four others are old only by the small segment that a full one, just sent, made the receiver acknowledge at once.
    [Theory]
    [InlineData(40, "LT101")]
    [InlineData(0, "LT102")]
    public void AnAckThatAFullSegmentBroughtAtOnce_IsNotLate(double timerMs, string id)
    {
        SegmentSequence sequence = Begun(new SegmentSequence(), 0, 0.4);
        (double at, uint next) = (1, 1000);
        for (int i = 0; i < 2; i++)
        {
            sequence.FromClient(at, next, 100).FromServer(at += 0.4 + timerMs, next += 100);
            at += 0.01;
        }

        for (int i = 0; i < 6; i++)
        {
            sequence.FromClient(at, next, 100).FromClient(at += 25 + (i * 2.3), next + 100, 1460).FromServer(at += 0.4, next += 1560);
            at += 0.01;
        }

        sequence.FromClient(at, next, 100).FromServer(at + 0.4, next + 100, 50);
        Assert.Equal(id, Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id is "LT101" or "LT102").Id);
    }

    // Small segments of one size, each behind the ACK of the one before. With the push flag each is all that there was; without it more was waiting, and
    // Nagle's algorithm would have let it go as well.
    [Theory]
    [InlineData(true, 15)]
    [InlineData(false, 5)]
    public void WhatHasMoreBehindIt_WasNotHeld(bool pushed, long held)
    {
        SegmentSequence sequence = Begun(new SegmentSequence(), 0, 20);
        (double at, uint next, uint answer) = (100, 1000, 5000);
        for (int i = 0; i < 5; i++, at += 300 + (i * 13.7))
        {
            // A message in two parts, held; another of three parts.
            sequence.Push().FromClient(at, next, 120, ack: answer).FromServer(at += 20, next += 120, 0, answer);
            sequence.Push().FromClient(at += 0.05, next, 60, ack: answer).FromServer(at += 20, next += 60, 400, answer);
            sequence.FromClient(at + 0.1, next, 0, ack: answer += 400);
            at += 100 + (i * 7.1);
            sequence.Push().FromClient(at, next, 512, ack: answer);
            for (int part = 0; part < 2; part++)
            {
                sequence.FromServer(at += 20, next += 512, 0, answer);
                sequence = pushed ? sequence.Push() : sequence;
                sequence.FromClient(at += 0.05, next, 512, ack: answer);
            }

            sequence.FromServer(at += 20, next += 512, 400, answer).FromClient(at + 0.1, next, 0, ack: answer += 400);
        }

        Finding finding = Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id is "LT101" or "LT102");
        Assert.Equal(held, finding.Count);
    }

    internal static SegmentSequence Begun(SegmentSequence sequence, double at, double roundTripMs) =>
        sequence.Syn(at).SynAck(at + roundTripMs).FromClient(at + roundTripMs + 0.03, 1000, 0);

    /// <summary>A request in two pieces, the second so long behind the late ACK of the first, and its response.</summary>
    /// <returns>When the response came.</returns>
    internal static double Held(SegmentSequence sequence, int index, double at, double roundTripMs, double timerMs, double gapMs = 0.03)
    {
        (uint request, uint answer) = (1000 + ((uint)index * 150), 5000 + ((uint)index * 200));
        sequence.FromClient(at, request, 100, ack: answer).FromServer(at += roundTripMs + timerMs, request + 100, 0, answer);
        sequence.FromClient(at += gapMs, request + 100, 50, ack: answer).FromServer(at += roundTripMs + 0.05, request + 150, 200, answer);
        sequence.FromClient(at + 0.02, request + 150, 0, ack: answer + 200);
        return at;
    }

    // All that there is of a distance is a keep-alive that echoes a timestamp with its next beat: after a minute, or half a second.
    [Theory]
    [InlineData(1)]
    [InlineData(100)]
    public void ABeatOfTheApplication_IsNoRoundTrip(double faster)
    {
        SegmentSequence sequence = new(timestamps: true);
        (uint next, double heardMs) = (1000, 0);
        foreach ((double sentMs, double ackMs) in new[] {
            (55_167.966, 55_551.809), (115_223.836, 115_559.036), (175_279.701, 175_668.610), (235_331.697, 235_675.569) })
        {
            sequence.Ticks(sentMs / faster, heardMs / faster).FromClient(sentMs / faster, next, 122)
                .Ticks(ackMs / faster, sentMs / faster).FromServer(ackMs / faster, next + 122);
            (next, heardMs) = (next + 122, ackMs);
        }

        Assert.Equal(0, Assert.Single(sequence.Evidence().Connections).Sides[0].Holds.Count);
    }

    // Beside a client whose request is lost and sent again: the server answers the copy, a round trip and more behind the client's late ACK of what it had
    // sent before. Where the client asked nothing, the segment behind that ACK was held.
    [Theory]
    [InlineData(true, 0)]
    [InlineData(false, 4)]
    public void AnAnswerToARequestThatWasSentAgain_IsNotHeld(bool asked, int holds)
    {
        const double RoundTripMs = 180;
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(RoundTripMs).FromClient(RoundTripMs + 0.1, 1000, 0);
        (double at, uint client, uint server) = (500, 1000, 5000);
        for (int i = 0; i < 4; i++, at += 2000)
        {
            // It leaves before the server's message comes, and again after it.
            sequence = asked ? sequence.FromClient(at - 160, client, 300, ack: server) : sequence;
            sequence.FromServer(at, client, 38, server);
            sequence.FromClient(at + 41, asked ? client + 300 : client, 0, ack: server += 38);
            if (asked)
            {
                sequence.FromClient(at + 46, client, 300, ack: server);
                client += 300;
            }

            sequence.FromServer(at + 41 + RoundTripMs + (asked ? 5.1 : 0.1), client, 419, server);
            sequence.FromClient(at + 300, client, 0, ack: server += 419);
        }

        Assert.Equal(holds, Assert.Single(sequence.Evidence().Connections).Sides[1].Holds.Count);
    }

    // A message that leaves byte by byte, each behind the ACK of the one before: Nagle's algorithm would have sent all the rest with the second one. Where the
    // bytes are written a little faster than round trips, now and then two gather.
    [Theory]
    [InlineData(false, 0)]
    [InlineData(true, 60)]
    public void OneByteForEachRoundTrip_IsNotHeldByNagle(bool gather, int holds)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(84).FromClient(84.1, 1000, 0);
        (double at, uint next) = (1000, 1000);
        for (int i = 0; i < 61; i++)
        {
            int length = gather && i % 9 == 8 ? 2 : 1;
            sequence.FromClient(at, next, length).FromServer(at + 84 + (i * 7 % 11 * 0.08), next += (uint)length);
            at += 84.2 + (i * 7 % 11 * 0.08);
        }

        Assert.Equal(holds, Assert.Single(sequence.Evidence().Connections).Sides[0].Holds.Count);
    }
}
