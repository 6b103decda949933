using System.Globalization;

namespace LatencyTuner.Core.Histograms;

/// <summary>
/// Writes the HdrHistogram interval log (<c>.hlog</c>), format version 1.3: comments, start time, legend, then one line per interval
/// with start and length in seconds, maximum in milliseconds, and the compressed histogram as Base64.
/// </summary>
/// <param name="output">Receives the text; not closed.</param>
public sealed class HlogWriter(TextWriter output)
{
    /// <summary>Writes the header of the log. Interval starts are relative to the start time, which is also written as the base time.</summary>
    /// <param name="startTime">When the measurement began.</param>
    /// <param name="comments">One line each, without the leading <c>#</c>.</param>
    /// <exception cref="ArgumentException">A comment has a line break or would be read as a field of the header.</exception>
    public void WriteHeader(DateTimeOffset startTime, params string[] comments)
    {
        ArgumentNullException.ThrowIfNull(comments);
        foreach (string comment in comments)
        {
            if (comment.AsSpan().IndexOfAny('\r', '\n') >= 0 || comment.StartsWith('['))
            {
                throw new ArgumentException($"The comment \"{comment}\" must be one line that does not begin with '['.", nameof(comments));
            }

            output.Write($"#{comment}\n");
        }
        string seconds = Number(startTime.ToUnixTimeMilliseconds() / 1000.0);
        string date = startTime.UtcDateTime.ToString("yyyy-MM-dd'T'HH:mm:ss.fff'Z'", CultureInfo.InvariantCulture);
        output.Write("#[Histogram log format version 1.3]\n");
        output.Write($"#[StartTime: {seconds} (seconds since epoch), {date}]\n");
        output.Write($"#[BaseTime: {seconds} (seconds since epoch)]\n");
        output.Write("\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\",\"Interval_Compressed_Histogram\"\n");
    }

    /// <summary>Writes one interval.</summary>
    /// <param name="startNs">Start of the interval after the start time, nanoseconds.</param>
    /// <param name="endNs">End of the interval after the start time, nanoseconds, not before its start.</param>
    /// <param name="histogram">The values recorded in the interval; may be empty.</param>
    /// <param name="tag">Names one of several series in a log; no comma, space or line break.</param>
    /// <exception cref="ArgumentException">The tag is empty or contains a comma, a space or a line break.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The end is before the start.</exception>
    public void WriteInterval(long startNs, long endNs, LatencyHistogram histogram, string? tag = null)
    {
        ArgumentNullException.ThrowIfNull(histogram);
        ArgumentOutOfRangeException.ThrowIfLessThan(endNs, startNs);
        if (tag is not null)
        {
            if (tag.Length == 0 || tag.AsSpan().IndexOfAny(", \r\n") >= 0)
            {
                throw new ArgumentException($"The tag \"{tag}\" must not be empty or contain a comma, a space or a line break.", nameof(tag));
            }

            output.Write($"Tag={tag},");
        }
        string bytes = Convert.ToBase64String(histogram.EncodeCompressedV2());
        output.Write($"{Number(startNs / 1e9)},{Number((endNs - startNs) / 1e9)},{Number(histogram.MaxNs / 1e6)},{bytes}\n");
    }

    private static string Number(double value) => value.ToString("F3", CultureInfo.InvariantCulture);
}
