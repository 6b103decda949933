using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Sweeps;
using LatencyTuner.Core.Statistics;

namespace LatencyTuner.Core.Analysis.Sweeps;

/// <summary>Where a sweep bends, and where it begins to degrade.</summary>
internal static class SweepBends
{
    private const int FewestLevels = 5;

    /// <summary>A value that is this many times worse than the best, in every round, is degraded.</summary>
    private const double Bad = 1.25;

    /// <summary>The knee at each number of connections that has one, the fewest first.</summary>
    internal static IEnumerable<SweepKnee> Knees(SweepResult result) =>
        Groups(result).Select(g => KneeOf(result.Plan, g.Connections, g.Points)).OfType<SweepKnee>();

    /// <summary>The largest value at which, and below which, every round is degraded, for buffers and windows. One round is no evidence.</summary>
    internal static IEnumerable<SweepOnset> GoesBad(SweepResult result) =>
        Falls(result.Plan.Dimensions[0]) && result.Plan.Dimensions[0] != SweepDimension.Batch && result.Plan.Rounds > 1
        ? Groups(result).Select(g => OnsetOf(result.Plan.Dimensions[0], g.Connections, g.Points)).OfType<SweepOnset>()
        : [];

    /// <summary>True where a smaller value costs more.</summary>
    internal static bool Falls(SweepDimension dimension) =>
        dimension is SweepDimension.ReceiveBuffer or SweepDimension.SendBuffer or SweepDimension.Window or SweepDimension.Batch;

    private static IEnumerable<(int? Connections, List<SweepPointResult> Points)> Groups(SweepResult result)
    {
        bool by = result.Plan.Dimensions.Count > 1;
        return result.Points.Where(p => p.Rounds.Count > 0)
            .GroupBy(p => by ? (int?)p.Cell[SweepDimension.Connections] : null)
            .Select(g => (g.Key, g.ToList())).OrderBy(g => g.Key);
    }

    private static SweepKnee? KneeOf(SweepPlan plan, int? connections, List<SweepPointResult> points)
    {
        SweepDimension dimension = plan.Dimensions[0];
        List<SweepPointResult> whole = [.. Distinct(dimension, points).Where(p => p.Rounds.Count == plan.Rounds)];
        double[] values = [.. whole.Select(p => p.Cell[dimension]!.Value)];
        if (whole.Count < FewestLevels || (dimension == SweepDimension.Size && plan.Base.Workload.Pattern == WritePattern.Stream))
        {
            return null;
        }

        // The finder expects rising curves that bend up. A cost that rises as the value falls rises with the inverse of the value. In logarithms,
        // time over size is a flat line up to what the path holds, and a rising line beyond it.
        bool falls = Falls(dimension);
        double[] levels = falls ? [.. values.Reverse().Select(v => 1 / v)] : values;
        IReadOnlyList<double>[] costs = [.. whole.Select(p => (IReadOnlyList<double>)[.. p.Rounds.Select(r => KneeCost(dimension, p.Cell, r))])];
        if (costs.Any(c => c.Any(v => !double.IsFinite(v))))
        {
            return null;
        }

        if (Knee.Find(levels, falls ? [.. costs.Reverse()] : costs, logarithmic: true, plan.Seed) is not { } knee)
        {
            return null;
        }

        double Back(double x) => falls ? values.MinBy(v => Math.Abs((1 / v) - x)) : x;
        (double a, double b) = (Back(knee.LowX), Back(knee.HighX));
        return new SweepKnee
        {
            Dimension = SweepText.Of(dimension),
            Value = Back(knee.X),
            Connections = connections,
            Low = Math.Min(a, b),
            High = Math.Max(a, b),
            From = values[0],
            To = values[^1],
        };
    }

    private static double KneeCost(SweepDimension dimension, SweepCell cell, SweepRound round) =>
        dimension == SweepDimension.Rate ? round.Response.ValueAtPercentile(99) : Math.Log(SweepPointFacts.Cost(cell, round));

