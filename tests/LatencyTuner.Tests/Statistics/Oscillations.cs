using LatencyTuner.Core.Statistics;
using Xunit;

namespace LatencyTuner.Tests.Statistics;

public sealed class Oscillations
{
    private static Func<double, double> Sine(double period, double amplitude, double turns = 0) =>
        t => amplitude * Math.Cos(2 * Math.PI * ((t / period) - turns));

    /// <summary>Half an hour of medians of 10 requests a second: 5 ms of swing, 20 ms of noise in each request.</summary>
    [Fact]
    public void Find_SineInTheNoiseOfRequests_IsAlwaysFoundWithinOnePercent()
    {
        for (int seed = 0; seed < Repository.Times(200); seed++)
        {
            SyntheticSeries noise = new(seed);
            double[] medians = [.. Enumerable.Range(0, 1800).Select(i =>
            {
                double[] requests = noise.White(10, 20);
                Array.Sort(requests);
                return ((requests[4] + requests[5]) / 2) + Sine(60, 5)(i + 0.5);
            })];

            Oscillation found = Assert.Single(Periodicity.Find(SyntheticSeries.Binned(medians)));
            Assert.InRange(found.PeriodSeconds, 59.4, 60.6);
            Assert.InRange(found.Amplitude, 3.7, 6.3);
        }
    }

    /// <summary>The same with one request a second: at this false-alarm limit a search that knew the noise would find 97 of 100.</summary>
    [Fact]
    public void Find_SineInTheNoiseOfSingleRequests_IsMostlyFoundAndNeverMisplaced()
    {
        List<Oscillation> found = [];
        int tries = Repository.Times(400);
        for (int seed = 0; seed < tries; seed++)
        {
            found.AddRange(Periodicity.Find(SyntheticSeries.Binned(SyntheticSeries.Plus(new SyntheticSeries(seed).White(1800, 20), Sine(60, 5)))));
        }

        Assert.InRange(found.Count, 0.88 * tries, tries);
        Assert.All(found, o => Assert.InRange(o.PeriodSeconds, 59.4, 60.6));
        Assert.InRange(found.Count(o => o.PeriodLowSeconds <= 60 && o.PeriodHighSeconds >= 60), 0.9 * found.Count, found.Count);
        Assert.InRange(found.Count(o => o.AmplitudeLow <= 5 && o.AmplitudeHigh >= 5), 0.85 * found.Count, found.Count);
    }

    public static TheoryData<string> Noises => ["white", "heavy", "red 0.5", "red 0.9", "red 0.98", "walk", "few", "drift", "decay", "step", "steps"];

    /// <summary>A thousand series without an oscillation: at most one false alarm.</summary>
    [Theory]
    [MemberData(nameof(Noises))]
    public void Find_Noise_IsNoOscillation(string name)
    {
        List<Oscillation> alarms = [];
        for (int seed = 0; seed < Repository.Times(1000); seed++)
        {
            alarms.AddRange(Periodicity.Find(SyntheticSeries.Binned(Noise(name, new SyntheticSeries(seed)))));
        }

        Assert.True(alarms.Count <= 1, string.Join("; ", alarms.Select(a => $"{a.PeriodSeconds:0.0} s, p {a.FalseAlarmProbability:e1}")));
    }

    /// <summary>Short series have few frequencies to read their noise from: of 4,000 at most four may be false alarms.</summary>
    [Theory]
    [InlineData(120, 0.5)]
    [InlineData(300, 0.5)]
    [InlineData(300, 0.7)]
    [InlineData(600, 0.7)]
    public void Find_ShortRedNoise_IsNoOscillation(int n, double phi)
    {
        int alarms = 0;
        for (int seed = 0; seed < Repository.Times(4000); seed++)
        {
            alarms += Periodicity.Find(SyntheticSeries.Binned(new SyntheticSeries(seed + 20_000).Red(n, phi, 20))).Count;
        }

        Assert.InRange(alarms, 0, 4);
    }

    [Fact]
    public void Find_SwingInAShortSeries_IsMostlyFound() => Assert.InRange(
        Enumerable.Range(0, 100)
            .Count(
                seed => Periodicity.Find(SyntheticSeries.Binned(SyntheticSeries.Plus(new SyntheticSeries(seed).White(300, 7), Sine(20, 5)))).Count == 1), 90,
                100);

    private static double[] Noise(string name, SyntheticSeries s) => name switch
    {
        "white" => s.White(1800, 20),
        "heavy" => [.. Enumerable.Range(0, 1800).Select(_ => 1 + Math.Exp(2 * s.Normal()))],
        "red 0.5" => s.Red(1800, 0.5, 20),
        "red 0.9" => s.Red(1800, 0.9, 20),
        "red 0.98" => s.Red(1800, 0.98, 20),
        "walk" => s.Walk(1800, 1),
        "few" => s.Red(300, 0.5, 20),
        "drift" => SyntheticSeries.Plus(s.White(1800, 5), t => 0.1 * t),
        "decay" => SyntheticSeries.Plus(s.White(1800, 5), t => 100 * Math.Exp(-t / 500)),
        "step" => SyntheticSeries.Plus(s.White(1800, 5), t => t > 800 ? 50 : 0),
        _ => SyntheticSeries.Plus(s.White(1800, 5), t => 30 * ((int)(t / 450) % 2)),
    };

