using LatencyTuner.Core.Analysis.Stalls;
using LatencyTuner.Core.Histograms;
using LatencyTuner.Core.Measurement;
using Xunit;

namespace LatencyTuner.Tests.Analysis.Stalls;

public sealed class Stalls
{
    private const long Ms = 1_000_000;

    [Fact]
    public void From_Threshold_IsTwoRoundTripsSevenMillisecondsAndTwiceTheJitter()
    {
        LatencyHistogram transport = SampleResults.Histogram([5 + 10.9, 5 + 12.2]);

        StallAnalysis stalls = StallAnalysis.From(transport, rttNs: 3 * Ms, jitterNs: Ms);

        Assert.Equal((6 + 7 + 2) * Ms, stalls.ThresholdNs);
        Assert.Equal(2, stalls.Count);
        Assert.Equal(1, StallAnalysis.From(transport, 3 * Ms, (long)(1.6 * Ms)).Count);
        Assert.Equal(0, StallAnalysis.From(transport, 3 * Ms, 3 * Ms).Count);
    }

    [Fact]
    public void From_Stalled_LosesWhatExceedsOneRoundTrip()
    {
        LatencyHistogram transport = SampleResults.Histogram(SampleResults.Repeat(6, 2), SampleResults.Repeat(3, 44), SampleResults.Repeat(1, 152));

        StallAnalysis stalls = StallAnalysis.From(transport, rttNs: 2 * Ms, jitterNs: 0);

        Assert.Equal((10, 4, 1, 0.4), (stalls.Requests, stalls.Count, stalls.LongCount, stalls.Share));
        Assert.InRange(stalls.LostNs, 275e6, 277e6);
        Assert.InRange(stalls.MedianHoldNs!.Value, 39_900_000, 40_100_000);
        Assert.Equal(40, stalls.Timer!.ClusterMs);
    }

    [Theory]
    [InlineData(99.5, 100, 0)]
    [InlineData(100.5, 100, 1)]
    [InlineData(49, 50, 0)]
    [InlineData(51, 50, 1)]
    public void From_LongStall_CountsFromItsLimit(double lostMs, double limitMs, long expected) =>
        Assert.Equal(expected, StallAnalysis.From(SampleResults.Histogram([lostMs + 1]), Ms, 0, limitMs).LongCount);

    [Fact]
    public void From_GapBetweenTheWrites_IsNoStallAndNotLost()
    {
        LatencyHistogram transport = SampleResults.Histogram(SampleResults.Repeat(50, 31));

        Assert.Equal(50, StallAnalysis.From(transport, Ms, 0).Count);
        Assert.Equal(0, StallAnalysis.From(transport, Ms, 0, gapsNs: 30 * Ms).Count);
        StallAnalysis timer = StallAnalysis.From(SampleResults.Histogram(SampleResults.Repeat(50, 202)), Ms, 0, gapsNs: 30 * Ms);
        Assert.InRange(timer.LostNs, 49.5 * 171e6, 50.5 * 171e6);
        Assert.Equal(200, timer.Timer!.ClusterMs);
    }

    [Fact]
    public void MeasurementFacts_GapOfTheWorkload_IsKnownToTheStalls()
    {
        MeasurementPlan plan = SampleResults.SplitPlan with
        {
            Workload = SampleResults.SplitPlan.Workload with { Writes = [8, 8, 48], Gap = TimeSpan.FromMilliseconds(20), NoDelay = true },
        };

        MeasurementFacts facts = SampleResults.Facts(SampleResults.Measured(SampleResults.Times(100, 41), plan, noDelay: true));

        Assert.Equal(0, facts.Stalls.Count);
        Assert.Equal(49 * Ms, facts.Stalls.ThresholdNs);
    }

    [Fact]
    public void From_HealthyPaths_NoStalls()
    {
        for (int seed = 0; seed < 100; seed++)
        {
            Random random = new(seed);
            double rtt = Math.Exp(random.NextDouble() * 7) * 0.1;
            LatencyHistogram transport = new Holds(seed).Add(500, r => rtt + (r.NextDouble() * (rtt + 6.9))).Histogram;
            Assert.Equal(0, StallAnalysis.From(transport, (long)(rtt * 1e6), 0).Count);
        }
    }

    [Theory]
    [InlineData(0, 0)]
    [InlineData(-5, -5)]
    [InlineData(long.MaxValue, long.MaxValue)]
    [InlineData(1, long.MaxValue)]
    [InlineData(long.MaxValue / 2, 0)]
    public void From_AnyRoundTrip_CountsAreSane(long rttNs, long jitterNs)
    {
        for (int seed = 0; seed < 50; seed++)
        {
            LatencyHistogram transport = new Holds(seed).Add(seed * 3, r => Math.Exp(r.NextDouble() * 22) / 1e6).Histogram;
            StallAnalysis stalls = StallAnalysis.From(transport, rttNs, jitterNs);
            Assert.InRange(stalls.Count, 0, stalls.Requests);
            Assert.InRange(stalls.LongCount, 0, stalls.Count);
            Assert.InRange(stalls.Share, 0, 1);
            Assert.True(double.IsFinite(stalls.LostNs) && stalls.LostNs >= 0);
            Assert.InRange(stalls.ThresholdNs, 7 * Ms, long.MaxValue);
            Assert.Equal(stalls.Count > 0, stalls.MedianHoldNs is not null);
            if (rttNs > 1_000_000_000_000)
            {
                Assert.Equal(0, stalls.Count);
            }
        }
    }
}
