namespace LatencyTuner.Core.Statistics;

/// <summary>
/// Finds where a rising curve bends up, for example latency over load: Kneedle (Satopää, Albrecht, Irwin, Raghavan, ICDCSW 2011) on the isotonic
/// medians. A knee is accepted only when two line segments fit better than one (F-test, p ≤ 0.01).
/// </summary>
internal static class Knee
{
    private const double Sensitivity = 1;
    private const double LargestP = 0.01;
    private const int Resamples = 500;

    /// <summary>Finds the knee.</summary>
    /// <param name="levels">Swept levels, strictly rising; at least 5, better 8 or more. Above 0 with a logarithmic axis.</param>
    /// <param name="runs">The results of each level; at least one for each level, better three.</param>
    /// <param name="logarithmic">Whether the level axis is logarithmic, as for sizes and buffers.</param>
    /// <param name="seed">Seed of the resampling for the interval.</param>
    /// <returns>The knee, or null when there is none.</returns>
    /// <exception cref="ArgumentException">The levels or runs are not as described.</exception>
    public static KneeResult? Find(IReadOnlyList<double> levels, IReadOnlyList<IReadOnlyList<double>> runs, bool logarithmic, int seed)
    {
        ArgumentNullException.ThrowIfNull(levels);
        ArgumentNullException.ThrowIfNull(runs);
        Require(levels, runs, logarithmic);
        double[] x = [.. levels.Select(v => logarithmic ? Math.Log(v) : v)];
        int knee = Kneedle(x, [.. runs.Select(r => Median([.. r]))]);
        (int line, double p) = TwoSegments(x, runs);
        if (knee < 0 || p > LargestP)
        {
            return null;
        }

        // A seeded generator, so that the same sweep always gets the same interval.
#pragma warning disable CA5394
        Random random = new(seed);
        List<double> found = new(Resamples);
        double[] medians = new double[x.Length];
        for (int i = 0; i < Resamples; i++)
        {
            for (int level = 0; level < x.Length; level++)
            {
                double[] drawn = new double[runs[level].Count];
                for (int k = 0; k < drawn.Length; k++)
                {
                    drawn[k] = runs[level][random.Next(drawn.Length)];
                }

                medians[level] = Median(drawn);
            }
            int again = Kneedle(x, medians);
            if (again >= 0)
            {
                found.Add(levels[again]);
            }
        }
#pragma warning restore CA5394
        found.Sort();
        double low = found.Count == 0 ? levels[knee] : Math.Min(levels[knee], found[(int)(0.025 * (found.Count - 1))]);
        double high = found.Count == 0 ? levels[knee] : Math.Max(levels[knee], found[(int)Math.Ceiling(0.975 * (found.Count - 1))]);
        return new(levels[knee], low, high, (double)found.Count / Resamples, levels[line], p);
    }

    /// <summary>Makes a series rising by pooling adjacent violators; the result is the nearest rising series in least squares.</summary>
    /// <param name="values">Any numbers.</param>
    internal static double[] Isotonic(ReadOnlySpan<double> values)
    {
        List<(double Sum, int Count)> means = new(values.Length);
        foreach (double value in values)
        {
            (double sum, int count) = (value, 1);
            while (means.Count > 0 && means[^1].Sum / means[^1].Count >= sum / count)
            {
                sum += means[^1].Sum;
                count += means[^1].Count;
                means.RemoveAt(means.Count - 1);
            }
            means.Add((sum, count));
        }
        return [.. means.SelectMany(m => Enumerable.Repeat(m.Sum / m.Count, m.Count))];
    }

    /// <summary>Index of the knee of a convex rising curve, or −1.</summary>
    private static int Kneedle(double[] x, double[] y)
    {
        double[] smooth = Isotonic(y);
        double width = x[^1] - x[0];
        double height = smooth[^1] - smooth[0];
        if (!(height > 0))
        {
            return -1;
        }

        int n = x.Length;
        // Both axes are mirrored: this turns the convex rising curve into a concave rising one, read from the right.
        double[] difference = new double[n];
        for (int i = 0; i < n; i++)
        {
            difference[i] = ((smooth[^1] - smooth[n - 1 - i]) / height) - ((x[^1] - x[n - 1 - i]) / width);
        }

        double step = Sensitivity / (n - 1);
        int best = -1;
        for (int i = 1; i < n - 1; i++)
        {
            if (difference[i] < difference[i - 1] || difference[i] <= difference[i + 1] || difference[i] <= 0)
            {
                continue;
            }

            if (Confirmed(difference, i, step) && (best < 0 || difference[i] > difference[best]))
            {
                best = i;
            }
        }
        return best < 0 ? -1 : n - 1 - best;
    }

