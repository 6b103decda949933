using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.Charts;

/// <summary>A latency over time, one character per interval, its height by the logarithm of the value.</summary>
internal static class TimeStrip
{
    /// <summary>Draws the chart.</summary>
    /// <param name="label">What each value is.</param>
    /// <param name="intervals">The intervals in order; null values leave a blank.</param>
    /// <param name="width">Characters per line, 30 or more.</param>
    /// <param name="ascii">True for ASCII characters only.</param>
    /// <returns>The label, strips of at most <paramref name="width"/> intervals with their start times, and the scale.</returns>
    public static IReadOnlyList<string> Draw(string label, IReadOnlyList<StripInterval> intervals, int width = 80, bool ascii = false)
    {
        ArgumentNullException.ThrowIfNull(label);
        ArgumentNullException.ThrowIfNull(intervals);
        ArgumentOutOfRangeException.ThrowIfLessThan(width, 30);
        List<double> values = intervals.Where(i => i.ValueUs is > 0 && double.IsFinite(i.ValueUs.Value)).Select(i => i.ValueUs!.Value).ToList();
        if (values.Count == 0)
        {
            return [];
        }

        (double low, double high) = (values.Min(), values.Max());
        List<string> lines = new() { label };
        List<string> starts = intervals.Select(i => i.StartMs == 0 ? "0 s" : Format.Us(i.StartMs * 1000)).ToList();
        int startWidth = starts.Max(s => s.Length);
        int perLine = width - startWidth - 2;
        for (int i = 0; i < intervals.Count; i += perLine)
        {
            char[] strip = intervals.Skip(i).Take(perLine).Select(v => Character(v.ValueUs, low, high, ascii)).ToArray();
            lines.Add((starts[i].PadLeft(startWidth) + "  " + new string(strip)).TrimEnd());
        }

        lines.Add(
            $"{BarCharacters.Height(Level(low, low, high), ascii)} {Format.Us(low)}  {BarCharacters.Height(BarCharacters.Levels - 1, ascii)} "
            + $"{Format.Us(high)}, logarithmic; blank: "
            + "no reply");
        return [.. lines.Select(l => l.Length <= width ? l : l[..width])];
    }

    private static char Character(double? value, double low, double high, bool ascii) =>
        value is { } v && v > 0 && double.IsFinite(v) ? BarCharacters.Height(Level(v, low, high), ascii) : ' ';

    private static int Level(double value, double low, double high) =>
        high <= low ? 0 : (int)(Math.Log(value / low) / Math.Log(high / low) * (BarCharacters.Levels - 0.001));
}

/// <summary>One interval of a time strip.</summary>
/// <param name="StartMs">Its start in milliseconds.</param>
/// <param name="ValueUs">Its value in microseconds; null when nothing was received in it.</param>
internal readonly record struct StripInterval(double StartMs, double? ValueUs);
