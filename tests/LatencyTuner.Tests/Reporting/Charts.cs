using LatencyTuner.Core.Reporting.Charts;
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

        List<int> rows = Enumerable.Range(0, lines.Count - 1).SelectMany(r => lines[r].Select((c, x) => (c, x, r))).Where(p => p.c == 'o' && p.x >= 9)
            .OrderBy(p => p.x).Select(p => p.r).ToList();
        Assert.Equal(4, rows.Count);
        Assert.Equal(rows.Order(), rows);
        Assert.True(rows[^1] > rows[0]);
        Assert.Contains("10k", lines[^2], StringComparison.Ordinal);
    }
}
