using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings.Captures;
using LatencyTuner.Core.Recordings.Captures.Rules;
using LatencyTuner.Tests.Capture;
using Xunit;

namespace LatencyTuner.Tests.Recordings.Captures;

/// <summary>SYNs and data that are sent again and again: what is lost, what is only late, and where nobody can tell whose silence it was.</summary>
public sealed class SilentPeers
{
    // Probes without a connection: each is answered with a RST. With an ACK before, there was one, and its data reached the peer.
    [Theory]
    [InlineData(false, 0)]
    [InlineData(true, 3)]
    public void WhatIsAnsweredWithResetsAlone_IsOfNoConnection(bool acknowledged, long spurious)
    {
        SegmentSequence sequence = new SegmentSequence().FromClient(0, 1000, 26);
        sequence = acknowledged ? sequence.FromServer(0.1, 1000) : sequence;
        for (int i = 1; i <= 3; i++)
        {
            sequence.Reset(i * 400 - 399.9).FromClient(i * 400, 1000, 26);
        }

        SideFacts client = Assert.Single(sequence.Evidence().Connections).Sides[0];
        Assert.Equal((0, spurious), (client.Timeouts, client.SpuriousRetransmissions));
    }

    // Probes that leave before the first RST has come back.
    [Theory]
    [InlineData(true, 0)]
    [InlineData(false, 3)]
    public void ProbesBeforeTheFirstReset_AreOfNoConnectionEither(bool reset, long timeouts)
    {
        SegmentSequence sequence = new SegmentSequence().FromClient(0, 1000, 26).FromClient(300, 1000, 26).FromClient(600, 1000, 26).FromClient(900, 1000, 26);
        sequence = reset ? sequence.Reset(1010) : sequence;

        Assert.Equal(timeouts, Assert.Single(sequence.Evidence().Connections).Sides[0].Timeouts);
    }

