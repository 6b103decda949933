using System.Globalization;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.Charts;

/// <summary>Text in charts: how wide it is, where it breaks, and values as labels.</summary>
internal static class ChartText
{
    private const string Narrow = "iljtfrI.,:;|!'()[]/ -";
    private const string Wide = "mwMW%@";

    /// <summary>The width of a text, not less than in any usual sans-serif font.</summary>
    /// <param name="text">The text.</param>
    /// <param name="size">Size of the font in pixels.</param>
    public static double Width(string text, double size) =>
        text.Sum(c => Narrow.Contains(c, StringComparison.Ordinal) ? 0.42 : Wide.Contains(c, StringComparison.Ordinal) ? 1.0 : c > '\u2e80' ? 1.05 : 0.665)
        * size;

    /// <summary>The lines of a text that is no wider than the given width; long words are cut.</summary>
    public static IReadOnlyList<string> Wrap(string text, double width, double size, int most = 6)
    {
        List<string> lines = [];
        string line = "";
        foreach (string word in text.Split(' ', StringSplitOptions.RemoveEmptyEntries))
        {
            string rest = word;
            while (rest.Length > 0)
            {
                string joined = line.Length == 0 ? rest : line + " " + rest;
                if (Width(joined, size) <= width)
                {
                    (line, rest) = (joined, "");
                }
                else if (line.Length > 0)
                {
                    lines.Add(line);
                    line = "";
                }
                else
                {
                    int cut = Math.Max(1, Enumerable.Range(1, rest.Length).LastOrDefault(n => Width(rest[..n], size) <= width, 1));
                    lines.Add(rest[..cut]);
                    rest = rest[cut..];
                }
            }
        }

        if (line.Length > 0)
        {
            lines.Add(line);
        }

        return lines.Count <= most ? lines : [.. lines.Take(most - 1), Cut(lines[most - 1] + " ...", width, size)];
    }

    /// <summary>A text no wider than the given width: its end is replaced by dots.</summary>
    public static string Cut(string text, double width, double size)
    {
        if (Width(text, size) <= width)
        {
            return text;
        }

        int keep = text.Length;
        while (keep > 1 && Width(text[..keep] + "...", size) > width)
        {
            keep--;
        }

        return text[..keep].TrimEnd('.', ' ') + "...";
    }

    /// <summary>A clock time in UTC, as short as the span of its axis allows.</summary>
    public static string Clock(double unixSeconds, ChartScale scale)
    {
        double span = scale.High - scale.Low;
        string format = span > 4 * 86_400 ? "MM-dd" : span > 86_400 ? "MM-dd HH:mm" : span > 300 ? "HH:mm" : span > 5 ? "HH:mm:ss" : "HH:mm:ss.fff";
        return Format.UtcOf(unixSeconds).UtcDateTime.ToString(format, CultureInfo.InvariantCulture);
    }

    /// <summary>A time of day with its date, to the second or finer.</summary>
    public static string Moment(double unixSeconds) =>
        Format.UtcOf(unixSeconds).UtcDateTime.ToString("yyyy-MM-dd HH:mm:ss.FFF", CultureInfo.InvariantCulture) + " UTC";

    /// <summary>A duration in seconds as a label: 0 s, 250 ms, 90 s, 5 min, 2 h.</summary>
    public static string Seconds(double seconds) => seconds switch
    {
        0 => "0 s",
        >= 3600 when seconds % 3600 == 0 => $"{seconds / 3600:0} h",
        >= 120 when seconds % 60 == 0 => $"{seconds / 60:0} min",
        >= 1 => seconds.ToString("0.###", CultureInfo.InvariantCulture) + " s",
        _ => Format.RoundUs(seconds * 1e6),
    };

    /// <summary>A time in microseconds as a label.</summary>
    public static string Us(double us) => us == 0 ? "0" : Format.RoundUs(us);

    /// <summary>A number of a drawing.</summary>
    public static string Number(double value) => Math.Round(value, 1).ToString("0.#", CultureInfo.InvariantCulture);
}