    private static bool Confirmed(double[] difference, int at, double step)
    {
        for (int i = at + 1; i < difference.Length; i++)
        {
            if (difference[i] < difference[at] - step)
            {
                return true;
            }

            if (i < difference.Length - 1 && difference[i] > difference[i - 1] && difference[i] > difference[i + 1])
            {
                return false;
            }
        }
        return false;
    }

    /// <summary>The best hinge a + b·x + c·max(0, x−k) over all inner levels k, against a straight line.</summary>
    private static (int Level, double P) TwoSegments(double[] x, IReadOnlyList<IReadOnlyList<double>> runs)
    {
        double[] xs = [.. runs.SelectMany((r, i) => Enumerable.Repeat(x[i], r.Count))];
        double[] ys = [.. runs.SelectMany(r => r)];
        double[] rest = Residuals(xs, ys);
        double straight = rest.Sum(v => v * v);
        double least = double.PositiveInfinity;
        int best = -1;
        for (int k = 1; k < x.Length - 1; k++)
        {
            double[] hinge = Residuals(xs, [.. xs.Select(v => Math.Max(0, v - x[k]))]);
            double gain = 0;
            double norm = 0;
            for (int i = 0; i < hinge.Length; i++)
            {
                gain += hinge[i] * rest[i];
                norm += hinge[i] * hinge[i];
            }
            // Only an upward bend is a knee here.
            if (gain <= 0 || norm <= 0)
            {
                continue;
            }

            double sum = Math.Max(0, straight - (gain * gain / norm));
            if (sum < least)
            {
                (least, best) = (sum, k);
            }
        }
        double degrees = ys.Length - 4;
        if (best < 0 || degrees <= 0)
        {
            return (Math.Max(0, best), 1);
        }

        return (best, least <= 0 ? 0 : Distributions.FUpperTail((straight - least) / 2 / (least / degrees), 2, degrees));
    }

    /// <summary>The residuals of y after subtracting a least-squares line.</summary>
    private static double[] Residuals(double[] x, double[] y)
    {
        double meanX = x.Average();
        double meanY = y.Average();
        double product = 0;
        double square = 0;
        for (int i = 0; i < x.Length; i++)
        {
            product += (x[i] - meanX) * (y[i] - meanY);
            square += (x[i] - meanX) * (x[i] - meanX);
        }
        double slope = product / square;
        return [.. y.Select((v, i) => v - meanY - (slope * (x[i] - meanX)))];
    }

    private static double Median(double[] values)
    {
        Array.Sort(values);
        return (values[(values.Length - 1) / 2] + values[values.Length / 2]) / 2;
    }

    private static void Require(IReadOnlyList<double> levels, IReadOnlyList<IReadOnlyList<double>> runs, bool logarithmic)
    {
        if (levels.Count < 5)
        {
            throw new ArgumentException($"A knee needs 5 levels or more; there are {levels.Count}.", nameof(levels));
        }

        if (runs.Count != levels.Count || runs.Any(r => r.Count == 0))
        {
            throw new ArgumentException("Every level needs at least one run.", nameof(runs));
        }

        for (int i = 0; i < levels.Count; i++)
        {
            if ((i > 0 && !(levels[i] > levels[i - 1])) || (logarithmic && !(levels[i] > 0)))
            {
                throw new ArgumentException($"Level {levels[i]} must be above the previous level, and above 0 on a logarithmic axis.", nameof(levels));
            }
        }
    }
}

/// <summary>A knee of a sweep. It is valid only for the swept range: another range can move it.</summary>
/// <param name="X">The level of the knee.</param>
/// <param name="LowX">Lower end of its interval.</param>
/// <param name="HighX">Upper end of its interval; both ends equal the knee when each level has one run.</param>
/// <param name="Found">Share of the bootstrap resamples that have a knee, from 0 to 1.</param>
/// <param name="LineX">The level where two line segments fit best, as a cross-check.</param>
/// <param name="P">p-value of the F-test of two line segments against one line.</param>
internal sealed record KneeResult(double X, double LowX, double HighX, double Found, double LineX, double P);
