namespace LatencyTuner.Core.Statistics;

/// <summary>
/// The distribution functions for intervals and tests, accurate to about 1e-10. Incomplete beta and gamma by Lentz's continued fraction
/// and series (Press et al., Numerical Recipes, ch. 6), the normal quantile by Acklam's rational start and one Halley step.
/// </summary>
internal static class Distributions
{
    private const double Epsilon = 1e-15;
    private const double Tiny = 1e-300;

    // Acklam's coefficients, highest power first.
    private static readonly double[] TailNumerator =
        [-7.784894002430293e-3, -3.223964580411365e-1, -2.400758277161838, -2.549732539343734, 4.374664141464968, 2.938163982698783];

    private static readonly double[] TailDenominator =
        [7.784695709041462e-3, 3.224671290700398e-1, 2.445134137142996, 3.754408661907416, 1];

    private static readonly double[] CentreNumerator =
        [-3.969683028665376e1, 2.209460984245205e2, -2.759285104469687e2, 1.383577518672690e2, -3.066479806614716e1, 2.506628277459239];

    private static readonly double[] CentreDenominator =
        [-5.447609879822406e1, 1.615858368580409e2, -1.556989798598866e2, 6.680131188771972e1, -1.328068155288572e1, 1];

    /// <summary>P(Z ≤ z) of the standard normal distribution.</summary>
    /// <param name="z">Any number.</param>
    public static double NormalCdf(double z)
    {
        double tail = 0.5 * UpperGammaHalf(z * z / 2);
        return z > 0 ? 1 - tail : tail;
    }

    /// <summary>P(|Z| ≥ |z|) of the standard normal distribution, accurate far out in the tail.</summary>
    /// <param name="z">Any number.</param>
    public static double NormalTwoSided(double z) => UpperGammaHalf(z * z / 2);

    /// <summary>The z with P(Z ≤ z) = p.</summary>
    /// <param name="p">Above 0 and below 1.</param>
    /// <exception cref="ArgumentOutOfRangeException">p is not inside (0, 1).</exception>
    public static double NormalQuantile(double p)
    {
        RequireProbability(p);
        double z;
        if (p is < 0.02425 or > 1 - 0.02425)
        {
            double r = Math.Sqrt(-2 * Math.Log(Math.Min(p, 1 - p)));
            z = Polynomial(TailNumerator, r) / Polynomial(TailDenominator, r);
            z = p < 0.5 ? z : -z;
        }
        else
        {
            double c = p - 0.5;
            z = c * Polynomial(CentreNumerator, c * c) / Polynomial(CentreDenominator, c * c);
        }
        double error = (NormalCdf(z) - p) * Math.Sqrt(2 * Math.PI) * Math.Exp(z * z / 2);
        return z - (error / (1 + (z * error / 2)));
    }

    /// <summary>P(T ≤ t) of Student's t distribution.</summary>
    /// <param name="t">Any number.</param>
    /// <param name="degrees">Degrees of freedom, above 0; can be a fraction.</param>
    public static double StudentCdf(double t, double degrees)
    {
        double tail = 0.5 * IncompleteBeta(degrees / 2, 0.5, degrees / (degrees + (t * t)));
        return t > 0 ? 1 - tail : tail;
    }

    /// <summary>The t with P(T ≤ t) = p.</summary>
    /// <param name="p">Above 0 and below 1.</param>
    /// <param name="degrees">Degrees of freedom, above 0.</param>
    /// <exception cref="ArgumentOutOfRangeException">p is not inside (0, 1), or the degrees are not above 0.</exception>
    public static double StudentQuantile(double p, double degrees)
    {
        RequireProbability(p);
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(degrees);
        if (p < 0.5)
        {
            return -StudentQuantile(1 - p, degrees);
        }

        double low = 0;
        double high = 1;
        while (StudentCdf(high, degrees) < p && high < 1e15)
        {
            high *= 2;
        }

        for (int i = 0; i < 200 && high - low > 1e-14 * high; i++)
        {
            double middle = (low + high) / 2;
            if (StudentCdf(middle, degrees) < p)
            {
                low = middle;
            }
            else
            {
                high = middle;
            }
        }
        return (low + high) / 2;
    }

    /// <summary>P(F ≥ f) of the F distribution.</summary>
    /// <param name="f">0 or more.</param>
    /// <param name="numerator">Degrees of freedom of the numerator.</param>
    /// <param name="denominator">Degrees of freedom of the denominator.</param>
    public static double FUpperTail(double f, double numerator, double denominator) =>
        f <= 0 ? 1 : IncompleteBeta(denominator / 2, numerator / 2, denominator / (denominator + (numerator * f)));

