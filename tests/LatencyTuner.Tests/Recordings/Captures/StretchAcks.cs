using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings.Captures;
using LatencyTuner.Core.Recordings.Captures.Rules;
using LatencyTuner.Tests.Capture;
using Xunit;

namespace LatencyTuner.Tests.Recordings.Captures;

/// <summary>An upload whose sender waits for ACKs of several full segments that come late: the receiver holds them, or something else delays them.</summary>
public sealed class StretchAcks
{
    private const int Mss = 1460;
    private const double PathMs = 20;

    // Beside the sender every second ACK is prompt, so the path is not slow; beside the receiver there is no path. Flights that vary, or always the same.
    [Theory]
    [InlineData(PathMs, 0.05, 2, false)]
    [InlineData(PathMs, 0.05, 2, true)]
    [InlineData(0.05, PathMs, 2, false)]
    [InlineData(0.05, PathMs, 1, false)]
    [InlineData(0.05, PathMs, 1, true)]
    [InlineData(9, 11, 3, false)]
    public void AcksThatTheReceiverHolds_AreHarmfulDelayedAcks(double serverMs, double clientMs, int every, bool same)
    {
        CaptureEvidence evidence = Upload(new Path(serverMs, clientMs), i => i % every == 0 ? Hold(i) : 0, i => same ? 6 : 4 + (i * 5 % 7));

        IReadOnlyList<Finding> findings = CaptureFindings.Of(evidence);
        Finding finding = Assert.Single(findings, f => f.Id == "LT103");
        Assert.Equal((Side.Server, Confidence.Likely), (finding.Side, finding.Confidence));
        Assert.InRange(finding.Harmful!.Value, Rounds / every * 0.8, Rounds / every + 1);
        double held = Enumerable.Range(0, Rounds).Where(i => i % every == 0).Sum(Hold);
        Assert.InRange(finding.CostMs!.Value, held * 0.85, held * 1.02);
        Assert.Null(evidence.TimerOf(Assert.Single(evidence.Connections).Server));
        Assert.DoesNotContain(findings, f => f.Id is "LT111" or "LT132" || (f.Id == "LT113" && every == 1));
        Assert.True(findings.Where(f => f.Id is "LT103" or "LT113" or "LT114").Sum(f => f.CostShare ?? 0) <= 1);
    }

    // Two late ACKs only: beside the receiver they are enough where they take a good part of the time.
    [Theory]
    [InlineData(0.05, PathMs, 90, true)]
    [InlineData(0.05, PathMs, 21, false)]
    [InlineData(PathMs, 0.05, 90, false)]
    public void TwoThatTheReceiverHolds_AreToldOnlyBesideIt(double serverMs, double clientMs, double holdMs, bool told)
    {
        IReadOnlyList<Finding> findings =
            CaptureFindings.Of(Upload(new Path(serverMs, clientMs), i => i is 3 or 8 ? holdMs : 0, i => 4 + (i * 5 % 7)));

        Finding? finding = findings.SingleOrDefault(f => f.Id == "LT103");
        Assert.Equal(told ? (Confidence.Possible, 2L) : default, (finding?.Confidence ?? default, finding?.Harmful ?? 0));
    }

    [Fact]
    public void WhereTheSendBufferHasTheSameShape_OnlyTheRestIsIts()
    {
        IReadOnlyList<Finding> findings = CaptureFindings.Of(Upload(new Path(PathMs, 0.05), i => i % 2 == 0 ? Hold(i) : 0, _ => 6));

        double held = Enumerable.Range(0, Rounds).Where(i => i % 2 == 0).Sum(Hold);
        Assert.InRange(Assert.Single(findings, f => f.Id == "LT103").CostMs!.Value, held * 0.85, held * 1.02);
        Assert.InRange(Assert.Single(findings, f => f.Id == "LT114").CostMs!.Value, 0.8 * PathMs * Rounds, 1.1 * PathMs * Rounds);
        Assert.DoesNotContain(findings, f => f.Id == "LT113");
    }

