using LatencyTuner.Core.Analysis.Sweeps;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Histograms;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Loops;
using LatencyTuner.Core.Measurement.Sweeps;
using LatencyTuner.Core.Reporting;
using LatencyTuner.Core.Reporting.Sweep;
using LatencyTuner.Core.Reporting.Writers;
using LatencyTuner.Core.Sockets;
using LatencyTuner.Core.Text;
using Xunit;
using static LatencyTuner.Tests.SampleResults;

namespace LatencyTuner.Tests.Reporting.Sweep;

/// <summary>Documents of sweeps over paths that never were: what a window, a rate and a round trip give is theory.</summary>
public sealed class SweepDocuments
{
    private const int KiB = 1024;

    private static SweepPlan PlanOf(
        SweepDimension dimension, IReadOnlyList<double?> values, IReadOnlyList<double?>? connections = null, bool oneWay = false) => SweepPlan.Make(
        new MeasurementPlan { Warmup = TimeSpan.Zero, Workload = new Workload { Pattern = oneWay ? WritePattern.Stream : WritePattern.Single } },
        new SweepLoad(8 * KiB, 8, 1),
        connections is null ? [(dimension, values)] : [(dimension, values), (SweepDimension.Connections, connections)],
        3, 1);

    private static SweepReport Measured(SweepPlan plan, Func<SweepCell, double> ms, Func<int?, int?>? effective = null, Func<SweepCell, double>? limited = null)
    {
        int drawn = 0;
        SweepRound Round(SweepCell cell)
        {
            double each = ms(cell) * (1 + (0.01 * (drawn++ % 3)));
            MeasurementResult result = SampleResults.Measured(Times(400, each), cell.Plan, noDelay: true);
            int? size = effective?.Invoke(cell.Plan.Workload.PeerReceiveBuffer ?? cell.Plan.Workload.SendBuffer)
                ?? (2 * (cell.Plan.Workload.PeerReceiveBuffer ?? cell.Plan.Workload.SendBuffer)) ?? 128 * KiB;
            (KernelCounters start, KernelCounters end) = Counters();
            SweepRound round = SweepRound.Of(result) with
            {
                PeerState = State(true) with { ReceiveBuffer = size },
                LocalState = State(true) with { SendBuffer = size },
                LocalCounters = [(start, end with { RwndLimitedUs = (long)((limited?.Invoke(cell) ?? 0) * result.Elapsed.TotalMicroseconds) })],
            };
            return cell.Plan.Workload.Pattern != WritePattern.Stream ? round
                : round with { StreamBytes = 400L * cell.Plan.Workload.RequestSize, StreamTime = TimeSpan.FromMilliseconds(400 * each) };
        }

        return SweepReportBuilder.From(
            new SweepResult(Target, plan, Started, [.. plan.Cells.Select(c => new SweepPointResult(c, [Round(c), Round(c), Round(c)], null))], null, false));
    }

    /// <summary>Milliseconds of a request of 64 KiB over a path of 20 ms and 2 MB/s, by the window.</summary>
    private static double ByWindow(double? window, double connections = 1) =>
        Math.Max(64 * KiB / 2000.0 * connections, 64 * KiB * 20.0 / (window ?? 1e9)) + 1;

    private static readonly IReadOnlyList<double?> Sizes = [null, .. Enumerable.Range(0, 9).Select(i => (double?)(2 * KiB << i))];

    [Theory]
    [InlineData(SweepDimension.ReceiveBuffer, false)]
    [InlineData(SweepDimension.ReceiveBuffer, true)]
    [InlineData(SweepDimension.SendBuffer, false)]
    [InlineData(SweepDimension.Window, false)]
    public async Task Sizes_BendAtBandwidthTimesDelay(SweepDimension dimension, bool oneWay)
    {
        SweepReport report = Measured(PlanOf(dimension, Sizes, oneWay: oneWay), c => ByWindow(c[dimension]));

        await Documents.AssertValid(report, "sweep");
        Assert.InRange(report.Knee!.Value, 32 * KiB, 64 * KiB);
        Assert.Equal((2 * KiB, 512 * KiB), ((int)report.Knee.From, (int)report.Knee.To));
        SweepOnset onset = Assert.Single(report.GoesBad);
        Assert.Equal(16 * KiB, onset.Value);
        Assert.InRange(onset.Ratio, 2, 3);
        Assert.Equal(
            64 * KiB / ByWindow(null) * 1e3, report.Points[0].ThroughputBytesPerSecond!.Value, report.Points[0].ThroughputBytesPerSecond!.Value * 0.05);
        Assert.All(report.Points, p => Assert.True(p.ThroughputLowPerSecond < p.ThroughputPerSecond && p.ThroughputPerSecond < p.ThroughputHighPerSecond));
    }

