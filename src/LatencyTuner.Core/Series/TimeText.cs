using System.Globalization;

namespace LatencyTuner.Core.Series;

/// <summary>Times as logs and exports write them, independent of the culture of this machine: ISO 8601, Unix time, or a format given.</summary>
public static class TimeText
{
    private static readonly string[] Iso =
    [
        "yyyy-MM-dd'T'HH:mm:ss.FFFFFFFK", "yyyy-MM-dd HH:mm:ss.FFFFFFFK", "yyyy-MM-dd'T'HH:mmK", "yyyy-MM-dd HH:mmK", "yyyy-MM-dd HH:mm:ss.FFFFFFF K",
        "yyyy-MM-dd",
        "yyyy/MM/dd HH:mm:ss.FFFFFFFK", "yyyy/MM/dd HH:mmK", "yyyy-MM-dd'T'HH:mm:ss,FFFFFFFK", "yyyy-MM-dd HH:mm:ss,FFFFFFFK", "yyyyMMdd'T'HHmmss.FFFFFFFK",
    ];

    // 1973 to 2100 in each unit; a number outside this range is not a time.
    private const double EarliestSeconds = 1e8;
    private const double LatestSeconds = 4.1e9;

    /// <summary>Reads a time; one without an offset is UTC.</summary>
    /// <param name="text">For example <c>2026-11-21T10:31:27.5Z</c> or <c>1795257087</c> (seconds, milliseconds, microseconds or nanoseconds).</param>
    /// <param name="format">A .NET format; null for those above.</param>
    /// <param name="unixSeconds">The time.</param>
    public static bool TryParse(ReadOnlySpan<char> text, string? format, out double unixSeconds)
    {
        text = text.Trim();
        const DateTimeStyles Style = DateTimeStyles.AssumeUniversal | DateTimeStyles.AdjustToUniversal;
        unixSeconds = 0;
        if (format is null && TryUnix(text, out unixSeconds))
        {
            return true;
        }

        bool ok = format is null
            ? DateTime.TryParseExact(text, Iso, CultureInfo.InvariantCulture, Style, out DateTime time)
            : DateTime.TryParseExact(text, format, CultureInfo.InvariantCulture, Style, out time);
        if (ok)
        {
            unixSeconds = (time - DateTime.UnixEpoch).Ticks / (double)TimeSpan.TicksPerSecond;
        }

        return ok;
    }

    private static bool TryUnix(ReadOnlySpan<char> text, out double unixSeconds)
    {
        unixSeconds = 0;
        // Eight digits are a day, not a number of seconds.
        if (text.Length is < 9 or > 40)
        {
            return false;
        }

        Span<char> copy = stackalloc char[text.Length];
        text.CopyTo(copy);
        // One decimal comma; more of them separate thousands.
        if (copy.IndexOf(',') is var comma and >= 0 && !text.Contains('.'))
        {
            copy[comma] = '.';
        }

        const NumberStyles Style = NumberStyles.AllowDecimalPoint | NumberStyles.AllowExponent;
        if (!double.TryParse(copy, Style, CultureInfo.InvariantCulture, out double number))
        {
            return false;
        }

        foreach (double unit in (ReadOnlySpan<double>)[1, 1e3, 1e6, 1e9])
        {
            if (number >= EarliestSeconds * unit && number < LatestSeconds * unit)
            {
                unixSeconds = number / unit;
                return true;
            }
        }
        return false;
    }
}
