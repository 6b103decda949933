using LatencyTuner.Core.Analysis.Checks;
using LatencyTuner.Core.Analysis.Stalls;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Loops;
using LatencyTuner.Core.Sockets;
using Xunit;
using static LatencyTuner.Tests.SampleResults;

namespace LatencyTuner.Tests.Analysis.Stalls;

public sealed class MeasurementRules
{
    private static readonly SeverityLimits Limits = SeverityLimits.Standard;

    private static Finding? Nagle(MeasurementResult result) => MeasuredNagleRule.Evaluate(Facts(result), Limits);

    private static MeasurementResult SplitStalled(
        int n = 100, double ms = 44, long? acks = null, long retransmitted = 0, bool? noDelay = false, int healthy = 0) =>
        Measured([.. Times(n, ms), .. Times(healthy, 2)], SplitPlan, noDelay: noDelay, local: acks is { } a ? Counters(a, retransmitted) : null);

    [Fact]
    public void Nagle_TimerAndAcksSeen_LikelyAtTheClient()
    {
        Finding finding = Nagle(SplitStalled(acks: 100))!;

        Assert.Equal(("LT101", Cause.NagleDelayedAck, Side.Client, Confidence.Likely), (finding.Id, finding.Cause, finding.Side, finding.Confidence));
        Assert.Null(finding.Host);
        Assert.Equal(100, finding.Count);
        Assert.InRange(finding.CostMs!.Value, 4290, 4310);
        Assert.InRange(finding.CostShare!.Value, 0.95, 1);
        Assert.Equal(Severity.Error, finding.Severity);
        Assert.Equal([Target.Name], finding.Connections);
        Assert.Contains(finding.For, f => f.Contains("40 ms, a known delayed-ACK timer; it runs at the server", StringComparison.Ordinal));
        Assert.Empty(finding.Against);
    }

    [Fact]
    public void Nagle_TimerWithoutCounters_PossibleAndSaysWhy()
    {
        Finding finding = Nagle(SplitStalled())!;

        Assert.Equal((Cause.NagleDelayedAck, Confidence.Possible), (finding.Cause, finding.Confidence));
        Assert.Contains(finding.Against, a => a.Contains("does not report ACKs", StringComparison.Ordinal));
    }

    [Fact]
    public void Nagle_AcksButNoTimer_IsAHold()
    {
        Finding finding = Nagle(SplitStalled(ms: 75, acks: 100))!;

        Assert.Equal(("LT102", Cause.NagleHold, Confidence.Possible), (finding.Id, finding.Cause, finding.Confidence));
    }

    [Fact]
    public void Nagle_NeitherTimerNorAcks_NoFinding() => Assert.Null(Nagle(SplitStalled(ms: 75)));

    /// <summary>One request in two writes every few milliseconds, one connection: those sent during a wait wait for the rest of it.</summary>
    private static MeasurementResult AtRate(int perSecond, double timerMs, bool counters = true, long retransmitted = 0, Workload? workload = null)
    {
        double every = 1000.0 / perSecond;
        double[] cycle = [.. Enumerable.Range(0, (int)Math.Ceiling(timerMs / every)).Select(i => timerMs + (2 * RttMs) - (i * every))];
        double[] ms = [.. Enumerable.Range(0, 20).SelectMany(n => cycle.Select(v => v + (0.003 * (n % 7))))];
        MeasurementPlan plan = SplitPlan with { RatePerSecond = perSecond, Workload = workload ?? SplitPlan.Workload };
        (KernelCounters, KernelCounters) kernel = Counters(counters ? 20 : 0, retransmitted);
        return Measured(
            ms, plan, noDelay: false, local: counters ? kernel : Bytes(kernel), first: v => v >= timerMs + (2 * RttMs));
    }

    /// <summary>The same counters from a kernel that counts repeated bytes only, as Windows does.</summary>
    private static (KernelCounters Start, KernelCounters End) Bytes((KernelCounters Start, KernelCounters End) both)
    {
        static KernelCounters Windows(KernelCounters c) => c with
        {
            RetransmittedSegments = null,
            SegmentsIn = null,
            SegmentsOut = null,
            DataSegmentsIn = null,
            DataSegmentsOut = null,
        };
        return (Windows(both.Start), Windows(both.End));
    }

