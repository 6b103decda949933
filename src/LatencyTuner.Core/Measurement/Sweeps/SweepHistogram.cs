using System.Globalization;

namespace LatencyTuner.Core.Measurement.Sweeps;

/// <summary>A stored histogram; the sums are decimal text, since they may pass 64 bits.</summary>
internal sealed record SweepHistogram(string Encoded, long MinNs, long MaxNs, string Sum, string SumOfSquares, long Negative, long Saturated)
{
    internal static SweepHistogram Of(LatencyHistogram histogram)
    {
        HistogramMoments m = histogram.Moments;
        return new(
            histogram.Count == 0 ? "" : Convert.ToBase64String(histogram.EncodeCompressedV2()), m.Min, m.Max,
            m.Sum.ToString(CultureInfo.InvariantCulture), m.SumOfSquares.ToString(CultureInfo.InvariantCulture), m.NegativeCount, m.SaturatedCount);
    }

    internal LatencyHistogram Histogram()
    {
        if (Encoded.Length == 0)
        {
            return new LatencyHistogram();
        }

        LatencyHistogram histogram = LatencyHistogram.DecodeCompressedV2(Convert.FromBase64String(Encoded));
        histogram.Moments = new HistogramMoments(
            MinNs, MaxNs, UInt128.Parse(Sum, CultureInfo.InvariantCulture), UInt128.Parse(SumOfSquares, CultureInfo.InvariantCulture), Negative, Saturated);
        return histogram;
    }
}
