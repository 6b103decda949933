using System.Globalization;
using System.Numerics;
using LatencyTuner.Core.Histograms;

namespace LatencyTuner.Core.Measurement.Sweeps;

/// <summary>A stored histogram; the sums are decimal text, since they may exceed 64 bits.</summary>
internal sealed record SweepHistogram(string Encoded, long MinNs, long MaxNs, string Sum, string SumOfSquares, long Negative, long Saturated)
{
    internal static SweepHistogram Of(LatencyHistogram histogram)
    {
        HistogramMoments m = histogram.Moments;
        return new(
            histogram.Count == 0 ? "" : Convert.ToBase64String(histogram.EncodeCompressedV2()), m.Min, m.Max,
            Text(m.Sum), Text(m.SumOfSquares), m.NegativeCount, m.SaturatedCount);
    }

    internal LatencyHistogram Histogram()
    {
        if (Encoded.Length == 0)
        {
            return new LatencyHistogram();
        }

        LatencyHistogram histogram = LatencyHistogram.DecodeCompressedV2(Convert.FromBase64String(Encoded));
        histogram.Moments = new HistogramMoments(
            MinNs, MaxNs, Parse(Sum), Parse(SumOfSquares), Negative, Saturated);
        return histogram;
    }

    private static string Text(WideSum sum) => ((BigInteger)sum).ToString(CultureInfo.InvariantCulture);

    private static WideSum Parse(string text)
    {
        UInt128 sum = UInt128.Parse(text, CultureInfo.InvariantCulture);
        return new WideSum((ulong)(sum >> 64), (ulong)sum);
    }
}
