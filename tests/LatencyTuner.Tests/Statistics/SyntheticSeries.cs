using LatencyTuner.Core.Statistics;

namespace LatencyTuner.Tests.Statistics;

/// <summary>Series with a known truth, in milliseconds, one value a second unless said otherwise.</summary>
internal sealed class SyntheticSeries(int seed)
{
    /// <summary>A start far from 0, as real times are.</summary>
    public const double Start = 1_700_000_000;

    private readonly Random _random = new(seed);

    public double Normal() => Math.Sqrt(-2 * Math.Log(1 - _random.NextDouble())) * Math.Cos(2 * Math.PI * _random.NextDouble());

    public double Uniform() => _random.NextDouble();

    public double[] White(int n, double deviation, double centre = 100) => [.. Enumerable.Range(0, n).Select(_ => centre + (deviation * Normal()))];

    /// <summary>Autoregressive noise of order 1 with the given deviation.</summary>
    public double[] Red(int n, double phi, double deviation, double centre = 100)
    {
        double[] values = new double[n];
        double at = Normal();
        for (int i = 0; i < n; i++)
        {
            values[i] = centre + (deviation * at);
            at = (phi * at) + (Math.Sqrt(1 - (phi * phi)) * Normal());
        }
        return values;
    }

    /// <summary>A random walk.</summary>
    public double[] Walk(int n, double step, double centre = 100)
    {
        double[] values = new double[n];
        for (int i = 0; i < n; i++)
        {
            values[i] = i == 0 ? centre : values[i - 1] + (step * Normal());
        }

        return values;
    }

    public static double[] Plus(double[] values, Func<double, double> ofSeconds, double step = 1) =>
        [.. values.Select((v, i) => v + ofSeconds((i + 0.5) * step))];

    public static BinnedSeries Binned(double[] values, double step = 1) => new(Start, step, values);
}
