using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Sweeps;
using LatencyTuner.Core.Reporting.Sweep;
using LatencyTuner.Lab;
using Xunit;

namespace LatencyTuner.Tests.Lab;

/// <summary>Sweeps over HTTP/2 over a path whose bandwidth and delay are known: what a stream's window allows is then known too.</summary>
[Collection(LabTests.Name)]
public sealed class StreamSweepsInTheLab
{
    private const int KiB = 1024;
    private const double RoundTripMs = 20;
    private const long BitsPerSecond = 100_000_000;
    private const double BytesPerSecond = BitsPerSecond / 8.0;

    private static LabResponder Path(double roundTripMs) => new("clean-linux", new LinkEmulatorOptions
    {
        ClientToServer = new LinkSpec { DelayMs = roundTripMs / 2, RateBitsPerSecond = BitsPerSecond },
        ServerToClient = new LinkSpec { DelayMs = roundTripMs / 2, RateBitsPerSecond = BitsPerSecond, QueueBytes = 400_000 },
    });

    private static SweepReport Measure(LabResponder lab, SweepLoad load, SweepStreams streams, params (SweepDimension, IReadOnlyList<double?>)[] axes)
    {
        MeasurementPlan common = new()
        {
            Workload = new Workload { NoDelay = true, PeerNoDelay = true },
            Duration = TimeSpan.FromSeconds(0.2),
            Warmup = TimeSpan.FromSeconds(0.1),
            AtLeast = 3,
        };
        SweepPlan plan = SweepPlan.Make(common, load, axes, rounds: 2, seed: 1, streams);
        SweepResult result = lab.AtClient(() => Sweep.Run(lab.HttpTarget, plan, LabResponder.Context, null, CancellationToken.None));
        Assert.True(result.Complete, result.EndedBecause);
        return SweepReportBuilder.From(result);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Window_ByConnections_OrdersAsTheorySays(bool oneConnection)
    {
        LabTests.Require();
        using LabResponder lab = Path(RoundTripMs);

        SweepReport report = Measure(
            lab, new SweepLoad(4 * KiB, 250, 1), new SweepStreams(Ahead: false, oneConnection),
            (SweepDimension.Window, [null, 64 * KiB, 128 * KiB, 1024 * KiB]), (SweepDimension.Connections, [1, 2]));

        string told = string.Join(' ', report.Points.Select(p =>
            $"{p.WindowBytes} x {p.Connections}: {p.ThroughputBytesPerSecond / 1e6:0.000} MB/s, waited {p.SendWaitShare:0.00}, rwnd "
            + $"{p.RwndLimitedShare:0.00}, window {p.StreamWindowBytes}, RTT {p.RoundTripUs / 1e3:0.0} ms;")) + report.Findings.Count;
        foreach (SweepPoint point in report.Points)
        {
            Assert.True(point.RoundTripUs / 1e3 is >= RoundTripMs and < RoundTripMs * 1.5, told);
            if (point.WindowBytes is not long window)
            {
                Assert.True(point.StreamWindowBytes > 64 * KiB, told);
                continue;
            }

            double theory = Math.Min(BytesPerSecond, point.Connections!.Value * window * 1000 / RoundTripMs);
            Assert.Equal(window, point.StreamWindowBytes);
            // A stream's start costs a round trip and TCP's slow start some more; the path's headers cost a few percent. What the window does not limit
            // depends on what the queue drops and on how busy the machine is: it has no bound from below.
            double least = window <= 128 * KiB ? 0.4 * theory : 0;
            Assert.True(
                point.ThroughputBytesPerSecond >= least && point.ThroughputBytesPerSecond <= 1.1 * theory,
                $"{window} x {point.Connections}, theory {theory / 1e6:0.000}: {told}");
        }

        SweepPoint At(long? window, int connections) => report.Points.Single(p => (p.WindowBytes as long?) == window && p.Connections == connections);
        double Rate(long? window, int connections) => At(window, connections).ThroughputBytesPerSecond!.Value;
        Assert.True(
            Rate(64 * KiB, 1) < Rate(128 * KiB, 1) && Rate(64 * KiB, 1) < Rate(1024 * KiB, 1) && Rate(64 * KiB, 1) < Rate(64 * KiB, 2)
                && Rate(64 * KiB, 1) < Rate(null, 1), told);
        // The sender waits and its kernel does not know for what: the stream's window is not the socket's.
        Assert.True(At(64 * KiB, 1) is { SendWaitShare: > 0.5, RwndLimitedShare: < 0.2, SndbufLimitedShare: < 0.2 }, told);
        // How sure it is depends on whether the rounds agree, and with that on what else the machine does. Where that keeps the client from reading, the
        // socket's window limits the larger sizes, in a finding of its own.
        Finding limit = Assert.Single(
            report.Findings, f => f.For[0].StartsWith("the HTTP/2 stream window limits, not the socket", StringComparison.Ordinal));
        Assert.Equal(("LT111", Side.Client), (limit.Id, limit.Side));
    }

    [Fact]
    public void Batch_IsTheCureOfManySmallMessages()
    {
        LabTests.Require();
        using LabResponder lab = new(
            "clean-linux", new LinkEmulatorOptions { ClientToServer = new LinkSpec { DelayMs = 0.5 }, ServerToClient = new LinkSpec { DelayMs = 0.5 } });

        // As many as fit into the first window of a stream: what is left is the cost of each message.
        SweepReport report = Measure(lab, new SweepLoad(8, 8000, 1), new SweepStreams(Ahead: false, OneConnection: false), (SweepDimension.Batch, [1, 8, 64]));

        string told =
            string.Join(
                ' ', report.Points.Select(
                    p =>
                        $"{p.MessagesPerWrite}: {p.P50Us / 1e3:0.00} ms, making {p.FetchShare:0.00}, calls {p.SendCallShare:0.00}, waiting "
                        + $"{p.SendWaitShare:0.00}, segments {p.SegmentsPerRequest:0};"));
        Assert.True(report.Points[0].P50Us > 1.5 * report.Points[2].P50Us, told);
        // What share of its time a busy machine spends in the calls says little, and a busy link joins small messages by itself.
        Assert.True(report.Points[0].SegmentsPerRequest >= report.Points[2].SegmentsPerRequest, told);
    }

    [Fact]
    public void Fetch_Ahead_OverlapsWithSending_AndBothEndsSeeIt()
    {
        LabTests.Require();
        using LabResponder lab = Path(RoundTripMs);
        (SweepDimension, IReadOnlyList<double?>) window = (SweepDimension.Window, [64 * KiB]);

        SweepPoint inTurn = Assert.Single(Measure(lab, new SweepLoad(4 * KiB, 200, 4), new SweepStreams(Ahead: false, OneConnection: false), window).Points);
        SweepPoint ahead = Assert.Single(Measure(lab, new SweepLoad(4 * KiB, 200, 4), new SweepStreams(Ahead: true, OneConnection: false), window).Points);

        Assert.Equal(0, inTurn.FetchOverlapShare);
        Assert.True(ahead.FetchOverlapShare > 0.3, $"{ahead.FetchOverlapShare}");
        // 64 KiB of 800 have been sent when the first byte arrives, or little more.
        Assert.All(new[] { inTurn, ahead }, p => Assert.InRange(p.FetchOverlapSeenShare!.Value, 0, 1));
    }
}
