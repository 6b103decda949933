using System.Buffers;

namespace LatencyTuner.Core.Statistics;

/// <summary>
/// One octave of the search for oscillations: the series at a resolution of an eighth to a sixteenth of the searched periods, without drift
/// and steps, with its periodogram and the noise background of each frequency.
/// </summary>
/// <remarks>
/// The periodogram is that of Lomb and Scargle, which on a regular grid is the squared Fourier sum; gaps count as the local median. The
/// background is a line through the logarithms of the neighbouring frequencies, so that the null hypothesis fits red noise of any slope. A
/// peak and its neighbours on the grid are left out of it.
/// </remarks>
internal sealed class SpectrumLevel
{
    internal const double ShortestInBins = 8;
    internal const double LongestInBins = 16;
    private const int Window = 65;
    internal const double CapInDeviations = 6;
    private const int MostNeighbours = 100;
    private const int MostOfWhite = 1000;
    private const double EulerGamma = 0.5772156649015329;

    /// <summary>The share of the power that passes the filter of halving, so that the filter adds no slope to the background.</summary>
    private static readonly FrequencyTable Passed = new(cyclesPerBin => Math.Pow(Math.Cos(Math.PI * cyclesPerBin / 2), 6));

    /// <summary>
    /// The share of the power that is left after subtracting the running median. For an oscillation much smaller than the noise, a median acts
    /// like a mean, which weakens some of the searched periods a little and strengthens others.
    /// </summary>
    private static readonly FrequencyTable Kept = new(cyclesPerBin =>
    {
        if (cyclesPerBin * LongestInBins < 1)
        {
            return 1;
        }

        double followed = Math.Sin(Math.PI * Window * cyclesPerBin) / (Window * Math.Sin(Math.PI * cyclesPerBin));
        return (1 - followed) * (1 - followed);
    });

    private readonly double[] _power;
    private readonly double[] _background;
    private readonly int[] _neighbours;
    private readonly bool _isDecimated;

    internal SpectrumLevel(double[] values, double stepSeconds, bool isDecimated)
    {
        _isDecimated = isDecimated;
        StepSeconds = stepSeconds;
        Values = values;
        double[] baseline = values.Length >= Window + (Window / 2) ? RunningMedian.Of(values, Window) : Line(values);
        Residuals = new double[values.Length];
        for (int i = 0; i < values.Length; i++)
        {
            Residuals[i] = values[i] - baseline[i];
        }

        double scale = OrderStatistics.ScaleAroundZero(Residuals);
        // More than half of the values are equal: use the deviation of the others.
        if (!(scale > 0))
        {
            scale = OrderStatistics.ScaleAroundZero(Residuals.Where(r => r != 0));
        }

        double cap = CapInDeviations * scale;
        for (int i = 0; i < values.Length; i++)
        {
            if (double.IsNaN(Residuals[i]))
            {
                continue;
            }

            Count++;
            if (Math.Abs(Residuals[i]) > cap)
            {
                Residuals[i] = Math.Sign(Residuals[i]) * cap;
                Values[i] = baseline[i] + Residuals[i];
            }
        }
        // A finer grid loses less of a peak between its points, but is too slow for a long series.
        PaddedLength = Fft.PowerOfTwo((values.Length < 1 << 17 ? 4 : 2) * values.Length);
        _power = Power();
        (_background, _neighbours) = Background();
    }

    /// <summary>Length of a bin, seconds.</summary>
    internal double StepSeconds { get; }

    /// <summary>The series with outliers capped.</summary>
    internal double[] Values { get; }

    /// <summary>The series minus its running median, outliers capped; NaN in gaps.</summary>
    internal double[] Residuals { get; }

    /// <summary>Number of bins with a value.</summary>
    internal int Count { get; }

    /// <summary>The frequencies of the grid are multiples of 1 divided by this number of bins.</summary>
    internal int PaddedLength { get; }

    /// <summary>Whether the grid index is a local maximum of the periodogram.</summary>
    internal bool IsPeak(int grid) => _power[grid] > _power[grid - 1] && _power[grid] >= _power[grid + 1];

    /// <summary>
    /// The surprise of the power at a frequency: −ln of the probability that the noise around it has at least this power. For noise it is
    /// exponential with mean 1. The background is an estimate from K neighbours, so the ratio follows F(2, 2K).
    /// </summary>
    internal double Surprise(int grid) => Surprise(grid, _power[grid]);

    /// <summary>The surprise of the power at the top of a peak, which lies between the points of the grid.</summary>
    internal double SurpriseOfTop(int grid)
    {
        (double before, double own, double after) = (_power[grid - 1], _power[grid], _power[grid + 1]);
        double bend = (2 * own) - before - after;
        return Surprise(grid, bend > 0 ? own + Math.Min(0.1 * own, (after - before) * (after - before) / (8 * bend)) : own);
    }

