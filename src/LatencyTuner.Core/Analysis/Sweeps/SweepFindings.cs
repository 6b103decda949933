using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Sweeps;

namespace LatencyTuner.Core.Analysis.Sweeps;

/// <summary>The findings of a sweep.</summary>
internal static class SweepFindings
{
    internal static IEnumerable<Finding> Of(SweepResult result, SweepRound? any, SeverityLimits limits)
    {
        SweepPlan plan = result.Plan;
        bool streams = plan.Streams is not null;
        if (plan.Dimensions[0] == SweepDimension.Rate)
        {
            return OnlyThose(LoadInversionRule.Evaluate(
                [
                    .. result.Points.Where(p => p.Rounds.Count > 0)
                        .Select(p => (p.Cell[SweepDimension.Rate]!.Value, Percentiles(p, 90), Percentiles(p, 50), new SweepPointFacts(p).ShownCost)),
                ],
                plan.Base.Workload, any?.LocalState?.NoDelay, result.Target.Name, limits));
        }

        List<SweepPointFacts> points = [.. result.Points.Where(p => p.Rounds.Count > 0).Select(p => new SweepPointFacts(p))];
        List<LimitedLevel> levels = [.. points.Select(p => LevelOf(plan, p))];
        string target = result.Target.Name;
        // Over TCP this end sends, over HTTP/2 the responder does.
        (Side sender, Side receiver) = streams ? (Side.Server, Side.Client) : (Side.Client, Side.Server);
        Finding? inversion = plan.Dimensions[0] switch
        {
            SweepDimension.ReceiveBuffer =>
                SecondClientRule.Evaluate(Clients(points, SweepDimension.ReceiveBuffer), "receive buffer", receiver, target, limits),
            SweepDimension.Window =>
                SecondClientRule.Evaluate(
                    Clients(points, SweepDimension.Window), streams ? SecondClientRule.StreamWindow : "receive window", receiver, target, limits),
            SweepDimension.SendBuffer =>
                SecondClientRule.Evaluate(Clients(points, SweepDimension.SendBuffer), SecondClientRule.SendBuffer, sender, target, limits),
            _ => null,
        };
        return OnlyThose(
            streams ? StreamWindowRule.Evaluate(levels, target, limits) : null,
            SocketLimitRule.Evaluate(levels, Cause.ReceiveWindow, receiver, target, limits),
            SocketLimitRule.Evaluate(levels, Cause.SendBuffer, sender, target, limits),
            inversion);
    }

    private static IEnumerable<Finding> OnlyThose(params Finding?[] findings) => findings.OfType<Finding>();

    private static IReadOnlyList<double> Percentiles(SweepPointResult point, double percentile) =>
        [.. point.Rounds.Select(r => (double)r.Response.ValueAtPercentile(percentile))];

    private static List<ClientLevel> Clients(List<SweepPointFacts> points, SweepDimension dimension) =>
    [
        .. points.Select(p => new ClientLevel(
            p.Cell[dimension], p.Cell.Plan.Connections, p.RequestsPerSecond,
            // The wait of a sender for its flushes is not counted by cause.
            p.Streams is not null ? null : dimension == SweepDimension.SendBuffer ? p.SndbufLimitedShare : p.RwndLimitedShare)),
    ];

    private static LimitedLevel LevelOf(SweepPlan plan, SweepPointFacts point)
    {
        SweepDimension dimension = plan.Dimensions[0];
        double bytes = plan.Streams is not null ? point.Cell.Load.RequestBytes : point.Cell.Plan.Workload.RequestSize;
        bool sized = dimension is SweepDimension.ReceiveBuffer or SweepDimension.SendBuffer or SweepDimension.Window;
        double? value = sized ? point.Cell[dimension] : null;
        string what = dimension == SweepDimension.Window && plan.Streams is not null ? SecondClientRule.StreamWindow
            : SweepText.Of(dimension).Replace('-', ' ');
        string name = !sized ? SweepText.Of(point.Cell.Levels[0])
            : value is { } size ? $"a {what} of {size:N0} bytes" : $"the {what} left to the system";
        return new LimitedLevel(
            name, value is null, point.Cell.Plan.Connections, [.. point.RequestsPerSecond.Select(r => r * bytes)],
            point.RwndLimitedShare, point.SndbufLimitedShare)
        {
            StreamWindow = point.Streams?.WindowBytes,
            RoundTripUs = point.Streams?.RoundTripUs,
            WaitShare = point.Streams?.Wait,
            // One way, only the send calls were timed: the time until the data arrived is unknown.
            Times = point.Cell.Plan.Workload.Pattern == WritePattern.Stream ? null : point.Times,
        };
    }
}
