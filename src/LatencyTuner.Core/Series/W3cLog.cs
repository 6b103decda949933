using System.Globalization;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Series;

/// <summary>
/// Reads W3C extended logs of IIS: times are UTC, <c>time-taken</c> is in milliseconds and counts until the last byte was passed on
/// (learn.microsoft.com, "W3C Logging"). The fields may change within a file.
/// </summary>
internal static class W3cLog
{
    internal static bool IsW3cLog(ReadOnlySpan<char> line) =>
        line.StartsWith("#Software:", StringComparison.OrdinalIgnoreCase) || line.StartsWith("#Version:", StringComparison.OrdinalIgnoreCase)
        || line.StartsWith("#Fields:", StringComparison.OrdinalIgnoreCase) || line.StartsWith("#Date:", StringComparison.OrdinalIgnoreCase);

    internal static ObservedSeries Read(LineReader lines, ReadOnlySpan<char> first, string path, SeriesReadOptions options)
    {
        ObservedSeries series = new(path, "iis");
        // The times have no fractions of a second: shorter bins would be meaningless.
        SeriesAccumulator rows = new(series, options, leastStep: 1);
        Fields fields = default;
        ReadOnlySpan<char> line = first;
        do
        {
            if (line.StartsWith("#Fields:", StringComparison.OrdinalIgnoreCase))
            {
                fields = Fields.Of(line["#Fields:".Length..], options.ValueColumn ?? "time-taken", path, lines.Number, fields.Day);
            }
            else if (line.StartsWith("#Date:", StringComparison.OrdinalIgnoreCase))
            {
                fields = new Fields(
                    fields.Count, fields.Date, fields.Time, fields.Taken,
                    line["#Date:".Length..].Trim() is { Length: >= 10 } day ? day[..10].ToString() : fields.Day);
            }
            else if (line.Trim().Length > 0 && line[0] != '#')
            {
                Row(lines, line, ref fields, path, options.UnitNs ?? 1e6, rows);
            }
        }
        while (lines.TryRead(out line));
        return rows.Finish();
    }

    private static void Row(LineReader lines, ReadOnlySpan<char> line, ref Fields fields, string path, double unitNs, SeriesAccumulator rows)
    {
        if (fields.Count == 0)
        {
            throw new ExpectedFailureException(ExitCode.Input, $"{path}: line {lines.Number}: a row comes before any #Fields line.");
        }

        ReadOnlySpan<char> date = fields.Day;
        ReadOnlySpan<char> time = default;
        ReadOnlySpan<char> taken = default;
        int index = 0;
        for (int from = 0, to; from < line.Length; from = to + 1)
        {
            to = line[from..].IndexOf(' ') is var blank and >= 0 ? from + blank : line.Length;
            ReadOnlySpan<char> cell = line[from..to];
            if (cell.Length == 0)
            {
                continue;
            }

            if (index == fields.Date)
            {
                date = cell;
            }
            else if (index == fields.Time)
            {
                time = cell;
            }
            else if (index == fields.Taken)
            {
                taken = cell;
            }

            index++;
        }
        bool ok =
            DateTime.TryParseExact(
                $"{date} {time}", ["yyyy-MM-dd HH:mm:ss", "yyyy-MM-dd HH:mm:ss.fff"], CultureInfo.InvariantCulture,
                DateTimeStyles.AssumeUniversal | DateTimeStyles.AdjustToUniversal, out DateTime at);
        bool number = double.TryParse(taken, NumberStyles.AllowDecimalPoint | NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out double value)
            && value < 1e12;
        if (ok && (taken is "-" || (number && value < 0)))
        {
            rows.AddEmpty();
        }
        else if (ok && number)
        {
            rows.Add((fields.Following(at) - DateTime.UnixEpoch).TotalSeconds, (long)(value * unitNs));
        }
        else if (!lines.IsUnfinished)
        {
            throw new ExpectedFailureException(ExitCode.Input, !ok
                ? $"{path}: line {lines.Number}: {Quoting.Quote($"{date} {time}")} is not a date and time of a W3C log."
                : $"{path}: line {lines.Number}, field {fields.Taken + 1}: {Quoting.Quote(taken.ToString())} is not a time-taken in milliseconds.");
        }
    }

    private record struct Fields(int Count, int Date, int Time, int Taken, string? Day)
    {
        private static readonly TimeSpan HalfADay = TimeSpan.FromHours(12);
        private DateTime _last;

        /// <summary>The time of a row; without a date of its own, it is on the day of the last <c>#Date</c> plus the midnights since.</summary>
        internal DateTime Following(DateTime at)
        {
            if (Date >= 0)
            {
                return at;
            }

            while (_last - at > HalfADay)
            {
                at = at.AddDays(1);
            }

            return _last = at;
        }

        internal static Fields Of(ReadOnlySpan<char> text, string value, string path, long line, string? day)
        {
            string[] names = text.ToString().Split(' ', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);
            int time = Array.IndexOf(names, "time");
            int taken = Array.FindIndex(names, n => n.Equals(value, StringComparison.OrdinalIgnoreCase));
            return time >= 0 && taken >= 0
                ? new(names.Length, Array.IndexOf(names, "date"), time, taken, day)
                : throw new ExpectedFailureException(
                    ExitCode.Input,
                    $"{path}: line {line}: the log has no field {(time < 0 ? "time" : value)}; enable it in the logging settings of the site. The log has "
                    + $"{Quoting.Quote(string.Join(' ', names))}.");
        }
    }
}