    /// <summary>Whoever compares the headline with the table below it finds the same figures, in the rows that a screen keeps.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Headline_HasTheFiguresOfTheTable(bool oneWay)
    {
        SweepReport report = Measured(PlanOf(SweepDimension.ReceiveBuffer, Sizes, oneWay: oneWay), c => ByWindow(c[SweepDimension.ReceiveBuffer]));
        SweepOnset onset = Assert.Single(report.GoesBad);
        foreach (int height in new[] { 22, 30, 60 })
        {
            string[] lines = TextReportWriter.Write(Judged.PageOf(report), new() { Width = 80, Height = height }).Split('\n');
            int points = Array.IndexOf(lines, "Points");
            string headline = string.Join(' ', lines.Take(points).TakeWhile(l => l.Length > 0).Select(l => l.Trim()));
            foreach (double? value in new[] { onset.Value, onset.Best })
            {
                SweepPoint point = report.Points.Single(p => p.ReceiveBufferBytes!.Requested == (int?)value);
                string figure = oneWay ? Format.BytesPerSecond(point.ThroughputBytesPerSecond) : Format.Us(point.P50Us);
                Assert.Contains(figure, headline, StringComparison.Ordinal);
                Assert.Contains(lines.Skip(points + 1), l => l.TrimStart().StartsWith(value is { } b ? Format.Bytes((long)b) : "auto", StringComparison.Ordinal)
                    && l.Contains(figure, StringComparison.Ordinal));
            }
        }
    }

    [Theory]
    [InlineData(1000, 990, 0.01, true)]
    [InlineData(1000, 989, 0.01, false)]
    [InlineData(1000, 1012, 0.01, true)]
    [InlineData(1000, 1000, 0.5, true)]
    [InlineData(1000, 1000, 40, false)]
    public void Rate_IsReachedWithinOnePercent(int planned, int answered, double lateMs, bool isReached)
    {
        SweepPlan plan = SweepPlan.Make(
            new MeasurementPlan { Warmup = TimeSpan.Zero }, new SweepLoad(64, 1, 1), [(SweepDimension.Rate, [500, 600, 700])], 1, 1);
        LatencyHistogram late = new();
        late.RecordMany((long)(lateMs * 1e6), answered);
        SweepRound Round(SweepCell cell) => SweepRound.Of(SampleResults.Measured(Times(answered, 1), cell.Plan)) with
        {
            Planned = planned,
            Lateness = late,
            Elapsed = TimeSpan.FromSeconds(3),
        };
        SweepPointResult[] points = [.. plan.Cells.Select(c => new SweepPointResult(c, [Round(c)], null))];

        SweepReport report = SweepReportBuilder.From(new SweepResult(Target, plan, Started, points, null, false));

        Assert.All(report.Points, p => Assert.Equal(isReached, p.RateHeld));
        Assert.Equal(!isReached, report.Notes.Any(n => n.StartsWith("The planned rate was missed by more than 1 % at 500/s, ", StringComparison.Ordinal)));
        Assert.Equal(lateMs > 0.1, report.Notes.Any(n => n.StartsWith("This machine sent late at ", StringComparison.Ordinal)));
    }

    [Fact]
    public void Flat_HasNeitherKneeNorABadSize()
    {
        SweepReport report = Measured(PlanOf(SweepDimension.ReceiveBuffer, Sizes), _ => 5);

        Assert.Null(report.Knee);
        Assert.Empty(report.GoesBad);
        Assert.Empty(report.Findings);
    }

    [Fact]
    public void Sizes_RaisedAndCutByTheSystem_AreOneSizeAndSaid()
    {
        int? Effective(int? asked) => asked is { } size ? Math.Clamp(2 * size, 16 * KiB, 128 * KiB) : null;
        SweepReport report =
            Measured(PlanOf(SweepDimension.ReceiveBuffer, Sizes), c => ByWindow(Effective((int?)c[SweepDimension.ReceiveBuffer]) / 2.0), Effective);

        // 2 and 4 KiB count as 8, and 128 KiB and more as 64: four sizes are left, too few for a knee.
        Assert.Null(report.Knee);
        Assert.Contains(report.Notes, n => n.Contains("raised 2 KiB, 4 KiB to 16 KiB", StringComparison.Ordinal));
        Assert.Contains(report.Notes, n => n.Contains("cut 128 KiB, 256 KiB, 512 KiB to 128 KiB", StringComparison.Ordinal));
        Assert.Equal((2 * KiB, 16 * KiB), (report.Points[1].ReceiveBufferBytes!.Requested, report.Points[1].ReceiveBufferBytes!.Effective));
    }

    [Fact]
    public async Task Window_ByConnections_IsATable()
    {
        SweepPlan plan = PlanOf(SweepDimension.Window, [null, 64 * KiB, 256 * KiB], [1, 2, 8]);
        SweepReport report = Measured(plan, c => ByWindow(c[SweepDimension.Window], c.Plan.Connections));

        await Documents.AssertValid(report, "sweep");
        Assert.Equal(["window", "connections"], report.Dimensions);
        Assert.Equal(["dynamic", "dynamic", "dynamic", 65536L, 65536L, 65536L, 262144L, 262144L, 262144L], report.Points.Select(p => p.WindowBytes!));
        Assert.Equal([1, 2, 8], report.Points.Take(3).Select(p => p.Connections!.Value));
        string text = TextReportWriter.Write(Judged.PageOf(report));
        Assert.Contains("1 connection", text, StringComparison.Ordinal);
        Assert.Contains("dynamic", text, StringComparison.Ordinal);
    }

