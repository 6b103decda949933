using LatencyTuner.Core;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Sweeps;
using Xunit;

namespace LatencyTuner.Tests.Measurement.Sweeps;

public sealed class SweepPlans
{
    [Theory]
    [InlineData(100, 1, 1, "100")]
    [InlineData(100, 3, 1, "100 100 100")]
    [InlineData(100, 5, 2, "200 200 100")]
    [InlineData(100, 4, 4, "400")]
    [InlineData(100, 4, 9, "400")]
    [InlineData(1, 7, 3, "3 3 1")]
    public void Writes_HoldAllMessages(int bytes, int messages, int perWrite, string expected)
    {
        SweepLoad load = new(bytes, messages, perWrite);

        Assert.Equal(expected, string.Join(' ', load.Writes));
        Assert.Equal(load.RequestBytes, load.Writes.Sum());
    }

    [Fact]
    public void Cells_OfTwoDimensions_SetBothAndNothingElse()
    {
        MeasurementPlan common = new() { Workload = new Workload { SendBuffer = 5000, NoDelay = true }, Duration = TimeSpan.FromSeconds(1) };
        SweepPlan plan = SweepPlan.Make(common, new SweepLoad(10, 4, 1), [(SweepDimension.Window, [null, 65536]), (SweepDimension.Connections, [1, 8])], 2, 1);

        Assert.Equal([(null, 1), (null, 8), (65536, 1), (65536, 8)], plan.Cells.Select(c => (c.Plan.Workload.PeerReceiveBuffer, c.Plan.Connections)));
        Assert.All(plan.Cells, c => Assert.Equal([10, 10, 10, 10], c.Plan.Workload.Writes));
        Assert.All(
            plan.Cells, c => Assert.Equal((WritePattern.Split, 5000, true), (c.Plan.Workload.Pattern, c.Plan.Workload.SendBuffer, c.Plan.Workload.NoDelay)));
    }

    [Theory]
    [InlineData(SweepDimension.Size, 300, "300 300", null, null)]
    [InlineData(SweepDimension.Batch, 2, "200", null, null)]
    [InlineData(SweepDimension.SendBuffer, 4096, "100 100", 4096, null)]
    [InlineData(SweepDimension.ReceiveBuffer, 4096, "100 100", null, 4096)]
    public void Cell_OfADimension_SetsWhatItVaries(SweepDimension dimension, double value, string writes, int? sendBuffer, int? peerReceiveBuffer)
    {
        Workload workload = SweepPlan.Make(new MeasurementPlan(), new SweepLoad(100, 2, 1), [(dimension, [value])], 1, 1).Cells[0].Plan.Workload;

        Assert.Equal((writes, sendBuffer, peerReceiveBuffer), (string.Join(' ', workload.Writes), workload.SendBuffer, workload.PeerReceiveBuffer));
    }

    [Fact]
    public void Request_TooLarge_IsRefused() => Assert.Equal(
        ExitCode.Usage,
        Assert.Throws<ExpectedFailureException>(
            () => SweepPlan.Make(new MeasurementPlan(), new SweepLoad(1, 1, 1), [(SweepDimension.Size, [int.MaxValue])], 1, 1)).Code);
}