    [Theory]
    [InlineData(50, 200, true)]
    [InlineData(200, 200, true)]
    [InlineData(130, 40, true)]
    [InlineData(3, 200, true)]
    [InlineData(50, 200, false)]
    [InlineData(170, 100, false)]
    public void Nagle_AtAnyRate_TheSameFinding(int perSecond, double timerMs, bool counters)
    {
        MeasurementResult result = AtRate(perSecond, timerMs, counters);

        Finding finding = Assert.Single(MeasurementFindings.Of(Facts(result), Limits), f => f.Severity == Severity.Error);

        Assert.Equal((Cause.NagleDelayedAck, Side.Client, Confidence.Likely), (finding.Cause, finding.Side, finding.Confidence));
        Assert.Contains(finding.For, f => f.Contains($"20 of 20 waits cluster at {timerMs:0} ms", StringComparison.Ordinal));
        Assert.InRange(finding.CostShare!.Value, 0.8, 1);
    }

    /// <summary>Overlapping requests wait at the same time: their sum is no time that passed, and is not printed as one.</summary>
    [Theory]
    [InlineData(50, 200, "Costs 111 ms per stall (9")]
    [InlineData(130, 40, "Costs 25.6 ms per stall (94")]
    public void Cost_OfRequestsThatOverlap_IsPerStall(int perSecond, double timerMs, string text)
    {
        Finding finding = Nagle(AtRate(perSecond, timerMs))!;
        Finding told = MeasurementFindings.Of(Facts(AtRate(perSecond, timerMs)), Limits)[0];
        Finding one = MeasurementFindings.Of(Facts(SplitStalled(acks: 100)), Limits)[0];

        Assert.True(told.CostOverlaps);
        Assert.StartsWith(text, FindingWords.Cost(told), StringComparison.Ordinal);
        Assert.Contains("per stall lost in", CheckOutcome.Describe(told), StringComparison.Ordinal);
        Assert.Equal(finding.CostMs, told.CostMs);
        Assert.False(one.CostOverlaps);
        Assert.StartsWith("Costs 4.30 s (", FindingWords.Cost(one), StringComparison.Ordinal);
    }

    /// <summary>At a high rate what Nagle holds fills a segment before the timer runs out: 22 requests of 64 bytes, or 7 of 200.</summary>
    [Theory]
    [InlineData(200, 64, true)]
    [InlineData(50, 200, true)]
    [InlineData(200, 64, false)]
    public void Nagle_HeldUntilASegmentIsFull_IsLikelyAHold(int perSecond, int size, bool counters)
    {
        double fillMs = 1448.0 / (size * perSecond) * 1000;
        Workload split = SplitPlan.Workload with { Writes = [16, size - 16] };

        Finding finding = Nagle(AtRate(perSecond, fillMs - (2 * RttMs), counters, workload: split))!;

        Assert.Equal((Cause.NagleHold, Confidence.Likely, Severity.Error), (finding.Cause, finding.Confidence, finding.Severity));
        Assert.Contains(finding.For, f => f.Contains("a full segment", StringComparison.Ordinal));
        Finding other = Nagle(AtRate(perSecond, fillMs * 1.5, counters: true, workload: split))!;
        Assert.Equal(Confidence.Possible, other.Confidence);
    }

    /// <summary>The first of each batch waits as long as a timer by chance of the path, not by an ACK: losses, and nothing that Nagle can hold.</summary>
    [Fact]
    public void Nagle_AtARateButNotByNagle_NoFindingOfIt()
    {
        Assert.Null(Nagle(AtRate(50, 200, retransmitted: 10)));
        Assert.Null(Nagle(AtRate(50, 200, counters: false, retransmitted: 15)));
        Assert.Null(Nagle(AtRate(50, 200, workload: new Workload())));
        Assert.Equal(Confidence.Possible, Nagle(AtRate(50, 200, counters: false, retransmitted: 4))!.Confidence);
    }

    [Fact]
    public void Unexplained_WaitsWithoutATimer_NobodyIsAccused()
    {
        Finding finding = Assert.Single(MeasurementFindings.Of(Facts(SplitStalled(ms: 75)), Limits));

        Assert.Equal((Cause.EvidenceIncomplete, Severity.Error, "stall"), (finding.Cause, finding.Severity, finding.CountOf));
        Assert.Null(finding.Side);
        Assert.StartsWith("100 requests of 100 waited more than 9.0 ms", finding.For[0], StringComparison.Ordinal);
    }

