using System.Globalization;

namespace LatencyTuner.Core.Series;

/// <summary>Reads the series that <c>measure --series</c> writes: per interval the number of requests and their percentiles.</summary>
internal static class IntervalSeries
{
    /// <summary>The header; later versions may add columns at its end.</summary>
    internal const string Header = "startUtc,durationMs,n,minUs,p10Us,p50Us,p90Us,p99Us,p99_9Us,maxUs";

    private const int Columns = 10;

    /// <summary>The shares at which an interval's percentiles are given, minimum and maximum included.</summary>
    internal static readonly double[] Knots = [0, 0.1, 0.5, 0.9, 0.99, 0.999, 1];

    internal static ObservedSeries Read(LineReader lines, string path, SeriesReadOptions options)
    {
        ObservedSeries series = new(path, "series") { IsApproximate = true };
        SeriesAccumulator rows = new(series, options);
        double[] cells = new double[Columns];
        while (lines.TryRead(out ReadOnlySpan<char> line))
        {
            if (line.StartsWith("# incomplete", StringComparison.Ordinal))
            {
                series.NoteList.Add("The measurement that wrote the series ended early.");
            }

            if (line.Trim().Length == 0 || line[0] == '#')
            {
                continue;
            }

            int bad = Parse(line, cells);
            if (bad >= 0 && lines.IsUnfinished)
            {
                break;
            }

            if (bad >= 0)
            {
                throw new ExpectedFailureException(
                    ExitCode.Input,
                    $"{path}: line {lines.Number}, column {bad + 1}: {(bad == 0 ? "a time in ISO 8601" : "a number consistent with the others")} is expected, "
                    + "as measure --series writes it.");
            }

            rows.Add(cells[0] + (cells[1] / 2e3), (long)cells[2], cells.AsSpan(3));
        }
        return rows.Finish();
    }

    /// <summary>The index of the first cell that is wrong; −1 when none is.</summary>
    private static int Parse(ReadOnlySpan<char> line, double[] cells)
    {
        for (int i = 0; i < Columns; i++)
        {
            bool ok = DelimitedText.TryCell(line, ',', i, out ReadOnlySpan<char> cell)
                && (i == 0 ? TimeText.TryParse(cell, null, out cells[0])
                    : double.TryParse(cell, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out cells[i]));
            if (!ok || !(cells[i] >= 0 && cells[i] < 1e15) || (i == 2 && cells[2] > int.MaxValue) || (i > 3 && cells[i] < cells[i - 1]))
            {
                return i;
            }
        }
        return -1;
    }
}
