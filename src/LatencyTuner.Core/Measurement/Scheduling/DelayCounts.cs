namespace LatencyTuner.Core.Measurement.Scheduling;

/// <summary>Counts of delays in buckets of a quarter of an octave from 1 µs to over an hour: small enough to be copied for every connection.</summary>
internal sealed class DelayCounts
{
    private const double LeastNs = 1000;
    private const int PerOctave = 4;
    private const int Buckets = 32 * PerOctave;
    private readonly long[] _counts = new long[Buckets];

    /// <summary>Number of delays.</summary>
    internal long Count => _counts.Sum();

    internal void Add(long delayNs) => _counts[BucketOf(delayNs)]++;

    internal DelayCounts Copy()
    {
        DelayCounts copy = new();
        _counts.CopyTo(copy._counts, 0);
        return copy;
    }

    /// <summary>Returns the delays counted after an earlier copy.</summary>
    internal DelayCounts Since(DelayCounts earlier)
    {
        DelayCounts since = new();
        for (int i = 0; i < Buckets; i++)
        {
            since._counts[i] = Math.Max(_counts[i] - earlier._counts[i], 0);
        }

        return since;
    }

    /// <summary>A quantile in nanoseconds, the upper end of its bucket: at most 20 % too high; null without any delay.</summary>
    /// <param name="q">From 0 to 1.</param>
    internal long? Quantile(double q)
    {
        long rank = Math.Max(1, (long)Math.Ceiling(q * Count));
        long seen = 0;
        for (int i = 0; i < Buckets; i++)
        {
            seen += _counts[i];
            if (seen >= rank)
            {
                return (long)(LeastNs * Math.Pow(2, (double)i / PerOctave));
            }
        }

        return null;
    }

    private static int BucketOf(long delayNs) =>
        delayNs <= LeastNs ? 0 : Math.Min((int)Math.Ceiling(PerOctave * Math.Log2(delayNs / LeastNs)), Buckets - 1);
}
