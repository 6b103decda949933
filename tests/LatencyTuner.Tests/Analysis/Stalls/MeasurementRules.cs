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
