namespace LatencyTuner.Core.Reporting.Charts;

/// <summary>The characters that charts are drawn with.</summary>
internal static class BarCharacters
{
    private const string Heights = "▁▂▃▄▅▆▇█";
    private const string AsciiHeights = ".:-=+*%#";
    private const string Eighths = "▏▎▍▌▋▊▉";

    /// <summary>Number of different heights.</summary>
    internal const int Levels = 8;

    /// <summary>The character for a height from 0 to <see cref="Levels"/> - 1.</summary>
    internal static char Height(int level, bool ascii) => (ascii ? AsciiHeights : Heights)[Math.Clamp(level, 0, Levels - 1)];

    /// <summary>A horizontal bar of a length from 0 to <paramref name="full"/> characters; anything above 0 shows.</summary>
    internal static string Horizontal(double share, int full, bool ascii)
    {
        if (share <= 0)
        {
            return "";
        }

        if (ascii)
        {
            return new string('#', Math.Clamp((int)Math.Round(share * full), 1, full));
        }

        int eighths = Math.Clamp((int)Math.Round(share * full * 8), 1, full * 8);
        int tail = eighths % 8;
        return new string('█', eighths / 8) + (tail == 0 ? "" : Eighths[tail - 1].ToString());
    }
}
