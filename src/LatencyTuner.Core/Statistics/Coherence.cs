using System.Numerics;

namespace LatencyTuner.Core.Statistics;

/// <summary>Whether the blocks of a demodulated series keep one phase.</summary>
internal static class Coherence
{
    private const int Draws = 2000;

    /// <summary>The probability that blocks with random phases have as much summed power, over all harmonics, as these.</summary>
    internal static double P(Demodulation blocks, double offset, int seed)
    {
        double seen = 0;
        for (int k = 0; k < blocks.Sums.Length; k++)
        {
            Complex sum = Complex.Zero;
            for (int b = 0; b < blocks.Times.Length; b++)
            {
                sum += blocks.Sums[k][b] * Complex.FromPolarCoordinates(1, -2 * Math.PI * (k + 1) * offset * blocks.Times[b]);
            }

            seen += (sum.Real * sum.Real) + (sum.Imaginary * sum.Imaginary);
        }
        // A seeded generator, so that the same series always gets the same result.
#pragma warning disable CA5394
        Random random = new(seed);
        int asMuch = 0;
        for (int draw = 0; draw < Draws; draw++)
        {
            double power = 0;
            foreach (Complex[] sums in blocks.Sums)
            {
                Complex sum = Complex.Zero;
                foreach (Complex block in sums)
                {
                    sum += block * Complex.FromPolarCoordinates(1, 2 * Math.PI * random.NextDouble());
                }

                power += (sum.Real * sum.Real) + (sum.Imaginary * sum.Imaginary);
            }
            asMuch += power >= seen ? 1 : 0;
        }
#pragma warning restore CA5394
        return (asMuch + 1.0) / (Draws + 1);
    }
}
