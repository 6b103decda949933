using LatencyTuner.Core.Statistics;
using Xunit;

namespace LatencyTuner.Tests.Statistics;

public sealed class LevelShifts
{
    private const double Start = SyntheticSeries.Start;

    [Fact]
    public void Find_Step_HasItsTimeAndSize()
    {
        int covered = 0;
        for (int seed = 0; seed < 100; seed++)
        {
            double[] values = SyntheticSeries.Plus(new SyntheticSeries(seed).White(1800, 20), t => t > 700 ? 25 : 0);
            LevelShift shift = Assert.Single(ChangePoints.Find(SyntheticSeries.Binned(values)));

            Assert.InRange(shift.TimeSeconds - Start, 680, 720);
            Assert.InRange(shift.Difference, 20, 30);
            Assert.InRange(shift.P, 0, 0.001);
            covered += shift.TimeLowSeconds <= Start + 700 && shift.TimeHighSeconds >= Start + 700 && shift.DifferenceLow <= 25
                && shift.DifferenceHigh >= 25 ? 1 : 0;
        }
        Assert.InRange(covered, 90, 100);
    }

    [Fact]
    public void Find_ClearStep_IsExactToTheBin()
    {
        double[] values = SyntheticSeries.Plus(new SyntheticSeries(1).White(600, 1), t => t > 250 ? 40 : 0);

        LevelShift shift = Assert.Single(ChangePoints.Find(SyntheticSeries.Binned(values)));
        Assert.Equal(Start + 250, shift.TimeSeconds);
        Assert.InRange(shift.TimeHighSeconds - shift.TimeLowSeconds, 0, 4);
    }

    [Fact]
    public void Find_PassingRise_IsTwoShifts()
    {
        double[] values = SyntheticSeries.Plus(new SyntheticSeries(2).White(20_000, 20), t => t is > 7000 and < 7100 ? 60 : 0);

        IReadOnlyList<LevelShift> shifts = ChangePoints.Find(SyntheticSeries.Binned(values));
        Assert.Equal(2, shifts.Count);
        Assert.InRange(shifts[0].TimeSeconds - Start, 6990, 7010);
        Assert.InRange(shifts[1].TimeSeconds - Start, 7090, 7110);
    }

    public static TheoryData<string> Noises => ["white", "heavy", "red 0.5", "red 0.9", "red 0.98", "drift", "decay", "spikes", "small"];

    [Theory]
    [MemberData(nameof(Noises))]
    public void Find_NoiseOrDrift_IsNoShift(string name)
    {
        int alarms = 0;
        for (int seed = 0; seed < Repository.Times(1000); seed++)
        {
            SyntheticSeries s = new(seed);
            double[] values = name switch
            {
                "white" => s.White(1800, 20),
                "heavy" => [.. Enumerable.Range(0, 1800).Select(_ => 1 + Math.Exp(2 * s.Normal()))],
                "red 0.5" => s.Red(1800, 0.5, 20),
                "red 0.9" => s.Red(1800, 0.9, 20),
                "red 0.98" => s.Red(1800, 0.98, 20),
                "drift" => SyntheticSeries.Plus(s.White(1800, 5), t => 0.05 * t),
                "decay" => SyntheticSeries.Plus(s.White(1800, 5), t => 100 * Math.Exp(-t / 500)),
                "spikes" => SyntheticSeries.Plus(s.White(1800, 5), _ => s.Uniform() < 0.02 ? 5000 : 0),
                // Under 5 % of the level nobody would call it a shift.
                _ => SyntheticSeries.Plus(s.White(1800, 2), t => t > 900 ? 3 : 0),
            };
            alarms += ChangePoints.Find(SyntheticSeries.Binned(values)).Count > 0 ? 1 : 0;
        }
        Assert.InRange(alarms, 0, 1);
    }

    public static TheoryData<string, int> ShortNoises
    {
        get
        {
            TheoryData<string, int> data = [];
            foreach (int n in (int[])[60, 120, 300])
            {
                foreach (string name in (string[])["white", "red 0.5", "red 0.7", "red 0.9", "red 0.98", "walk"])
                {
                    data.Add(name, n);
                }
            }
            return data;
        }
    }

