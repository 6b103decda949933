namespace LatencyTuner.Core.Reporting.Charts;

/// <summary>The logarithmic axes of a curve, shared by the terminal and the HTML chart.</summary>
internal sealed class CurveScale
{
    private readonly double _minX;
    private readonly double _maxX;
    private readonly double _minY;
    private readonly double _maxY;

    private CurveScale(IReadOnlyList<CurvePoint> points, IReadOnlyList<CurvePoint> apart, double minY, double maxY)
    {
        (Points, Apart) = (points, apart);
        (_minX, _maxX) = (points[0].X!.Value, points[^1].X!.Value);
        (_minY, _maxY) = (minY, maxY);
    }

    /// <summary>The points that have a place on the horizontal axis, in ascending order.</summary>
    internal IReadOnlyList<CurvePoint> Points { get; }

    /// <summary>The points that have none, because the system chose their value: they stand left of the axis.</summary>
    internal IReadOnlyList<CurvePoint> Apart { get; }

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
        List<CurvePoint> drawn = [.. points.Where(p => Values(p).Any())];
        List<CurvePoint> usable = [.. drawn.Where(p => p.X is > 0 and { } x && double.IsFinite(x)).OrderBy(p => p.X)];
        if (usable.Count < 2 || usable[0].X >= usable[^1].X)
        {
            return null;
        }

        // Whole decades: the axis then has round labels at both ends.
        List<CurvePoint> apart = [.. drawn.Where(p => p.X is null)];
        List<double> values = [.. usable.Concat(apart).SelectMany(Values)];
        double low = Math.Pow(10, Math.Floor(Math.Log10(values.Min()) + 1e-9));
        double high = Math.Pow(10, Math.Ceiling(Math.Log10(values.Max()) - 1e-9));
        return new CurveScale(usable, apart, low, high <= low ? low * 10 : high);
    }

    /// <summary>Position of a swept value on the horizontal axis, 0 to 1.</summary>
    internal double X(double value) => Math.Log(value / _minX) / Math.Log(_maxX / _minX);

    /// <summary>Position of a latency on the vertical axis, 0 to 1.</summary>
    internal double Y(double us) => Math.Clamp(Math.Log(us / _minY) / Math.Log(_maxY / _minY), 0, 1);

    private static IEnumerable<double> Values(CurvePoint point) =>
        new[] { point.MedianUs, point.P99Us, point.AtLeastUs }.OfType<double>().Where(v => v > 0 && double.IsFinite(v));
}

/// <summary>A point of a curve.</summary>
/// <param name="X">The swept value, above 0; null when the system chose it.</param>
/// <param name="MedianUs">Median in microseconds; null when there is none.</param>
/// <param name="P99Us">99th percentile in microseconds; null with too few samples.</param>
internal readonly record struct CurvePoint(double? X, double? MedianUs, double? P99Us)
{
    /// <summary>Lower bound of the 99th percentile in microseconds where too few samples give none; null else.</summary>
    public double? AtLeastUs { get; init; }

    /// <summary>The value in words, for a point without a place on the axis.</summary>
    public string? Label { get; init; }
}
