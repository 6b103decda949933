using System.IO.Compression;
using LatencyTuner.Core.Inputs;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Series;

/// <summary>Reads a series: one of this program, an IIS log, or a table with a time and a value.</summary>
public static class SeriesFile
{
    /// <summary>Reads a series, in one pass and with bounded memory.</summary>
    /// <param name="stream">The file from its start, compressed with gzip or not.</param>
    /// <param name="path">Its name, for the report and for error messages.</param>
    /// <param name="options">Columns, unit, bin length, exclusions and limit.</param>
    /// <returns>The series; it has at least one value.</returns>
    /// <exception cref="ExpectedFailureException">The file is not valid (<see cref="ExitCode.Input"/>); the message names line and column.</exception>
    public static ObservedSeries Read(Stream stream, string path, SeriesReadOptions options)
    {
        ArgumentNullException.ThrowIfNull(stream);
        ArgumentNullException.ThrowIfNull(path);
        ArgumentNullException.ThrowIfNull(options);
        try
        {
            return Lines(Unpacked(stream), path, options);
        }
        catch (InvalidDataException e)
        {
            throw new ExpectedFailureException(ExitCode.Input, $"{path} is compressed (gzip) and damaged.", e);
        }
    }

    /// <summary>The decompressed content of a gzip file, for example of an archived log; other files unchanged.</summary>
    private static Stream Unpacked(Stream stream)
    {
        byte[] head = new byte[2];
        int read = stream.ReadAtLeast(head, head.Length, throwOnEndOfStream: false);
        HeadStream whole = new(head.AsMemory(0, read), stream);
        return read == 2 && head[0] == 0x1F && head[1] == 0x8B ? new GZipStream(whole, CompressionMode.Decompress) : whole;
    }

    private static ObservedSeries Lines(Stream stream, string path, SeriesReadOptions options)
    {
        using LineReader lines = new(stream, path);
        ReadOnlySpan<char> first = default;
        while (lines.TryRead(out first) && first.Trim().Length == 0)
        {
        }
        if (first.Trim().Length == 0)
        {
            throw new ExpectedFailureException(ExitCode.Input, $"{path} is empty; a CSV file, an IIS log or a series of this program is expected.");
        }

        ObservedSeries series =
            W3cLog.IsW3cLog(first) ? W3cLog.Read(lines, first, path, options)
            : first.StartsWith(IntervalSeries.Header, StringComparison.Ordinal) ? IntervalSeries.Read(lines, path, options)
            : Table(lines, first, path, options);
        return series.Distribution.Count > 0 ? series
            : throw new ExpectedFailureException(
                ExitCode.Input,
                series.Rows == 0 ? $"{path} has a header but no rows." : $"{path}: none of {Counted.Of(series.Rows, "row")} can be used: "
                    + $"{string.Join(" ", series.Notes)}");
    }

    private static ObservedSeries Table(LineReader lines, ReadOnlySpan<char> first, string path, SeriesReadOptions options)
    {
        while (first.Length > 0 && first[0] == '#')
        {
            if (!lines.TryRead(out first))
            {
                throw new ExpectedFailureException(
                    ExitCode.Input, $"{path} has only comments; a CSV file, an IIS log or a series of this program is expected.");
            }
        }
        return DelimitedSeries.Read(lines, first, path, options);
    }
}
