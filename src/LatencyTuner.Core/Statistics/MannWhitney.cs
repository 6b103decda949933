namespace LatencyTuner.Core.Statistics;

/// <summary>
/// The Mann-Whitney comparison of two samples (Mann and Whitney 1947). It tests stochastic order, not medians, unless the shapes match,
/// and assumes independent values.
/// </summary>
/// <param name="U">Pairs in which the value of A is above that of B, ties counting one half.</param>
/// <param name="Z">U standardised, with the correction for ties.</param>
/// <param name="P">Two-sided: exact for small samples without ties, else from the normal approximation.</param>
/// <param name="ProbabilityALess">P(A &lt; B) + ½ P(A = B).</param>
/// <param name="Shift">Hodges-Lehmann: the median of all differences b − a; positive when B is larger.</param>
public readonly record struct MannWhitney(double U, double Z, double P, double ProbabilityALess, double Shift)
{
    private const int ExactPairs = 400;
    private const long EnumeratedPairs = 1 << 20;

    /// <summary>Compares two samples.</summary>
    /// <param name="a">At least one value, in any order; no NaN.</param>
    /// <param name="b">At least one value, in any order; no NaN.</param>
    /// <exception cref="ArgumentException">A sample is empty.</exception>
    public static MannWhitney Compare(ReadOnlySpan<double> a, ReadOnlySpan<double> b)
    {
        if (a.IsEmpty || b.IsEmpty)
        {
            throw new ArgumentException("Both samples need at least one value.");
        }

        double[] sortedA = a.ToArray();
        double[] sortedB = b.ToArray();
        Array.Sort(sortedA);
        Array.Sort(sortedB);
        double pairs = (double)a.Length * b.Length;
        double u = PairsAbove(sortedA, sortedB);
        double n = a.Length + b.Length;
        double ties = TieSum(sortedA, sortedB);
        double variance = pairs / 12 * (n + 1 - (n > 1 ? ties / (n * (n - 1)) : 0));
        double z = variance > 0 ? (u - (pairs / 2)) / Math.Sqrt(variance) : 0;
        double p = ties == 0 && pairs <= ExactPairs ? ExactP(u, a.Length, b.Length) : Distributions.NormalTwoSided(z);
        return new(u, z, p, 1 - (u / pairs), MedianDifference(sortedA, sortedB));
    }

    private static double PairsAbove(double[] a, double[] b)
    {
        double u = 0;
        int below = 0;
        int notAbove = 0;
        foreach (double value in a)
        {
            while (below < b.Length && b[below] < value)
            {
                below++;
            }

            while (notAbove < b.Length && b[notAbove] <= value)
            {
                notAbove++;
            }

            u += below + (0.5 * (notAbove - below));
        }
        return u;
    }

    private static double TieSum(double[] a, double[] b)
    {
        double[] all = [.. a, .. b];
        Array.Sort(all);
        double sum = 0;
        for (int i = 0; i < all.Length;)
        {
            int j = i + 1;
            while (j < all.Length && all[j] == all[i])
            {
                j++;
            }

            double t = j - i;
            sum += (t * t * t) - t;
            i = j;
        }
        return sum;
    }

    /// <summary>
    /// Counts the arrangements with each U by the recursion of Mann and Whitney, f(i, j, u) = f(i−1, j, u−j) + f(i, j−1, u): the largest
    /// value is one of A and above all j of B, or one of B and above nothing of A.
    /// </summary>
    private static double ExactP(double u, int sizeA, int sizeB)
    {
        int most = sizeA * sizeB;
        double[][] fewer = new double[sizeA + 1][];
        for (int i = 0; i <= sizeA; i++)
        {
            fewer[i] = new double[most + 1];
            fewer[i][0] = 1;
        }
        for (int j = 1; j <= sizeB; j++)
        {
            double[][] now = new double[sizeA + 1][];
            now[0] = fewer[0];
            for (int i = 1; i <= sizeA; i++)
            {
                now[i] = new double[most + 1];
                for (int s = 0; s <= most; s++)
                {
                    now[i][s] = (s >= j ? now[i - 1][s - j] : 0) + fewer[i][s];
                }
            }
            fewer = now;
        }
        double total = fewer[sizeA].Sum();
        double tail = fewer[sizeA].Take((int)Math.Min(u, most - u) + 1).Sum();
        return Math.Min(1, 2 * tail / total);
    }

    private static double MedianDifference(double[] a, double[] b)
    {
        long pairs = (long)a.Length * b.Length;
        if (pairs <= EnumeratedPairs)
        {
            double[] differences = new double[pairs];
            int next = 0;
            foreach (double x in a)
            {
                foreach (double y in b)
                {
                    differences[next++] = y - x;
                }
            }
            Array.Sort(differences);
            return (differences[(pairs - 1) / 2] + differences[pairs / 2]) / 2;
        }
        double low = b[0] - a[^1];
        double high = b[^1] - a[0];
        while (high - low > 1e-9 * Math.Max(Math.Abs(low), Math.Abs(high)))
        {
            double middle = low + ((high - low) / 2);
            if (middle <= low || middle >= high)
            {
                break;
            }

            if (DifferencesUpTo(a, b, middle) * 2 >= pairs)
            {
                high = middle;
            }
            else
            {
                low = middle;
            }
        }
        return high;
    }

    private static long DifferencesUpTo(double[] a, double[] b, double limit)
    {
        long count = 0;
        int j = 0;
        foreach (double x in a)
        {
            while (j < b.Length && b[j] - x <= limit)
            {
                j++;
            }

            count += j;
        }
        return count;
    }
}
