using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Loops;
using Xunit;

namespace LatencyTuner.Tests.Measurement.Loops;

public sealed class SendSchedules
{
    [Theory]
    [InlineData(3)]
    [InlineData(7)]
    [InlineData(1000)]
    [InlineData(29_999.5)]
    [InlineData(1_000_000)]
    public void Constant_ABillionRequests_NoDrift(double rate)
    {
        const long Count = 1_000_000_000;
        SendSchedule schedule = new(rate, Arrivals.Constant, Count, 1);
        long index = 0;
        // The first and the last stretch one by one; between them only the index moves.
        foreach (long upTo in new[] { 1_000L, 100_000L, 3_000_000L })
        {
            for (; index < upTo; index++)
            {
                schedule.Advance();
            }

            Assert.Equal(Count - index, schedule.Left);
            decimal exact = index * 1_000_000_000m / (decimal)rate;
            Assert.InRange(schedule.NextNs - exact, -1m, 1m);
        }

        // The time of a request is its index times the interval: the error of a double at the last one, in nanoseconds.
        double interval = 1e9 / rate;
        decimal last = Count * 1_000_000_000m / (decimal)rate;
        Assert.InRange((decimal)(Count * interval) - last, -last * 1e-15m - 1, (last * 1e-15m) + 1);
    }

    [Theory]
    [InlineData(50)]
    [InlineData(20_000)]
    public void Poisson_Gaps_HaveTheExponentialsMeanAndVariance(double rate)
    {
        const int Count = 400_000;
        SendSchedule schedule = new(rate, Arrivals.Poisson, Count, 42);
        double[] gaps = new double[Count];
        long before = 0;
        for (int i = 0; i < Count; i++)
        {
            gaps[i] = schedule.NextNs - before;
            Assert.True(gaps[i] >= 0);
            before = schedule.NextNs;
            schedule.Advance();
        }

        double mean = gaps.Average();
        double variance = gaps.Sum(g => (g - mean) * (g - mean)) / Count;
        double expected = 1e9 / rate;
        // Five standard errors: 1/sqrt(n) for the mean, sqrt(8/n) for the variance (fourth moment of the exponential).
        Assert.InRange(mean / expected, 1 - (5 / Math.Sqrt(Count)), 1 + (5 / Math.Sqrt(Count)));
        Assert.InRange(variance / (expected * expected), 1 - (5 * Math.Sqrt(8.0 / Count)), 1 + (5 * Math.Sqrt(8.0 / Count)));
        // Memorylessness: the share of gaps beyond one mean is 1/e.
        Assert.InRange(gaps.Count(g => g > expected) / (double)Count, Math.Exp(-1) - 0.005, Math.Exp(-1) + 0.005);
    }

    [Fact]
    public void Poisson_Seed_Reproduces()
    {
        Assert.Equal(Times(5), Times(5));
        Assert.NotEqual(Times(5), Times(6));

        static List<long> Times(int seed)
        {
            SendSchedule schedule = new(1000, Arrivals.Poisson, 100, seed);
            List<long> times = [];
            for (; schedule.Left > 0; schedule.Advance())
            {
                times.Add(schedule.NextNs);
            }

            return times;
        }
    }

    [Theory]
    [InlineData(0)]
    [InlineData(-1)]
    public void Rate_NotPositive_Refused(double rate) =>
        Assert.Throws<ArgumentOutOfRangeException>(() => new SendSchedule(rate, Arrivals.Constant, 1, 1));

    [Theory]
    [InlineData(0.29, 100, 29)]
    [InlineData(0.05, 3000, 150)]
    [InlineData(1.1, 10, 11)]
    [InlineData(0.3, 1, 0)]
    [InlineData(3600, 1_000_000, 3_600_000_000)]
    public void Requests_OfARateInATime_WholeOnes(double seconds, double rate, long expected) =>
        Assert.Equal(expected, MeasurementPlan.Requests(TimeSpan.FromSeconds(seconds), rate));
}