    // The peer answers on another connection of the same hosts, and never on this one; or nothing of it was captured at all.
    [Theory]
    [InlineData(true, null)]
    [InlineData(false, Side.Network)]
    public void APeerThatAnswersElsewhere_MayHaveForgottenThisConnection(bool elsewhere, Side? side)
    {
        SegmentSequence sequence = new();
        foreach (double ms in new double[] { 0, 9000, 18_000 })
        {
            sequence.FromClient(ms, 1000, 26);
        }

        sequence = elsewhere ? Exchanges(sequence.To("10.0.0.2", 40001).Syn(100).SynAck(120).FromClient(120.1, 1000, 0), 121, 20) : sequence;

        Finding finding = Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id == "LT121");
        Assert.Equal((side, Confidence.Possible), (finding.Side, finding.Confidence));
        Assert.Equal(elsewhere, finding.Against.Any(a => a.Contains("no longer knew", StringComparison.Ordinal)));
    }

    // Beside a client: a SYN, and the first data behind a handshake, are sent again, and nothing else; or data in the middle of a connection, too. A server
    // whose backlog is full drops the first two.
    [Theory]
    [InlineData(false, null)]
    [InlineData(true, Side.Network)]
    public void OnlySynsAndFirstDataSentAgain_MayBeAFullBacklog(bool middle, Side? side)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(20).FromClient(20.1, 1000, 0).FromClient(21, 1000, 300).FromClient(261, 1000, 300);
        sequence.FromServer(281, 1300).FromServer(282, 1300, 500).FromClient(282.1, 1300, 0, ack: 5500);
        if (middle)
        {
            sequence.FromClient(400, 1300, 300, ack: 5500).FromClient(640, 1300, 300, ack: 5500).FromServer(660, 1600, 500, 5500)
                .FromClient(660.1, 1600, 0, ack: 6000);
        }

        Exchanges(sequence.To("10.0.0.2", 40001).Syn(700).Syn(1700).SynAck(1720).FromClient(1720.1, 1000, 0), 1721, 20);

        Finding finding = Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id == "LT121");
        Assert.Equal(side, finding.Side);
        Assert.Equal(side is null, finding.Against.Any(a => a.Contains("first data of a connection", StringComparison.Ordinal)));
    }

    // The server closes an idle connection with a few last bytes, again and again, and its peer, which the capture has elsewhere, is silent. What is longer,
    // or not the end, may be what somebody waits for.
    [Theory]
    [InlineData(24, true, true)]
    [InlineData(64, true, true)]
    [InlineData(65, true, false)]
    [InlineData(24, false, false)]
    public void AGoodbyeThatNobodyHears_CostsNobodyAnything(int length, bool closes, bool nothing)
    {
        SegmentSequence sequence = new();
        foreach (double ms in new double[] { 0, 300, 900, 2100, 4500 })
        {
            sequence.FromServer(ms, 1000, length, 5000);
            sequence = closes ? sequence.Fin(ms + 0.1, false, 5000 + (uint)length, 1000) : sequence;
        }

        Exchanges(sequence.To("10.0.0.9", 40001).Syn(100).SynAck(120).FromClient(120.1, 1000, 0), 121, 20);
        CaptureEvidence evidence = sequence.Evidence();

        Assert.Equal(nothing, evidence.Sides.Any(s => s.WhyCopied?.Contains("a few last bytes", StringComparison.Ordinal) == true));
        Finding? loss = CaptureFindings.Of(evidence).SingleOrDefault(f => f.Id == "LT121");
        Assert.Equal(nothing ? null : Severity.Warning, loss?.Severity);
        Assert.All(loss?.For ?? [], f => Assert.DoesNotContain("beyond the capture point", f, StringComparison.Ordinal));
        Assert.Equal(!nothing, loss?.Against.Any(a => a.Contains("no longer knew", StringComparison.Ordinal)) ?? false);
    }

    // One direction. After 45 s the last byte comes again: of a longer packet it is a keep-alive, alone it may be sent again.
    [Theory]
    [InlineData(41, 0)]
    [InlineData(1, 1)]
    public void TheLastByteOfALongerPacket_IsAKeepAlive(int length, int findings)
    {
        SegmentSequence sequence = new SegmentSequence().FromClient(0, 1000, 200, ack: 5000).FromClient(100, 1200, 200, ack: 5300)
            .FromClient(900, 1400, length, ack: 5600).FromClient(45_900, 1399 + (uint)length, 1, ack: 5600);

        Assert.Equal(findings, CaptureFindings.Of(sequence.Evidence()).Count(f => f.Id == "LT121"));
    }

    // The server has closed. The client says goodbye, and once more, because the server does not answer at once: nobody waits for that.
    [Theory]
    [InlineData(31, null)]
    [InlineData(65, 300.0)]
    public void AGoodbyeToAPeerThatHasClosed_CostsNobodyAnything(int length, double? costMs)
    {
        SegmentSequence sequence = Exchanges(new SegmentSequence(sackPermitted: true).Syn(0).SynAck(0.4).FromClient(0.45, 1000, 0), 1, 20);
        (uint next, uint answer) = (1000 + (20 * 100), 5000 + (20 * 200));
        sequence.Fin(5000, false, answer, next).FromClient(5000.05, next, 0, answer + 1).FromClient(5000.1, next, length, answer + 1)
            .FromClient(5300.1, next, length, answer + 1).FromServer(5300.5, next + (uint)length, 0, answer + 1);

        Assert.Equal(costMs, CaptureFindings.Of(sequence.Evidence()).SingleOrDefault(f => f.Id == "LT121")?.CostMs is { } ms ? Math.Round(ms) : null);
    }

    // One direction. The client's timer doubles, and between the copies it acknowledges something; or it does so only before them.
    [Theory]
    [InlineData(3000, true)]
    [InlineData(50, false)]
    public void AnAckBetweenTheCopies_ShowsThatThePeerIsThere(double ackMs, bool there)
    {
        SegmentSequence sequence = new SegmentSequence().FromClient(0, 1000, 0);
        sequence = ackMs < 100 ? sequence.FromClient(ackMs, 1000, 0, ack: 6000) : sequence;
        sequence.FromClient(100, 1000, 32).FromClient(300, 1000, 32).FromClient(700, 1000, 32).FromClient(1500, 1000, 32);
        sequence = ackMs > 100 ? sequence.FromClient(ackMs, 1032, 0, ack: 6000) : sequence;
        Finding finding = Assert.Single(CaptureFindings.Of(sequence.FromClient(3100, 1000, 32).Evidence()), f => f.Id == "LT121");

        Assert.Equal(there, finding.For[0].Contains("so it was there", StringComparison.Ordinal));
    }

    // A client closes with a few last bytes, again after 340 ms, and answers what still comes with a RST; or it reads on.
    [Theory]
    [InlineData(24, true, true)]
    [InlineData(64, true, true)]
    [InlineData(65, true, false)]
    [InlineData(24, false, false)]
    public void LastBytesOfAnEndThatWantsNoAnswer_CostNobodyAnything(int length, bool reset, bool nothing)
    {
        uint end = 1100 + (uint)length;
        SegmentSequence sequence = new SegmentSequence(sackPermitted: true).Syn(0).SynAck(20).FromClient(20.1, 1000, 0).FromClient(30, 1000, 100)
            .FromServer(51, 1100, 300)
            .FromClient(51.1, 1100, 0, 5300).FromClient(2000, 1100, length, 5300).Fin(2000.1, true, end, 5300)
            .FromClient(2340, 1100, length, 5300).Fin(2340.1, true, end, 5300).FromServer(2361, end + 1, 24, 5300);
        sequence = reset ? sequence.Reset(2361.1, end + 1, client: true) : sequence.FromClient(2361.1, end + 1, 0, 5324);
        Finding finding = Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id == "LT121");

        Assert.Equal(nothing ? 0 : 340, Math.Round(finding.CostMs!.Value));
    }

    // The client's tap, data that was sent again at doubling times. The peer's answer to the last copy is quicker than the only one before; or the copies
    // are so close that it may answer the one before.
    [Theory]
    [InlineData(0.29, 0.19, 300, 4)]
    [InlineData(0.29, 0.05, 300, 3)]
    [InlineData(100, 60, 300, 3)]
    public void AQuickAnswer_ToTheLastOfRareCopies_IsItsOwn(double pathMs, double answerMs, double firstMs, long timeouts)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(pathMs).FromClient(pathMs + 0.02, 1000, 0);
        double at = 1000;
        sequence.FromClient(at, 1000, 29);
        for (int i = 0; i < 4; i++)
        {
            sequence.FromClient(at += firstMs * (1 << i), 1000, 29);
        }

        sequence.FromServer(at + answerMs, 1029, 64);

        Assert.Equal(timeouts, Assert.Single(sequence.Evidence().Connections).Sides[0].Timeouts);
    }

    // The client's tap, a path of 20 ms. The answer comes to the last SYN, or seconds after it.
    [Theory]
    [InlineData(new double[] { 1000, 3000 }, 20, 3000)]
    [InlineData(new double[] { 3000 }, 6600, 9580)]
    public void Connecting_TakesUntilTheClientAcceptsAnAnswer(double[] again, double answerMs, double longerMs)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0);
        foreach (double ms in again)
        {
            sequence.Syn(ms);
        }

        double at = again[^1] + answerMs;
        CaptureEvidence evidence = Exchanges(sequence.SynAck(at).FromClient(at + 0.05, 1000, 0), at + 1, 20).Evidence();

        Finding finding = Assert.Single(CaptureFindings.Of(evidence), f => f.Id == "LT121");
        Assert.Equal((longerMs, Confidence.Likely), (Math.Round(finding.CostMs!.Value), finding.Confidence));
        Assert.True(evidence.Connections[0].ActiveNs <= evidence.Connections[0].LastNs - evidence.Connections[0].FirstNs);
    }

    // The server's tap. Its answers left at once; the client's ACK came 4 s after the second SYN, as every ACK of this path does, or 20 ms after it.
    [Theory]
    [InlineData(4145, Confidence.Possible)]
    [InlineData(20, Confidence.Likely)]
    public void ASynSentAgainOnASlowPath_MayHaveBeenEarly(double roundTripMs, Confidence confidence)
    {
        double at = 3000 + roundTripMs;
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(0.08).Syn(3000).SynAck(3000.08).FromClient(at, 1000, 0).FromClient(at + 4, 1000, 50);
        sequence.FromServer(at + 4.1, 1050, 20).FromClient(at + 4.1 + roundTripMs, 1050, 0, ack: 5020);

        Finding finding = Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id == "LT121");
        Assert.Equal((confidence, 3000), (finding.Confidence, Math.Round(finding.CostMs!.Value)));
        Assert.Equal(roundTripMs > 3000, finding.Against.Any(a => a.Contains("perhaps nothing was lost", StringComparison.Ordinal)));
    }

    // Beside the client. An answer to each of its SYNs comes in the end, or one to the last.
    [Theory]
    [InlineData(true, Confidence.Possible)]
    [InlineData(false, Confidence.Likely)]
    public void AnAnswerToEachSyn_ShowsThatNoneWasLost(bool each, Confidence confidence)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).Syn(1000).SynAck(1500).FromClient(1500.05, 1000, 0);
        sequence = each ? sequence.SynAck(1501).FromClient(1501.05, 1000, 0) : sequence;

        Finding finding = Assert.Single(CaptureFindings.Of(Exchanges(sequence, 1510, 20).Evidence()), f => f.Id == "LT121");
        Assert.Equal(confidence, finding.Confidence);
    }

    // A tool floods a server with the same SYN; a stack repeats it after a second at the earliest.
    [Theory]
    [InlineData(14, 0)]
    [InlineData(1000, 6)]
    public void SynsThatNoTimerSends_AreNoLosses(double everyMs, long lost)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(4);
        double at = 0;
        for (int i = 0; i < (everyMs < 1000 ? 300 : 6); i++)
        {
            sequence.Syn(at += everyMs);
        }

        CaptureEvidence evidence = sequence.SynAck(at + 4).FromClient(at + 4.1, 1000, 0).Evidence();

        Assert.Equal(lost, Assert.Single(evidence.Connections).SynRetransmissions);
        Assert.Equal(lost > 0, CaptureFindings.Of(evidence).Any(f => f.Id == "LT121"));
    }

    // Six copies, and the peer, which never acknowledges them, sends something behind the fifth; or nothing at all. An ACK may even ask for the sixth. Where
    // nothing got through behind the handshake, something drops it.
    [Theory]
    [InlineData(true, false)]
    [InlineData(false, false)]
    [InlineData(false, true)]
    public void APeerThatIsThere_WhereNoCopyGetsThrough_IsNotGone(bool sends, bool opening)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(20).FromClient(20.05, 1000, 0);
        uint next = opening ? 1000u : 1100u;
        sequence = (opening ? sequence : sequence.FromClient(20.1, 1000, 100).FromServer(40.2, next)).FromClient(61, next, 87);
        double at = 61;
        for (int i = 0; i < 5; i++)
        {
            sequence.FromClient(at += 300 * (1 << i), next, 87);
        }

        for (int i = 0; sends && i < 3; i++)
        {
            sequence.FromServer(at + 100 + i, next, 0);
        }

        Finding finding = Assert.Single(
            CaptureFindings.Of(sequence.FromClient(at + 102.1, next, 87).Evidence()), f => f.Id is "LT121" or "LT122");
        Assert.Equal(("LT121", 6L, (Side?)null), (finding.Id, finding.Count, finding.Side));
        Assert.Equal(sends, finding.For[0].Contains("so it was there", StringComparison.Ordinal));
        Assert.Equal(sends || opening, finding.Recommendation!.Contains("what drops these packets", StringComparison.Ordinal));
        Assert.Equal(opening, finding.For[0].Contains("no data behind it was ever acknowledged", StringComparison.Ordinal));
    }

    // Copies of the first request are never acknowledged, and the server gives up after ten seconds: its client has waited until then.
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void APeerThatClosesWithoutTheData_HadNotGotIt(bool resets)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(20).FromClient(20.05, 1000, 0).FromClient(21, 1000, 517);
        double at = 21;
        for (int i = 0; i < 5; i++)
        {
            sequence.FromClient(at += 200 * (1 << i), 1000, 517);
        }

        sequence = resets ? sequence.Reset(10_021) : sequence.Fin(10_021, false, 5000, 1000);
        Finding finding = Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id == "LT121");
        Assert.Contains("so it was there", finding.For[0], StringComparison.Ordinal);
        Assert.Equal(10_000, finding.CostMs!.Value, 1.0);
    }

    // Nothing is heard of the server, or that it lacks the data, and the client gives up, or does not. It waited until then; when the server closes a minute
    // later, nobody does.
    [Theory]
    [InlineData(true, false, 12_979)]
    [InlineData(true, true, 12_979)]
    [InlineData(false, false, 6_200)]
    public void AnEndThatGivesUp_WaitedUntilThen(bool resets, bool heard, double costMs)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(20).FromClient(20.05, 1000, 0).FromClient(21, 1000, 517);
        double at = 21;
        for (int i = 0; i < 5; i++)
        {
            sequence.FromClient(at += 200 * (1 << i), 1000, 517);
            sequence = heard ? sequence.FromServer(at + 50, 1000) : sequence;
        }

        sequence = resets ? sequence.Reset(13_000, 1517, client: true).Fin(60_000, false, 5000, 1000) : sequence;
        Finding finding = Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id == "LT121");
        Assert.Equal((5, costMs), (finding.Count, Math.Round(finding.CostMs!.Value)));
        Assert.Equal(resets, finding.For.Any(f => f.Contains("gave up and reset 1 connection", StringComparison.Ordinal)));
    }

    // An answer to each of two SYNs, late, on one connection; a timeout on another. What is only possible takes nothing from what is likely.
    [Fact]
    public void SynsThatWereAnsweredLate_StandApartFromLosses()
    {
        SegmentSequence sequence = new SegmentSequence(sackPermitted: true).Syn(0).Syn(1000).SynAck(1500).FromClient(1500.05, 1000, 0).SynAck(1501)
            .FromClient(1501.05, 1000, 0);
        sequence = Exchanges(sequence, 1510, 20).To("10.0.0.2", 40001).Syn(3000).SynAck(3020).FromClient(3020.05, 1000, 0);
        sequence.FromClient(3021, 1000, 50).FromClient(3321, 1000, 50).FromServer(3341, 1050, 200).FromClient(3341.05, 1050, 0, ack: 5200);

        Finding[] findings = [.. CaptureFindings.Of(sequence.Evidence()).Where(f => f.Id == "LT121").OrderBy(f => f.Confidence)];
        Assert.Equal([(Confidence.Possible, 1L), (Confidence.Likely, 1L)], findings.Select(f => (f.Confidence, f.Count)));
        Assert.Equal(300, Math.Round(findings[1].CostMs!.Value));
    }

    // The last request comes again until the capture ends. A pure ACK without progress soon after a copy: the peer is there, and something loses the data.
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void APeerThatStillSends_IsNotGone(bool sends)
    {
        SegmentSequence sequence = Exchanges(new SegmentSequence().Syn(0).SynAck(20).FromClient(20.05, 1000, 0), 30, 20).FromClient(500, 1150, 50, ack: 5600)
            .FromClient(800, 1150, 50, ack: 5600).FromClient(1400, 1150, 50, ack: 5600);
        sequence = sends ? sequence.FromServer(1500, 1150, 0, 5600) : sequence;

        Finding finding = Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id == "LT121");
        Assert.Equal((2L, Confidence.Possible), (finding.Count, finding.Confidence));
        Assert.EndsWith(sends ? "so it was there" : "dropped the connection", finding.For[0], StringComparison.Ordinal);
        Assert.Equal(!sends, finding.Recommendation!.Contains("whether the peer was still running", StringComparison.Ordinal));
    }

    // The timer doubles five times before the ACK comes. With data of the server in between, the server ran and could hear nothing.
    [Theory]
    [InlineData(false, null)]
    [InlineData(true, Side.Network)]
    public void ALongRowWithoutAnySignOfThePeer_IsNobodysForSure(bool alive, Side? side)
    {
        SegmentSequence sequence = Exchanges(new SegmentSequence().Syn(0).SynAck(20).FromClient(20.05, 1000, 0), 30, 20).FromClient(500, 1150, 50, ack: 5600);
        (double at, double wait, uint server) = (500, 300, 5600);
        for (int i = 0; i < 5; i++, wait *= 2)
        {
            sequence.FromClient(at += wait, 1150, 50, ack: server);
            if (alive)
            {
                sequence.FromServer(at + 50, 1150, 10, server).FromClient(at + 50.1, 1200, 0, ack: server += 10);
            }
        }

        sequence.FromServer(at + 20, 1200, 0, server).FromServer(at + 21, 1200, 100, server).FromClient(at + 21.1, 1200, 0, ack: server + 100);

        Finding finding = Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id == "LT121");
        Assert.Equal((side, 5L), (finding.Side, finding.Count));
        Assert.Equal(!alive, finding.For.Any(f => f.Contains("nothing came back", StringComparison.Ordinal)));
    }

    // One direction only. A timer that doubles until the end was never stopped by an answer; a single repeat may have been.
    [Theory]
    [InlineData(4, null, 500)]
    [InlineData(1, Side.Network, 500)]
    [InlineData(1, null, 64_000)]
    public void OneDirection_WhoseTimerDoublesToTheEnd_WasNeverAnswered(int repeats, Side? side, double wait)
    {
        SegmentSequence sequence = new SegmentSequence().FromClient(0, 1000, 100).FromClient(40, 1100, 100).FromClient(80, 1200, 100);
        double at = 80;
        for (int i = 0; i < repeats; i++, wait *= 2)
        {
            sequence.FromClient(at += wait, 1200, 100);
        }

        Finding finding = Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id == "LT121");
        Assert.Equal((side, Confidence.Possible), (finding.Side, finding.Confidence));
        Assert.Equal(side is null, finding.For.Any(f => f.Contains("never answered", StringComparison.Ordinal)));
    }

    // A probe, and a timer that doubles until the end: all copies were never answered.
    [Fact]
    public void OneDirection_AllCopiesOfARowThatDoubles_WereNeverAnswered()
    {
        SegmentSequence sequence = new SegmentSequence().FromClient(0, 1000, 100).FromClient(40, 1100, 100);
        foreach (double at in new double[] { 340, 640, 1240, 2440, 4840 })
        {
            sequence.FromClient(at, 1100, 100);
        }

        Finding finding = Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id == "LT121");
        Assert.Contains(finding.For, f => f.StartsWith("5 retransmissions were never answered", StringComparison.Ordinal));
    }

    // A path that stood still for seconds: each copy that arrives in the end is answered, between new data and its ACKs. One answer less is one loss.
    [Theory]
    [InlineData(4, 0)]
    [InlineData(3, 1)]
    public void CopiesOnAPathThatStoodStill_AreAnsweredOneByOne(int answers, int losses)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(40).FromClient(40.1, 1000, 0).FromClient(50, 1000, 1460).FromClient(50.1, 2460, 300);
        sequence.FromClient(330, 1000, 1460).FromClient(890, 1000, 1460).FromServer(1190, 2460).FromClient(1190.1, 2460, 300).FromClient(2300, 2460, 300);
        sequence.FromServer(3500, 2760).FromClient(3500.1, 2760, 200);
        for (int i = 0; i < answers; i++)
        {
            sequence.FromServer(4200 + (i * 400), i < 2 ? 2760u : 2960u);
            if (i == 1)
            {
                sequence.FromServer(4800, 2960);
            }
        }

        CaptureEvidence evidence = sequence.FromServer(6000, 2960, 500).FromClient(6000.1, 2960, 0, ack: 5500).Evidence();

        Assert.Equal((losses, answers), (Assert.Single(evidence.Connections).Sides[0].Timeouts, evidence.Connections[0].Sides[0].SpuriousRetransmissions));
    }

    /// <summary>Three requests of 50 bytes, each answered with 200 after a round trip.</summary>
    private static SegmentSequence Exchanges(SegmentSequence sequence, double at, double roundTripMs)
    {
        for (uint i = 0; i < 3; i++)
        {
            sequence.FromClient(at, 1000 + (i * 50), 50, ack: 5000 + (i * 200));
            at += roundTripMs;
            sequence.FromServer(at, 1050 + (i * 50), 200, 5000 + (i * 200)).FromClient(at + 0.05, 1050 + (i * 50), 0, ack: 5200 + (i * 200));
            at += 5;
        }

        return sequence;
    }
}
