using System.Net;
using System.Net.Sockets;
using LatencyTuner.Core.Analysis.Sweeps;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Sweeps;
using LatencyTuner.Core.Reporting.Sweep;
using LatencyTuner.Lab;
using Xunit;

namespace LatencyTuner.Tests.Lab;

/// <summary>Sweeps over a path whose bandwidth and delay are known: what a window allows is then known too.</summary>
[Collection(LabTests.Name)]
public sealed class SweepsInTheLab
{
    private const double RoundTripMs = 20;
    private const long BitsPerSecond = 16_000_000;
    private const double BytesPerSecond = BitsPerSecond / 8.0;
    private const double Product = BytesPerSecond * RoundTripMs / 1000;
    private const int KiB = 1024;

    private static readonly AtTheSameTime<SweepDimension, SweepReport> Streamed = new(
        [SweepDimension.ReceiveBuffer, SweepDimension.SendBuffer, SweepDimension.Window], Stream);

    private static LabResponder Path() => new("clean-linux", new LinkEmulatorOptions
    {
        // A queue without end would still hold the last point's bytes when the next one begins.
        ClientToServer = new LinkSpec { DelayMs = RoundTripMs / 2, RateBitsPerSecond = BitsPerSecond, QueueBytes = 100_000 },
        ServerToClient = new LinkSpec { DelayMs = RoundTripMs / 2, RateBitsPerSecond = BitsPerSecond },
    });

    private static SweepReport Measure(
        LabResponder lab, WritePattern pattern, SweepLoad load, int rounds, double seconds, params (SweepDimension, IReadOnlyList<double?>)[] axes)
    {
        MeasurementPlan common = new()
        {
            Workload = new Workload { Pattern = pattern, NoDelay = true, PeerNoDelay = true },
            Duration = TimeSpan.FromSeconds(seconds),
            Warmup = TimeSpan.FromSeconds(0.2),
            AtLeast = 3,
        };
        SweepPlan plan = SweepPlan.Make(common, load, axes, rounds, seed: 1);
        SweepResult result = lab.AtClient(() => Sweep.Run(lab.Target, plan, LabResponder.Context, null, CancellationToken.None));
        Assert.True(result.Complete, result.EndedBecause);
        return SweepReportBuilder.From(result);
    }

    private static SweepReport Stream(SweepDimension dimension)
    {
        using LabResponder lab = Path();
        SweepLoad load = new(8 * KiB, 1, 1);
        int rounds = Math.Max(5, Repository.Times(10));
        return dimension == SweepDimension.Window
            ? Measure(lab, WritePattern.Stream, load, 2, 0.8, (dimension, [null, 8 * KiB, 16 * KiB, 128 * KiB]), (SweepDimension.Connections, [1, 2, 4]))
            : Measure(lab, WritePattern.Stream, load, rounds, 0.8, (dimension, [.. Enumerable.Range(0, 8).Select(i => (double?)(4 * KiB << i))]));
    }

    [Theory]
    [InlineData(SweepDimension.ReceiveBuffer)]
    [InlineData(SweepDimension.SendBuffer)]
    public void Buffer_OneWay_BendsAtBandwidthTimesDelay(SweepDimension dimension)
    {
        LabTests.Require();

        SweepReport report = Streamed.Of(dimension);

        string told =
            string.Join(
                ' ', report.Points.Select(
                    p =>
                        $"{(p.ReceiveBufferBytes ?? p.SendBufferBytes)!.Requested}: {p.ThroughputBytesPerSecond / 1e6:0.000} MB/s rwnd "
                        + $"{p.RwndLimitedShare:0.00} snd {p.SndbufLimitedShare:0.00};"));
        SweepPoint smallest = report.Points[0];
        double share = (dimension == SweepDimension.ReceiveBuffer ? smallest.RwndLimitedShare : smallest.SndbufLimitedShare)!.Value;
        Assert.True(share > 0.1 && report.Points[^1].ThroughputBytesPerSecond > 1.25 * smallest.ThroughputBytesPerSecond, told);
        if (report.Knee is null)
        {
            // Where the machine has other work, the rounds differ so much that no bend can be told. With time for more of them, it must be.
            Assert.True(Repository.Times(8) < 8, told);
            return;
        }

        // Levels are a factor of two apart, and a kernel offers more or less of its buffer as the window.
        Assert.True(report.Knee.Value >= Product / 2.5 && report.Knee.Value <= Product * 2.5, $"knee {report.Knee.Value}, bandwidth x delay {Product}: {told}");
        // The kernel of the sender says which of the two it was, and a larger size was faster.
        (string id, Side side) = dimension == SweepDimension.ReceiveBuffer ? ("LT111", Side.Server) : ("LT114", Side.Client);
        Finding limit = Assert.Single(report.Findings, f => f.Id == id);
        Assert.True((limit.Side, limit.Confidence) == (side, Confidence.Confirmed), told);
        SweepOnset onset = Assert.Single(report.GoesBad);
        Assert.True(onset.Value < report.Knee.Value * 1.5 && onset.Ratio > 1.25, $"bad from {onset.Value}: {told}");
    }

