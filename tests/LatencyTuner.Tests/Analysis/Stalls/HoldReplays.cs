using LatencyTuner.Core.Analysis.Stalls;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Loops;
using Xunit;
using static LatencyTuner.Tests.SampleResults;

namespace LatencyTuner.Tests.Analysis.Stalls;

/// <summary>Requests of measurements that never happened, replayed without the hold of Nagle's algorithm. The round trip is 1 ms.</summary>
public sealed class HoldReplays
{
    private static CurePrediction Predicted(
        double[] ms, MeasurementPlan? plan = null, double residenceMs = 0, long minRttUs = 1000, long? usualRttUs = null, long retransmitted = 0,
        Func<double, bool>? first = null)
    {
        MeasurementResult result = Measured(
            ms, plan ?? SplitPlan, noDelay: false, residenceMs: residenceMs, first: first,
            local: Counters(ms.Length, retransmitted, minRttUs), peer: Counters(0, minRttUs: minRttUs, rttUs: usualRttUs));
        Finding finding = MeasurementFindings.Of(Facts(result), SeverityLimits.Standard).First(f => f.Cause is Cause.NagleDelayedAck or Cause.NagleHold);
        return Assert.Single(finding.Predictions);
    }

    [Fact]
    public void AllStalled_TakeOneRoundTrip()
    {
        CurePrediction prediction = Predicted(Times(100, 202));

        Assert.Equal((100L, "app01:7117"), (prediction.N, prediction.Of));
        Assert.InRange(prediction.P50Us, 201_900, 202_200);
        Assert.InRange(prediction.P50AfterUs, 990, 1010);
        Assert.InRange(prediction.P99AfterUs, 990, 1020);
        Assert.InRange(prediction.SavesMs, 100 * 200.9, 100 * 201.1);
        Assert.Null(prediction.P99AfterHighUs);
        Assert.Contains("one round trip of 1.00 ms", prediction.Assumes[0], StringComparison.Ordinal);
    }

    /// <summary>What did not stall was held, too: for the round trip of an ACK that came at once.</summary>
    [Fact]
    public void OthersOfTwoRoundTrips_SaveOneAndAreDrawnFrom()
    {
        CurePrediction prediction = Predicted([.. Times(30, 102), .. Times(30, 2.2), .. Times(30, 2.6)]);

        Assert.InRange(prediction.P50Us, 2500, 2650);
        Assert.InRange(prediction.P50AfterUs, 1190, 1630);
        Assert.InRange(prediction.P99AfterUs, 1590, 1630);
        Assert.Contains("as long as the others", prediction.Assumes[0], StringComparison.Ordinal);
    }

    [Fact]
    public void TimeOfTheServerAndGapsOfTheSender_Stay()
    {
        CurePrediction prediction = Predicted(
            Times(100, 232), SplitPlan with { Workload = SplitPlan.Workload with { Gap = TimeSpan.FromMilliseconds(20) } }, residenceMs: 30);

        Assert.InRange(prediction.P50AfterUs, 50_900, 51_200);
    }

    /// <summary>A wait of a second is no timer of 200 ms: it had another reason, and the cure does not remove that.</summary>
    [Fact]
    public void WaitLongerThanTheTimer_KeepsTheRest()
    {
        CurePrediction prediction = Predicted([.. Times(98, 202), 1002, 1002]);

        Assert.InRange(prediction.P50AfterUs, 990, 1010);
        Assert.InRange(prediction.P99AfterUs, 780_000, 802_000);
    }

    /// <summary>The shortest round trip of a path with jitter is not its usual one, and neither is an RTT that another delayed ACK lengthened.</summary>
    [Theory]
    [InlineData(10_000L, 9900, 10_100)]
    [InlineData(60_000L, 9900, 12_200)]
    [InlineData(null, 4900, 5100)]
    public void RoundTrip_IsTheUsualOneOfTheEndThatNobodyHolds(long? usualUs, double low, double high)
    {
        CurePrediction prediction = Predicted(Times(100, 222), minRttUs: 5000, usualRttUs: usualUs);

        Assert.InRange(prediction.P50AfterUs, low, high);
    }

    [Fact]
    public void TimerWithATick_HasNoUpperEnd()
    {
        CurePrediction prediction = Predicted([.. Enumerable.Range(0, 1000).Select(i => 102 + (i * 0.1))]);

        Assert.Null(prediction.P99AfterHighUs);
        Assert.InRange(prediction.P99AfterUs, 990, 1010);
        Assert.Equal(prediction.P50AfterUs, prediction.P99AfterLowUs);
    }

