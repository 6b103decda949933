using LatencyTuner.Core.Histograms;
using LatencyTuner.Core.Statistics;
using LatencyTuner.Tests.Histograms;
using Xunit;

namespace LatencyTuner.Tests.Statistics;

public sealed class Intervals
{
    [Theory]
    [InlineData(0.5, 6)]
    [InlineData(0.99, 368)]
    [InlineData(0.999, 3688)]
    [InlineData(0.9999, 36887)]
    public void MinimumSamples_IsWhereTheUpperEndCloses(double q, long samples)
    {
        Assert.Equal(samples, QuantileInterval.MinimumSamples(q, 0.05));
        Assert.NotNull(QuantileInterval.Of(q, samples, samples, 0.05).HighRank);
        Assert.Null(QuantileInterval.Of(q, samples - 1, samples - 1, 0.05).HighRank);
    }

    [Theory]
    [InlineData(20, 0.5, 6, 15)]
    [InlineData(100, 0.5, 40, 61)]
    [InlineData(10, 0.5, 2, 9)]
    public void Of_SmallSamples_PublishedRanks(int n, double q, long low, long high) =>
        Assert.Equal(new QuantileInterval(low, high), QuantileInterval.Of(q, n, n, 0.05));

    [Fact]
    public void Summary_NoIntervalOfAPercentileLeavesWhatWasSeen()
    {
        for (int n = 1; n < 400; n += n < 40 ? 1 : 37)
        {
            Random random = new(n);
            long[] values = [.. Enumerable.Range(0, n).Select(_ => 5_000_000 + random.NextInt64(30_000_000))];
            LatencyHistogram histogram = new();
            Array.ForEach(values, histogram.Record);
            LatencySummary summary = LatencySummary.From(histogram, null, values);

            Assert.All([summary.P10, summary.P50, summary.P90, summary.P99, summary.P999, summary.P9999], p =>
            {
                if (p.HighNs is not null || p.LowNs > 0)
                {
                    Assert.InRange(p.LowNs, values.Min(), values.Max());
                    Assert.InRange(p.HighNs ?? p.LowNs, p.LowNs, values.Max());
                }
            });
        }
    }

    [Fact]
    public void Of_NormalApproximation_AgreesWithTheBinomial()
    {
        const long n = 1_000_000;
        QuantileInterval ranks = QuantileInterval.Of(0.9, n, n, 0.05);
        Assert.InRange(Distributions.BinomialCdf(ranks.LowRank!.Value - 1, n, 0.9), 0.02, 0.0252);
        Assert.InRange(Distributions.BinomialCdf(ranks.HighRank!.Value - 1, n, 0.9), 0.9748, 0.98);
    }

    [Fact]
    public void Of_FewerEffectiveValues_Widens()
    {
        QuantileInterval all = QuantileInterval.Of(0.9, 10_000, 10_000, 0.05);
        QuantileInterval some = QuantileInterval.Of(0.9, 10_000, 500, 0.05);
        Assert.True(some.LowRank < all.LowRank && some.HighRank > all.HighRank);
        Assert.Equal(default, QuantileInterval.Of(0.9, 0, 0, 0.05));
    }

    [Fact]
    public void FromSeries_KnowsAr1()
    {
        Random random = new(21);
        double[] independent = [.. Enumerable.Range(0, 4000).Select(_ => SampleLatencies.Normal(random))];
        Assert.InRange(EffectiveSampleSize.FromSeries(independent), 2800, 4000);
        double sum = 0;
        for (int i = 0; i < 20; i++)
        {
            sum += EffectiveSampleSize.FromSeries([.. SampleLatencies.LogNormal(random, 4000, 1e9, 0.01, 0.8).Select(v => (double)v)]) / 20;
        }
        // n (1−ρ)/(1+ρ) = 444 for ρ = 0.8.
        Assert.InRange(sum, 330, 500);
        Assert.Equal(5, EffectiveSampleSize.FromSeries([1, 1, 1, 1, 1]));
        Assert.Equal(0, EffectiveSampleSize.FromSeries([]));
    }