    private double Surprise(int grid, double power)
    {
        int ordinate = Math.Clamp((int)Math.Round((double)grid * Residuals.Length / PaddedLength), 1, _background.Length - 1);
        // The slope of the background is also an estimate, and with few neighbours the background may not be a line.
        double k = (_neighbours[ordinate] - 4) * Math.Min(1, 0.4 + (_neighbours[ordinate] / 100.0));
        return k < 4 || !(_background[ordinate] > 0) ? 0 : k * Math.Log(1 + (power / _background[ordinate] / k));
    }

    /// <summary>The largest surprise within some grid steps.</summary>
    internal double Surprise(int grid, int around)
    {
        double most = 0;
        for (int g = Math.Max(1, grid - around); g <= Math.Min(_power.Length - 2, grid + around); g++)
        {
            most = Math.Max(most, Surprise(g));
        }

        return most;
    }

    /// <summary>
    /// Halves the number of bins with binomial weights. They remove frequencies that the new grid cannot show, which would otherwise appear as
    /// slower ones (aliasing).
    /// </summary>
    internal static double[] Halve(double[] values)
    {
        double[] weights = [0.125, 0.375, 0.375, 0.125];
        double[] half = new double[values.Length / 2];
        for (int i = 0; i < half.Length; i++)
        {
            double sum = 0;
            double weight = 0;
            for (int k = 0; k < 4; k++)
            {
                int at = (2 * i) - 1 + k;
                if (at >= 0 && at < values.Length && !double.IsNaN(values[at]))
                {
                    sum += weights[k] * values[at];
                    weight += weights[k];
                }
            }
            half[i] = weight >= 0.375 ? sum / weight : double.NaN;
        }
        return half;
    }

    private double[] Power()
    {
        double[] rented = ArrayPool<double>.Shared.Rent(2 * PaddedLength);
        Span<double> real = rented.AsSpan(0, PaddedLength);
        Span<double> imaginary = rented.AsSpan(PaddedLength, PaddedLength);
        rented.AsSpan(0, 2 * PaddedLength).Clear();
        double mean = 0;
        foreach (double r in Residuals)
        {
            mean += double.IsNaN(r) ? 0 : r / Math.Max(1, Count);
        }

        for (int i = 0; i < Residuals.Length; i++)
        {
            real[i] = double.IsNaN(Residuals[i]) ? 0 : Residuals[i] - mean;
        }

        Fft.Forward(real, imaginary);
        (double[] passed, int passedStep) = Passed.For(PaddedLength);
        (double[] kept, int keptStep) = Kept.For(PaddedLength);
        double[] power = new double[(PaddedLength / 2) + 1];
        bool isShort = Residuals.Length < Window + (Window / 2);
        for (int g = 0; g < power.Length; g++)
        {
            power[g] = ((real[g] * real[g]) + (imaginary[g] * imaginary[g])) / Math.Max(1, Count) / (_isDecimated ? passed[g * passedStep] : 1)
                / (isShort ? 1 : kept[g * keptStep]);
        }

        ArrayPool<double>.Shared.Return(rented);
        return power;
    }

    private (double[] Background, int[] Neighbours) Background()
    {
        int ordinates = Residuals.Length / 2;
        double[] power = new double[ordinates];
        Sums first = new(ordinates, isLine: true);
        for (int j = 1; j < ordinates; j++)
        {
            power[j] = _power[(int)Math.Round((double)j * PaddedLength / Residuals.Length)];
            bool usable = power[j] > 0;
            first.Add(j, usable ? 1 : 0, Math.Log(j), usable ? Math.Log(power[j]) : 0);
        }
        first.Accumulate();
        double[] line = new double[ordinates];
        for (int j = 1; j < ordinates; j++)
        {
            line[j] = Math.Exp(first.LineAt(j, Lowest(j), Highest(j, ordinates)) + EulerGamma);
        }

        // Peaks do not move the line through the logarithms, but it uses a third less of its neighbours; the mean around the line uses all.
        Sums second = new(ordinates, isLine: false);
        Sums flat = new(ordinates, isLine: false);
        int lowest = Math.Max(1, 2 * Residuals.Length / Window);
        for (int j = 1; j < ordinates; j++)
        {
            double ratio = line[j] > 0 ? power[j] / line[j] : double.NaN;
            bool usable = ratio < 10;
            second.Add(j, usable ? 1 : 0, 0, usable ? ratio : 0);
            // Below this frequency, the running median has removed power.
            flat.Add(j, usable && j >= lowest ? 1 : 0, 0, usable && j >= lowest ? power[j] : 0);
        }
        second.Accumulate();
        flat.Accumulate();
        double[] background = new double[ordinates];
        int[] neighbours = new int[ordinates];
        for (int j = 1; j < ordinates; j++)
        {
            (double mean, neighbours[j]) = second.MeanAround(j, Lowest(j), Highest(j, ordinates));
            background[j] = line[j] * mean;
            (int low, int high) = (Math.Max(lowest, j - MostOfWhite), Math.Min(ordinates - 1, j + MostOfWhite));
            (double white, int many) = flat.MeanAround(j, low, high);
            // The noise looks white: then more neighbours give a more precise null hypothesis.
            if (many > neighbours[j] && Math.Abs(first.SlopeInErrors(low, high)) < 2
                && Math.Abs((background[j] / white) - 1) < 2 / Math.Sqrt(Math.Max(1, neighbours[j])))
            {
                (background[j], neighbours[j]) = (white, many);
            }
        }
        return (background, neighbours);
    }

