using LatencyTuner.Core.Histograms;
using LatencyTuner.Core.Reporting.Charts;
using LatencyTuner.Core.Reporting.Measurement;
using Xunit;

namespace LatencyTuner.Tests.Reporting;

public sealed class Charts
{
    private static readonly HistogramBar[] TwoHumps = [new(14, 15, 900), new(15, 16, 94), new(43_900, 44_100, 6)];

    [Fact]
    public void Histogram_ShowsBothHumps()
    {
        IReadOnlyList<string> lines = TerminalHistogram.Draw(TwoHumps, ascii: true);

        string[] expected = ["12.5 to 16 us", "16 us to 40 ms", "40 to 50 ms"];
        Assert.Equal(expected, lines.Select(l => l.TrimStart().Split("  ")[0]));
        Assert.Equal([true, false, true], lines.Select(l => l.EndsWith('#')));
        Assert.Contains("994  99.4 %", lines[0], StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(5)]
    [InlineData(16)]
    [InlineData(100)]
    public void Histogram_KeepsEveryCountWithinItsLines(int maxLines)
    {
        Random random = new(7);
        HistogramBar[] buckets = Enumerable.Range(0, 400).Select(i => new HistogramBar(Math.Pow(1.05, i), Math.Pow(1.05, i + 1), random.Next(3)))
            .ToArray();

        IReadOnlyList<string> lines = TerminalHistogram.Draw(buckets, 80, maxLines);

        Assert.InRange(lines.Count, 1, maxLines);
        Assert.All(lines, l => Assert.InRange(l.Length, 1, 80));
        long drawn =
            lines.Sum(
                l =>
                    long.Parse(
                        l.Split("  ", StringSplitOptions.RemoveEmptyEntries)[1].Replace(",", "", StringComparison.Ordinal),
                        System.Globalization.CultureInfo.InvariantCulture));
        Assert.Equal(buckets.Sum(b => b.Count), drawn);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    public void Ranges_CountWhatTheySay(int seed)
    {
        Random random = new(seed);
        List<long> values = [.. Enumerable.Range(0, 3599).Select(_ => (long)(5e6 * Math.Pow(7, random.NextDouble())) >> (5 * (seed - 1)))];
        values.Add(values.Max() * 26);
        LatencyHistogram histogram = new();
        values.ForEach(histogram.Record);

        foreach (int most in new[] { 16, 24 })
        {
            IReadOnlyList<HistogramBar> rows = LogRanges.Of(MeasurementCharts.Bars(histogram), most);

            Assert.Equal(values.Count, rows.Sum(r => r.Count));
            Assert.All(rows.Zip(rows.Skip(1)), pair => Assert.Equal(pair.First.HighUs, pair.Second.LowUs));
            Assert.All(rows, row =>
            {
                // The resolution of the histogram: 0.1 % of a value, 1 ns at least.
                long surely = values.Count(v => v >= (row.LowUs * 1e3 * 1.001) + 1 && v < (row.HighUs * 1e3 * 0.999) - 1);
                long perhaps = values.Count(v => v >= (row.LowUs * 1e3 * 0.999) - 1 && v < (row.HighUs * 1e3 * 1.001) + 1);
                Assert.InRange(row.Count, surely, perhaps);
            });
            Assert.InRange(values.Max() / 1e3, rows[^1].LowUs * 0.999, rows[^1].HighUs);
            Assert.InRange(values.Min() / 1e3, rows[0].LowUs * 0.999, rows[0].HighUs);
        }
    }

    [Fact]
    public void Ranges_PutRoundValuesAboveTheirBound()
    {
        LatencyHistogram histogram = new();
        histogram.RecordMany(20_000_000, 5);
        histogram.RecordMany(16_100_000, 3);
        histogram.RecordMany(900_000_000, 1);

        IReadOnlyList<HistogramBar> rows = LogRanges.Of(MeasurementCharts.Bars(histogram), 16);

        Assert.Equal([(16_000, 20_000, 3), (20_000, 25_000, 5)], rows.Take(2).Select(r => (r.LowUs, r.HighUs, r.Count)));
        Assert.Equal((800_000, 1_000_000, 1), (rows[^1].LowUs, rows[^1].HighUs, rows[^1].Count));
    }

    [Fact]
    public void Draw_OfNothingIsNothing()
    {
        Assert.Empty(TerminalHistogram.Draw([]));
        Assert.Empty(TerminalHistogram.Draw([new(1, 2, 0)]));
        Assert.Empty(TimeStrip.Draw("p99", [new(0, null), new(1, double.NaN)]));
        Assert.Empty(TerminalCurve.Draw("rate", [new(10, 5, 6)]));
        Assert.Empty(TerminalCurve.Draw("rate", [new(10, null, null), new(20, null, null)]));
    }

    [Fact]
    public void Strip_RisesWithTheValueAndLeavesGaps()
    {
        IReadOnlyList<string> lines =
            TimeStrip.Draw("p99 per 100 ms", [new(0, 10), new(100, 100), new(200, null), new(300, 1000), new(400, 10_000)], ascii: true);

        Assert.Equal("p99 per 100 ms", lines[0]);
        string strip = lines[1][^5..];
        Assert.Equal(' ', strip[2]);
        List<int> heights = strip.Where(c => c != ' ').Select(c => ".:-=+*%#".IndexOf(c, StringComparison.Ordinal)).ToList();
        Assert.Equal(heights.Order(), heights);
        Assert.Equal([0, 7], [heights[0], heights[^1]]);
        Assert.Contains("10.0 us", lines[^1], StringComparison.Ordinal);
        Assert.Contains("10.0 ms", lines[^1], StringComparison.Ordinal);
    }

    [Fact]
    public void Strip_BreaksALongOne()
    {
        IReadOnlyList<string> lines = TimeStrip.Draw("x", [.. Enumerable.Range(0, 500).Select(i => new StripInterval(i * 100, 5 + i))], 60);

        Assert.All(lines, l => Assert.InRange(l.Length, 0, 60));
        Assert.Equal(500, lines.Skip(1).SkipLast(1).Sum(l => l.Count(c => "▁▂▃▄▅▆▇█".Contains(c, StringComparison.Ordinal))));
    }

    [Fact]
    public void Curve_FallsWithLoadWhenLatencyDoes()
    {
        CurvePoint[] points = [new(10, 44_000, 84_000), new(100, 21_000, 45_000), new(1000, 1700, 6300), new(10_000, 90, 300)];

        IReadOnlyList<string> lines = TerminalCurve.Draw("rate", points, ascii: true);

        List<int> rows = Enumerable.Range(0, lines.Count - 1).SelectMany(r => lines[r].Select((c, x) => (c, x, r))).Where(p => p.c is 'o' or '*' && p.x >= 9)
            .OrderBy(p => p.x).Select(p => p.r).ToList();
        Assert.Equal(4, rows.Count);
        Assert.Equal(rows.Order(), rows);
        Assert.True(rows[^1] > rows[0]);
        Assert.Contains("10k", lines[^2], StringComparison.Ordinal);
    }

    [Fact]
    public void Curve_DrawsFewSamplesAsABoundAndWhatTheSystemChoseApart()
    {
        CurvePoint[] points = [new(null, 6_000, 7_800) { Label = "auto" }, new(1, 90_000, null) { AtLeastUs = 205_000 }, new(4, 24_000, 61_000)];

        IReadOnlyList<string> lines = TerminalCurve.Draw("KiB", points, 60, ascii: true);

        string[] plot = [.. lines.Take(12).Select(l => l[(l.IndexOf('|', StringComparison.Ordinal) + 1)..])];
        Assert.Equal(3, plot.Sum(l => l.Count(c => c is 'o' or '*')));
        int RowOf(char mark) => Array.FindIndex(plot, l => l.Contains(mark, StringComparison.Ordinal));
        Assert.True(RowOf('^') < RowOf('+'));
        Assert.Matches(@"^\s+auto\s+1\s+4$", lines[^2]);
        Assert.EndsWith("^ 99th or more", lines[^1], StringComparison.Ordinal);
    }

    [Fact]
    public void Curve_OfTwoFiguresInOnePlace_MarksBoth()
    {
        IReadOnlyList<string> lines = TerminalCurve.Draw("rate", [new(1, 100, 101), new(10, 100, 9_000)], 60, 4, ascii: true);

        Assert.Equal(1, lines.Take(4).Sum(l => l.Count(c => c == '*')));
        Assert.EndsWith("rate;  o median  + 99th  * both", lines[^1], StringComparison.Ordinal);
    }

    /// <summary>More orders of magnitude than lines, as a document that was edited may say.</summary>
    [Fact]
    public void Curve_FiguresOfAnySize_AreDrawn() =>
        Assert.Equal(12 + 3, TerminalCurve.Draw("rate", [new(1e-9, 1e-12, 1e18), new(1e18, 1, 2)]).Count);
}