    /// <summary>
    /// The points with a value of their own, ascending. Sizes that the system raised to its minimum or cut to its maximum are one size: the one
    /// nearest to what took effect stays.
    /// </summary>
    private static IEnumerable<SweepPointResult> Distinct(SweepDimension dimension, List<SweepPointResult> points)
    {
        IEnumerable<SweepPointResult> valued = points.Where(p => p.Cell[dimension] is > 0).OrderBy(p => p.Cell[dimension]);
        return dimension is SweepDimension.ReceiveBuffer or SweepDimension.SendBuffer or SweepDimension.Window
            ? valued.GroupBy(p => SweepPointFacts.Effective(p.Rounds, dimension) ?? -p.Cell[dimension]!.Value)
                .Select(g => g.MinBy(p => Math.Abs(Math.Log(2 * p.Cell[dimension]!.Value / Math.Abs(g.Key))))!)
            : valued;
    }

    private static SweepOnset? OnsetOf(SweepDimension dimension, int? connections, List<SweepPointResult> points)
    {
        List<(double? Value, double[] Costs, double Shown)> levels = [.. points
            .Select(p => (
                Value: p.Cell[dimension], Costs: p.Rounds.Select(r => SweepPointFacts.Cost(p.Cell, r)).Where(double.IsFinite).ToArray(),
                Shown: new SweepPointFacts(p).ShownCost))
            .Where(l => l.Costs.Length > 0 && l.Costs.Min() > 0 && double.IsFinite(l.Shown))];
        if (levels.Count < 2)
        {
            return null;
        }

        (double? Value, double[] Costs, double Shown) best = levels.MinBy(l => l.Shown);
        (double Value, double Shown)? onset = null;
        foreach ((double? value, double[] costs, double shown) in levels.Where(l => l.Value is not null).OrderBy(l => l.Value))
        {
            if (costs.Min() <= Bad * best.Costs.Max())
            {
                break;
            }

            onset = (value!.Value, shown);
        }

        return onset is not { } bad ? null : new SweepOnset
        {
            Dimension = SweepText.Of(dimension),
            Value = bad.Value,
            Connections = connections,
            Ratio = bad.Shown / best.Shown,
            Best = best.Value,
        };
    }
}

/// <summary>Where the curve bends, with the range of the sweep it was found in: a knee depends on the range.</summary>
public sealed record SweepKnee
{
    /// <summary>Name of the dimension.</summary>
    public required string Dimension { get; init; }

    /// <summary>The value at the knee, in the unit of the dimension.</summary>
    public required double Value { get; init; }

    /// <summary>The number of connections with this knee; null when connections were not swept as well.</summary>
    public int? Connections { get; init; }

    /// <summary>Lower end of the 95 % interval over rounds.</summary>
    public double? Low { get; init; }

    /// <summary>Upper end of the 95 % interval over rounds.</summary>
    public double? High { get; init; }

    /// <summary>Smallest value of the sweep.</summary>
    public required double From { get; init; }

    /// <summary>Largest value of the sweep.</summary>
    public required double To { get; init; }
}

/// <summary>The largest value at which, and below which, every round was clearly worse than the best value of the sweep.</summary>
public sealed record SweepOnset
{
    /// <summary>Name of the dimension.</summary>
    public required string Dimension { get; init; }

    /// <summary>The value, in the unit of the dimension.</summary>
    public required double Value { get; init; }

    /// <summary>The number of connections with this value; null when connections were not swept as well.</summary>
    public int? Connections { get; init; }

    /// <summary>How many times worse than the best value: the ratio of the medians of all rounds, or for one-way messages of the times per byte.</summary>
    public required double Ratio { get; init; }

    /// <summary>The best value; null when it is the one that the system chose.</summary>
    public double? Best { get; init; }
}
