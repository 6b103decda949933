using System.Globalization;

namespace LatencyTuner.Core.Measurement.TimeSeries;

/// <summary>Which columns of a table hold the time and the value, and in which unit.</summary>
/// <param name="Time">Index of the time.</param>
/// <param name="Value">Index of the value.</param>
/// <param name="ValueName">What the header calls it, or its number.</param>
/// <param name="UnitNs">Nanoseconds of a unit.</param>
/// <param name="UnitIsKnown">False when milliseconds were assumed.</param>
/// <param name="HasHeader">Whether the first line is a header.</param>
internal sealed record SeriesColumns(int Time, int Value, string ValueName, double UnitNs, bool UnitIsKnown, bool HasHeader)
{
    private static readonly string[] TimeNames = ["time", "timestamp", "date", "datetime", "startutc", "timeutc", "utc", "ts", "@timestamp", "_time", "date time", "date-time"];
    private static readonly string[] ValueNames = ["latency", "duration", "elapsed", "response", "time-taken", "timetaken", "rtt", "p50", "median", "value", "took"];
    private static readonly (string Suffix, double Ns)[] Units =
    [
        ("us", 1e3), ("µs", 1e3), ("usec", 1e3), ("microseconds", 1e3), ("ms", 1e6), ("msec", 1e6), ("milliseconds", 1e6), ("ns", 1), ("nanoseconds", 1),
        ("sec", 1e9), ("secs", 1e9), ("seconds", 1e9), ("s", 1e9),
    ];

    /// <summary>Finds the columns by the first line of a table.</summary>
    internal static SeriesColumns Of(ReadOnlySpan<char> line, char separator, SeriesReadOptions options, string path, long number)
    {
        string[] cells = new string[DelimitedText.CountCells(line, separator)];
        for (int i = 0; i < cells.Length; i++)
        {
            _ = DelimitedText.TryCell(line, separator, i, out ReadOnlySpan<char> cell);
            cells[i] = cell.ToString();
        }
        // A header is a line without any number or time in it.
        bool header = !Array.Exists(cells, c => IsNumber(c, separator) || TimeText.TryParse(c, options.TimeFormat, out _));
        bool pdh = cells[0].StartsWith("(PDH-CSV", StringComparison.Ordinal);
        header |= pdh;
        int time = options.TimeColumn is { } named ? Named(cells, named, header, "--time-column", path)
            : pdh ? 0
            : header ? Array.FindIndex(cells, c => TimeNames.Contains(c.ToLowerInvariant()) || c.Contains("time", StringComparison.OrdinalIgnoreCase) && !c.Contains("taken", StringComparison.OrdinalIgnoreCase))
            : Array.FindIndex(cells, c => TimeText.TryParse(c, options.TimeFormat, out _));
        if (time < 0)
            throw new ExpectedFailureException(ExitCode.Input, $"{path}: line {number}: no column with a time was found ({Shown(cells)}); name it with --time-column, or give its format with --time-format.");
        int value = options.ValueColumn is { } wanted ? Named(cells, wanted, header, "--value-column", path) : ValueOf(cells, header, time, separator);
        if (value < 0)
            throw new ExpectedFailureException(ExitCode.Input, $"{path}: line {number}: no column with a latency was found ({Shown(cells)}); name it with --value-column.");
        double? unit = options.UnitNs ?? (header ? UnitOf(cells[value]) : null);
        return new(time, value, header ? cells[value] : $"column {value + 1}", unit ?? 1e6, unit is not null, header);
    }

    private static int ValueOf(string[] cells, bool header, int time, char separator)
    {
        if (!header)
            return Array.FindIndex(cells, 0, c => IsNumber(c, separator)) is var first && first == time ? Array.FindIndex(cells, time + 1, c => IsNumber(c, separator)) : first;
        foreach (string name in ValueNames)
        {
            int found = Array.FindIndex(cells, c => c.Contains(name, StringComparison.OrdinalIgnoreCase));
            if (found >= 0 && found != time)
                return found;
        }
        int withUnit = Array.FindIndex(cells, c => UnitOf(c) is not null);
        return withUnit >= 0 && withUnit != time ? withUnit : cells.Length == 2 ? 1 - time : -1;
    }

    private static int Named(string[] cells, string name, bool header, string option, string path)
    {
        int found = header ? Array.FindIndex(cells, c => c.Equals(name, StringComparison.OrdinalIgnoreCase)) : -1;
        if (found < 0 && int.TryParse(name, NumberStyles.None, CultureInfo.InvariantCulture, out int number) && number >= 1 && number <= cells.Length)
            found = number - 1;
        return found >= 0 ? found
            : throw new ExpectedFailureException(ExitCode.Usage, $"{option} {Quoting.Quote(name)} is not in {path}: {(header ? $"one of {Shown(cells)}, or" : "")} a number from 1 to {cells.Length} is expected.");
    }

    private static string Shown(string[] cells) =>
        string.Join(", ", cells.Take(12).Select(Quoting.Quote)) + (cells.Length > 12 ? $" and {cells.Length - 12} more" : "");

    private static bool IsNumber(string cell, char separator) => TryNumber(cell, separator, out _);

    /// <summary>A number as programs write it: a decimal point, or a decimal comma where the comma does not separate cells.</summary>
    internal static bool TryNumber(ReadOnlySpan<char> cell, char separator, out double number)
    {
        const NumberStyles Style = NumberStyles.AllowLeadingSign | NumberStyles.AllowDecimalPoint | NumberStyles.AllowExponent;
        if (double.TryParse(cell, Style, CultureInfo.InvariantCulture, out number))
            return double.IsFinite(number);
        if (separator == ',' || cell.Length > 40 || cell.Count(',') != 1 || cell.Contains('.'))
            return false;
        Span<char> copy = stackalloc char[cell.Length];
        cell.CopyTo(copy);
        copy[copy.IndexOf(',')] = '.';
        return double.TryParse(copy, Style, CultureInfo.InvariantCulture, out number) && double.IsFinite(number);
    }

    private static double? UnitOf(string header)
    {
        string last = header.Trim().TrimEnd(')', ']', ' ').Split(' ', '(', '[', '_', '-', '.')[^1];
        foreach ((string suffix, double ns) in Units)
        {
            if (last.Equals(suffix, StringComparison.OrdinalIgnoreCase))
                return ns;
        }
        // camelCase: elapsedMs, p50Us.
        return header.EndsWith("Us", StringComparison.Ordinal) ? 1e3 : header.EndsWith("Ms", StringComparison.Ordinal) ? 1e6
            : header.EndsWith("Ns", StringComparison.Ordinal) ? 1 : header.EndsWith("Seconds", StringComparison.Ordinal) ? 1e9 : null;
    }
}