    [Fact]
    public void Find_SpikeOnceAMinute_IsAPulseOfThatPeriod()
    {
        double[] values = SyntheticSeries.Plus(new SyntheticSeries(3).White(3600, 1, 5), t => t % 60 < 2 ? 40 : 0);

        Oscillation found = Assert.Single(Periodicity.Find(SyntheticSeries.Binned(values)));
        Assert.InRange(found.PeriodSeconds, 59.8, 60.2);
        Assert.InRange(found.ProfileSwing, 12, 45);
        // The first Fourier coefficient of a pulse of 40 for 2 of 60 s: 2·40/π·sin(π·2/60).
        Assert.InRange(found.Amplitude, 2.5, 2.85);
        Assert.InRange(2.66, found.AmplitudeLow, found.AmplitudeHigh);
    }

    /// <summary>One request of 900 ms in a series that swings by 10 ms: neither the amplitude nor the swing may follow it.</summary>
    [Theory]
    [InlineData(600, 60, 1, 300)]
    [InlineData(600, 60, 2, 17)]
    [InlineData(3600, 60, 3, 1799)]
    [InlineData(900, 31, 4, 899)]
    [InlineData(1800, 150, 5, 0)]
    public void Find_OneOutlier_ChangesNoAmplitude(int seconds, double period, int seed, int at)
    {
        double[] values = SyntheticSeries.Plus(new SyntheticSeries(seed).White(seconds, 0.5, 20), t => 5 * Math.Sin(2 * Math.PI * t / period));
        IReadOnlyList<Oscillation> before = Periodicity.Find(SyntheticSeries.Binned([.. values]));
        Assert.Equal([period], before.Select(o => Math.Round(o.PeriodSeconds)));
        Oscillation clean = before[0];
        values[at] = 900;

        Oscillation found = Assert.Single(Periodicity.Find(SyntheticSeries.Binned(values)));
        Assert.InRange(found.PeriodSeconds / clean.PeriodSeconds, 0.995, 1.005);
        Assert.InRange(found.Amplitude / clean.Amplitude, 0.9, 1.1);
        Assert.InRange(found.AmplitudeHigh / clean.AmplitudeHigh, 0.8, 1.2);
        Assert.InRange(found.ProfileSwing / clean.ProfileSwing, 0.9, 1.1);
    }

    /// <summary>A host that is measured twenty of every thirty minutes: the spectrum of the gaps is that of the swing as well.</summary>
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void Find_RegularGaps_MakeNoOscillationsOfTheirOwn(int seed)
    {
        double[] values = SyntheticSeries.Plus(new SyntheticSeries(seed).White(7200, 10), Sine(45, 6));
        for (int i = 0; i < values.Length; i++)
        {
            values[i] = i / 600 % 3 == 1 ? double.NaN : values[i];
        }

        Assert.InRange(Assert.Single(Periodicity.Find(SyntheticSeries.Binned(values))).PeriodSeconds, 44.9, 45.1);
    }

    [Fact]
    public void Find_TwoPeriodsWithGaps_AreBothThere()
    {
        double[] values = SyntheticSeries.Plus(SyntheticSeries.Plus(new SyntheticSeries(5).White(7200, 6), Sine(45, 6)), Sine(43, 5));
        for (int i = 0; i < values.Length; i++)
        {
            values[i] = i / 600 % 3 == 1 ? double.NaN : values[i];
        }

        double[] periods = [.. Periodicity.Find(SyntheticSeries.Binned(values)).Select(o => o.PeriodSeconds).Order()];
        Assert.Equal(2, periods.Length);
        Assert.InRange(periods[0], 42.8, 43.2);
        Assert.InRange(periods[1], 44.8, 45.2);
    }

    [Fact]
    public void Find_Sawtooth_IsItsPeriodAndNoHarmonic()
    {
        double[] values = SyntheticSeries.Plus(new SyntheticSeries(4).White(3600, 5), t => t % 100 * 0.3);

        Assert.InRange(Assert.Single(Periodicity.Find(SyntheticSeries.Binned(values))).PeriodSeconds, 99, 101);
    }

    [Fact]
    public void Find_TwoPeriods_AreBothThere()
    {
        double[] values = SyntheticSeries.Plus(SyntheticSeries.Plus(new SyntheticSeries(5).White(7200, 10), Sine(47, 5)), Sine(610, 8));

        double[] periods = [.. Periodicity.Find(SyntheticSeries.Binned(values)).Select(o => o.PeriodSeconds).Order()];
        Assert.Equal(2, periods.Length);
        Assert.InRange(periods[0], 46.5, 47.5);
        Assert.InRange(periods[1], 604, 616);
    }

