using LatencyTuner.Core.Analysis;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Sweeps;
using LatencyTuner.Core.Reporting.Building;
using LatencyTuner.Core.Reporting.Model;
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

    private static LabResponder Path() => new("clean-linux", new LinkEmulatorOptions
    {
        ClientToServer = new LinkSpec { DelayMs = RoundTripMs / 2, RateBitsPerSecond = BitsPerSecond },
        ServerToClient = new LinkSpec { DelayMs = RoundTripMs / 2, RateBitsPerSecond = BitsPerSecond },
    });

    private static SweepReport Measure(LabResponder lab, WritePattern pattern, SweepLoad load, int rounds, double seconds, params (SweepDimension, IReadOnlyList<double?>)[] axes)
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
        return SweepReports.From(result);
    }

    [Theory]
    [InlineData(SweepDimension.ReceiveBuffer)]
    [InlineData(SweepDimension.SendBuffer)]
    public void Buffer_OneWay_BendsAtBandwidthTimesDelay(SweepDimension dimension)
    {
        LabTests.Require();
        using LabResponder lab = Path();

        SweepReport report = Measure(lab, WritePattern.Stream, new SweepLoad(8 * KiB, 1, 1), 3, 0.8, (dimension, [.. Enumerable.Range(0, 8).Select(i => (double?)(4 * KiB << i))]));

        string told = string.Join(' ', report.Points.Select(p => $"{(p.ReceiveBufferBytes ?? p.SendBufferBytes)!.Requested}: {p.ThroughputBytesPerSecond / 1e6:0.000} MB/s rwnd {p.RwndLimitedShare:0.00} snd {p.SndbufLimitedShare:0.00};"));
        Assert.True(report.Knee is not null, told);
        // Levels are a factor of two apart, and a kernel offers more or less of its buffer as the window.
        Assert.True(report.Knee.Value >= Product / 2.5 && report.Knee.Value <= Product * 2.5, $"knee {report.Knee.Value}, bandwidth x delay {Product}: {told}");
        SweepOnset onset = Assert.Single(report.GoesBad);
        Assert.True(onset.Value < report.Knee.Value * 1.5 && onset.Ratio > 1.25, $"bad from {onset.Value}: {told}");
    }
}
