using System.Globalization;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Series;

/// <summary>Which columns of a table hold the time and the value, and in which unit.</summary>
/// <param name="Time">Index of the time column.</param>
/// <param name="Day">Index of the date column where the time column has only the time of day; −1 where it has the date too.</param>
/// <param name="Value">Index of the value column.</param>
/// <param name="ValueName">The name of the value column in the header, or its number.</param>
/// <param name="UnitNs">Nanoseconds in one unit of the value.</param>
/// <param name="UnitIsKnown">False when milliseconds were assumed.</param>
/// <param name="HasHeader">Whether the first line is a header.</param>
internal sealed record SeriesColumns(int Time, int Day, int Value, string ValueName, double UnitNs, bool UnitIsKnown, bool HasHeader)
{
    private static readonly string[] TimeNames = [
        "time", "timestamp", "date", "datetime", "startutc", "timeutc", "utc", "ts", "@timestamp", "_time", "date time", "date-time"];
    private static readonly string[] ValueNames = [
        "latency", "duration", "elapsed", "response", "time-taken", "timetaken", "rtt", "p50", "median", "value", "took"];

    // Columns that hold a result or a count instead of a time: response_code, response size, request_id.
    private static readonly string[] OtherNames = [
        "code", "status", "size", "bytes", "message", "body", "length", "count", "id", "name", "type", "data", "headers"];
    private static readonly (string Suffix, double Ns)[] Units =
    [
        ("us", 1e3), ("µs", 1e3), ("μs", 1e3), ("usec", 1e3), ("usecs", 1e3), ("micros", 1e3), ("microsec", 1e3), ("microseconds", 1e3),
        ("ms", 1e6), ("msec", 1e6), ("msecs", 1e6), ("millis", 1e6), ("millisec", 1e6), ("milliseconds", 1e6),
        ("ns", 1), ("nsec", 1), ("nsecs", 1), ("nanos", 1), ("nanosec", 1), ("nanoseconds", 1),
        ("s", 1e9), ("sec", 1e9), ("secs", 1e9), ("second", 1e9), ("seconds", 1e9),
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
            : header ? TimeOf(cells)
            : Array.FindIndex(cells, c => TimeText.TryParse(c, options.TimeFormat, out _));
        int day = options.TimeColumn is not null || time < 0 ? -1 : DayOf(cells, time, header);
        // Without a header: a day, and the time of day in the next cell.
        if (!header && time >= 0 && options.TimeColumn is null && time + 1 < cells.Length
            && TimeText.TryParse($"{cells[time]} {cells[time + 1]}", options.TimeFormat, out _))
        {
            (day, time) = (time, time + 1);
        }

        if (time < 0)
        {
            throw new ExpectedFailureException(
                ExitCode.Input,
                $"{path}: line {number}: no column with a time was found ({Shown(cells)}); name it with --time-column, or give its format with --time-format.");
        }

        int value = options.ValueColumn is { } wanted ? Named(cells, wanted, header, "--value-column", path) : ValueOf(cells, header, time, separator);
        if (value < 0)
        {
            throw new ExpectedFailureException(
                ExitCode.Input, $"{path}: line {number}: no column with a latency was found ({Shown(cells)}); name it with --value-column.");
        }

        double? unit = options.UnitNs ?? (header ? UnitOf(cells[value]) : null);
        return new(time, day, value, header ? cells[value] : $"column {value + 1}", unit ?? 1e6, unit is not null, header);
    }

    /// <summary>Prefers a known name to one that only contains "time"; takes the name of a duration only if there is no other.</summary>
    private static int TimeOf(string[] cells)
    {
        int clock = cells.Length > 2 && Array.Exists(cells, IsDay) ? Array.FindIndex(cells, IsTimeOfDay) : -1;
        foreach (Predicate<string> likely in (Predicate<string>[])
            [c => TimeNames.Contains(c.ToLowerInvariant()), c => HasTime(c) && !IsDuration(c) && UnitOf(c) is null, c => HasTime(c) && !IsDuration(c), HasTime])
        {
            clock = clock >= 0 ? clock : Array.FindIndex(cells, likely);
        }
        return clock;
    }

    /// <summary>The column with the date, by the header, where the time column has only the time of day; −1 for none.</summary>
    private static int DayOf(string[] cells, int time, bool header) =>
        header && cells.Length > 2 && IsTimeOfDay(cells[time]) ? Array.FindIndex(cells, IsDay) : -1;