    [Fact]
    public void Unexplained_JitterFewStallsOrAKnownCause_NoFinding()
    {
        double[] jitter = [.. Enumerable.Range(0, 200).Select(i => 1 + (i % 20))];
        Assert.Empty(MeasurementFindings.Of(Facts(Measured(jitter, local: Counters(rttUs: 10_000))), Limits));
        Assert.Empty(MeasurementFindings.Of(Facts(SplitStalled(n: 4, ms: 75, healthy: 96)), Limits));
        Assert.Empty(MeasurementFindings.Of(Facts(Measured([.. Times(3, 30), .. Times(2000, 0.05)])), Limits));
        Assert.Equal(Cause.NagleDelayedAck, Assert.Single(MeasurementFindings.Of(Facts(SplitStalled(acks: 100)), Limits)).Cause);
    }

    [Fact]
    public void Unexplained_OneWriteButFarBeyondThePathsRoundTrip_IsToldToo() => Assert.Equal(
        Cause.EvidenceIncomplete, Assert.Single(MeasurementFindings.Of(Facts(Measured(Times(100, 75), local: Counters(rttUs: 1200))), Limits)).Cause);

    [Fact]
    public void Nagle_LossesExplainTheWaits_NoFinding()
    {
        Assert.Null(Nagle(SplitStalled(acks: 100, retransmitted: 50)));
        Assert.Null(Nagle(Measured(Times(100, 44), SplitPlan, noDelay: false, local: Counters(100, 25), peer: Counters(0, 25))));
        Finding some = Nagle(SplitStalled(acks: 100, retransmitted: 49))!;
        Assert.Contains(some.Against, a => a.StartsWith("49 segments were retransmitted", StringComparison.Ordinal));
    }

    [Fact]
    public void Nagle_TooFewStalls_NoFinding()
    {
        Assert.Null(Nagle(SplitStalled(n: 2, acks: 2)));
        Assert.NotNull(Nagle(SplitStalled(n: 3, acks: 3)));
        Assert.Null(Nagle(SplitStalled(n: 19, acks: 1000, healthy: 981)));
        Finding few = Nagle(SplitStalled(n: 20, acks: 1000, healthy: 980))!;
        Assert.Contains(few.Against, a => a.StartsWith("only 2.0", StringComparison.Ordinal));
    }

    [Fact]
    public void Nagle_RepliesInTwoWrites_AtTheServer()
    {
        MeasurementPlan plan = new() { Workload = new Workload { PeerWrites = 2, PeerNoDelay = false } };
        Finding finding = Nagle(Measured(Times(100, 202), plan, noDelay: true, peerNoDelay: false, peer: Counters(100)))!;

        Assert.Equal((Side.Server, "192.0.2.7", Confidence.Likely), (finding.Side, finding.Host, finding.Confidence));
        Assert.Contains(finding.For, f => f.Contains("it runs at the client", StringComparison.Ordinal));
    }

    [Fact]
    public void Nagle_BothEndsSplit_SaysThatItWasNotSeparated()
    {
        MeasurementPlan plan = SplitPlan with { Workload = SplitPlan.Workload with { PeerWrites = 2 } };
        Finding finding = Nagle(Measured(Times(100, 44), plan, noDelay: false, peerNoDelay: false))!;

        Assert.Contains(finding.Against, a => a.StartsWith("both ends split", StringComparison.Ordinal));
    }

    [Fact]
    public void Nagle_GapBetweenWrites_SaysThatItIsPartOfTheTime()
    {
        MeasurementPlan plan = SplitPlan with { Workload = SplitPlan.Workload with { Gap = TimeSpan.FromMilliseconds(1) } };
        Assert.Contains(Nagle(Measured(Times(100, 202), plan, noDelay: false))!.Against, a => a.StartsWith("the gap", StringComparison.Ordinal));
    }