    private static int Lowest(int j) => Math.Max(1, Math.Max(j / 3, j - MostNeighbours));

    private static int Highest(int j, int ordinates) => Math.Min(ordinates - 1, Math.Min((3 * j) + 3, j + MostNeighbours));

    /// <summary>A straight line by least squares, for series too short to have a running median.</summary>
    private static double[] Line(double[] values)
    {
        double n = 0, x = 0, y = 0, xx = 0, xy = 0;
        for (int i = 0; i < values.Length; i++)
        {
            if (double.IsNaN(values[i]))
            {
                continue;
            }

            (n, x, y, xx, xy) = (n + 1, x + i, y + values[i], xx + ((double)i * i), xy + (i * values[i]));
        }
        double square = (n * xx) - (x * x);
        double slope = square > 0 ? ((n * xy) - (x * y)) / square : 0;
        double level = n > 0 ? (y - (slope * x)) / n : 0;
        return [.. Enumerable.Range(0, values.Length).Select(i => level + (slope * i))];
    }

    /// <summary>Running sums, so that the cost of the regression around a frequency does not depend on its width.</summary>
    private sealed class Sums(int length, bool isLine)
    {
        private const int Own = 2;
        // A mean needs two of them.
        private readonly double[][] _sums = [.. Enumerable.Range(0, 5).Select(s => isLine || s is 0 or 2 ? new double[length + 1] : [])];

        internal void Add(int j, double n, double x, double y)
        {
            _sums[0][j + 1] = n;
            _sums[2][j + 1] = n * y;
            if (isLine)
            {
                _sums[1][j + 1] = n * x;
                _sums[3][j + 1] = n * x * x;
                _sums[4][j + 1] = n * x * y;
            }
        }

        internal void Accumulate()
        {
            foreach (double[] sum in _sums)
            {
                for (int i = 1; i < sum.Length; i++)
                {
                    sum[i] += sum[i - 1];
                }
            }
        }

        internal double LineAt(int j, int low, int high)
        {
            (double n, double x, double y, double xx, double xy) = (Around(0, j, low, high), Around(1, j, low, high), Around(2, j, low, high),
                Around(3, j, low, high), Around(4, j, low, high));
            double square = (n * xx) - (x * x);
            double slope = n > 3 && square > 1e-9 ? ((n * xy) - (x * y)) / square : 0;
            return n > 0 ? ((y - (slope * x)) / n) + (slope * Math.Log(j)) : double.NaN;
        }

        /// <summary>The slope of the logarithms within a range, in standard errors; the logarithm of a periodogram varies by π²/6.</summary>
        internal double SlopeInErrors(int low, int high)
        {
            (double n, double x, double y, double xx, double xy) = (Within(0, low, high), Within(1, low, high), Within(2, low, high), Within(3, low, high),
                Within(4, low, high));
            double square = xx - (x * x / Math.Max(1, n));
            return n > 3 && square > 1e-9 ? (xy - (x * y / n)) / Math.Sqrt(square * Math.PI * Math.PI / 6) : double.PositiveInfinity;
        }

        internal (double Mean, int Count) MeanAround(int j, int low, int high)
        {
            double n = Around(0, j, low, high);
            return n > 0 ? (Around(2, j, low, high) / n, (int)n) : (double.NaN, 0);
        }

        private double Within(int s, int low, int high) => _sums[s][high + 1] - _sums[s][low];

        private double Around(int s, int j, int low, int high)
        {
            double[] sum = _sums[s];
            int from = Math.Max(low, j - Own);
            int to = Math.Max(from - 1, Math.Min(high, j + Own));
            return sum[high + 1] - sum[low] - (sum[to + 1] - sum[from]);
        }
    }
}