    private static bool IsDay(string name) => name.Equals("date", StringComparison.OrdinalIgnoreCase) || name.Equals("day", StringComparison.OrdinalIgnoreCase);

    private static bool IsTimeOfDay(string name) => name.Equals("time", StringComparison.OrdinalIgnoreCase);

    private static bool HasTime(string name) =>
        name.Contains("time", StringComparison.OrdinalIgnoreCase) && !name.Contains("taken", StringComparison.OrdinalIgnoreCase);

    private static bool IsDuration(string name) => Array.Exists(ValueNames, v => name.Contains(v, StringComparison.OrdinalIgnoreCase));

    private static bool IsOther(string name) => Array.Exists(
        OtherNames,
        o => name.EndsWith(o, StringComparison.OrdinalIgnoreCase)
            && (name.Length == o.Length || !char.IsAsciiLetterLower(name[^(o.Length + 1)]) || char.IsAsciiLetterUpper(name[^o.Length])));

    private static int ValueOf(string[] cells, bool header, int time, char separator)
    {
        if (!header)
        {
            return Array.FindIndex(cells, 0, c => IsNumber(c, separator)) is var first && first == time
                ? Array.FindIndex(cells, time + 1, c => IsNumber(c, separator)) : first;
        }

        foreach (string name in ValueNames)
        {
            int found = Array.FindIndex(cells, c => c.Contains(name, StringComparison.OrdinalIgnoreCase) && !IsOther(c) && !ReferenceEquals(c, cells[time]));
            if (found >= 0)
            {
                return found;
            }
        }
        int withUnit = Array.FindIndex(cells, c => UnitOf(c) is not null && !ReferenceEquals(c, cells[time]));
        return withUnit >= 0 ? withUnit : cells.Length == 2 ? 1 - time : -1;
    }

    private static int Named(string[] cells, string name, bool header, string option, string path)
    {
        int found = header ? Array.FindIndex(cells, c => c.Equals(name, StringComparison.OrdinalIgnoreCase)) : -1;
        if (found < 0 && int.TryParse(name, NumberStyles.None, CultureInfo.InvariantCulture, out int number) && number >= 1 && number <= cells.Length)
        {
            found = number - 1;
        }

        return found >= 0 ? found
            : throw new ExpectedFailureException(
                ExitCode.Usage,
                $"{option} {Quoting.Quote(name)} is not in {path}: {(header ? $"one of {Shown(cells)}, or" : "")} a number from 1 to {cells.Length} is "
                + "expected.");
    }

    private static string Shown(string[] cells) =>
        string.Join(", ", cells.Take(12).Select(Quoting.Quote)) + (cells.Length > 12 ? $" and {cells.Length - 12} more" : "");

    private static bool IsNumber(string cell, char separator) => TryNumber(cell, separator, out _);

    /// <summary>A number as programs write it: a decimal point, or a decimal comma where the comma does not separate cells.</summary>
    internal static bool TryNumber(ReadOnlySpan<char> cell, char separator, out double number)
    {
        const NumberStyles Style = NumberStyles.AllowLeadingSign | NumberStyles.AllowDecimalPoint | NumberStyles.AllowExponent;
        if (double.TryParse(cell, Style, CultureInfo.InvariantCulture, out number))
        {
            return double.IsFinite(number);
        }

        if (separator == ',' || cell.Length > 40 || cell.Count(',') != 1 || cell.Contains('.'))
        {
            return false;
        }

        Span<char> copy = stackalloc char[cell.Length];
        cell.CopyTo(copy);
        copy[copy.IndexOf(',')] = '.';
        return double.TryParse(copy, Style, CultureInfo.InvariantCulture, out number) && double.IsFinite(number);
    }

    private static double? UnitOf(string header)
    {
        // Of "sec/Read" the first part; "Reads/sec" is a rate.
        string last = header.Trim().TrimEnd(')', ']', ' ').Split(' ', '(', '[', '_', '-', '.', '\\')[^1].Split('/')[0];
        foreach ((string suffix, double ns) in Units)
        {
            if (last.Equals(suffix, StringComparison.OrdinalIgnoreCase))
            {
                return ns;
            }
        }
        // camelCase: elapsedMs, p50Us.
        return header.EndsWith("Us", StringComparison.Ordinal) ? 1e3 : header.EndsWith("Ms", StringComparison.Ordinal) ? 1e6
            : header.EndsWith("Ns", StringComparison.Ordinal) ? 1 : header.EndsWith("Seconds", StringComparison.Ordinal) ? 1e9 : null;
    }
}
