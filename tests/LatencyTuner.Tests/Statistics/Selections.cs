using LatencyTuner.Core.Statistics;
using Xunit;

namespace LatencyTuner.Tests.Statistics;

/// <summary>A value by its rank is what sorting would put there.</summary>
public sealed class Selections
{
    [Theory]
    [InlineData(1, 5)]
    [InlineData(33, 3)]
    [InlineData(1000, 1)]
    [InlineData(1000, 7)]
    [InlineData(5000, 1_000_000)]
    public void At_IsTheValueOfTheSortedOrder(int count, int different)
    {
        Random random = new(count + different);
        long[] values = [.. Enumerable.Range(0, count).Select(_ => (long)random.Next(different))];
        long[] sorted = [.. values.Order()];

        Assert.All([0, count / 3, count / 2, count - 1], i => Assert.Equal(sorted[i], Selection.At([.. values], i)));
        Assert.Equal(sorted, Sorted(values));
        Assert.Equal(sorted[count / 2], Selection.Median([.. values]));
    }

    [Theory]
    [InlineData("rising")]
    [InlineData("falling")]
    [InlineData("organ pipe")]
    public void At_AnyOrder(string order)
    {
        long[] values = [.. Enumerable.Range(0, 10_000).Select(i => (long)(order switch { "rising" => i, "falling" => -i, _ => Math.Min(i, 10_000 - i) }))];
        long[] sorted = [.. values.Order()];

        Assert.Equal(sorted, Sorted(values));
        Assert.All([0, 1, 4999, 5000, 9999], i => Assert.Equal(sorted[i], Selection.At([.. values], i)));
    }

    [Fact]
    public void Median_NoValues_IsZero() => Assert.Equal(0, Selection.Median([]));

    private static long[] Sorted(long[] values)
    {
        long[] sorted = [.. values];
        Selection.Sort(sorted);
        return sorted;
    }
}
