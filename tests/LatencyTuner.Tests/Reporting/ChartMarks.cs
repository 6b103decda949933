using System.Globalization;
using System.Security.Cryptography;
using System.Text.RegularExpressions;
using System.Xml.Linq;
using LatencyTuner.Core;
using LatencyTuner.Core.Reporting.Analysis;
using LatencyTuner.Core.Reporting.Charts;
using LatencyTuner.Core.Reporting.Measurement;
using LatencyTuner.Core.Reporting.Pages;
using LatencyTuner.Core.Reporting.Sweep;
using LatencyTuner.Core.Reporting.Writers;
using Xunit;

namespace LatencyTuner.Tests.Reporting;

/// <summary>Where the marks of a chart stand is computed back to values by the labels of its axes, and compared with the data.</summary>
public sealed partial class ChartMarks
{
    private static readonly XNamespace Svg = "http://www.w3.org/2000/svg";

    public static TheoryData<double> Widths => [SvgChart.Wide, SvgChart.Narrow];

    [Theory]
    [MemberData(nameof(Widths))]
    public void Percentiles_StandWhereTheFiguresSay(double width)
    {
        MeasurementReport report = SamplePages.Measurement(stalls: true);
        XElement svg = Draw(MeasurementCharts.Of(report).Percentiles!, width);
        AxisOfLabels y = AxisOfLabels.Vertical(svg);

        foreach ((string words, double us) in new[]
        {
            ("median", report.ResponseTime.P50Us!.Value), ("90th", report.ResponseTime.P90Us!.Value), ("99th", report.ResponseTime.P99Us!.Value),
        })
        {
            XElement dot = svg.Descendants(Svg + "circle").Single(c => c.Element(Svg + "title")?.Value.StartsWith(words, StringComparison.Ordinal) == true);
            Assert.InRange(Number(dot, "cy"), y.Pixel(us) - 1, y.Pixel(us) + 1);
        }

        // What too few requests support ends open.
        Assert.Contains(svg.Descendants(Svg + "path"), p => p.Attribute("class")!.Value.StartsWith("open", StringComparison.Ordinal));
        Assert.Contains(svg.Descendants(Svg + "path"), p => p.Attribute("class")!.Value.StartsWith("dash", StringComparison.Ordinal));
    }

    [Theory]
    [MemberData(nameof(Widths))]
    public void Distribution_HasTheTrueCounts(double width)
    {
        MeasurementReport report = SamplePages.Measurement(stalls: true);
        PlotChart chart = MeasurementCharts.Of(report).Distribution!;
        XElement svg = Draw(chart, width);
        AxisOfLabels y = AxisOfLabels.Vertical(svg);
        BarMark[] bars = [.. chart.Marks.OfType<BarMark>()];

        Assert.Equal(report.Received, bars.Sum(b => b.Y1));
        XElement[] drawn = [.. svg.Descendants(Svg + "rect").Where(r => r.Element(Svg + "title") is not null)];
        Assert.Equal(bars.Length, drawn.Length);
        foreach ((BarMark bar, XElement rect) in bars.Zip(drawn).Where(p => Number(p.Second, "height") > 2))
        {
            Assert.InRange(Number(rect, "y"), y.Pixel(bar.Y1) - 1, y.Pixel(bar.Y1) + 1);
        }
    }

    [Theory]
    [MemberData(nameof(Widths))]
    public void Sweep_StandsWhereThePointsAre(double width)
    {
        SweepReport report = (SweepReport)SampleReports.All["sweep"];
        XElement svg = Draw(SweepCharts.Curve(report)!, width);
        (AxisOfLabels x, AxisOfLabels y) = (AxisOfLabels.Horizontal(svg), AxisOfLabels.Vertical(svg));

        foreach (SweepPoint point in report.Points)
        {
            XElement dot = svg.Descendants(Svg + "circle").Single(c =>
                c.Element(Svg + "title")?.Value.StartsWith(SweepValues.Of(report, point) + ": median", StringComparison.Ordinal) == true);
            Assert.InRange(Number(dot, "cx"), x.Pixel(point.Rate!.Value) - 1, x.Pixel(point.Rate.Value) + 1);
            Assert.InRange(Number(dot, "cy"), y.Pixel(point.P50Us!.Value) - 1, y.Pixel(point.P50Us.Value) + 1);
        }
    }