    [Fact]
    public void FromBlocks_SeesSlowChange()
    {
        long[] counts = [.. Enumerable.Repeat(1000L, 32)];
        Assert.Equal(16_000, EffectiveSampleSize.FromBlocks([.. Enumerable.Repeat(500L, 16)], counts.AsSpan(0, 16)));
        // Half of the blocks all below, the other half all above: as good as 32 values, less the allowance for few blocks.
        double clustered = EffectiveSampleSize.FromBlocks([.. Enumerable.Range(0, 32).Select(i => i % 2 == 0 ? 0L : 1000L)], counts);
        Assert.InRange(clustered, 25, 32);
        Assert.Throws<ArgumentException>(() => EffectiveSampleSize.FromBlocks([1], [1, 2]));
    }

    [Theory]
    [InlineData(0, 1000)]
    [InlineData(0.5, 1000)]
    [InlineData(0.8, 4000)]
    public void From_Series_CoversTheTruth(double rho, int n)
    {
        int trials = Repository.Times(800);
        int[] hits = new int[4];
        for (int trial = 0; trial < trials; trial++)
        {
            long[] values = SampleLatencies.LogNormal(new Random(trial), n, 1e6, 0.5, rho);
            Count(hits, LatencySummary.From(SampleLatencies.ToHistogram(values), null, values), 0.5);
        }
        Assert.All(hits, h => Assert.InRange(h / (double)trials, 0.93, 1));
    }

    [Theory]
    [InlineData(0, 64)]
    [InlineData(0.9, 64)]
    [InlineData(0.9, 10)]
    public void From_Blocks_CoversTheTruth(double rho, int blockCount)
    {
        int trials = Repository.Times(800);
        int[] hits = new int[4];
        for (int trial = 0; trial < trials; trial++)
        {
            long[] values = SampleLatencies.LogNormal(new Random(trial + 1000), blockCount * 300, 1e6, 0.5, rho);
            LatencySummary summary = LatencySummary.From(SampleLatencies.ToHistogram(values), Blocks(values, 300), values.AsSpan(0, 100));
            Count(hits, summary, 0.5);
        }
        Assert.All(hits, h => Assert.InRange(h / (double)trials, 0.93, 1));
    }

    [Fact]
    public void From_TooFewValues_GivesAtLeast()
    {
        long[] values = SampleLatencies.LogNormal(new Random(22), 367, 1e6, 0.5);
        LatencySummary summary = LatencySummary.From(SampleLatencies.ToHistogram(values), null, []);
        Assert.Equal(367, summary.EffectiveCount);
        Assert.Null(summary.P99.ValueNs);
        Assert.Null(summary.P99.HighNs);
        Assert.Equal(values.Max(), summary.P99.AtLeastNs);
        Assert.NotNull(summary.P90.ValueNs);
        Assert.Null(summary.P90.AtLeastNs);
        Assert.InRange(summary.P90.ValueNs!.Value, summary.P90.LowNs, summary.P90.HighNs!.Value);
    }

    [Fact]
    public void From_Nothing_HasNoEstimate()
    {
        LatencySummary summary = LatencySummary.From(new LatencyHistogram(), null, []);
        Assert.Equal(new PercentileEstimate(50, null, 0, null, null), summary.P50);
        Assert.Null(summary.Mean.HighNs);
        Assert.Equal(0, summary.Count);
    }

    private static LatencyBlockList Blocks(long[] values, int size)
    {
        LatencyBlockList blocks = new();
        for (int i = 0; i < values.Length; i += size)
        {
            blocks.Append(SampleLatencies.ToHistogram(values.AsSpan(i, size)), i, i + size);
        }

        return blocks;
    }

    /// <summary>Counts, for p50, p90, p99 and the mean, the intervals that hold the truth of the log-normal distribution.</summary>
    private static void Count(int[] hits, LatencySummary summary, double sigma)
    {
        Hit(hits, 0, summary.P50, 0);
        Hit(hits, 1, summary.P90, 1.2815515655);
        Hit(hits, 2, summary.P99, 2.3263478740);
        double mean = 1e6 * Math.Exp(sigma * sigma / 2);
        hits[3] += summary.Mean.LowNs <= mean && summary.Mean.HighNs >= mean ? 1 : 0;

        void Hit(int[] h, int i, PercentileEstimate estimate, double z)
        {
            double truth = 1e6 * Math.Exp(sigma * z);
            h[i] += estimate.LowNs <= truth && (estimate.HighNs ?? long.MaxValue) >= truth ? 1 : 0;
        }
    }
}
