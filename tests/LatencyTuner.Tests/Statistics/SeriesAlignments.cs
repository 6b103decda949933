using LatencyTuner.Core.Statistics;
using Xunit;

namespace LatencyTuner.Tests.Statistics;

public sealed class SeriesAlignments
{
    private static SeriesAlignment? Align(BinnedSeries a, BinnedSeries b) =>
        SeriesAlignment.Of(a, Periodicity.Find(a) is [var first, ..] ? first : null, b, Periodicity.Find(b) is [var second, ..] ? second : null);

    private static BinnedSeries Swinging(int seed, double period, double turns, int n = 3600, double noise = 15, int from = 0) => new(
        SyntheticSeries.Start + from, 1,
        SyntheticSeries.Plus(new SyntheticSeries(seed).White(n, noise), t => 8 * Math.Cos(2 * Math.PI * (((t + from) / period) - turns))));

    [Theory]
    [InlineData(0)]
    [InlineData(0.2)]
    [InlineData(-0.35)]
    [InlineData(0.5)]
    public void Of_TwoHostsInStep_HasThePhaseWithinFivePercent(double behind)
    {
        int tries = Repository.Times(64);
        (int locked, int covered) = (0, 0);
        for (int seed = 0; seed < tries; seed++)
        {
            SeriesAlignment found = Align(Swinging(seed, 60, 0), Swinging(seed + 1000, 60, behind, n: 3000, from: 300))!;
            double error = found.PhaseDifference!.Value - behind;
            Assert.InRange(error - Math.Round(error), -0.05, 0.05);
            Assert.Equal(2700, found.CommonSeconds, 600.0);
            locked += found.Verdict == AlignmentVerdict.Locked ? 1 : 0;
            double wrapped = behind + Math.Round(found.PhaseDifference.Value - behind);
            covered += found.PhaseLow <= wrapped && found.PhaseHigh >= wrapped ? 1 : 0;
        }
        Assert.InRange(locked, tries * 23 / 25, tries);
        Assert.InRange(covered, tries * 21 / 25, tries);
    }

    [Fact]
    public void Of_DifferentPeriods_ExcludesACommonCause()
    {
        SeriesAlignment found = Align(Swinging(1, 60, 0), Swinging(2, 63, 0))!;

        Assert.Equal(AlignmentVerdict.Independent, found.Verdict);
        Assert.False(found.SamePeriod);
    }

    [Fact]
    public void Of_OneThatDoesNotSwing_IsNotLocked()
    {
        for (int seed = 0; seed < Repository.Times(96); seed++)
        {
            SeriesAlignment found = Align(Swinging(seed, 60, 0), SyntheticSeries.Binned(new SyntheticSeries(seed + 100).Red(3600, 0.8, 15)))!;
            Assert.NotEqual(AlignmentVerdict.Locked, found.Verdict);
        }
    }

    [Theory]
    [InlineData(0, 0.96, 1)]
    [InlineData(1, 0, 0.04)]
    [InlineData(6, 0, 0)]
    public void Of_SecondWithoutASwing_LeavesTheFirstTheOnlyOne(double amplitude, double least, double most)
    {
        int tries = Repository.Times(96);
        (int only, int bounded) = (0, 0);
        for (int seed = 0; seed < tries; seed++)
        {
            BinnedSeries first = Swinging(seed, 60, 0, noise: 4);
            BinnedSeries second = new(
                SyntheticSeries.Start, 1,
                SyntheticSeries.Plus(new SyntheticSeries(seed + 100).White(3600, 4), t => amplitude * Math.Cos(2 * Math.PI * t / 60)));
            SeriesAlignment found = SeriesAlignment.Of(first, Periodicity.Find(first)[0], second, null)!;
            only += found.Verdict == AlignmentVerdict.OnlyOneOscillates ? 1 : 0;
            bounded += found.Verdict == AlignmentVerdict.Locked || found.OtherAmplitudeHigh >= 0.9 * amplitude ? 1 : 0;
        }
        Assert.InRange(only, least * tries, most * tries);
        Assert.InRange(bounded, 0.94 * tries, tries);
    }

    [Fact]
    public void Of_NoCommonTime_CannotTell()
    {
        SeriesAlignment found = Align(Swinging(1, 60, 0), Swinging(2, 60, 0, from: 100_000))!;

        Assert.Equal(AlignmentVerdict.CannotTell, found.Verdict);
        Assert.Null(found.PhaseDifference);
    }

    [Fact]
    public void Of_TwoQuietSeries_IsNothing() =>
        Assert.Null(Align(SyntheticSeries.Binned(new SyntheticSeries(1).White(600, 5)), SyntheticSeries.Binned(new SyntheticSeries(2).White(600, 5))));
}
