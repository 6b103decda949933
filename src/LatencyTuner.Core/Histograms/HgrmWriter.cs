using System.Globalization;

namespace LatencyTuner.Core.Histograms;

/// <summary>
/// Writes the percentile distribution text (<c>.hgrm</c>) that HdrHistogram's outputPercentileDistribution writes and the HdrHistogram
/// plotter reads: value, percentile, running count and 1/(1−percentile), with ever finer steps towards the maximum.
/// </summary>
public static class HgrmWriter
{
    /// <summary>Divisor for values in microseconds.</summary>
    public const double MicrosecondsNs = 1e3;

    /// <summary>Divisor for values in milliseconds.</summary>
    public const double MillisecondsNs = 1e6;

    /// <summary>Writes the whole table and its footer, with line feeds on every platform.</summary>
    /// <param name="output">Receives the text.</param>
    /// <param name="histogram">The histogram to write; an empty one gives a table without rows.</param>
    /// <param name="unitNs">Nanoseconds of one output unit, above 0: <see cref="MicrosecondsNs"/> or <see cref="MillisecondsNs"/>.</param>
    /// <param name="ticksPerHalfDistance">Rows per halving of the distance to 100 %, 1 or more; the original's default is 5.</param>
    /// <exception cref="ArgumentOutOfRangeException">The unit or the ticks are out of range.</exception>
    public static void Write(TextWriter output, LatencyHistogram histogram, double unitNs, int ticksPerHalfDistance = 5)
    {
        ArgumentNullException.ThrowIfNull(output);
        ArgumentNullException.ThrowIfNull(histogram);
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(unitNs);
        ArgumentOutOfRangeException.ThrowIfLessThan(ticksPerHalfDistance, 1);

        output.Write("       Value     Percentile TotalCount 1/(1-Percentile)\n\n");
        WriteRows(output, histogram, unitNs, ticksPerHalfDistance);
        string mean = Number(histogram.MeanNs / unitNs);
        string deviation = Number(histogram.StandardDeviationNs / unitNs);
        string max = Number(histogram.MaxNs / unitNs);
        output.Write($"#[Mean    = {mean}, StdDeviation   = {deviation}]\n");
        output.Write($"#[Max     = {max}, Total count    = {histogram.Count,12}]\n");
        output.Write($"#[Buckets = {LatencyHistogram.BucketCount,12}, SubBuckets     = {LatencyHistogram.SubBucketCount,12}]\n");
    }

    private static void WriteRows(TextWriter output, LatencyHistogram histogram, double unitNs, int ticks)
    {
        long seen = 0;
        double level = 0;
        foreach (HistogramBucket bucket in histogram)
        {
            seen += bucket.Count;
            string value = Number(bucket.HighNs / unitNs);
            double reached = 100.0 * seen / histogram.Count;
            while (reached >= level)
            {
                // Half away from zero as the Java original prints it: the levels are sums of powers of two and do end in exact halves.
                double shown = Math.Round(level / 100, 12, MidpointRounding.AwayFromZero);
                output.Write($"{value} {shown,14:F12} {seen,10} {1 / (1 - (level / 100)),14:F2}\n");
                level += 100 / (ticks * Math.Pow(2, Math.Floor(Math.Log2(100 / (100 - level))) + 1));
                if (seen == histogram.Count)
                {
                    break;
                }
            }
            if (seen == histogram.Count)
            {
                output.Write($"{value} {1.0,14:F12} {seen,10}\n");
            }
        }
    }

    private static string Number(double value) => value.ToString("F3", CultureInfo.InvariantCulture).PadLeft(12);
}
