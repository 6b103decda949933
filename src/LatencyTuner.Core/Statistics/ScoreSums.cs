namespace LatencyTuner.Core.Statistics;

/// <summary>
/// The normal scores of a series without its gaps, with running sums, so that finding the best split of any stretch takes one pass.
/// </summary>
internal sealed class ScoreSums
{
    private readonly double[] _sums;
    private readonly double[] _squares;
    private readonly double[] _weighted;

    /// <summary>Where the run of equal scores began that each score belongs to: what is constant is so exactly, whatever the sums round to.</summary>
    private readonly int[] _runs;

    internal ScoreSums(double[] scores)
    {
        Scores = scores;
        _sums = new double[scores.Length + 1];
        _squares = new double[scores.Length + 1];
        _weighted = new double[scores.Length + 1];
        _runs = new int[scores.Length];
        for (int i = 0; i < scores.Length; i++)
        {
            _sums[i + 1] = _sums[i] + scores[i];
            _squares[i + 1] = _squares[i] + (scores[i] * scores[i]);
            _weighted[i + 1] = _weighted[i] + (scores[i] * i);
            _runs[i] = i > 0 && scores[i] == scores[i - 1] ? _runs[i - 1] : i;
        }
    }

    internal double[] Scores { get; }

    internal double Mean(int from, int to) => (_sums[to] - _sums[from]) / (to - from);

    /// <summary>True when all values are equal.</summary>
    internal bool IsConstant(int from, int to) => to - from <= 1 || _runs[to - 1] <= from;

    /// <summary>Sum of squares around the mean.</summary>
    internal double Rest(int from, int to)
    {
        double sum = _sums[to] - _sums[from];
        return IsConstant(from, to) ? 0 : Math.Max(0, _squares[to] - _squares[from] - (sum * sum / (to - from)));
    }

    /// <summary>Sum of squares around the best straight line.</summary>
    internal double RestOfLine(int from, int to)
    {
        double n = to - from;
        double centre = from + ((n - 1) / 2);
        double square = n * ((n * n) - 1) / 12;
        double product = _weighted[to] - _weighted[from] - (centre * (_sums[to] - _sums[from]));
        return Math.Max(0, Rest(from, to) - (square > 0 ? product * product / square : 0));
    }

    /// <summary>
    /// The split with the largest standardised difference of means; z assumes independent values, and is infinite where both sides are constant. No split of
    /// what is constant.
    /// </summary>
    internal (int At, double Z) BestSplit(int from, int to, int least)
    {
        if (IsConstant(from, to))
        {
            return (-1, 0);
        }

        double n = to - from;
        double total = _sums[to] - _sums[from];
        (int at, double gain) = (-1, 0);
        for (int i = from + least; i <= to - least; i++)
        {
            double left = i - from;
            double excess = _sums[i] - _sums[from] - (total * left / n);
            double own = excess * excess * n / (left * (n - left));
            if (own > gain)
            {
                (at, gain) = (i, own);
            }
        }
        if (at < 0)
        {
            return (-1, 0);
        }

        double rest = (Rest(from, at) + Rest(at, to)) / (n - 2);
        return (at, rest > 0 ? Math.Sqrt(gain / rest) : double.PositiveInfinity);
    }

    /// <summary>
    /// Number of values that are worth one independent value after subtracting the means of both sides of a split. It is estimated from the
    /// autocorrelation of averages over short stretches.
    /// </summary>
    internal double Inflation(int from, int at, int to)
    {
        const int MostMeans = 512;
        int n = to - from;
        int size = Math.Max(1, n / MostMeans);
        double[] means = new double[n / size];
        (double before, double after) = (Mean(from, at), Mean(at, to));
        for (int m = 0; m < means.Length; m++)
        {
            double sum = 0;
            for (int i = from + (m * size); i < from + ((m + 1) * size); i++)
            {
                sum += Scores[i] - (i < at ? before : after);
            }

            means[m] = sum / size;
        }
        double effective = EffectiveSampleSize.FromSeries(means);
        double variance = (Rest(from, at) + Rest(at, to)) / n;
        double ofMeans = means.Sum(m => m * m) / means.Length * size;
        return variance > 0 && effective > 0 ? Math.Max(1, ofMeans / variance * Math.Max(means.Length / effective, AtMost(means))) : 1;
    }

    /// <summary>
    /// Upper bound (95 %) of what first-order autocorrelation adds. A short stretch of correlated values looks more independent than it is, and
    /// even more after the best split has removed its slow part (Kendall 1954, for two means instead of one).
    /// </summary>
    private static double AtMost(double[] means)
    {
        const double OneSided = 1.645;
        double n = means.Length;
        double squares = 0;
        double products = 0;
        for (int i = 0; i < means.Length; i++)
        {
            squares += means[i] * means[i];
            products += i > 0 ? means[i] * means[i - 1] : 0;
        }
        if (!(squares > 0))
        {
            return 1;
        }

        double first = products / squares;
        double unbiased = Math.Clamp(first + (2 * (1 + (3 * first)) / n), -1, 1);
        double highest = unbiased + (OneSided * Math.Sqrt((1 - (unbiased * unbiased)) / n));
        return highest <= 0 ? 1 : highest >= 1 - (1 / n) ? 2 * n : (1 + highest) / (1 - highest);
    }
}
