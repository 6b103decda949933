using LatencyTuner.Core.Statistics;
using Xunit;

namespace LatencyTuner.Tests.Statistics;

public sealed class RankComparison
{
    /// <summary>The example of the scipy.stats.mannwhitneyu documentation: U = 17, exact p = 0.1111.</summary>
    [Fact]
    public void Compare_PublishedExample()
    {
        MannWhitney result = MannWhitney.Compare([19, 22, 16, 29, 24], [20, 11, 17, 12]);
        Assert.Equal(17, result.U);
        Assert.Equal(1.7146428199, result.Z, 1e-9);
        Assert.Equal(0.1111111111, result.P, 1e-9);
        Assert.Equal(0.15, result.ProbabilityALess, 1e-12);
    }

    [Fact]
    public void Compare_Ties_AreHalf()
    {
        MannWhitney result = MannWhitney.Compare([1, 2, 2, 3], [2, 2, 4, 4]);
        Assert.Equal(4, result.U);
        Assert.Equal(12 / 16.0, result.ProbabilityALess, 1e-12);
        // Σ(t³−t) = 60 + 6, variance 16/12·(9 − 66/56).
        Assert.Equal(-4 / Math.Sqrt(16 / 12.0 * (9 - (66 / 56.0))), result.Z, 1e-12);
        MannWhitney equal = MannWhitney.Compare([5, 5], [5, 5]);
        Assert.Equal((1.0, 0.0), (equal.P, equal.Shift));
    }

    [Fact]
    public void Shift_IsTheMedianDifference()
    {
        Random random = new(31);
        double[] a = [.. Enumerable.Range(0, 1500).Select(_ => random.NextDouble() * 100)];
        double[] b = [.. a.Select(v => v + 7)];
        Assert.Equal(7, MannWhitney.Compare(a, b).Shift, 1e-6);
        Assert.Equal(7, MannWhitney.Compare(a.AsSpan(0, 101), b.AsSpan(0, 101)).Shift, 1e-9);
        Assert.InRange(MannWhitney.Compare(a, b).P, 0, 1e-6);
        Assert.Throws<ArgumentException>(() => MannWhitney.Compare([], [1]));
    }
}
