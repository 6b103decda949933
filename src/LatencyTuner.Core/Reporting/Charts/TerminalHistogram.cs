using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.Charts;

/// <summary>A distribution as horizontal bars, one line per logarithmic range: a peak at 40 ms stays visible beside one at microseconds.</summary>
internal static class TerminalHistogram
{
    /// <summary>Draws the chart.</summary>
    /// <param name="buckets">Buckets of any width in ascending order.</param>
    /// <param name="width">Characters per line, 30 or more.</param>
    /// <param name="maxLines">Maximum number of lines, 1 or more; neighbouring ranges are joined to fit.</param>
    /// <param name="ascii">True for ASCII characters only.</param>
    /// <returns>The lines, none without counts. The bar is linear in the count; anything above 0 shows.</returns>
    public static IReadOnlyList<string> Draw(IReadOnlyList<HistogramBar> buckets, int width = 80, int maxLines = 16, bool ascii = false)
    {
        ArgumentNullException.ThrowIfNull(buckets);
        ArgumentOutOfRangeException.ThrowIfLessThan(width, 30);
        ArgumentOutOfRangeException.ThrowIfLessThan(maxLines, 1);
        IReadOnlyList<HistogramBar> rows = LogRanges.Of(buckets, maxLines);
        if (rows.Count == 0)
        {
            return [];
        }

        long total = rows.Sum(r => r.Count);
        long most = rows.Max(r => r.Count);
        List<string> labels = rows.Select(r => Format.RoundRange(r.LowUs, r.HighUs)).ToList();
        List<string> counts = rows.Select(r => Format.Count(r.Count)).ToList();
        List<string> shares = rows.Select(r => Format.Share(r.Count / (double)total)).ToList();
        int labelWidth = labels.Max(l => l.Length);
        int countWidth = counts.Max(c => c.Length);
        int shareWidth = shares.Max(s => s.Length);
        int full = Math.Max(1, width - labelWidth - countWidth - shareWidth - 6);
        return [.. rows.Select((row, i) => (labels[i].PadLeft(labelWidth) + "  " + counts[i].PadLeft(countWidth) + "  "
            + shares[i].PadLeft(shareWidth) + "  " + BarCharacters.Horizontal(row.Count / (double)most, full, ascii)).TrimEnd())];
    }
}