    /// <summary>One write per message, or TCP_NODELAY at the end that splits, cannot be stalled by Nagle's algorithm, whatever else happens.</summary>
    [Fact]
    public void Findings_WorkloadsNagleCannotTouch_NeverBlamedOnIt()
    {
        for (int seed = 0; seed < 300; seed++)
        {
            Random random = new(seed);
            double[] modes = [.. Enumerable.Range(0, 1 + random.Next(3)).Select(_ => Math.Exp(random.NextDouble() * 6) * 0.3)];
            double[] ms = [.. Enumerable.Range(0, 10 + random.Next(200)).Select(i => modes[i % modes.Length] * (1 + (0.05 * random.NextDouble())))];
            bool? noDelay = random.Next(3) switch { 0 => false, 1 => true, _ => null };
            bool? peerNoDelay = random.Next(2) == 0 ? false : null;
            (KernelCounters Start, KernelCounters End) counters = Counters(random.Next(2 * ms.Length));
            MeasurementPlan split = SplitPlan with { Workload = SplitPlan.Workload with { PeerWrites = 2 } };

            MeasurementResult single = Measured(ms, new MeasurementPlan(), noDelay: noDelay, peerNoDelay: peerNoDelay, local: counters, peer: counters);
            MeasurementResult nagleOff = Measured(ms, split, noDelay: true, peerNoDelay: true, local: counters, peer: counters);
            MeasurementResult unknown = Measured(ms, split, noDelay: null, peerNoDelay: null, local: counters, peer: counters);

            Assert.All(
                new[] { single, nagleOff, unknown }.SelectMany(m => MeasurementFindings.Of(Facts(m), Limits)),
                f => Assert.True(f.Cause is Cause.NetworkRtt or Cause.ServerThink or Cause.EvidenceIncomplete, $"seed {seed}: {f.Id}"));
        }
    }

    /// <summary>One request in many is lost and waits for the minimum timeout, which is as long as an ACK timer of 200 ms.</summary>
    [Theory]
    [InlineData(16, 984, 214, true, 16)]
    [InlineData(7, 2500, 203, true, 9)]
    [InlineData(5, 300, 312, false, 5)]
    public void Loss_RetransmissionsAndTimeouts_AreAFindingAndNoAckTimer(int lost, int healthy, double ms, bool segments, long retransmitted)
    {
        (KernelCounters, KernelCounters) counters = Counters(0, retransmitted);
        MeasurementResult result = Measured([.. Times(healthy, 1), .. Times(lost, ms)], local: segments ? counters : Bytes(counters), peer: Counters());

        Finding finding = Assert.Single(MeasurementFindings.Of(Facts(result), Limits));

        Assert.Equal((Cause.LossRto, Side.Network, Confidence.Likely, Severity.Error), (finding.Cause, finding.Side, finding.Confidence, finding.Severity));
        Assert.Equal((long)lost, finding.Count);
        Assert.InRange(finding.CostMs!.Value, lost * (ms - 1.5), lost * (ms - 0.5));
        Assert.Contains($"sent {retransmitted} segments again: {retransmitted} at the client, 0 at the server", finding.For[0], StringComparison.Ordinal);
        Assert.Null(Facts(result).Stalls.Timer);
    }

    /// <summary>A few losses beside many waits of another kind pay for the longest waits only.</summary>
    [Fact]
    public void Loss_FewBesideOtherWaits_PaysForTheLongestOnly()
    {
        double[] ms = [.. Times(200, 1), .. Times(60, 14), .. Times(3, 230)];
        Finding finding = MeasuredLossRule.Evaluate(Facts(Measured(ms, local: Counters(0, 3, rttUs: 900))), Limits)!;

        Assert.Equal((3, Confidence.Likely), (finding.Count, finding.Confidence));
        Assert.InRange(finding.CostMs!.Value, 680, 695);
        Assert.Contains("60 shorter stalls had no retransmission", finding.Against);
    }

    /// <summary>Held ACKs of a timer, and a retransmission here and there: Nagle's finding stays, and the path is not blamed for it.</summary>
    [Fact]
    public void Loss_BesideNagle_IsNotBlamedForItsWaits()
    {
        Assert.Equal(
            [Cause.NagleDelayedAck], MeasurementFindings.Of(Facts(SplitStalled(ms: 202, acks: 100, retransmitted: 6)), Limits).Select(f => f.Cause));
        Finding both = Assert.Single(MeasurementFindings.Of(Facts(SplitStalled(ms: 202, acks: 100, retransmitted: 80)), Limits));
        Assert.Equal((Cause.LossRto, Confidence.Possible, Severity.Warning), (both.Cause, both.Confidence, both.Severity));
        Assert.Contains(both.Against, a => a.Contains("TCP_NODELAY off", StringComparison.Ordinal));
    }

