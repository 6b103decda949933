using LatencyTuner.Core.Statistics;
using Xunit;

namespace LatencyTuner.Tests.Statistics;

public sealed class BestOfTwoPredictions
{
    private const double Scale = 1_000_000;
    private static readonly double[] Quantiles = [0.5, 0.9, 0.99];

    [Fact]
    public void Exponentials_AtOnce_HaveTheQuantilesOfTheFasterExponential()
    {
        // The smaller of two exponentials is exponential with the sum of their rates.
        IReadOnlyList<BestOfTwoQuantile> found = BestOfTwo.Predict(Exponential(1, 4000, 1), Exponential(2, 4000, 0.5), [0], Quantiles, 3);

        foreach (BestOfTwoQuantile q in found)
        {
            double exact = -Math.Log(1 - q.Quantile) / 1.5 * Scale;
            Assert.InRange(exact, q.Low, q.High);
            Assert.InRange(q.Independent, exact * 0.85, exact * 1.15);
            Assert.True(q.Best <= q.Independent && q.Independent <= q.Worst);
        }
    }

    [Fact]
    public void Prediction_BracketsWhatPairsOfIndependentValuesGive()
    {
        int bracketed = 0;
        for (int seed = 0; seed < 20; seed++)
        {
            const double Delay = 0.8;
            double[] first = Draw(100 + seed, 20_000, 1);
            double[] second = Draw(200 + seed, 20_000, 1);
            double[] measured = [.. first.Zip(second, (x, y) => Math.Min(x, y + Delay)).Order()];

            BestOfTwoQuantile q =
                BestOfTwo.Predict(Exponential(300 + seed, 1000, 1), Exponential(400 + seed, 1000, 1), [(long)(Delay * Scale)], [0.95], seed)[0];

            bracketed += q.Low <= measured[19_000] * Scale && measured[19_000] * Scale <= q.High ? 1 : 0;
        }

        // 95 % intervals: 20 of 20 happen with 0.36, 16 or more with 0.997.
        Assert.InRange(bracketed, 16, 20);
    }

    [Fact]
    public void SharedCause_IsAtTheUpperBound()
    {
        long[] both = Exponential(7, 3000, 1);

        foreach (BestOfTwoQuantile q in BestOfTwo.Predict(both, both, [0], Quantiles, 1))
        {
            long measured = both.Order().ElementAt((int)Math.Ceiling(q.Quantile * both.Length) - 1);
            Assert.Equal(measured, q.Worst);
            Assert.True(q.High < measured);
        }
    }

    [Fact]
    public void Delay_BeyondTheSlowest_ChangesNothing()
    {
        long[] first = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

        BestOfTwoQuantile q = BestOfTwo.Predict(first, [1], [1000], [0.5], 1)[0];

        Assert.Equal((5, 5, 5), (q.Independent, q.Best, q.Worst));
    }

    [Fact]
    public void SmallSeries_AreExact()
    {
        // P(min > t) of {1,3} and {2,4}: 0.5 at 1, 0.25 at 2, 0 at 3.
        IReadOnlyList<BestOfTwoQuantile> found = BestOfTwo.Predict([3, 1], [4, 2], [0], [0.5, 0.75, 0.9], 1);

        Assert.Equal([1, 2, 3], found.Select(q => q.Independent));
    }

    /// <summary>Half of the requests ask the second at once, half never: the faster of both in one half of them, the first alone in the other.</summary>
    [Fact]
    public void DelaysThatDiffer_CountEachAsOften()
    {
        long[] first = [.. Enumerable.Repeat(1000L, 100)];

        IReadOnlyList<BestOfTwoQuantile> found = BestOfTwo.Predict(first, [10], [0, 5000], [0.4, 0.6], 1);

        Assert.Equal([10, 1000], found.Select(q => q.Independent));
    }

    [Fact]
    public void EmptySeries_IsRefused() => Assert.Throws<ArgumentException>(() => BestOfTwo.Predict([], [1], [0], [0.5], 1));

    private static long[] Exponential(int seed, int count, double rate) => [.. Draw(seed, count, rate).Select(x => (long)(x * Scale))];

    private static double[] Draw(int seed, int count, double rate)
    {
        Random random = new(seed);
        return [.. Enumerable.Range(0, count).Select(_ => -Math.Log(1 - random.NextDouble()) / rate)];
    }
}
