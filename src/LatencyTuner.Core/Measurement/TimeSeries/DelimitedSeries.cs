namespace LatencyTuner.Core.Measurement.TimeSeries;

/// <summary>Reads a table with a time and a value column.</summary>
internal static class DelimitedSeries
{
    private const string PdhTime = "MM/dd/yyyy HH:mm:ss.fff";
    private const double MostNs = 1e15;

    /// <summary>Reads on from the first line, which was read already.</summary>
    internal static ObservedSeries Read(LineReader lines, ReadOnlySpan<char> first, string path, SeriesReadOptions options)
    {
        ObservedSeries series = new(path, "csv");
        char separator = DelimitedText.SeparatorOf(first);
        bool pdh = first.StartsWith("\"(PDH-CSV", StringComparison.Ordinal) || first.StartsWith("(PDH-CSV", StringComparison.Ordinal);
        string? format = options.TimeFormat ?? (pdh ? PdhTime : null);
        SeriesColumns columns = SeriesColumns.Of(first, separator, options, path, lines.Number);
        SeriesAccumulator rows = new(series, options);
        if (!columns.UnitIsKnown)
            series.NoteList.Add($"The unit of {columns.ValueName} is not said; milliseconds are assumed (--unit).");
        if (!columns.HasHeader)
            Row(lines, first, separator, columns, format, path, rows);
        while (lines.TryRead(out ReadOnlySpan<char> line))
        {
            if (line.Trim().Length > 0 && line[0] != '#')
                Row(lines, line, separator, columns, format, path, rows);
        }
        return rows.Finish();
    }

    private static void Row(LineReader lines, ReadOnlySpan<char> line, char separator, SeriesColumns columns, string? format, string path, SeriesAccumulator rows)
    {
        ReadOnlySpan<char> time = default;
        ReadOnlySpan<char> value = default;
        bool hasBoth = DelimitedText.TryCell(line, separator, columns.Time, out time) && DelimitedText.TryCell(line, separator, columns.Value, out value);
        double seconds = 0;
        double number = 0;
        bool timeOk = hasBoth && TimeText.TryParse(time, format, out seconds);
        bool valueOk = hasBoth && (value.Length == 0 || value is "-" or "NaN" or "null" or "NULL" || SeriesColumns.TryNumber(value, separator, out number));
        if (!timeOk || !valueOk)
        {
            // The last line of a file that is still being written, or was cut, may end anywhere.
            if (lines.IsUnfinished)
                return;
            throw Refuse(path, lines.Number, columns, hasBoth, timeOk, time, value);
        }
        bool empty = value.Length == 0 || value is "-" or "NaN" or "null" or "NULL";
        double ns = number * columns.UnitNs;
        if (empty || ns < 0)
            rows.AddEmpty();
        else if (ns > MostNs)
            throw new ExpectedFailureException(ExitCode.Input, $"{path}: line {lines.Number}, column {columns.Value + 1}: {Quoting.Quote(value.ToString())} is more than 11 days; a latency is expected, in the unit that --unit says.");
        else
            rows.Add(seconds, (long)ns);
    }

    private static ExpectedFailureException Refuse(string path, long line, SeriesColumns columns, bool hasBoth, bool timeOk, ReadOnlySpan<char> time, ReadOnlySpan<char> value) => new(
        ExitCode.Input,
        !hasBoth ? $"{path}: line {line} has fewer than {Math.Max(columns.Time, columns.Value) + 1} columns."
        : !timeOk ? $"{path}: line {line}, column {columns.Time + 1}: {Quoting.Quote(time.ToString())} is no time; ISO 8601 (2026-11-21T10:31:27Z) or Unix time is expected, or a format given with --time-format."
        : $"{path}: line {line}, column {columns.Value + 1}: {Quoting.Quote(value.ToString())} is no number.");
}
