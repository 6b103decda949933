using LatencyTuner.Core.Analysis.Sweeps;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Measurement;
using Xunit;

namespace LatencyTuner.Tests.Analysis.Sweeps;

public sealed class LoadInversions
{
    private static Finding? Of(bool split, params double[][] roundsMs) => LoadInversionRule.Evaluate(
        [.. roundsMs.Select(
            (rounds, i) =>
                (100.0 * (i + 1), (IReadOnlyList<double>)[.. rounds.Select(v => v * 1.2e6)], (IReadOnlyList<double>)[.. rounds.Select(v => v * 1e6)],
                    rounds.Average() * 1e6))],
        split ? SampleResults.SplitPlan.Workload : new Workload(), split ? false : null, "app01", SeverityLimits.Standard);

    [Fact]
    public void Evaluate_LatencyFallsInEveryRound_Found()
    {
        Finding finding = Of(true, [40, 41], [40, 42], [5, 6])!;

        Assert.Equal(("LT161", Side.Client, Confidence.Likely, Severity.Error), (finding.Id, finding.Side, finding.Confidence, finding.Severity));
        Assert.Equal(35, finding.CostMs!.Value, 0.01);
        Assert.Equal(35 / 40.5, finding.CostShare!.Value, 0.001);
        Assert.StartsWith("the median falls from 40.5 ms at 100 requests/s to 5.50 ms at 300 requests/s", finding.For[0], StringComparison.Ordinal);
        Assert.Empty(finding.Against);
    }

    [Fact]
    public void Evaluate_OneWrite_OnlyPossibleAndNoSide()
    {
        Finding finding = Of(false, [10, 11], [10, 11], [1, 2])!;
        Assert.Equal((null, Confidence.Possible), (finding.Side, finding.Confidence));
        Assert.Single(finding.Against);
    }

    [Fact]
    public void Evaluate_NoInversion_None()
    {
        Assert.Null(Of(true, [1, 1], [2, 2], [9, 9]));
        Assert.Null(Of(true, [40, 40], [5, 5]));
        Assert.Null(Of(true, [40, 5], [40, 41], [5, 39]));
        Assert.Null(Of(true, [3, 3], [2, 2], [1.1, 1.1]));
        Assert.Null(Of(true, [14, 14], [10, 10], [10, 10]));
    }
}
