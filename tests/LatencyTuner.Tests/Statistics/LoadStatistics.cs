using LatencyTuner.Core.Statistics;
using Xunit;

namespace LatencyTuner.Tests.Statistics;

public sealed class LoadStatistics
{
    private static long[] Noise(int n, double centreMs, int seed)
    {
        Random random = new(seed);
        return [.. Enumerable.Range(0, n).Select(_ => (long)(centreMs * 1e6 * (0.9 + (0.2 * random.NextDouble()))))];
    }

    [Theory]
    [InlineData(-3, "A+")]
    [InlineData(4.999, "A+")]
    [InlineData(5, "A")]
    [InlineData(29.9, "A")]
    [InlineData(30, "B")]
    [InlineData(60, "C")]
    [InlineData(200, "D")]
    [InlineData(400, "F")]
    [InlineData(1e9, "F")]
    public void Grade_IsThatOfItsThresholds(double addedMs, string letter) => Assert.Equal(letter, BufferbloatScale.Of(addedMs));

    [Fact]
    public void RoundTrips_LeaveTheSlowestTwentiethOut()
    {
        long[] times = [.. Enumerable.Repeat(10_000_000L, 95), .. Enumerable.Repeat(60_000_000_000L, 5)];

        Assert.Equal(6000, Responsiveness.Of(times, 1)!.Value.RoundTripsPerMinute, 1e-6);
    }

    [Fact]
    public void RoundTrips_IntervalHoldsTheEstimate()
    {
        Responsiveness trips = Responsiveness.Of(Noise(500, 20, 1), 1)!.Value;

        Assert.InRange(trips.RoundTripsPerMinute, trips.Low, trips.High);
        Assert.InRange(trips.RoundTripsPerMinute, 2900, 3200);
        Assert.True(trips.High - trips.Low < 200);
    }

    [Fact]
    public void TooFew_IsNothing()
    {
        Assert.Null(Responsiveness.Of(Noise(19, 1, 1), 1));
        Assert.Null(AddedLatency.AtQuantile(Noise(100, 1, 1), Noise(19, 1, 1), 0.9, 1));
        Assert.Throws<ArgumentOutOfRangeException>(() => AddedLatency.AtQuantile(Noise(100, 1, 1), Noise(100, 1, 1), 0.99, 1));
    }

    [Fact]
    public void Added_IntervalCoversTheTruth()
    {
        int all = Repository.Times(400);
        int covered = Enumerable.Range(0, all).Count(seed =>
        {
            AddedLatency added = AddedLatency.AtQuantile(Noise(400, 5, seed), Noise(400, 50, seed + 1000), 0.5, seed)!.Value;
            return added.LowNs <= 45e6 && added.HighNs >= 45e6;
        });

        // 95 % nominally; blocks make it a little less for independent values.
        Assert.InRange(covered, 0.88 * all, all);
    }

    [Fact]
    public void Added_SlowSwings_WidenTheInterval()
    {
        long[] fast = [.. Noise(600, 50, 1)];
        long[] slow = [.. Enumerable.Range(0, 600).Select(i => (long)(50e6 + (25e6 * Math.Sin(i / 95.0))))];
        long[] shuffled = [.. slow];
        new Random(1).Shuffle(shuffled);

        AddedLatency ordered = AddedLatency.OfMean(fast, slow, 1)!.Value;
        AddedLatency mixed = AddedLatency.OfMean(fast, shuffled, 1)!.Value;

        Assert.True(ordered.HighNs - ordered.LowNs > 2 * (mixed.HighNs - mixed.LowNs));
    }
}
