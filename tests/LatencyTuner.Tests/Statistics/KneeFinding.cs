using LatencyTuner.Core.Statistics;
using LatencyTuner.Tests.Histograms;
using Xunit;

namespace LatencyTuner.Tests.Statistics;

public sealed class KneeFinding
{
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Find_Hinge_IsAtTheBend(bool logarithmic)
    {
        double[] levels = [.. Enumerable.Range(1, 12).Select(i => logarithmic ? Math.Pow(2, i) : i * 10.0)];
        double bend = levels[7];
        double[][] runs = Runs(levels, 3, 51, x => logarithmic
            ? 1 + (0.02 * Math.Log2(x)) + (5 * Math.Max(0, Math.Log2(x) - Math.Log2(bend)))
            : 1 + (0.001 * x) + (0.5 * Math.Max(0, x - bend)));
        KneeResult knee = Assert.IsType<KneeResult>(Knee.Find(levels, runs, logarithmic, 1));
        Assert.Equal(bend, knee.X);
        Assert.Equal(bend, knee.LineX);
        Assert.InRange(bend, knee.LowX, knee.HighX);
        Assert.InRange(knee.P, 0, 0.01);
        Assert.InRange(knee.Found, 0.9, 1);
    }

    [Fact]
    public void Find_QueueingCurve_IsNearItsKnee()
    {
        double[] levels = [.. Enumerable.Range(1, 19).Select(i => i * 0.05)];
        KneeResult knee = Assert.IsType<KneeResult>(Knee.Find(levels, Runs(levels, 3, 52, x => 1 / (1 - x)), false, 1));
        Assert.InRange(knee.X, 0.7, 0.9);
    }

    [Fact]
    public void Find_StraightLineOrNoise_SeldomHasAKnee()
    {
        double[] levels = [.. Enumerable.Range(1, 12).Select(i => (double)i)];
        int lines = 0;
        int flats = 0;
        for (int seed = 0; seed < 100; seed++)
        {
            lines += Knee.Find(levels, Runs(levels, 3, seed, x => 5 + (0.3 * x)), false, seed) is null ? 0 : 1;
            flats += Knee.Find(levels, Runs(levels, 3, seed, _ => 5), false, seed) is null ? 0 : 1;
        }
        Assert.InRange(lines, 0, 5);
        Assert.InRange(flats, 0, 5);
        Assert.Null(Knee.Find(levels, [.. levels.Select(_ => new[] { 1.0 })], false, 1));
    }

    [Fact]
    public void Find_ConcaveCurve_HasNoKneeUpwards()
    {
        double[] levels = [.. Enumerable.Range(1, 12).Select(i => (double)i)];
        Assert.Null(Knee.Find(levels, Runs(levels, 3, 53, x => 10 * Math.Sqrt(x)), false, 1));
    }

    [Fact]
    public void Find_BadInput_Throws()
    {
        double[][] runs = [[1], [2], [3], [4], [5]];
        Assert.Throws<ArgumentException>(() => Knee.Find([1, 2, 3, 4], runs[..4], false, 1));
        Assert.Throws<ArgumentException>(() => Knee.Find([1, 2, 3, 4, 4], runs, false, 1));
        Assert.Throws<ArgumentException>(() => Knee.Find([0, 1, 2, 3, 4], runs, true, 1));
        Assert.Throws<ArgumentException>(() => Knee.Find([1, 2, 3, 4, 5], [[1], [], [3], [4], [5]], false, 1));
    }

    [Fact]
    public void Isotonic_PoolsViolators() => Assert.Equal([1, 2.5, 2.5, 3, 5, 5, 5], Knee.Isotonic([1, 3, 2, 3, 6, 5, 4]));

    private static double[][] Runs(double[] levels, int runs, int seed, Func<double, double> curve)
    {
        Random random = new(seed);
        return [.. levels.Select(x => Enumerable.Range(0, runs).Select(_ => curve(x) + (0.05 * SampleLatencies.Normal(random))).ToArray())];
    }
}