    [Fact]
    public void SecondClient_ThatRaisesThroughput_IsAnInversionWhereTheWindowHeldTheFirst()
    {
        SweepPlan plan = PlanOf(SweepDimension.ReceiveBuffer, Sizes, [1, 2], oneWay: true);
        double PerClient(SweepCell c) => ByWindow(c[SweepDimension.ReceiveBuffer], c.Plan.Connections) / c.Plan.Connections;

        SweepReport report = Measured(plan, PerClient, limited: c => c[SweepDimension.ReceiveBuffer] < 32 * KiB ? 0.9 : 0);

        Finding finding = Assert.Single(report.Findings, f => f.Cause == Cause.LoadInversion);
        Assert.Equal((Cause.LoadInversion, Side.Server, Confidence.Likely, Severity.Info), (finding.Cause, finding.Side, finding.Confidence, finding.Severity));
        Assert.Equal(4, finding.Count);
        Assert.Contains("16,384 bytes", finding.For[0], StringComparison.Ordinal);
        Assert.Equal([1, 2], report.Knees.Select(k => k.Connections!.Value));
    }

    /// <summary>A send buffer is no window: it may be set at any time, and scales nothing.</summary>
    [Fact]
    public void SecondClient_HeldByTheSendBuffer_IsAdvisedAboutThat()
    {
        SweepPlan plan = PlanOf(SweepDimension.SendBuffer, Sizes, [1, 2], oneWay: true);

        SweepReport report = Measured(plan, c => ByWindow(c[SweepDimension.SendBuffer], c.Plan.Connections) / c.Plan.Connections, limited: _ => 0);

        Finding finding = Assert.Single(report.Findings, f => f.Cause == Cause.LoadInversion);
        Assert.Equal(Side.Client, finding.Side);
        Assert.DoesNotContain("window", finding.Recommendation, StringComparison.Ordinal);
        Assert.DoesNotContain("listen", finding.Recommendation, StringComparison.Ordinal);
        Assert.Contains("one alone ", finding.For[0], StringComparison.Ordinal);
    }

    [Fact]
    public void SecondClient_OnALoadThatWaitsForReplies_IsNone() => Assert.Empty(
        Measured(PlanOf(SweepDimension.ReceiveBuffer, Sizes, [1, 2]), _ => 5).Findings);

    [Fact]
    public void SystemsOwnWindow_ThatHoldsAClient_IsJudgedByItsCost()
    {
        SweepPlan plan = PlanOf(SweepDimension.Window, [null], [1, 2], oneWay: true);

        Finding finding = Assert.Single(Measured(plan, c => 10.0 / c.Plan.Connections, limited: _ => 0.5).Findings, f => f.Cause == Cause.LoadInversion);

        Assert.Equal((Severity.Warning, Confidence.Possible), (finding.Severity, finding.Confidence));
    }

    [Fact]
    public async Task PointGivenUp_IsInTheReport()
    {
        SweepPlan plan = PlanOf(SweepDimension.SendBuffer, [null, 4096, 8192]);
        SweepPointResult[] points =
            [.. plan.Cells.Select(
                (c, i) =>
                    new SweepPointResult(
                        c, i == 1 ? [] : [SweepRound.Of(SampleResults.Measured(Times(100, 1), c.Plan))], i == 1 ? "The system refused it." : null))];

        SweepReport report = SweepReportBuilder.From(new SweepResult(Target, plan, Started, points, null, false));

        await Documents.AssertValid(report, "sweep");
        Assert.Equal("The system refused it.", report.Points[1].FailedBecause);
        Assert.Contains(report.Notes, n => n.EndsWith("given up: The system refused it.", StringComparison.Ordinal));
        Assert.Contains("failed", TextReportWriter.Write(Judged.PageOf(report)), StringComparison.Ordinal);
        Assert.Equal(4, PublishedDocuments.CsvOf(report).Split('\n', StringSplitOptions.RemoveEmptyEntries).Length);
    }

    [Theory]
    [InlineData(SweepDimension.Size)]
    [InlineData(SweepDimension.Connections)]
    [InlineData(SweepDimension.Batch)]
    public async Task Other_Dimensions_AreDocumentsToo(SweepDimension dimension)
    {
        IReadOnlyList<double?> values = [1, 2, 4, 8, 16, 32];
        SweepReport report =
            Measured(PlanOf(dimension, values), c => dimension == SweepDimension.Batch ? 1 + (10 / c[dimension]!.Value) : Math.Max(5, c[dimension]!.Value));

        await Documents.AssertValid(report, "sweep");
        Assert.Equal(values.Select(v => (int?)v), report.Points.Select(p => p.SizeBytes ?? p.Connections ?? p.MessagesPerWrite));
        Assert.Empty(report.GoesBad);
        if (dimension == SweepDimension.Connections)
        {
            Assert.InRange(report.Knee!.Value, 4, 8);
        }
    }
}