    [Fact]
    public void Find_StepDriftAndOscillationTogether_KeepsTheOscillation()
    {
        double[] values =
            SyntheticSeries.Plus(SyntheticSeries.Plus(new SyntheticSeries(6).Red(3600, 0.7, 5), Sine(60, 5)), t => (t > 2000 ? 60 : 0) + (0.01 * t));

        Assert.InRange(Assert.Single(Periodicity.Find(SyntheticSeries.Binned(values))).PeriodSeconds, 59.4, 60.6);
    }

    [Fact]
    public void Find_GapsAndOutliers_DoNotHideIt()
    {
        SyntheticSeries noise = new(7);
        double[] values = SyntheticSeries.Plus(noise.White(3600, 10), Sine(60, 5));
        for (int i = 0; i < values.Length; i++)
        {
            values[i] = i is > 1000 and < 1400 || noise.Uniform() < 0.2 ? double.NaN : noise.Uniform() < 0.01 ? 30_000 : values[i];
        }

        Assert.InRange(Assert.Single(Periodicity.Find(SyntheticSeries.Binned(values))).PeriodSeconds, 59.4, 60.6);
    }

    /// <summary>10.5 s seen every 10 s looks like 210 s. Even samples cannot tell, and that is said; uneven ones can.</summary>
    [Fact]
    public void Find_PeriodNearTheSampling_IsMarkedAsAPossibleAlias()
    {
        SyntheticSeries noise = new(8);
        double[] values = SyntheticSeries.Plus(noise.White(2000, 3), Sine(10.5, 5), 10);
        Oscillation even = Assert.Single(Periodicity.Find(SyntheticSeries.Binned(values, 10)));

        Assert.Equal(AliasVerdict.Possible, even.Alias);
        Assert.Contains(even.AliasPeriodsSeconds, p => p is > 10.4 and < 10.6);

        (double TimeSeconds, double Value)[] samples = [.. Enumerable.Range(0, 2000).Select(i =>
        {
            double t = (i * 10) + (6 * noise.Uniform());
            return (SyntheticSeries.Start + t, 100 + (3 * noise.Normal()) + Sine(10.5, 5)(t));
        })];
        IReadOnlyList<Oscillation> uneven =
            Periodicity.Find(SyntheticSeries.Binned([.. samples.Select(s => s.Value)], 10), new PeriodicityOptions { Samples = samples });
        Assert.All(uneven, o => Assert.Equal(AliasVerdict.Likelier, o.Alias));
    }

    [Fact]
    public void Find_ManySamplesABin_ExcludeTheAlias()
    {
        SyntheticSeries noise = new(9);
        (double TimeSeconds, double Value)[] samples =
            [.. Enumerable.Range(0, 18_000).Select(i => (SyntheticSeries.Start + (i * 0.1), 100 + (5 * noise.Normal()) + Sine(60, 5)(i * 0.1)))];
        double[] means = [.. samples.Chunk(10).Select(c => c.Average(s => s.Value))];

        Oscillation found = Assert.Single(Periodicity.Find(SyntheticSeries.Binned(means), new PeriodicityOptions { Samples = samples }));
        Assert.NotEqual(AliasVerdict.Likelier, found.Alias);
        Assert.All(found.AliasPeriodsSeconds, p => Assert.InRange(p, 0.09, 0.11));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(39)]
    [InlineData(500)]
    public void Find_NothingToSee_IsNothing(int n)
    {
        Assert.Empty(Periodicity.Find(SyntheticSeries.Binned([.. Enumerable.Repeat(5.0, n)])));
        Assert.Empty(Periodicity.Find(SyntheticSeries.Binned([.. Enumerable.Repeat(double.NaN, n)])));
        Assert.Empty(ChangePoints.Find(SyntheticSeries.Binned([.. Enumerable.Repeat(5.0, n)])));
    }

    /// <summary>Against scipy.signal.lombscargle on the same gapped series (golden/lomb_scargle.py).</summary>
    [Fact]
    public void Find_GoldenSeries_IsWhatScipyFinds()
    {
        double[] golden = [.. GoldenFiles.Lines("lomb_scargle.expected.txt").Select(GoldenFiles.Number)];
        double[] values = [.. GoldenFiles.Lines("lomb_scargle.series.txt").Select(GoldenFiles.Number)];
        Oscillation found = Assert.Single(Periodicity.Find(new BinnedSeries(0, 1, values)));

        Assert.InRange(found.PeriodSeconds, golden[0] * 0.998, golden[0] * 1.002);
        Assert.InRange(found.Amplitude, golden[1] * 0.93, golden[1] * 1.07);
        Assert.InRange(golden[0], found.PeriodLowSeconds, found.PeriodHighSeconds);
    }

    [Fact]
    public void Forward_IsTheFourierTransformOfNumpy()
    {
        double[][] rows = [.. GoldenFiles.Lines("fft.expected.txt").Select(l => l.Split(' ').Select(GoldenFiles.Number).ToArray())];
        double[] real = [.. rows.Select(r => r[0])];
        double[] imaginary = new double[real.Length];
        Fft.Forward(real, imaginary);

        Assert.All(rows.Select((r, i) => (r, i)), x =>
        {
            Assert.Equal(x.r[1], real[x.i], 9);
            Assert.Equal(x.r[2], imaginary[x.i], 9);
        });
    }
}
