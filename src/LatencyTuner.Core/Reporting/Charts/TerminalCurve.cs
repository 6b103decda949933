using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.Charts;

/// <summary>Median and 99th percentile against a swept value, both axes logarithmic, so that latency falling with load is a line that falls.</summary>
internal static class TerminalCurve
{
    /// <summary>Draws the chart.</summary>
    /// <param name="xLabel">Name and unit of the swept value.</param>
    /// <param name="points">The points; those without figures are left out.</param>
    /// <param name="width">Characters per line, 30 or more.</param>
    /// <param name="height">Lines of the plot itself, 4 or more.</param>
    /// <param name="ascii">True for ASCII characters only.</param>
    /// <returns>The lines: plot, axis, ticks, legend; none without two points.</returns>
    public static IReadOnlyList<string> Draw(string xLabel, IReadOnlyList<CurvePoint> points, int width = 80, int height = 12, bool ascii = false)
    {
        ArgumentNullException.ThrowIfNull(xLabel);
        ArgumentOutOfRangeException.ThrowIfLessThan(width, 30);
        ArgumentOutOfRangeException.ThrowIfLessThan(height, 4);
        CurveScale? scale = CurveScale.Of(points);
        if (scale is null)
        {
            return [];
        }

        // Figures of many orders of magnitude have more ticks than there are lines.
        Dictionary<int, string> labels = scale.YTicks.GroupBy(t => Row(scale.Y(t), height)).ToDictionary(row => row.Key, row => Format.RoundUs(row.First()));
        int labelWidth = labels.Values.Max(l => l.Length);
        int columns = width - labelWidth - 3;
        char[][] plot = Enumerable.Range(0, height).Select(_ => new string(' ', columns).ToCharArray()).ToArray();
        (char p99Mark, char medianMark) = ascii ? ('+', 'o') : ('○', '●');
        foreach ((char mark, Func<CurvePoint, double?>? figure) in new (char, Func<CurvePoint, double?>)[] {
            (p99Mark, p => p.P99Us), (medianMark, p => p.MedianUs) })
        {
            foreach (CurvePoint point in scale.Points)
            {
                if (figure(point) is { } value && value > 0)
                {
                    plot[Row(scale.Y(value), height)][(int)Math.Round(scale.X(point.X) * (columns - 1))] = mark;
                }
            }
        }

        (char side, char corner, char floor) = ascii ? ('|', '+', '-') : ('│', '└', '─');
        List<string> lines = plot.Select((row, i) => $"{labels.GetValueOrDefault(i, "").PadLeft(labelWidth)} {side} {new string(row)}".TrimEnd()).ToList();
        lines.Add(new string(' ', labelWidth + 1) + corner + new string(floor, columns + 1));
        lines.Add((new string(' ', labelWidth + 3) + Ticks(scale, columns)).TrimEnd());
        lines.Add($"{new string(' ', labelWidth + 3)}{xLabel};  {medianMark} median  {p99Mark} 99th percentile");
        return [.. lines.Select(l => l.Length <= width ? l : l[..width])];
    }

    private static int Row(double share, int height) => height - 1 - (int)Math.Round(share * (height - 1));

    private static string Ticks(CurveScale scale, int columns)
    {
        char[] line = new string(' ', columns).ToCharArray();
        int free = 0;
        foreach (CurvePoint point in scale.Points)
        {
            string text = Format.Compact(point.X);
            int start = Math.Clamp((int)Math.Round(scale.X(point.X) * (columns - 1)) - (text.Length / 2), 0, columns - text.Length);
            if (start < free)
            {
                continue;
            }

            text.CopyTo(line.AsSpan(start));
            free = start + text.Length + 2;
        }

        return new string(line);
    }
}
