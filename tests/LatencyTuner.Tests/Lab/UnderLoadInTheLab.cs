using LatencyTuner.Core.Analysis.Loads;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Load;
using LatencyTuner.Core.Measurement.Scheduling;
using LatencyTuner.Core.Reporting.UnderLoad;
using Xunit;

namespace LatencyTuner.Tests.Lab;

/// <summary>Paths whose rate and queue are known, filled: what the queue adds is then known too.</summary>
[Collection(LabTests.Name)]
public sealed class UnderLoadInTheLab
{
    private static readonly (string Preset, LoadDirection Direction)[] Paths =
    [
        ("rate-10mbit-deep-queue", LoadDirection.Up), ("rate-10mbit-deep-queue", LoadDirection.Down), ("rate-10mbit-deep-queue", LoadDirection.Both),
        ("rate-10mbit-shallow-queue", LoadDirection.Up), ("rate-10mbit-shallow-queue", LoadDirection.Down),
    ];

    private static readonly AtTheSameTime<(string Preset, LoadDirection Direction), UnderLoadReport> Measured = new(Paths, k => Measure(k.Preset, k.Direction));

    private static UnderLoadReport Report(string preset, LoadDirection direction)
    {
        LabTests.Require();
        return Measured.Of((preset, direction));
    }

    private static UnderLoadReport Measure(string preset, LoadDirection direction)
    {
        using LabResponder lab = new(preset);
        LoadPlan plan = new()
        {
            Probe = new MeasurementPlan
            {
                Workload = new Workload { NoDelay = true, PeerNoDelay = true },
                RatePerSecond = 100,
                Duration = null,
                Warmup = TimeSpan.FromSeconds(1.5),
                ReplyTimeout = TimeSpan.FromSeconds(20),
                HandshakeTimeout = TimeSpan.FromSeconds(20),
            },
            Direction = direction,
            // Both ways at once the acknowledgements of each wait in the other's queue, and the rate is found later.
            Loaded = TimeSpan.FromSeconds(direction == LoadDirection.Both ? 12 : 6),
        };
        UnderLoadResult result = lab.AtClient(() => UnderLoad.Run(lab.Target, plan, LabResponder.Context, CancellationToken.None));
        Assert.True(result.Complete, result.EndedBecause);
        return UnderLoadReportBuilder.From(result with
        {
            Phases =
                [.. result.Phases.Select(
                    p =>
                        p with
                        {
                            Client = PartOf(p.Client),
                            Load = [.. p.Load.Select(l => l with { Server = l.Server is { } server ? PartOf(server) : null })],
                        })],
        });
    }

    /// <summary>
    /// Both ends of all the runs are one process here, the links between them, too: the share of one run is a fraction of its processor time.
    /// </summary>
    private static HostUse PartOf(HostUse use) => use with { ProcessProcessors = use.ProcessProcessors / Paths.Length };

    private static string Told(UnderLoadReport report) =>
        $"grade {report.Bufferbloat.Grade} {report.Added.P90Us / 1e3:0.0} ms added; {string.Join(" ", report.Load.Select(Told))}";

    private static string Told(LoadFigures load) =>
        $"{load.Direction}: {load.ThroughputBytesPerSecond * 8 / 1e6:0.00} Mbit/s, again {load.RetransmittedSegments}, "
        + $"cwnd {load.CwndLimitedShare:0.00}, rtt {load.RttUs}/{load.MinRttUs} us, {load.Because}";

    [Theory]
    [InlineData(LoadDirection.Up)]
    [InlineData(LoadDirection.Down)]
    [InlineData(LoadDirection.Both)]
    public void DeepQueue_IsGradedBadly(LoadDirection direction)
    {
        UnderLoadReport report = Report("rate-10mbit-deep-queue", direction);

        string told = Told(report);
        Assert.True(report.Load.All(l => l.Saturated == true), told);
        // Of 10 Mbit/s some are headers; with load both ways the acknowledgements of the other way take theirs, and a way whose own wait in
        // the other's queue is slower to start.
        Assert.All(report.Load, l => Assert.InRange(l.ThroughputBytesPerSecond * 8 / 1e6, direction == LoadDirection.Both ? 5 : 7.5, 10));
        Assert.True(report.Bufferbloat.Grade is "C" or "D" or "F", told);
        Finding finding = Assert.Single(report.Findings);
        Assert.Equal(("LT132", Side.Network, Severity.Error), (finding.Id, finding.Side, finding.Severity));
        Assert.True(report.Responsiveness.LoadedRpm < report.Responsiveness.IdleRpm / 4, told);
        // 512 KiB at 10 Mbit/s are 420 ms each way; the rest is what both ends may hold.
        Assert.True(report.Added.P90Us < 2_000_000, told);
    }

    [Theory]
    [InlineData(LoadDirection.Up)]
    [InlineData(LoadDirection.Down)]
    public void ShallowQueue_IsNot(LoadDirection direction)
    {
        UnderLoadReport report = Report("rate-10mbit-shallow-queue", direction);

        string told = Told(report);
        // A machine that stands still for a fifth of the time leaves the path idle. Then the program says that, and gives no grade.
        bool busy = report.Load.All(l => l.Saturated == true);
        Assert.True(busy || report.Load.All(l => l.Saturated == true || l.Because.Contains("no data in flight", StringComparison.Ordinal)), told);
        // 15 KiB at 10 Mbit/s are 12 ms.
        Assert.True(busy ? report.Bufferbloat.Grade is "A+" or "A" : report.Bufferbloat.Grade is null, told);
        Assert.Empty(report.Findings);
    }

    [Fact]
    public void BytesThatDoNotLast_GiveNoGrade()
    {
        LabTests.Require();
        using LabResponder lab = new("rate-10mbit-deep-queue");
        LoadPlan plan = new()
        {
            Probe = new MeasurementPlan
            {
                Workload = new Workload { NoDelay = true, PeerNoDelay = true },
                RatePerSecond = 100,
                Duration = null,
                ReplyTimeout = TimeSpan.FromSeconds(20),
                HandshakeTimeout = TimeSpan.FromSeconds(20),
            },
            Direction = LoadDirection.Up,
            Connections = 4,
            MostBytes = 1 << 20,
            Loaded = TimeSpan.FromSeconds(4),
        };

        UnderLoadReport report = UnderLoadReportBuilder.From(lab.AtClient(() => UnderLoad.Run(lab.Target, plan, LabResponder.Context, CancellationToken.None)));

        Assert.Null(report.Bufferbloat.Grade);
        Assert.Empty(report.Findings);
        Assert.Equal(LoadLimit.Bytes, report.Load[0].LimitedBy);
    }
}
