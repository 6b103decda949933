using LatencyTuner.Core.Histograms;
using Xunit;

namespace LatencyTuner.Tests.Histograms;

public sealed class HistogramRecording
{
    [Fact]
    public void Record_DoesNotAllocate()
    {
        LatencyHistogram histogram = new();
        for (int i = 0; i < 1000; i++)
        {
            histogram.Record(i);
        }

        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int i = 0; i < 1_000_000; i++)
        {
            histogram.Record((i * 7919L) - 5);
        }

        long allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        Assert.Equal(0, allocated);
        Assert.Equal(1_001_000, histogram.Count);
    }

    [Fact]
    public void Enumeration_DoesNotAllocate()
    {
        LatencyHistogram histogram = SampleLatencies.ToHistogram(SampleLatencies.LogNormal(new Random(1), 1000, 1e6, 2));
        long sum = Sum(histogram);
        long before = GC.GetAllocatedBytesForCurrentThread();
        sum += Sum(histogram);
        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
        Assert.Equal(2000, sum);

        static long Sum(LatencyHistogram h)
        {
            long count = 0;
            foreach (HistogramBucket bucket in h)
            {
                count += bucket.Count;
            }

            return count;
        }
    }

    [Fact]
    public void Buckets_AreWithinATenthOfAPercentOverTheRange()
    {
        Random random = new(2);
        for (int i = 0; i < 200_000; i++)
        {
            long value = Math.Min(LatencyHistogram.HighestTrackableNs, (long)Math.Pow(10, random.NextDouble() * 12.5563));
            int index = LatencyHistogram.IndexOf(value);
            long low = LatencyHistogram.LowOf(index);
            long high = LatencyHistogram.HighOf(index);
            Assert.InRange(value, low, high);
            Assert.InRange((high - low) / (double)value, 0, 0.001);
        }
    }

    [Fact]
    public void Buckets_JoinWithoutGapOverTheWholeArray()
    {
        for (int i = 1; i < LatencyHistogram.CountsLength; i++)
        {
            Assert.Equal(LatencyHistogram.HighOf(i - 1) + 1, LatencyHistogram.LowOf(i));
            Assert.Equal(i, LatencyHistogram.IndexOf(LatencyHistogram.LowOf(i)));
        }
        Assert.InRange(LatencyHistogram.IndexOf(LatencyHistogram.HighestTrackableNs), 0, LatencyHistogram.CountsLength - 1);
    }

    [Fact]
    public void ValueAtRank_IsWithinATenthOfAPercentOfTheSortedValues()
    {
        long[] values = SampleLatencies.LogNormal(new Random(3), 20_000, 100_000, 2.5);
        LatencyHistogram histogram = SampleLatencies.ToHistogram(values);
        Array.Sort(values);
        for (int rank = 1; rank <= values.Length; rank += 371)
        {
            Assert.InRange(histogram.ValueAtRank(rank), values[rank - 1], values[rank - 1] * 1.001);
        }

        Assert.Equal(values[^1], histogram.ValueAtRank(values.Length));
        Assert.Equal(values[^1], histogram.ValueAtPercentile(100));
        Assert.Equal(values[0], histogram.ValueAtPercentile(0));
    }

    [Fact]
    public void Moments_AreExact()
    {
        long[] values = SampleLatencies.LogNormal(new Random(4), 5000, 3e6, 1);
        LatencyHistogram histogram = SampleLatencies.ToHistogram(values);
        double mean = values.Average();
        Assert.Equal(mean, histogram.MeanNs, mean * 1e-12);
        Assert.Equal(Math.Sqrt(values.Average(v => (v - mean) * (v - mean))), histogram.StandardDeviationNs, mean * 1e-9);
        Assert.Equal(values.Min(), histogram.MinNs);
        Assert.Equal(values.Max(), histogram.MaxNs);
    }

    [Fact]
    public void StandardDeviation_OfNearlyEqualLargeValues_KeepsItsDigits()
    {
        LatencyHistogram histogram = SampleLatencies.ToHistogram([3_000_000_000_000, 3_000_000_000_002]);
        Assert.Equal(1.0, histogram.StandardDeviationNs, 1e-9);
    }

    [Fact]
    public void Record_OutOfRange_ClampsAndCounts()
    {
        LatencyHistogram histogram = SampleLatencies.ToHistogram([-1, long.MinValue, long.MaxValue, LatencyHistogram.HighestTrackableNs + 1, 5]);
        histogram.RecordMany(-7, 3);
        Assert.Equal(5, histogram.NegativeCount);
        Assert.Equal(2, histogram.SaturatedCount);
        Assert.Equal(8, histogram.Count);
        Assert.Equal(0, histogram.MinNs);
        Assert.Equal(LatencyHistogram.HighestTrackableNs, histogram.MaxNs);
    }

    [Fact]
    public void Add_EqualsRecordingTogether()
    {
        long[] values = SampleLatencies.LogNormal(new Random(5), 10_000, 50_000, 1.5);
        LatencyHistogram together = SampleLatencies.ToHistogram(values);
        LatencyHistogram merged = SampleLatencies.ToHistogram(values.AsSpan(0, 3000));
        merged.Add(SampleLatencies.ToHistogram(values.AsSpan(3000)));
        merged.Add(new LatencyHistogram());
        AssertEqual(together, merged);

        LatencyHistogram copy = new();
        copy.Record(1);
        merged.CopyTo(copy);
        AssertEqual(together, copy);

        LatencyHistogram many = new();
        foreach (IGrouping<long, long> group in values.GroupBy(v => v))
        {
            many.RecordMany(group.Key, group.Count());
        }

        AssertEqual(together, many);
    }

    [Fact]
    public void Reset_ForgetsEverything()
    {
        LatencyHistogram histogram = SampleLatencies.ToHistogram([-1, 7, long.MaxValue]);
        histogram.Reset();
        AssertEqual(new LatencyHistogram(), histogram);
        Assert.Equal(0, histogram.ValueAtPercentile(50));
    }

    [Fact]
    public void CountAbove_AndAtOrBelow_AddUp()
    {
        LatencyHistogram histogram = SampleLatencies.ToHistogram([10, 20, 30, 40]);
        Assert.Equal(0, histogram.CountAtOrBelow(9));
        Assert.Equal(2, histogram.CountAtOrBelow(29));
        Assert.Equal(3, histogram.CountAtOrBelow(30));
        Assert.Equal(1, histogram.CountAbove(30));
        Assert.Equal(4, histogram.CountAbove(-1));
        Assert.Equal(0, histogram.CountAbove(40));
    }

    [Theory]
    [InlineData(-0.1)]
    [InlineData(100.1)]
    [InlineData(double.NaN)]
    public void ValueAtPercentile_OutOfRange_Throws(double percentile) =>
        Assert.Throws<ArgumentOutOfRangeException>(() => SampleLatencies.ToHistogram([1]).ValueAtPercentile(percentile));

    internal static void AssertEqual(LatencyHistogram expected, LatencyHistogram actual)
    {
        Assert.True(expected.Counts.SequenceEqual(actual.Counts));
        Assert.Equal(expected.Count, actual.Count);
        Assert.Equal(expected.Moments, actual.Moments);
    }
}