    /// <summary>P(K ≤ k) of the binomial distribution.</summary>
    /// <param name="k">Any number; below 0 gives 0.</param>
    /// <param name="n">Trials, 0 or more.</param>
    /// <param name="p">Probability of success, from 0 to 1.</param>
    public static double BinomialCdf(long k, long n, double p) =>
        k < 0 ? 0 : k >= n ? 1 : IncompleteBeta(n - k, k + 1.0, 1 - p);

    /// <summary>The regularized incomplete beta function I_x(a, b).</summary>
    /// <param name="a">Above 0.</param>
    /// <param name="b">Above 0.</param>
    /// <param name="x">From 0 to 1.</param>
    public static double IncompleteBeta(double a, double b, double x)
    {
        if (x <= 0)
        {
            return 0;
        }

        if (x >= 1)
        {
            return 1;
        }
        // The fraction converges fast only below the mean; above the mean the symmetric fraction does.
        return x < (a + 1) / (a + b + 2)
            ? Front(a, b, x) * BetaFraction(a, b, x) / a
            : 1 - (Front(a, b, x) * BetaFraction(b, a, 1 - x) / b);
    }

    /// <summary>ln Γ(x), by Lanczos' approximation with g = 7 and 9 terms.</summary>
    /// <param name="x">Above 0.</param>
    public static double LogGamma(double x)
    {
        ReadOnlySpan<double> terms =
        [
            0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059, 12.507343278686905,
            -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
        ];
        double sum = terms[0];
        for (int i = 1; i < terms.Length; i++)
        {
            sum += terms[i] / (x - 1 + i);
        }

        double t = x + 6.5;
        return (0.5 * Math.Log(2 * Math.PI)) + ((x - 0.5) * Math.Log(t)) - t + Math.Log(sum);
    }

    private static double Front(double a, double b, double x) =>
        Math.Exp(LogGamma(a + b) - LogGamma(a) - LogGamma(b) + (a * Math.Log(x)) + (b * Math.Log(1 - x)));

    private static double BetaFraction(double a, double b, double x)
    {
        double c = 1;
        double d = 1 / NotZero(1 - ((a + b) * x / (a + 1)));
        double h = d;
        // The number of steps grows with the square root of a and b; 100 000 steps are enough for all sample sizes here.
        for (int m = 1; m <= 100_000; m++)
        {
            double even = m * (b - m) * x / ((a - 1 + (2 * m)) * (a + (2 * m)));
            d = 1 / NotZero(1 + (even * d));
            c = NotZero(1 + (even / c));
            h *= d * c;
            double odd = -(a + m) * (a + b + m) * x / ((a + (2 * m)) * (a + 1 + (2 * m)));
            d = 1 / NotZero(1 + (odd * d));
            c = NotZero(1 + (odd / c));
            h *= d * c;
            if (Math.Abs((d * c) - 1) < Epsilon)
            {
                break;
            }
        }
        return h;
    }

    /// <summary>Q(1/2, x), which is erfc(√x).</summary>
    private static double UpperGammaHalf(double x)
    {
        if (x <= 0)
        {
            return 1;
        }

        double front = Math.Exp(-x) * Math.Sqrt(x / Math.PI);
        if (x < 1.5)
        {
            double term = 2;
            double sum = term;
            for (double a = 1.5; term > sum * Epsilon; a++)
            {
                term *= x / a;
                sum += term;
            }
            return 1 - (front * sum);
        }
        double b = x + 0.5;
        double c = 1 / Tiny;
        double d = 1 / b;
        double h = d;
        for (int i = 1; i <= 10_000; i++)
        {
            double step = -i * (i - 0.5);
            b += 2;
            d = 1 / NotZero((step * d) + b);
            c = NotZero(b + (step / c));
            h *= d * c;
            if (Math.Abs((d * c) - 1) < Epsilon)
            {
                break;
            }
        }
        return front * h;
    }

    private static double Polynomial(double[] coefficients, double x)
    {
        double sum = 0;
        foreach (double coefficient in coefficients)
        {
            sum = (sum * x) + coefficient;
        }

        return sum;
    }

    private static double NotZero(double value) => Math.Abs(value) < Tiny ? Tiny : value;

    private static void RequireProbability(double p)
    {
        if (!(p > 0 && p < 1))
        {
            throw new ArgumentOutOfRangeException(nameof(p), p, "The probability must be above 0 and below 1.");
        }
    }
}
