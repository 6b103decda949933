using System.Globalization;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Series;

/// <summary>Reads a table with a time and a value column.</summary>
internal static class DelimitedSeries
{
    private const string PdhTime = "MM/dd/yyyy HH:mm:ss.fff";
    private const double MostNs = 1e15;
    private static readonly string[] Nothings = ["-", "nan", "na", "n/a", "#n/a", "null", "none", "nil", "timeout"];

    /// <summary>Reads the table; its first line was read already.</summary>
    internal static ObservedSeries Read(LineReader lines, ReadOnlySpan<char> first, string path, SeriesReadOptions options)
    {
        ObservedSeries series = new(path, "csv");
        char? said = DelimitedText.SaidSeparator(first);
        if (said is not null && !lines.TryRead(out first))
        {
            return new SeriesAccumulator(series, options).Finish();
        }

        char separator = said ?? DelimitedText.SeparatorOf(first);
        bool pdh = first.StartsWith("\"(PDH-CSV", StringComparison.Ordinal) || first.StartsWith("(PDH-CSV", StringComparison.Ordinal);
        SeriesColumns columns = SeriesColumns.Of(first, separator, options, path, lines.Number);
        Layout layout = new(separator, columns, options.TimeFormat ?? (pdh ? PdhTime : null), pdh ? PdhBiasSeconds(first, separator, series) : 0, path);
        SeriesAccumulator rows = new(series, options);
        if (!columns.UnitIsKnown)
        {
            series.NoteList.Add($"The unit of {columns.ValueName} is unknown; milliseconds are assumed. Set the unit with --unit.");
        }

        if (!columns.HasHeader)
        {
            Row(lines, first, layout, rows);
        }

        while (lines.TryRead(out ReadOnlySpan<char> line))
        {
            if (line.Trim().Length > 0 && line[0] != '#')
            {
                Row(lines, line, layout, rows);
            }
        }
        return rows.Finish();
    }

    /// <summary>Performance counter logs are in local time; the number in brackets at the end of the first cell is the minutes to add for UTC.</summary>
    private static double PdhBiasSeconds(ReadOnlySpan<char> header, char separator, ObservedSeries series)
    {
        _ = DelimitedText.TryCell(header, separator, 0, out ReadOnlySpan<char> cell);
        int open = cell.LastIndexOf('(');
        if (open > 0 && cell[^1] == ')' && int.TryParse(cell[(open + 1)..^1], NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out int minutes)
            && Math.Abs(minutes) <= 24 * 60)
        {
            return minutes * 60;
        }

        series.NoteList.Add("The header of this performance counter log does not contain the time zone of its local times; they are read as UTC.");
        return 0;
    }

    private static void Row(LineReader lines, ReadOnlySpan<char> line, Layout layout, SeriesAccumulator rows)
    {
        SeriesColumns columns = layout.Columns;
        ReadOnlySpan<char> time = default;
        ReadOnlySpan<char> value = default;
        bool hasBoth = DelimitedText.TryCell(line, layout.Separator, columns.Time, out time)
            && DelimitedText.TryCell(line, layout.Separator, columns.Value, out value);
        double seconds = 0;
        double number = 0;
        bool empty = hasBoth && IsNothing(value);
        bool timeOk = hasBoth && TryTime(line, layout, time, out seconds);
        bool valueOk = hasBoth && (empty || SeriesColumns.TryNumber(value, layout.Separator, out number));
        if (!timeOk || !valueOk)
        {
            // The last line of a file that is still being written, or was cut off, may be incomplete.
            if (lines.IsUnfinished)
            {
                return;
            }

            throw Refuse(layout.Path, lines.Number, columns, hasBoth, timeOk, time, value);
        }
        double ns = number * columns.UnitNs;
        if (empty || ns < 0)
        {
            rows.AddEmpty();
        }
        else if (ns > MostNs)
        {
            throw new ExpectedFailureException(
                ExitCode.Input,
                $"{layout.Path}: line {lines.Number}, column {columns.Value + 1}: {Quoting.Quote(value.ToString())} is more than 11 days; a latency in "
                + "the unit of --unit is expected.");
        }
        else
        {
            rows.Add(seconds + layout.ShiftSeconds, (long)ns);
        }
    }

    /// <summary>The time of a row, with its day from another column where it has none.</summary>
    private static bool TryTime(ReadOnlySpan<char> line, Layout layout, ReadOnlySpan<char> time, out double seconds)
    {
        const int MostText = 64;
        if (layout.Columns.Day < 0 || TimeText.TryParse(time, layout.Format, out seconds))
        {
            return TimeText.TryParse(time, layout.Format, out seconds);
        }

        if (!DelimitedText.TryCell(line, layout.Separator, layout.Columns.Day, out ReadOnlySpan<char> day) || day.Length + time.Length >= MostText)
        {
            return false;
        }

        Span<char> both = stackalloc char[MostText];
        day.CopyTo(both);
        both[day.Length] = ' ';
        time.CopyTo(both[(day.Length + 1)..]);
        return TimeText.TryParse(both[..(day.Length + 1 + time.Length)], layout.Format, out seconds);
    }

    /// <summary>True for an empty cell, or a text that programs write for no value.</summary>
    private static bool IsNothing(ReadOnlySpan<char> value)
    {
        if (value.Length is 0 or > 7)
        {
            return value.Length == 0;
        }

        foreach (string nothing in Nothings)
        {
            if (value.Equals(nothing, StringComparison.OrdinalIgnoreCase))
            {
                return true;
            }
        }
        return false;
    }

    private static ExpectedFailureException Refuse(
        string path, long line, SeriesColumns columns, bool hasBoth, bool timeOk, ReadOnlySpan<char> time, ReadOnlySpan<char> value) => new(
        ExitCode.Input,
        !hasBoth ? $"{path}: line {line} has fewer than {Math.Max(columns.Time, columns.Value) + 1} columns."
        : !timeOk
        ? $"{path}: line {line}, column {columns.Time + 1}: {Quoting.Quote(time.ToString())} is not a time; ISO 8601 (2026-11-21T10:31:27Z) or Unix time is "
            + "expected, or a format given with --time-format."
        : $"{path}: line {line}, column {columns.Value + 1}: {Quoting.Quote(value.ToString())} is not a number.");

    private readonly record struct Layout(char Separator, SeriesColumns Columns, string? Format, double ShiftSeconds, string Path);
}