    /// <summary>A few minutes of values that hang together look like two levels more often than not: of 2,000 series at most two do.</summary>
    [Theory]
    [MemberData(nameof(ShortNoises))]
    public void Find_ShortNoise_IsNoShift(string name, int n)
    {
        int alarms = 0;
        for (int seed = 0; seed < Repository.Times(2000); seed++)
        {
            SyntheticSeries s = new(seed + 10_000);
            double[] values = name switch
            {
                "white" => s.White(n, 20),
                "walk" => s.Walk(n, 1),
                _ => s.Red(n, double.Parse(name[4..], System.Globalization.CultureInfo.InvariantCulture), 20),
            };
            alarms += ChangePoints.Find(SyntheticSeries.Binned(values)).Count > 0 ? 1 : 0;
        }
        Assert.InRange(alarms, 0, 2);
    }

    /// <summary>A slow rise that is just seen is not clearly a step, and then it is none.</summary>
    [Theory]
    [InlineData(60, 2)]
    [InlineData(120, 2)]
    [InlineData(300, 1)]
    [InlineData(300, 4)]
    public void Find_WeakDrift_IsHardlyEverAShift(int n, double deviations)
    {
        int alarms = Enumerable.Range(0, 500)
            .Count(
                seed =>
                    ChangePoints.Find(
                        SyntheticSeries.Binned(SyntheticSeries.Plus(new SyntheticSeries(seed).White(n, 20), t => 20 * deviations * t / n))).Count > 0);

        Assert.InRange(alarms, 0, 15);
    }

    /// <summary>What that costs: a step of one deviation in five minutes is still found nine times of ten.</summary>
    [Theory]
    [InlineData(300, 1, 440)]
    [InlineData(120, 2, 460)]
    [InlineData(1800, 0.5, 480)]
    public void Find_WeakStep_IsMostlyFound(int n, double deviations, int least)
    {
        int found = Enumerable.Range(0, 500).Count(seed =>
        {
            SyntheticSeries s = new(seed);
            double at = n * (0.2 + (0.6 * s.Uniform()));
            return ChangePoints.Find(SyntheticSeries.Binned(SyntheticSeries.Plus(s.White(n, 20), t => t > at ? 20 * deviations : 0))).Count > 0;
        });

        Assert.InRange(found, least, 500);
    }

    [Fact]
    public void Find_AfterTheOscillationIsTakenOut_SlowSwingIsNoShift()
    {
        double[] values = SyntheticSeries.Plus(new SyntheticSeries(3).White(7200, 5), t => 20 * Math.Sin(2 * Math.PI * t / 900));
        BinnedSeries series = SyntheticSeries.Binned(values);

        Assert.Empty(ChangePoints.Find(OscillationRemoval.Of(series, Periodicity.Find(series))));
    }

    [Fact]
    public void Find_IsTheSameEachTime()
    {
        BinnedSeries series = SyntheticSeries.Binned(SyntheticSeries.Plus(new SyntheticSeries(4).Red(5000, 0.8, 20), t => t > 3000 ? 60 : 0));

        Assert.Equal(ChangePoints.Find(series), ChangePoints.Find(series));
    }

    /// <summary>The chance of the maximum, against its simulation.</summary>
    [Theory]
    [InlineData(400, 3.2)]
    [InlineData(1800, 3.5)]
    public void MaximumP_IsAboutWhatWhiteNoiseDoes(int n, double z)
    {
        int above = 0;
        for (int seed = 0; seed < 4000; seed++)
        {
            above += new ScoreSums(new SyntheticSeries(seed).White(n, 1, 0)).BestSplit(0, n, 20).Z > z ? 1 : 0;
        }

        double expected = ChangePoints.MaximumP(z, n, 20);
        Assert.InRange(above / 4000.0, expected * 0.5, expected * 1.5);
    }
}
