using LatencyTuner.Core.Histograms;

namespace LatencyTuner.Tests.Histograms;

/// <summary>Seeded latencies for tests.</summary>
internal static class SampleLatencies
{
    public static double Normal(Random random) =>
        Math.Sqrt(-2 * Math.Log(1 - random.NextDouble())) * Math.Cos(2 * Math.PI * random.NextDouble());

    /// <summary>Log-normal values around the median; with rho above 0 successive ones depend on each other as AR(1).</summary>
    public static long[] LogNormal(Random random, int count, double medianNs, double sigma, double rho = 0)
    {
        long[] values = new long[count];
        double state = Normal(random);
        for (int i = 0; i < count; i++)
        {
            values[i] = (long)(medianNs * Math.Exp(sigma * state));
            state = (rho * state) + (Math.Sqrt(1 - (rho * rho)) * Normal(random));
        }
        return values;
    }

    public static LatencyHistogram ToHistogram(ReadOnlySpan<long> values)
    {
        LatencyHistogram histogram = new();
        foreach (long value in values)
        {
            histogram.Record(value);
        }

        return histogram;
    }
}