    // A sender sends one more segment after two round trips without an ACK (RFC 8985 7.3), and waits on.
    [Theory]
    [InlineData(PathMs, 0.05, 2, 80)]
    [InlineData(PathMs, 0.05, 2, 50)]
    [InlineData(0.05, PathMs, 1, 80)]
    [InlineData(0.05, PathMs, 1, 54)]
    public void ATailLossProbe_DoesNotEndTheWait(double serverMs, double clientMs, int every, double leastMs)
    {
        double LongHold(int round) => leastMs + (round * 37 % 51);
        IReadOnlyList<Finding> findings = CaptureFindings.Of(
            Upload(new Path(serverMs, clientMs), i => i % every == 0 ? LongHold(i) : 0, i => 4 + (i * 5 % 7), Fooling.TailLossProbe));

        Finding finding = Assert.Single(findings, f => f.Id == "LT103");
        double held = Enumerable.Range(0, Rounds).Where(i => i % every == 0).Sum(LongHold);
        Assert.Equal(Confidence.Likely, finding.Confidence);
        Assert.InRange(finding.CostMs!.Value, held * 0.85, held * 1.02);
        Assert.DoesNotContain(findings, f => f.Id == "LT113" && every == 1);
    }

    // An application that had read only a part of the data when its host made the ACK; a sender that takes a little longer than the path at best.
    [Theory]
    [InlineData(0.05, PathMs, Fooling.PartlyRead)]
    [InlineData(0.05, 0.3, Fooling.LateRelease)]
    public void HoldsAreCounted_WhereTheReaderOrTheSenderIsALittleLate(double serverMs, double clientMs, Fooling fooling)
    {
        Finding finding = Assert.Single(CaptureFindings.Of(Upload(new Path(serverMs, clientMs), Hold, i => 4 + (i * 5 % 7), fooling)), f => f.Id == "LT103");

        Assert.Equal(Confidence.Likely, finding.Confidence);
        Assert.InRange(finding.Harmful!.Value, Rounds - 1, Rounds);
    }

    // 100 Mbit/s: with prompt ACKs the sender goes on while its burst arrives. What the burst takes is no hold, except for the round trip in it.
    [Fact]
    public void WhatThePathCarriesMeanwhile_IsNoHold()
    {
        const double PromptMs = 0.6;
        Finding finding = Assert.Single(
            CaptureFindings.Of(Upload(new Path(PromptMs, 0.05), i => i % 2 == 0 ? 25 : 0, _ => 20, Fooling.SlowLink)), f => f.Id == "LT103");

        Assert.InRange(finding.CostMs!.Value, Rounds / 2 * 25, Rounds / 2 * (25 + PromptMs + 0.3));
    }

