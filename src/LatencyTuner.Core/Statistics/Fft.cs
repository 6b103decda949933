namespace LatencyTuner.Core.Statistics;

/// <summary>The discrete Fourier transform of a power-of-two length, in place (Cooley and Tukey 1965, radix 2).</summary>
internal static class Fft
{
    /// <summary>The smallest power of two that is not below n.</summary>
    internal static int PowerOfTwo(int n) => (int)System.Numerics.BitOperations.RoundUpToPowerOf2((uint)n);

    /// <summary>Replaces the values by Σ x·e^(−2πi·jk/n).</summary>
    /// <param name="real">Real parts; the length is a power of two.</param>
    /// <param name="imaginary">Imaginary parts, of the same length.</param>
    internal static void Forward(double[] real, double[] imaginary)
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

        double[] cos = new double[n / 2];
        double[] sin = new double[n / 2];
        for (int k = 0; k < n / 2; k++)
        {
            (sin[k], cos[k]) = Math.SinCos(-2 * Math.PI * k / n);
        }

        for (int half = 1; half < n; half <<= 1)
        {
            int stride = n / (2 * half);
            for (int start = 0; start < n; start += 2 * half)
            {
                for (int k = 0, w = 0; k < half; k++, w += stride)
                {
                    int a = start + k;
                    int b = a + half;
                    double re = (real[b] * cos[w]) - (imaginary[b] * sin[w]);
                    double im = (real[b] * sin[w]) + (imaginary[b] * cos[w]);
                    (real[b], imaginary[b]) = (real[a] - re, imaginary[a] - im);
                    (real[a], imaginary[a]) = (real[a] + re, imaginary[a] + im);
                }
            }
        }
    }
}
