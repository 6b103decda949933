namespace LatencyTuner.Core.Statistics;

/// <summary>The discrete Fourier transform of a power-of-two length, in place (Cooley and Tukey 1965, radix 2).</summary>
internal static class Fft
{
    private static readonly FrequencyTable Cosines = new(f => Math.SinCos(-2 * Math.PI * f).Cos);
    private static readonly FrequencyTable Sines = new(f => Math.SinCos(-2 * Math.PI * f).Sin);

    /// <summary>The smallest power of two that is not below n.</summary>
    internal static int PowerOfTwo(int n) => (int)System.Numerics.BitOperations.RoundUpToPowerOf2((uint)n);

    /// <summary>Replaces the values by Σ x·e^(−2πi·jk/n).</summary>
    /// <param name="real">Real parts; the length is a power of two.</param>
    /// <param name="imaginary">Imaginary parts, of the same length.</param>
    internal static void Forward(Span<double> real, Span<double> imaginary)
    {
        int n = real.Length;
        for (int i = 1, j = 0; i < n; i++)
        {
            int bit = n >> 1;
            for (; (j & bit) != 0; bit >>= 1)
            {
                j ^= bit;
            }

            j ^= bit;
            if (i < j)
            {
                (real[i], real[j]) = (real[j], real[i]);
                (imaginary[i], imaginary[j]) = (imaginary[j], imaginary[i]);
            }
        }

        (double[] cos, int cosStep) = Cosines.For(n);
        (double[] sin, int sinStep) = Sines.For(n);
        for (int half = 1; half < n; half <<= 1)
        {
            int stride = n / (2 * half);
            for (int start = 0; start < n; start += 2 * half)
            {
                for (int k = 0, c = 0, s = 0; k < half; k++, c += cosStep * stride, s += sinStep * stride)
                {
                    int a = start + k;
                    int b = a + half;
                    double re = (real[b] * cos[c]) - (imaginary[b] * sin[s]);
                    double im = (real[b] * sin[s]) + (imaginary[b] * cos[c]);
                    (real[b], imaginary[b]) = (real[a] - re, imaginary[a] - im);
                    (real[a], imaginary[a]) = (real[a] + re, imaginary[a] + im);
                }
            }
        }
    }
}
