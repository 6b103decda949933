namespace LatencyTuner.Core.Statistics;

/// <summary>
/// A function of the frequencies g/n up to a half, for every power of two n from one table: those of a shorter one are among those of a longer one. Many series
/// of one length are searched one after the other, and sines take longer than the transform that they are for.
/// </summary>
/// <param name="of">The function of a frequency, a part of 1.</param>
internal sealed class FrequencyTable(Func<double, double> of)
{
    // Longer ones are rare, and would be kept for good.
    private const int Longest = 1 << 19;
    private double[] _values = [0];

    /// <summary>The values for the frequencies 0/n, 1/n and so on up to a half, each so many places after the one before.</summary>
    /// <param name="length">The n, a power of two.</param>
    internal (double[] Values, int Stride) For(int length)
    {
        double[] values = Volatile.Read(ref _values);
        int known = 2 * (values.Length - 1);
        if (known >= length)
        {
            return (values, known / length);
        }

        double[] made = new double[(length / 2) + 1];
        for (int g = 0; g < made.Length; g++)
        {
            made[g] = of((double)g / length);
        }

        if (length <= Longest)
        {
            // Two threads may make the same at the same time; either is right.
            Volatile.Write(ref _values, made);
        }

        return (made, 1);
    }
}