    [Fact]
    public void OneSpikeInAMillionPoints_IsDrawn_AndTheChartStaysSmall()
    {
        const int N = 1_000_000;
        ChartKey key = new("value", 1, KeyShape.Line);
        ChartPoint[] points = [.. Enumerable.Range(0, N).Select(i => new ChartPoint(i, i == 654_321 ? 9000 : 1000 + (i % 7)))];
        PlotChart chart = new()
        {
            Name = "x",
            Caption = "x",
            Alternative = "x",
            X = new("s", ChartScale.Time(0, N, clock: false), ChartText.Seconds),
            Y = new("us", ChartScale.Of(points.Select(p => p.Y)), ChartText.Us),
            Keys = [key],
            Marks = [new LineMark(key, points), .. points.Select(p => new ColumnMark(p.X, p.X + 1, 1, [p.Y], ["value"]))],
        };
        string text = SvgChart.Draw(chart, SvgChart.Wide).Write("x");

        Assert.InRange(text.Length, 1000, 100_000);
        XElement svg = XElement.Parse(text);
        AxisOfLabels y = AxisOfLabels.Vertical(svg);
        string path = svg.Descendants(Svg + "path").First(p => p.Attribute("class")!.Value.StartsWith("line", StringComparison.Ordinal)).Attribute("d")!.Value;
        double top = Coordinates().Matches(path).Min(m => double.Parse(m.Groups[2].Value, CultureInfo.InvariantCulture));
        Assert.InRange(top, y.Pixel(9000) - 1, y.Pixel(9000) + 1);
        Assert.InRange(svg.Descendants(Svg + "title").Count(), 100, SvgPlot.MostTitles);
        Assert.Contains(svg.Descendants(Svg + "title"), t => t.Value.Contains("9 ms", StringComparison.Ordinal));
    }

    [Fact]
    public void ManyDots_AreJoined_AndTheirCountsAdd()
    {
        AnalysisReport sample = (AnalysisReport)SampleReports.All["analyze"];
        Random random = new(5);
        AnalysedTransaction one = sample.Transactions[0];
        AnalysisReport many = sample with
        {
            Transactions =
            [
                .. Enumerable.Range(0, 20_000).Select(i => one with
                {
                    StartUtc = one.StartUtc.AddMilliseconds(i), DurationMs = 1 + random.NextDouble() + (i % 50 == 0 ? 200 : 0), Stall = i % 50 == 0 ? "nagle"
                        : null,
                }),
            ],
        };
        XElement svg = Draw(AnalysisCharts.Transactions(many)!, SvgChart.Wide);
        string[] titles = [.. svg.Descendants(Svg + "title").Select(t => t.Value)];

        Assert.InRange(titles.Length, 10, SvgPlot.MostTitles);
        Assert.Equal(20_000,
            titles.Sum(t => Count().Match(t) is { Success: true } m ? int.Parse(m.Groups[1].Value, NumberStyles.AllowThousands, CultureInfo.InvariantCulture)
                : 1));
    }

    [Theory]
    [InlineData(new[] { 100.0, 150, 180 }, "Linear")]
    [InlineData(new[] { 10.0, 150, 18_000 }, "Log")]
    [InlineData(new[] { 0.0, 3, 7 }, "Linear")]
    [InlineData(new[] { -5.0, 3, 7 }, "Linear")]
    [InlineData(new[] { 0.001, 150, 160, 170 }, "Linear")]
    [InlineData(new double[0], "Linear")]
    [InlineData(new[] { 5.0, 5, 5 }, "Linear")]
    [InlineData(new[] { 1e-300, 1e300, 5, 6, 7 }, "Log")]
    public void Scale_IsChosenByTheData(double[] values, string kind)
    {
        ChartScale scale = ChartScale.Of(values);

        Assert.Equal(kind, scale.Kind.ToString());
        Assert.InRange(scale.Ticks(6).Count, 2, 40);
        Assert.All(scale.Ticks(6), t => Assert.InRange(scale.Place(t), 0, 1));
        Assert.All(values.Where(v => v >= scale.Low && v <= scale.High), v => Assert.Equal(v, scale.At(scale.Place(v)), Math.Max(1e-9, Math.Abs(v) * 1e-6)));
    }

    /// <summary>Every chart of every kind can be written alone, and its data as a table.</summary>
    [Fact]
    public void EveryChart_IsWrittenAlone()
    {
        HashSet<string> seen = [];
        foreach (string name in SampleReports.All.Keys)
        {
            Page page = Judged.PageOf(SampleReports.All[name]);
            foreach (Chart chart in ReportCharts.Of(page))
            {
                seen.Add(chart.GetType().Name);
                XElement svg = XDocument.Parse(ReportCharts.Write([page], chart.Name, data: false)).Root!;
                Assert.Equal("svg", svg.Name.LocalName);
                Assert.DoesNotContain(svg.DescendantsAndSelf().Attributes(), a => a.Value.Contains("NaN", StringComparison.Ordinal)
                    || a.Value.Contains('∞', StringComparison.Ordinal));
                string[] rows = ReportCharts.Write([page], chart.Name, data: true).TrimEnd().Split("\r\n");
                Assert.True(rows.Length > 1, $"{name}: {chart.Name} has no data");
                Assert.StartsWith("chart,mark,series,", rows[0], StringComparison.Ordinal);
            }
        }

        Assert.Equal(4, seen.Count);
    }