    /// <summary>Waits for an ACK that no known timer delays differ by themselves: their scatter is no time of the path.</summary>
    [Fact]
    public void WaitsWithoutATimer_ScatterThemselves()
    {
        CurePrediction prediction = Predicted([.. Enumerable.Range(0, 1000).Select(i => 70 + (i * 0.02))]);

        Assert.Null(prediction.P99AfterHighUs);
        Assert.InRange(prediction.P99AfterUs, 990, 1010);
    }

    /// <summary>Whether the timer or the path scatters is not visible: the interval holds both.</summary>
    [Fact]
    public void Scatter_OfStalledRequests_WidensTheInterval()
    {
        CurePrediction prediction = Predicted([.. Enumerable.Range(0, 1000).Select(i => 202 + (i * 0.003))]);

        Assert.InRange(prediction.P99AfterLowUs!.Value, 990, 1010);
        Assert.InRange(prediction.P99AfterUs, 1650, 1800);
        Assert.InRange(prediction.P99AfterHighUs!.Value, 2400, 2600);
    }

    /// <summary>One every 20 ms, and a timer of 200 ms: those that join a wait take the rest of it. Without the wait, each takes a round trip.</summary>
    [Fact]
    public void PlannedTimes_RequestsBehindAStalledOneShrinkToo()
    {
        double[] ms = [.. Enumerable.Range(0, 300).Select(i => 202.0 - (i % 10 * 20))];

        CurePrediction prediction = Predicted(ms, SplitPlan with { RatePerSecond = 50, Duration = null, Count = 300 }, first: v => v > 201);

        Assert.InRange(prediction.P50Us, 101_000, 123_000);
        Assert.InRange(prediction.P50AfterUs, 990, 1010);
        Assert.InRange(prediction.SavesMs, 300 * 110.9, 300 * 111.1);
    }

    /// <summary>What joined a wait just before its end did not stall, and is no slow request of the path.</summary>
    [Fact]
    public void PlannedTimes_TheShortRestOfAWaitGoesToo()
    {
        double[] ms = [.. Enumerable.Range(0, 1000).Select(i => i % 25 == 0 ? 202.0 : 202.0 - (i % 25 * 8.2))];

        CurePrediction prediction = Predicted(ms, SplitPlan with { RatePerSecond = 125, Duration = null, Count = 1000 }, first: v => v > 201);

        Assert.True(ms.Count(v => v < 10) >= 40);
        Assert.InRange(prediction.P99AfterUs, 990, 1010);
        Assert.InRange(prediction.P99AfterLowUs!.Value, 990, 1010);
    }

    /// <summary>One request may be under way and takes 30 ms even without the wait, every 20 ms another one is due: the queue stays.</summary>
    [Fact]
    public void PlannedTimes_WhatMustWaitForAnAnswerStillWaits()
    {
        MeasurementPlan plan = SplitPlan with { RatePerSecond = 50, Duration = null, Count = 300, InFlight = 1 };

        CurePrediction prediction = Predicted(Times(300, 30 + 202), plan, residenceMs: 30);

        // After n requests the queue is n times 11 ms long; what was measured here is the limit of what is predicted.
        Assert.InRange(prediction.P50AfterUs, 200_000, 232_100);
        CurePrediction free = Predicted(Times(300, 30 + 202), plan with { InFlight = 16 }, residenceMs: 30);
        Assert.InRange(free.P50AfterUs, 30_900, 31_100);
    }

    [Fact]
    public void BothEndsSplit_IsAssumed()
    {
        MeasurementPlan plan = SplitPlan with { Workload = SplitPlan.Workload with { PeerWrites = 2 } };
        MeasurementResult result = Measured(Times(100, 202), plan, noDelay: false, peerNoDelay: false, local: Counters(100), peer: Counters(100));

        Finding finding = MeasuredNagleRule.Evaluate(Facts(result), SeverityLimits.Standard)!;

        Assert.Contains(Assert.Single(finding.Predictions).Assumes, a => a.Contains("both ends", StringComparison.Ordinal));
    }

    [Fact]
    public void WhatNothingOnAHostCures_PredictsNothing()
    {
        MeasurementResult lost = Measured([.. Times(400, 1), .. Times(20, 210)], local: Counters(0, retransmitted: 20));

        Finding finding = Assert.Single(MeasurementFindings.Of(Facts(lost), SeverityLimits.Standard));

        Assert.Equal(Cause.LossRto, finding.Cause);
        Assert.Empty(finding.Predictions);
    }
}