    [Fact]
    public void Loss_NothingStalledOrNothingCounted()
    {
        Finding quick = MeasuredLossRule.Evaluate(Facts(Measured(Times(400, 1), local: Counters(0, 4))), Limits)!;
        Assert.Equal((Cause.LossFastRetransmit, Severity.Info, (double?)null), (quick.Cause, quick.Severity, quick.CostMs));
        Assert.Null(MeasuredLossRule.Evaluate(Facts(Measured([.. Times(400, 1), .. Times(4, 210)], local: Counters())), Limits));
        Assert.Null(MeasuredLossRule.Evaluate(Facts(Measured([.. Times(400, 1), .. Times(4, 210)])), Limits));
    }

    [Theory]
    [InlineData(9.99, 15, false)]
    [InlineData(10, 15, true)]
    [InlineData(10, 19.9, true)]
    [InlineData(10, 20.1, false)]
    [InlineData(60, 100, true)]
    public void NetworkRtt_FromTenMillisecondsAndHalfTheMedian(double rttMs, double medianMs, bool expected)
    {
        MeasurementResult result = Measured(Times(50, medianMs), local: Counters(minRttUs: (long)(rttMs * 1000)));

        Finding? finding = MeasuredRttRule.Evaluate(Facts(result));

        Assert.Equal(expected, finding is not null);
        if (finding is not null)
        {
            Assert.Equal(("LT131", Side.Network, Severity.Info), (finding.Id, finding.Side, finding.Severity));
            Assert.Equal(rttMs * 50, finding.CostMs!.Value, 0.01);
            Assert.Equal(rttMs / medianMs, finding.CostShare!.Value, 0.01);
        }
    }

    [Fact]
    public void NetworkRtt_OneWayMessages_WaitForNone()
    {
        MeasurementPlan stream = new() { Workload = new Workload { Pattern = WritePattern.Stream } };
        Assert.Null(MeasuredRttRule.Evaluate(Facts(Measured(Times(50, 0.01), stream, local: Counters(minRttUs: 50_000)))));
    }

    [Theory]
    [InlineData(4.9, 10, false)]
    [InlineData(5, 10, true)]
    [InlineData(19, 100, false)]
    [InlineData(21, 100, true)]
    public void ServerThink_FromFiveMillisecondsAndAFifthOfTheMedian(double thinkMs, double medianMs, bool expected)
    {
        Finding? finding = ServerThinkRule.Evaluate(Facts(Measured(Times(50, medianMs), residenceMs: thinkMs)));

        Assert.Equal(expected, finding is not null);
        Assert.True(finding is null || (finding is { Id: "LT141", Side: Side.Server, Host: "192.0.2.7", Severity: Severity.Info } && finding.CostShare <= 1));
    }