    [Fact]
    public void AWrongName_ListsTheCharts()
    {
        ExpectedFailureException failure = Assert.Throws<ExpectedFailureException>(
            () => ReportCharts.Write([Judged.PageOf(SampleReports.All["sweep"])], "nosuch", data: false));
        Assert.Contains("It has: sweep", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void VendoredScript_IsTheOneThatWasNoted()
    {
        string folder = Path.Combine(Repository.Root, "src", "LatencyTuner.Core", "Reporting", "Script");
        string readme = File.ReadAllText(Path.Combine(folder, "README.md"));
        foreach (string file in new[] { "uPlot.iife.min.js", "uPlot.min.css" })
        {
            string hash = Convert.ToHexString(SHA256.HashData(File.ReadAllBytes(Path.Combine(folder, file)))).ToLowerInvariant();
            Assert.Contains($"| `{file}` | `{hash}` |", readme, StringComparison.Ordinal);
        }
    }

    private static XElement Draw(Chart chart, double width) => XElement.Parse(SvgChart.Draw(chart, width).Write(chart.Alternative));

    private static double Number(XElement element, string attribute) => double.Parse(element.Attribute(attribute)!.Value, CultureInfo.InvariantCulture);

    [GeneratedRegex(@"[MLV](?:(-?[\d.]+) )?(-?[\d.]+)")]
    private static partial Regex Coordinates();

    [GeneratedRegex(@"^([\d,]+) of ")]
    private static partial Regex Count();

    /// <summary>An axis as a reader sees it: labels at places; what lies between follows the first and the last of them.</summary>
    private sealed partial class AxisOfLabels
    {
        private readonly (double Value, double Pixel)[] _labels;
        private readonly bool _log;

        private AxisOfLabels(IEnumerable<(double Value, double Pixel)> labels, bool log) => (_labels, _log) = ([.. labels.OrderBy(l => l.Value)], log);

        internal static AxisOfLabels Vertical(XElement svg)
        {
            string label = svg.Descendants(Svg + "text").First(t => t.Attribute("class")?.Value == "strong").Value;
            return new(
                svg.Descendants(Svg + "text").Where(t => t.Attribute("text-anchor")?.Value == "end" && Value(t.Value) is not null)
                    .Select(t => (Value(t.Value)!.Value, Number(t, "y") - 4.5)), svg.Value.Contains(label, StringComparison.Ordinal)
                        && label.Contains("logarithmic", StringComparison.Ordinal));
        }

        internal static AxisOfLabels Horizontal(XElement svg)
        {
            double lowest = svg.Descendants(Svg + "line").Where(l => l.Attribute("class")?.Value == "axis").Max(l => Number(l, "y1"));
            XElement[] ticks = [.. svg.Descendants(Svg + "text")
                .Where(t => t.Attribute("text-anchor")?.Value == "middle" && Value(t.Value) is not null && Number(t, "y") > lowest)];
            return new(ticks.Select(t => (Value(t.Value)!.Value, Number(t, "x"))), svg.Value.Contains("requests/s (logarithmic)", StringComparison.Ordinal));
        }

        internal double Pixel(double value)
        {
            ((double Value, double Pixel) a, (double Value, double Pixel) b) = (_labels.First(l => l.Value > 0 || !_log), _labels[^1]);
            double share = _log ? Math.Log(value / a.Value) / Math.Log(b.Value / a.Value) : (value - a.Value) / (b.Value - a.Value);
            return a.Pixel + (share * (b.Pixel - a.Pixel));
        }

        private static double? Value(string text)
        {
            Match match = Label().Match(text);
            return !match.Success ? null : double.Parse(match.Groups[1].Value, CultureInfo.InvariantCulture) * match.Groups[2].Value.Trim() switch
            {
                "ns" => 1e-3,
                "ms" => 1e3,
                "s" => 1e6,
                "k" => 1e3,
                "M" => 1e6,
                _ => 1,
            };
        }

        [GeneratedRegex(@"^([\d.]+)( ns| us| ms| s|k|M)?$")]
        private static partial Regex Label();
    }
}
