using LatencyTuner.Core.Histograms;
using Xunit;

namespace LatencyTuner.Tests.Histograms;

/// <summary>The buckets of an encoded histogram say the same as the histogram that is made of them.</summary>
public sealed class DecodedHistograms
{
    [Theory]
    [InlineData(0, false)]
    [InlineData(0, true)]
    [InlineData(1, false)]
    [InlineData(1, true)]
    [InlineData(10, false)]
    [InlineData(10, true)]
    [InlineData(5000, false)]
    [InlineData(5000, true)]
    public void Buckets_OfAnEncodedHistogram_AreThoseOfTheHistogram(int count, bool compressed)
    {
        Random random = new(count);
        LatencyHistogram written = new();
        for (int i = 0; i < count; i++)
        {
            written.Record((long)Math.Pow(10, 12.8 * random.NextDouble()));
        }

        byte[] bytes = compressed ? written.EncodeCompressedV2() : written.EncodeV2();
        LatencyHistogram histogram = LatencyHistogram.DecodeCompressedV2(bytes);
        DecodedBuckets buckets = LatencyHistogram.DecodeBuckets(bytes);

        Assert.Equal((histogram.Count, histogram.MinNs, histogram.MaxNs), (buckets.Count, buckets.MinNs, buckets.MaxNs));
        Assert.Equal(written.Count, buckets.Count);
        Assert.True(written.Counts.SequenceEqual(histogram.Counts));
        foreach (double p in new[] { 0.1, 1, 25, 50, 90, 99, 99.9, 100 })
        {
            Assert.Equal(histogram.ValueAtPercentile(p), buckets.ValueAtPercentile(p));
            Assert.Equal(histogram.CountAbove(histogram.ValueAtPercentile(p)), buckets.CountAbove(histogram.ValueAtPercentile(p)));
        }

        foreach (long ns in new[] { 0, 1, 999, 1_000_000, LatencyHistogram.HighestTrackableNs, long.MaxValue })
        {
            Assert.Equal(histogram.CountAbove(ns), buckets.CountAbove(ns));
        }

        LatencyHistogram twice = new();
        twice.Add(buckets);
        twice.Add(buckets);
        histogram.Add(LatencyHistogram.DecodeCompressedV2(bytes));
        Assert.Equal((histogram.Count, histogram.MinNs, histogram.MaxNs, histogram.MeanNs), (twice.Count, twice.MinNs, twice.MaxNs, twice.MeanNs));
        Assert.True(histogram.Counts.SequenceEqual(twice.Counts));
    }
}
