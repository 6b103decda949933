namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>Whether something happened more often than chance explains.</summary>
internal static class Coincidence
{
    /// <summary>Below this probability, chance does not explain an observation.</summary>
    public const double Unlikely = 1e-4;

    /// <summary>The probability that a Poisson variable reaches a count.</summary>
    /// <param name="expected">Its mean, 0 or more.</param>
    /// <param name="count">The count, 0 or more.</param>
    public static double Probability(double expected, long count)
    {
        if (count <= 0)
        {
            return 1;
        }

        if (expected <= 0)
        {
            return 0;
        }

        // The terms from the count on, each from the one before; they fall once past the mean.
        double term = (count * Math.Log(expected)) - expected - LogFactorial(count);
        if (count <= expected)
        {
            return 1;
        }

        double sum = 0;
        double ratio = 1;
        for (long k = count; ratio > 1e-12 && k < count + 10_000; k++)
        {
            sum += ratio;
            ratio *= expected / (k + 1);
        }

        return Math.Min(1, Math.Exp(term) * sum);
    }

    private static double LogFactorial(long n)
    {
        double sum = 0;
        for (long i = 2; i <= Math.Min(n, 1000); i++)
        {
            sum += Math.Log(i);
        }

        // Stirling beyond a thousand.
        return n <= 1000 ? sum : (n * Math.Log(n)) - n + (0.5 * Math.Log(2 * Math.PI * n));
    }
}