    [Fact]
    public void Evidence_ThinOrCutShort()
    {
        MeasurementResult cut = Measured(Times(50, 1));
        cut.EndedBecause = "The peer closed the connection.";

        Assert.Null(MeasuredEvidenceRule.Evaluate(Facts(Measured(Times(6, 1)))));
        Assert.Equal(Severity.Error, MeasuredEvidenceRule.Evaluate(Facts(Measured(Times(5, 1))))!.Severity);
        Finding finding = MeasuredEvidenceRule.Evaluate(Facts(cut))!;
        Assert.Equal(("LT301", Severity.Warning), (finding.Id, finding.Severity));
        Assert.Contains("ended early, after 50", finding.For[0], StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(0, Severity.Info)]
    [InlineData(0.0499999, Severity.Info)]
    [InlineData(0.05, Severity.Warning)]
    [InlineData(0.1999999, Severity.Warning)]
    [InlineData(0.20, Severity.Error)]
    [InlineData(1, Severity.Error)]
    [InlineData(double.NaN, Severity.Info)]
    public void SeverityLimits_ByShare(double share, Severity expected) => Assert.Equal(expected, Limits.Of(share, 0, TimeSpan.FromMinutes(1)));

    [Theory]
    [InlineData(2, 1, Severity.Info)]
    [InlineData(3, 1, Severity.Error)]
    [InlineData(3, 60, Severity.Error)]
    [InlineData(3, 61, Severity.Info)]
    [InlineData(29, 600, Severity.Info)]
    [InlineData(30, 600, Severity.Error)]
    public void SeverityLimits_ByLongStallsAMinute(long stalls, int seconds, Severity expected) =>
        Assert.Equal(expected, Limits.Of(0, stalls, TimeSpan.FromSeconds(seconds)));

    private static Finding Costing(Cause cause, Confidence confidence, long count, double costMs, double share, long? harmful = null) => new()
    {
        Cause = cause,
        Confidence = confidence,
        Severity = Limits.Of(share, 0, TimeSpan.Zero),
        Count = count,
        CostMs = costMs,
        CostShare = share,
        Harmful = harmful,
    };

    /// <summary>Whoever makes the finding: share, time lost by a stall, certainty and cause bound it together.</summary>
    [Theory]
    [InlineData(Cause.NagleDelayedAck, Confidence.Likely, 1000, 300, 0.97, Severity.Info)]
    [InlineData(Cause.NagleHold, Confidence.Likely, 400, 396, 0.6, Severity.Info)]
    [InlineData(Cause.NagleHold, Confidence.Likely, 400, 400, 0.6, Severity.Warning)]
    [InlineData(Cause.NagleHold, Confidence.Confirmed, 400, 1996, 0.6, Severity.Warning)]
    [InlineData(Cause.NagleHold, Confidence.Likely, 400, 2000, 0.6, Severity.Error)]
    [InlineData(Cause.NagleDelayedAck, Confidence.Possible, 400, 80_000, 0.99, Severity.Warning)]
    [InlineData(Cause.LossRto, Confidence.Likely, 40, 8000, 0.049, Severity.Info)]
    [InlineData(Cause.LossRto, Confidence.Likely, 1, 215, 0.95, Severity.Error)]
    [InlineData(Cause.NetworkRtt, Confidence.Likely, 400, 80_000, 0.99, Severity.Info)]
    [InlineData(Cause.ServerThink, Confidence.Confirmed, 400, 80_000, 0.99, Severity.Info)]
    [InlineData(Cause.ClientThink, Confidence.Confirmed, 400, 80_000, 0.99, Severity.Info)]
    [InlineData(Cause.Bufferbloat, Confidence.Likely, 90_000, 9000, 0.5, Severity.Error)]
    [InlineData(Cause.LevelShift, Confidence.Likely, 1, 9000, 0.5, Severity.Error)]
    public void Severity_Bounded_ByCauseCertaintyAndTimePerStall(
        Cause cause, Confidence confidence, long count, double costMs, double share, Severity expected) =>
        Assert.Equal(expected, Costing(cause, confidence, count, costMs, share).Severity);

    [Fact]
    public void Severity_OfTimers_CountsTheOnesThatSomethingWaitedFor()
    {
        Assert.Equal(Severity.Error, Costing(Cause.DelayedAck, Confidence.Likely, 5000, 2000, 0.3, harmful: 10).Severity);
        Assert.Equal(Severity.Info, Costing(Cause.DelayedAck, Confidence.Likely, 5000, 2000, 0.3).Severity);
    }

    [Theory]
    [InlineData(1, 0.009, Severity.Info)]
    [InlineData(1, 0.01, Severity.Error)]
    [InlineData(2, 0.009, Severity.Error)]
    public void Severity_ASingleStall_CountsFromAHundredthOfTheTime(long count, double share, Severity expected) =>
        Assert.Equal(expected, (Costing(Cause.LossRto, Confidence.Likely, count, 500, share) with { Severity = Severity.Error }).Severity);

    [Fact]
    public void SeverityLimits_GivenOnes_Hold()
    {
        SeverityLimits own = new() { WarningShare = 0.5, ErrorShare = 0.9, LongStallsPerMinute = 1000 };
        Assert.Equal(
            (Severity.Info, Severity.Warning, Severity.Error),
            (own.Of(0.49, 999, TimeSpan.Zero), own.Of(0.5, 0, TimeSpan.Zero), own.Of(0.1, 1000, TimeSpan.Zero)));
        Assert.Equal(Severity.Info, MeasuredNagleRule.Evaluate(Facts(SplitStalled(acks: 100)), own with { WarningShare = 2, ErrorShare = 2 })!.Severity);
    }

    [Fact]
    public void Findings_CostliestFirst()
    {
        MeasurementResult result = Measured([.. Times(100, 62), .. Times(30, 20)], SplitPlan, noDelay: false, local: Counters(130, minRttUs: 10_000));
        IReadOnlyList<Finding> findings = MeasurementFindings.Of(Facts(result), Limits);
        Assert.Equal(Cause.NagleDelayedAck, findings[0].Cause);
        Assert.Equal(findings.OrderByDescending(f => f.Severity).ThenByDescending(f => f.CostMs), findings);
    }
}