    // One full segment every now and then is no probe: the ACK of a lone segment may be delayed, and two are acknowledged at once.
    [Theory]
    [InlineData(44)]
    [InlineData(70)]
    public void FullSegmentsAtTheApplicationsPace_AreNoProbes(double everyMs)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0, scale: 7).SynAck(0.05, scale: 7).FromClient(PathMs, 1000, 0);
        for (int i = 0; i < Rounds; i++)
        {
            double at = 100 + (i * everyMs) + (i % 7 * 0.3);
            uint next = 1000 + ((uint)i * Mss);
            sequence.FromClient(at, next, Mss, id: (ushort)(200 + i));
            if (i % 2 != 0)
            {
                sequence.FromServer(at + 0.05, next + Mss, id: (ushort)(30_000 + i));
            }
        }

        CaptureEvidence evidence = sequence.Evidence();
        Assert.Equal(0, evidence.Hosts.Values.Sum(h => h.Acks[(int)AckClass.Stretched] + h.Acks[(int)AckClass.MaybeStretched]));
        Assert.DoesNotContain(CaptureFindings.Of(evidence), f => f.Severity > Severity.Info || f.Harmful > 0);
    }

    // Not one prompt ACK, beside the sender: a queue that other traffic fills looks the same, unless the one ACK of many segments is far later than the path.
    [Theory]
    [InlineData(26, 0, 5, Confidence.Possible)]
    [InlineData(34, 10, 2, Confidence.Possible)]
    [InlineData(90, 0, 5, Confidence.Likely)]
    [InlineData(40, 70, 5, Confidence.Likely)]
    [InlineData(90, 0, 2, Confidence.Possible)]
    public void WithoutAPromptAnswer_ItIsNeitherTheCongestionWindowNorAQueue(double holdMs, double variesMs, int segments, Confidence confidence)
    {
        IReadOnlyList<Finding> findings =
            CaptureFindings.Of(Upload(new Path(PathMs, 0.05), i => holdMs + (variesMs * (i * 7 % 11) / 10), i => segments + (segments > 2 ? i * 5 % 4 : 0)));

        Finding finding = Assert.Single(findings, f => f.Id == "LT103");
        Assert.Equal(confidence, finding.Confidence);
        Assert.Contains(finding.Against, a => a.Contains("queue", StringComparison.Ordinal));
        Assert.DoesNotContain(findings, f => f.Id is "LT113" or "LT132");
    }

    // A link of 1 Mbit/s at the sender: ACKs of two segments each, one after the other; the last one empties the pipe.
    [Theory]
    [InlineData(12)]
    [InlineData(6)]
    [InlineData(4)]
    public void ASlowLink_IsNot(int count)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0, scale: 7).SynAck(PathMs, scale: 7).FromClient(PathMs + 0.05, 1000, 0);
        (double at, uint next) = (50, 1000);
        for (int i = 0; i < Rounds; i++)
        {
            uint first = next;
            for (int s = 0; s < count; s++, next += Mss)
            {
                sequence.FromClient(at + (s * 0.02), next, Mss);
            }

            for (int s = 2; s <= count; s += 2)
            {
                sequence.FromServer(at + PathMs + (s * 12), first + ((uint)s * Mss));
            }

            at += PathMs + (count * 12) + 0.06;
        }

        Assert.DoesNotContain(CaptureFindings.Of(sequence.Evidence()), f => f.Id == "LT103");
    }

    // A little late only; twice only; an ACK of everything at once without a delay; a window that shrinks; ACKs that come together.
    [Theory]
    [InlineData(9, Rounds, Fooling.None)]
    [InlineData(70, 2, Fooling.None)]
    [InlineData(0, Rounds, Fooling.None)]
    [InlineData(70, Rounds, Fooling.SlowReader)]
    [InlineData(70, Rounds, Fooling.Together)]
    [InlineData(70, Rounds, Fooling.NobodyWaits)]
    public void OtherLateAcks_AreNot(double holdMs, int held, Fooling fooling)
    {
        IReadOnlyList<Finding> findings =
            CaptureFindings.Of(Upload(new Path(PathMs, 0.05), i => i % 2 == 0 && i < 2 * held ? holdMs : 0, i => 4 + (i * 5 % 7), fooling));

        Assert.DoesNotContain(findings, f => f.Id == "LT103");
    }

    [Fact]
    public void ASlowReader_BesideIt_IsNot()
    {
        IReadOnlyList<Finding> findings = CaptureFindings.Of(Upload(new Path(0.05, PathMs), Hold, i => 4 + (i * 5 % 7), Fooling.SlowReader));

        Assert.DoesNotContain(findings, f => f.Id == "LT103");
    }

    // A modem that lets all ACKs go at once, every 70 ms: those of four connections come together.
    [Theory]
    [InlineData(70, Confidence.Possible)]
    [InlineData(0, Confidence.Likely)]
    public void AcksOfSeveralConnectionsThatComeTogether_MayHaveBeenGathered(double everyMs, Confidence confidence)
    {
        SegmentSequence sequence = new();
        List<(double At, Action Add)> packets = [];
        for (int c = 0; c < 4; c++)
        {
            ushort port = (ushort)(40000 + c);
            double begin = c * 3.7;
            packets.Add((begin, () => sequence.To("10.0.0.2", port).Syn(begin)));
            packets.Add((begin + PathMs, () => sequence.To("10.0.0.2", port).SynAck(begin + PathMs)));
            packets.Add((begin + PathMs + 0.05, () => sequence.To("10.0.0.2", port).FromClient(begin + PathMs + 0.05, 1000, 0)));
            (double at, uint next) = (50 + begin, 1000);
            for (int i = 0; i < Rounds; i++)
            {
                for (int s = 0; s < 5 + ((i + c) % 3); s++, next += Mss)
                {
                    (double sent, uint data) = (at + (s * 0.02), next);
                    packets.Add((sent, () => sequence.To("10.0.0.2", port).FromClient(sent, data, Mss)));
                }

                // Every second one passes at once.
                double acked = at + 0.2 + PathMs;
                acked = i % 2 != 0 ? acked : everyMs > 0 ? Math.Ceiling((acked + 20) / everyMs) * everyMs : acked + Hold(i + (c * 3));
                (double ackAt, uint ack) = (acked + (everyMs > 0 && i % 2 == 0 ? c * 0.01 : 0), next);
                packets.Add((ackAt, () => sequence.To("10.0.0.2", port).FromServer(ackAt, ack)));
                at = ackAt + 0.06;
            }
        }

        foreach ((_, Action add) in packets.OrderBy(p => p.At))
        {
            add();
        }

        Finding finding = Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id == "LT103");
        Assert.Equal(confidence, finding.Confidence);
        Assert.Equal(confidence == Confidence.Possible, finding.Against.Any(a => a.Contains("together", StringComparison.Ordinal)));
    }

    // Other traffic fills a queue for a while: every ACK is late then.
    [Fact]
    public void AQueueOfOtherTraffic_IsNot()
    {
        IReadOnlyList<Finding> findings = CaptureFindings.Of(Upload(new Path(PathMs, 0.05), i => i % 20 < 8 ? 45 + (i % 4) : 0, i => 4 + (i * 5 % 7)));

        Assert.DoesNotContain(findings, f => f.Id == "LT103" && f.Confidence > Confidence.Possible);
    }

    /// <summary>What delays the ACKs instead.</summary>
    public enum Fooling
    {
        None,
        SlowReader,
        Together,
        NobodyWaits,
        TailLossProbe,
        PartlyRead,
        LateRelease,
        SlowLink,
    }

    private const int Rounds = 40;
    private const double CarriedMs = 0.12;

    private static double Hold(int round) => 24 + (round * 37 % 101);

    /// <summary>
    /// Rounds of full segments, each answered by one ACK of all of them that is held for a time; the next round begins as soon as it has arrived.
    /// </summary>
    private static CaptureEvidence Upload(Path path, Func<int, double> holdMs, Func<int, int> segments, Fooling fooling = Fooling.None)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0, scale: 7).SynAck(path.ServerMs, scale: 7)
            .FromClient(path.ServerMs + path.ClientMs, 1000, 0, window: 500);
        List<(double At, uint Data, uint Ack, ushort Window)> packets = [];
        (double at, uint next) = (100, 1000);
        for (int i = 0; i < Rounds; i++)
        {
            int count = segments(i);
            for (int s = 0; s < count; s++, next += Mss)
            {
                packets.Add((at + (s * 0.02), next, 0, 0));
            }

            double hold = holdMs(i);
            double acked = at + (count * (fooling == Fooling.SlowLink ? CarriedMs : 0.02)) + path.ServerMs + hold;
            if (fooling == Fooling.TailLossProbe && hold > 0)
            {
                packets.Add((at + (count * 0.02) + (2.2 * (path.ServerMs + path.ClientMs)), next, 0, 0));
                next += Mss;
            }

            ushort window = (ushort)(fooling == Fooling.SlowReader && hold > 0 ? 4000 - (count * Mss / 128)
                : fooling == Fooling.PartlyRead && i % 4 == 2 ? 4000 - (count * Mss * 7 / 10 / 128) : 4000);
            if (fooling == Fooling.Together && hold > 0)
            {
                packets.Add((acked - 0.2, 0, next - (2 * Mss), window));
            }

            packets.Add((acked, 0, next, window));
            if (window < 4000 && fooling == Fooling.SlowReader)
            {
                // Read at last.
                packets.Add((acked + 30, 0, next, 4000));
            }

            at = fooling == Fooling.NobodyWaits ? at + 31 + (i % 5 * 2.3) : acked + path.ClientMs + (fooling == Fooling.LateRelease ? 0.45 : 0.06);
        }

        (ushort client, ushort server) = (200, 30_000);
        foreach ((double time, uint data, uint ack, ushort window) in packets.OrderBy(p => p.At))
        {
            _ = data > 0 ? sequence.FromClient(time, data, Mss, window: 500, id: ++client) : sequence.FromServer(time, ack, window: window, id: ++server);
        }

        return sequence.Evidence();
    }

    /// <summary>Round trips between the tap and both ends, milliseconds.</summary>
    private sealed record Path(double ServerMs, double ClientMs);
}
