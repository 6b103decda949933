using LatencyTuner.Core.Histograms;
using LatencyTuner.Core.Statistics;
using Xunit;

namespace LatencyTuner.Tests.Statistics;

public sealed class RankPairing
{
    [Fact]
    public void Of_PairsEqualRanks()
    {
        Random random = new(5);
        for (int round = 0; round < 100; round++)
        {
            long[] first = [.. Enumerable.Range(0, random.Next(1, 60)).Select(_ => (long)random.Next(2000)).Order()];
            long[] second = [.. Enumerable.Range(0, random.Next(1, 60)).Select(_ => (long)random.Next(2000)).Order()];

            (long First, long Second)[] pairs =
                [.. RankPairs.Of(Of(first), Of(second)).SelectMany(p => Enumerable.Repeat((p.FirstNs, p.SecondNs), (int)p.Count))];

            Assert.Equal(first, pairs.Select(p => p.First));
            // Below 2,048 ns a histogram is exact.
            for (int i = 0; i < first.Length; i++)
            {
                int from = i * second.Length / first.Length;
                int to = Math.Min(((i + 1) * second.Length / first.Length) + 1, second.Length - 1);
                Assert.InRange(pairs[i].Second, second[from], second[to]);
            }
        }
    }

    [Fact]
    public void Of_NothingToPairWith_IsEmpty() => Assert.Empty(RankPairs.Of(Of([1, 2]), new LatencyHistogram()));

    private static LatencyHistogram Of(long[] values)
    {
        LatencyHistogram histogram = new();
        Array.ForEach(values, histogram.Record);
        return histogram;
    }
}
