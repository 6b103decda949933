using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.Charts;

/// <summary>Median and 99th percentile against a swept value, both axes logarithmic, so that latency falling with load is a line that falls.</summary>
internal static class TerminalCurve
{
    /// <summary>Draws the chart.</summary>
    /// <param name="xLabel">Name and unit of the swept value.</param>
    /// <param name="points">The points; those without any figure are left out.</param>
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
        List<(int Column, string Tick, CurvePoint Point)> places = [.. Places(scale, columns)];
        char[][] plot = Enumerable.Range(0, height).Select(_ => new string(' ', columns).ToCharArray()).ToArray();
        (char median, char p99, char both, char bound) = ascii ? ('o', '+', '*', '^') : ('●', '○', '◉', '▲');
        foreach ((int column, _, CurvePoint point) in places)
        {
            int? Of(double? us) => us is > 0 && double.IsFinite(us.Value) ? Row(scale.Y(us.Value), height) : null;
            (int? low, int? high, int? least) = (Of(point.MedianUs), Of(point.P99Us), point.P99Us is null ? Of(point.AtLeastUs) : null);
            foreach ((int? row, char mark) in new[] { (high, p99), (low, low == high ? both : median), (least, bound) })
            {
                if (row is { } at)
                {
                    plot[at][column] = mark;
                }
            }
        }

        (char side, char corner, char floor) = ascii ? ('|', '+', '-') : ('│', '└', '─');
        List<string> lines = plot.Select((row, i) => $"{labels.GetValueOrDefault(i, "").PadLeft(labelWidth)} {side} {new string(row)}".TrimEnd()).ToList();
        lines.Add(new string(' ', labelWidth + 1) + corner + new string(floor, columns + 1));
        lines.Add((new string(' ', labelWidth + 3) + Ticks(places, columns)).TrimEnd());
        string used = string.Concat(plot.Select(row => new string(row)));
        IEnumerable<string> legend = new[] { (median, "median"), (p99, "99th"), (both, "both"), (bound, "99th or more") }
            .Where(m => used.Contains(m.Item1, StringComparison.Ordinal) || m.Item1 == median).Select(m => $"  {m.Item1} {m.Item2}");
        lines.Add($"{new string(' ', labelWidth + 3)}{xLabel};{string.Concat(legend)}");
        return [.. lines.Select(l => l.Length <= width ? l : l[..width])];
    }

    private static int Row(double share, int height) => height - 1 - (int)Math.Round(share * (height - 1));

    /// <summary>Every point with its column: what the system chose stands left of the axis, apart from the rest.</summary>
    private static IEnumerable<(int Column, string Tick, CurvePoint Point)> Places(CurveScale scale, int columns)
    {
        const int Gap = 4;
        int start = 0;
        foreach (CurvePoint point in scale.Apart)
        {
            string label = point.Label ?? "";
            if (start + label.Length + Gap < columns / 2)
            {
                yield return (start + (label.Length / 2), label, point);
                start += label.Length + Gap;
            }
        }

        foreach (CurvePoint point in scale.Points)
        {
            yield return (start + (int)Math.Round(scale.X(point.X!.Value) * (columns - 1 - start)), Format.Compact(point.X.Value), point);
        }
    }

    private static string Ticks(IEnumerable<(int Column, string Tick, CurvePoint Point)> places, int columns)
    {
        char[] line = new string(' ', columns).ToCharArray();
        int free = 0;
        foreach ((int column, string text, _) in places)
        {
            int start = Math.Clamp(column - (text.Length / 2), 0, Math.Max(columns - text.Length, 0));
            if (start < free || text.Length > columns)
            {
                continue;
            }

            text.CopyTo(line.AsSpan(start));
            free = start + text.Length + 2;
        }

        return new string(line);
    }
}
