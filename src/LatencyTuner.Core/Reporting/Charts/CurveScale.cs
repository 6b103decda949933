namespace LatencyTuner.Core.Reporting.Charts;

/// <summary>The logarithmic axes of a curve, shared by the terminal and the HTML chart.</summary>
internal sealed class CurveScale
{
    private readonly double _minX;
    private readonly double _maxX;
    private readonly double _minY;
    private readonly double _maxY;

    private CurveScale(IReadOnlyList<CurvePoint> points, double minY, double maxY)
    {
        Points = points;
        (_minX, _maxX) = (points[0].X, points[^1].X);
        (_minY, _maxY) = (minY, maxY);
    }

    /// <summary>The points that can be drawn, in ascending order.</summary>
    internal IReadOnlyList<CurvePoint> Points { get; }

    /// <summary>Round values on the vertical axis in microseconds.</summary>
    internal IReadOnlyList<double> YTicks
    {
        get
        {
            List<double> ticks = new();
            for (double decade = Math.Pow(10, Math.Round(Math.Log10(_minY))); decade <= _maxY * 1.001; decade *= 10)
            {
                if (decade >= _minY * 0.999)
                {
                    ticks.Add(decade);
                }
            }

            return ticks;
        }
    }

    /// <summary>The axes for points; null when fewer than two can be drawn.</summary>
    internal static CurveScale? Of(IReadOnlyList<CurvePoint> points)
    {
        List<CurvePoint> usable = points.Where(p => p.X > 0 && double.IsFinite(p.X) && (p.MedianUs is > 0 || p.P99Us is > 0)).OrderBy(p => p.X).ToList();
        List<double> values = usable.SelectMany(p => new[] { p.MedianUs, p.P99Us }).OfType<double>().Where(v => v > 0 && double.IsFinite(v)).ToList();
        if (usable.Count < 2 || values.Count == 0 || usable[0].X >= usable[^1].X)
        {
            return null;
        }

        // Whole decades: the axis then has round labels at both ends.
        double low = Math.Pow(10, Math.Floor(Math.Log10(values.Min()) + 1e-9));
        double high = Math.Pow(10, Math.Ceiling(Math.Log10(values.Max()) - 1e-9));
        return new CurveScale(usable, low, high <= low ? low * 10 : high);
    }

    /// <summary>Position of a swept value on the horizontal axis, 0 to 1.</summary>
    internal double X(double value) => Math.Log(value / _minX) / Math.Log(_maxX / _minX);

    /// <summary>Position of a latency on the vertical axis, 0 to 1.</summary>
    internal double Y(double us) => Math.Clamp(Math.Log(us / _minY) / Math.Log(_maxY / _minY), 0, 1);
}

/// <summary>A point of a curve.</summary>
/// <param name="X">The swept value, above 0.</param>
/// <param name="MedianUs">Median in microseconds; null when there is none.</param>
/// <param name="P99Us">99th percentile in microseconds; null with too few samples.</param>
internal readonly record struct CurvePoint(double X, double? MedianUs, double? P99Us);
