using System.Collections;
using System.Reflection;
using LatencyTuner.Core.Histograms;
using LatencyTuner.Core.Statistics;
using Xunit;

namespace LatencyTuner.Tests.Statistics;

/// <summary>Series that are plainer than noise: constant, of whole numbers, with one outlier. Every figure of them is a number.</summary>
public sealed class PlainSeries
{
    private static readonly string[] Kinds = ["constant", "two values", "one outlier", "integers", "first different", "last different", "step", "gaps", "ramp"];
    private static readonly double[] Scales = [1e-12, 1e-3, 1, 1e6, 1e15];

    public static TheoryData<string, double> All()
    {
        TheoryData<string, double> all = [];
        foreach (string kind in Kinds)
        {
            foreach (double scale in Scales)
            {
                all.Add(kind, scale);
            }
        }

        return all;
    }

    [Theory]
    [MemberData(nameof(All))]
    public void Shifts_Oscillations_AndTheirAlignment_AreNumbers(string kind, double scale)
    {
        foreach (int n in Lengths(scale))
        {
            double[] values = Values(kind, n, new(n), scale);
            BinnedSeries series = SyntheticSeries.Binned(values);
            IReadOnlyList<Oscillation> oscillations = Periodicity.Find(series);
            IReadOnlyList<LevelShift> shifts = ChangePoints.Find(series);
            AssertNumbers(oscillations, $"{kind} {scale} {n}");
            AssertNumbers(shifts, $"{kind} {scale} {n}");
            AssertNumbers(EffectiveSampleSize.FromSeries([.. values.Where(v => !double.IsNaN(v)).Take(2000)]), "effective");
            foreach (Oscillation oscillation in oscillations)
            {
                BinnedSeries other = SyntheticSeries.Binned(Values(kind, n, new(n + 1), scale));
                AssertNumbers(SeriesAlignment.Of(series, oscillation, other, Periodicity.Find(other) is [var first, ..] ? first : null), $"{kind} {scale} {n}");
            }
        }
    }

    [Theory]
    [MemberData(nameof(All))]
    public void Summaries_Comparisons_AndPredictions_AreNumbers(string kind, double scale)
    {
        foreach (int n in Lengths(scale).Where(n => n < 2000))
        {
            long[] values = [.. Values(kind, n, new(n), scale).Where(v => !double.IsNaN(v)).Select(v => (long)Math.Clamp(Math.Abs(v), 0, 1e18))];
            LatencyHistogram whole = Of(values);
            LatencyHistogram[] parts = [.. values.Chunk(Math.Max(1, n / 5)).Select(Of)];
            string name = $"{kind} {scale} {n}";
            AssertNumbers(LatencySummary.From(whole, null, values), name);
            AssertNumbers(LatencySummary.From(whole, null, []), name);
            AssertNumbers(ShiftFunction.Compare(parts, parts, new ShiftOptions { Resamples = 100 }), name);
            AssertNumbers(values.Length == 0 ? null : BestOfTwo.Predict(values, values, [0, 5], [0.5, 0.99], 1, resamples: 20), name);
            AssertNumbers(AddedLatency.AtQuantile(values, values, 0.9, 1), name);
            AssertNumbers(AddedLatency.OfMean(values, values, 1), name);
            AssertNumbers(Responsiveness.Of(values, 1), name);
            AssertNumbers(AckTimerInference.Infer(whole, 1), name);
            double[][] runs = [.. values.Take(60).Chunk(3).Select(c => Array.ConvertAll(c, v => (double)v))];
            AssertNumbers(runs.Length < 5 ? null : Knee.Find([.. runs.Select((_, i) => i + 1.0)], runs, logarithmic: true, 1), name);
        }
    }

    // A step in a constant series has no noise to hide in, however small it is.
    [Theory]
    [InlineData(1, 1.01)]
    [InlineData(1, 1.3)]
    [InlineData(1, 1000)]
    [InlineData(1000, 1)]
    [InlineData(1e-12, 1.001e-12)]
    [InlineData(1e15, 1.001e15)]
    public void Step_BetweenTwoConstants_IsFound(double before, double after)
    {
        foreach (int n in new[] { 40, 41, 100, 1800, 10_000 })
        {
            foreach (int at in new[] { 20, n / 2, n - 20 })
            {
                double[] values = new double[n];
                Array.Fill(values, before, 0, at);
                Array.Fill(values, after, at, n - at);
                LevelShift shift = Assert.Single(ChangePoints.Find(SyntheticSeries.Binned(values)));
                Assert.Equal((SyntheticSeries.Start + at, before, after), (shift.TimeSeconds, shift.Before, shift.After));
            }
        }
    }

    // A clock of whole milliseconds: two or three values in any order, then the same one higher.
    [Fact]
    public void Step_OfWholeMilliseconds_IsFound()
    {
        Random random = new(1);
        double[] values = [.. Enumerable.Range(0, 1800).Select(i => random.Next(100) < 3 ? 2.0 : i < 900 ? 1 : 3)];
        LevelShift shift = Assert.Single(ChangePoints.Find(SyntheticSeries.Binned(values)));
        Assert.InRange(shift.TimeSeconds - SyntheticSeries.Start, 895, 905);
    }

    private static int[] Lengths(double scale) =>
        scale == 1 ? [0, 1, 2, 3, 19, 39, 40, 41, 64, 100, 257, Repository.Times(8000), Repository.Times(20_000)] : [0, 2, 40, 97, Repository.Times(8000)];

    private static double[] Values(string kind, int n, Random random, double scale)
    {
        double[] values = new double[n];
        int odd = n == 0 ? 0 : random.Next(n);
        for (int i = 0; i < n; i++)
        {
            values[i] = scale * kind switch
            {
                "two values" => 1 + random.Next(2),
                "one outlier" => i == odd ? 900 : 1,
                "integers" => random.Next(1, 5),
                "first different" => i < 30 ? 1 + random.NextDouble() : 1,
                "last different" => i >= n - 3 ? 5 : 1,
                "step" => i < odd ? 1 : 1.001,
                "gaps" => random.Next(3) == 0 ? double.NaN : i % 7 == 0 ? 2 : 1,
                "ramp" => i,
                _ => 1,
            };
        }

        return values;
    }

    private static LatencyHistogram Of(long[] values)
    {
        LatencyHistogram histogram = new();
        foreach (long value in values)
        {
            histogram.Record(value);
        }

        return histogram;
    }

    /// <summary>Fails when a figure anywhere in a result is no number.</summary>
    private static void AssertNumbers(object? result, string name)
    {
        switch (result)
        {
            case double value:
                Assert.False(double.IsNaN(value), $"{name}: a figure is not a number");
                break;
            case null or string or LatencyHistogram:
                break;
            case IEnumerable items:
                foreach (object? item in items)
                {
                    AssertNumbers(item, name);
                }

                break;
            default:
                if (result.GetType().Namespace?.StartsWith("LatencyTuner", StringComparison.Ordinal) != true || result is Enum)
                {
                    break;
                }

                foreach (PropertyInfo property in result.GetType().GetProperties(BindingFlags.Instance | BindingFlags.Public)
                    .Where(p => p.GetIndexParameters().Length == 0))
                {
                    AssertNumbers(property.GetValue(result), $"{name}, {result.GetType().Name}.{property.Name}");
                }

                break;
        }
    }
}