    [Fact]
    public void Window_ByConnections_OrdersAsTheorySays()
    {
        LabTests.Require();

        SweepReport report = Streamed.Of(SweepDimension.Window);

        string told =
            string.Join(
                ' ', report.Points.Select(
                    p => $"{p.WindowBytes} x {p.Connections}: {p.ThroughputBytesPerSecond / 1e6:0.000} MB/s rwnd {p.RwndLimitedShare:0.00};"));
        foreach (SweepPoint point in report.Points)
        {
            double theory = point.WindowBytes is long window ? Math.Min(BytesPerSecond, point.Connections!.Value * window * 1000 / RoundTripMs)
                : BytesPerSecond;
            // Headers, the start and the end of the stream cost some; a kernel may offer somewhat more of a buffer than half.
            Assert.True(
                point.ThroughputBytesPerSecond >= 0.5 * theory && point.ThroughputBytesPerSecond <= Math.Min(BytesPerSecond, 1.9 * theory),
                $"{point.WindowBytes} x {point.Connections}, theory {theory / 1e6:0.000}: {told}");
            if (theory < 0.5 * BytesPerSecond)
            {
                Assert.True(point.RwndLimitedShare > 0.3, told);
            }
        }

        double At(long? window, int connections) =>
            report.Points.Single(p => (p.WindowBytes as long?) == window && p.Connections == connections).ThroughputBytesPerSecond!.Value;
        Assert.True(
            At(8 * KiB, 1) < At(16 * KiB, 1) && At(16 * KiB, 1) < At(128 * KiB, 1) && At(8 * KiB, 1) < At(8 * KiB, 2) && At(8 * KiB, 2) < At(8 * KiB, 4), told);
        // One client held by its window, a second that doubles the throughput: with a larger window one alone had it all.
        Finding inversion = Assert.Single(report.Findings, f => f.Cause == Cause.LoadInversion);
        Assert.Equal((Cause.LoadInversion, Side.Server, Confidence.Likely), (inversion.Cause, inversion.Side, inversion.Confidence));
    }

    [Fact]
    public void Drain_WaitsForWhatOthersLeftInTheQueue()
    {
        LabTests.Require();
        using LabResponder lab = new("clean-linux", new LinkEmulatorOptions
        {
            ClientToServer = new LinkSpec { DelayMs = RoundTripMs / 2, RateBitsPerSecond = BitsPerSecond, QueueBytes = 8 << 20 },
            ServerToClient = new LinkSpec { DelayMs = RoundTripMs / 2, RateBitsPerSecond = BitsPerSecond },
        });

        (TimeSpan First, TimeSpan Idle, TimeSpan Filled, bool Quiet) drained = lab.AtClient(() =>
        {
            PathDrain drain = new(lab.Target, LabResponder.Context);
            TimeSpan first = drain.Wait(CancellationToken.None).Waited;
            TimeSpan idle = drain.Wait(CancellationToken.None).Waited;
            using Socket flood = new(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
            byte[] datagram = new byte[1400];
            for (int i = 0; i < 2000; i++)
            {
                flood.SendTo(datagram, new IPEndPoint(LabNetwork.ServerAddress, 9));
            }

            (TimeSpan filled, bool quiet) = drain.Wait(CancellationToken.None);
            return (first, idle, filled, quiet);
        });

        // 2.8 MB at 2 MB/s; what the device could not take at once is lost.
        Assert.True(drained.Quiet && drained.Filled > TimeSpan.FromSeconds(0.3) && drained.Filled > 2 * drained.Idle, $"{drained}");
    }

    [Fact]
    public void SendBlocked_HidesWhatTheWindowCosts()
    {
        LabTests.Require();
        using LabResponder lab = Path();

        SweepReport report = Measure(lab, WritePattern.Single, new SweepLoad(4 * KiB, 8, 1), 2, 0.8, (SweepDimension.Window, [4 * KiB, 256 * KiB]));

        string told =
            string.Join(
                ' ', report.Points.Select(p => $"{p.WindowBytes}: {p.P50Us / 1e3:0.0} ms, in send {p.SendBlockedShare:0.00}, rwnd {p.RwndLimitedShare:0.00};"));
        // 32 KiB through 4 KiB take eight round trips; the send buffer takes them at once.
        Assert.True(report.Points[0].P50Us > 3 * report.Points[1].P50Us, told);
        Assert.True(report.Points[0].RwndLimitedShare > 0.3 && report.Points[1].RwndLimitedShare < 0.1, told);
        Assert.True(report.Points[0].SendBlockedShare < 0.1, told);
    }
}
