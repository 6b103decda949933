using LatencyTuner.Core.Histograms;
using LatencyTuner.Core.Statistics;
using LatencyTuner.Tests.Histograms;
using Xunit;

namespace LatencyTuner.Tests.Statistics;

public sealed class RunComparison
{
    private static readonly int Pairs = Repository.Times(640);
    private static readonly ShiftOptions Options = new() { PracticalLimitNs = 20_000, PracticalLimitShare = 0, Resamples = 500 };

    [Theory]
    [InlineData(3)]
    [InlineData(5)]
    [InlineData(24)]
    public void Compare_SameAgainstSame_SeldomFindsADifference(int runs)
    {
        int wrong = 0;
        for (int pair = 0; pair < Pairs; pair++)
        {
            Random random = new((pair * 100) + runs);
            ShiftOptions options = Options with { PracticalLimitNs = 0, Seed = pair };
            ShiftFunction result = ShiftFunction.Compare(Runs(random, runs, 400), Runs(random, runs, 400), options);
            wrong += result.Verdict is ComparisonVerdict.Better or ComparisonVerdict.Worse ? 1 : 0;
        }
        Assert.InRange(wrong, 0, Pairs / 20);
    }

    [Fact]
    public void Compare_DependentBlocks_SeldomFindsADifference()
    {
        int wrong = 0;
        for (int pair = 0; pair < Pairs; pair++)
        {
            Random random = new(pair);
            ShiftOptions options = Options with { PracticalLimitNs = 0, Seed = pair };
            ShiftFunction result = ShiftFunction.Compare(DependentBlocks(random), DependentBlocks(random), options);
            wrong += result.Verdict is ComparisonVerdict.Better or ComparisonVerdict.Worse ? 1 : 0;
        }
        Assert.InRange(wrong, 0, Pairs / 20);
    }

    [Fact]
    public void Compare_TailWorseAndMedianBetter_IsWorse()
    {
        Random random = new(41);
        LatencyHistogram[] before = Runs(random, 6, 3000);
        LatencyHistogram[] after = Runs(random, 6, 3000, 0.7);
        foreach (LatencyHistogram run in after)
        {
            run.RecordMany(40_000_000, 90);
        }

        ShiftFunction result = ShiftFunction.Compare(before, after, Options);
        Assert.Equal(ComparisonVerdict.Worse, result.Verdict);
        Assert.StartsWith("p99 is worse, although p10, p20,", result.Reason, StringComparison.Ordinal);
        Assert.Contains("to 40", result.Reason, StringComparison.Ordinal);
        Assert.Equal(0.99, result.Shifts[^1].Quantile);
        Assert.True(result.Shifts[^1].Differs);
    }

    [Theory]
    [InlineData(1.5, "Worse")]
    [InlineData(0.6, "Better")]
    public void Compare_ShiftedRuns_IsFound(double factor, string verdict)
    {
        Random random = new(42);
        ShiftFunction result = ShiftFunction.Compare(Runs(random, 5, 2000), Runs(random, 5, 2000, factor), Options);
        Assert.Equal(verdict, result.Verdict.ToString());
        Assert.All(result.Shifts, s => Assert.InRange(s.DeltaNs, s.LowNs, s.HighNs));
    }

    [Fact]
    public void Compare_ShiftBelowThePracticalLimit_IsSame()
    {
        Random random = new(43);
        LatencyHistogram[] before = Runs(random, 6, 20_000);
        LatencyHistogram[] after = Runs(random, 6, 20_000, 1.01);
        ShiftOptions wide = Options with { PracticalLimitShare = 0.2 };
        Assert.Equal(ComparisonVerdict.Same, ShiftFunction.Compare(before, after, wide).Verdict);
        ShiftOptions narrow = Options with { PracticalLimitNs = 10 };
        Assert.NotEqual(ComparisonVerdict.Same, ShiftFunction.Compare(before, after, narrow).Verdict);
    }

    [Fact]
    public void Compare_DifferenceBelowTheTimerResolution_IsNotDeclared()
    {
        LatencyHistogram[] before = Runs(new Random(44), 6, 2000);
        LatencyHistogram[] after = Runs(new Random(45), 6, 2000, 1.5);
        ShiftFunction result = ShiftFunction.Compare(before, after, Options with { TimerResolutionNs = 15_600_000 });
        Assert.Equal(ComparisonVerdict.CannotTell, result.Verdict);
    }

    [Fact]
    public void Compare_TooLittle_CannotTell()
    {
        Random random = new(46);
        ShiftFunction oneRun = ShiftFunction.Compare(Runs(random, 1, 100), Runs(random, 5, 100, 9), Options);
        Assert.Equal(ComparisonVerdict.CannotTell, oneRun.Verdict);
        Assert.Contains("there are 1 before and 5 after", oneRun.Reason, StringComparison.Ordinal);
        ShiftFunction fewValues = ShiftFunction.Compare(Runs(random, 2, 2), Runs(random, 2, 2, 9), Options);
        Assert.Equal(ComparisonVerdict.CannotTell, fewValues.Verdict);
        ShiftFunction someValues = ShiftFunction.Compare(Runs(random, 3, 122), Runs(random, 3, 400), Options);
        Assert.DoesNotContain(someValues.Shifts, s => s.Quantile == 0.99);
        Assert.Contains(someValues.Shifts, s => s.Quantile == 0.95);
    }

    [Fact]
    public void Compare_SameSeed_SameResult()
    {
        LatencyHistogram[] before = Runs(new Random(47), 5, 500);
        LatencyHistogram[] after = Runs(new Random(48), 5, 500);
        Assert.Equal(ShiftFunction.Compare(before, after, Options).Shifts, ShiftFunction.Compare(before, after, Options).Shifts);
    }

    [Fact]
    public void RunQuantiles_OfAWeightedPool_EqualThoseOfTheMergedHistogram()
    {
        LatencyHistogram[] runs = Runs(new Random(49), 11, 700);
        Random random = new(50);
        double[] weights = [.. runs.Select(_ => (double)random.Next(4))];
        LatencyHistogram merged = new();
        for (int r = 0; r < runs.Length; r++)
        {
            for (int i = 0; i < (int)weights[r]; i++)
            {
                merged.Add(runs[r]);
            }
        }
        RunQuantiles quantiles = new(runs);
        foreach (double q in new[] { 0.0001, 0.1, 0.25, 0.5, 0.9, 0.99, 0.999 })
        {
            Assert.Equal(merged.ValueAtPercentile(q * 100), quantiles.Quantile(q, weights));
        }
    }

    private static LatencyHistogram[] Runs(Random random, int runs, int count, double factor = 1) =>
        [.. Enumerable.Range(0, runs).Select(_ =>
            SampleLatencies.ToHistogram(SampleLatencies.LogNormal(random, count, 1e6 * factor * Math.Exp(0.03 * SampleLatencies.Normal(random)), 0.4)))];

    /// <summary>64 blocks whose level wanders from block to block as AR(1).</summary>
    private static LatencyHistogram[] DependentBlocks(Random random)
    {
        long[] levels = SampleLatencies.LogNormal(random, 64, 1e6, 0.05, 0.5);
        return [.. levels.Select(level => SampleLatencies.ToHistogram(SampleLatencies.LogNormal(random, 100, level, 0.4)))];
    }
}
