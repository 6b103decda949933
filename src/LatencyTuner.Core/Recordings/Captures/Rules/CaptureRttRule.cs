using LatencyTuner.Core.Capture;
using LatencyTuner.Core.Findings;

namespace LatencyTuner.Core.Recordings.Captures.Rules;

/// <summary>The path's own round trip explains the time (LT131). Not a fault; it shows where the time goes.</summary>
internal static class CaptureRttRule
{
    private const double LeastMs = 10;
    private const double LeastShare = 0.5;

    private const string Bound =
        "no handshake and no pure ACK shows how long the path takes: what looks like it may be the time of an application. Capture from the beginning of a "
        + "connection";

    internal static IEnumerable<Finding> Evaluate(CaptureEvidence evidence)
    {
        TransactionFigures figures = new();
        foreach (IGrouping<(IpAddressValue Client, IpAddressValue Server), ConnectionFacts> path in evidence.Connections
            .Where(
                c => c.TransactionCount > 0 && !c.NotSeparable && !(c.PathIsBound && c.Client == c.Server) && c.ClientBaseNs is not null
                    && c.ServerBaseNs is not null)
            .GroupBy(c => (c.Client, c.Server)))
        {
            ConnectionFacts[] connections = [.. path];
            double rttMs = connections.Min(c => (c.ClientBaseNs!.Value + c.ServerBaseNs!.Value) / 1e6);
            // A tap that is not at the client sees the transaction without the path between the client and the tap.
            double median = (figures.Median(connections, static (in Transaction t) => t.DurationNs) + connections.Min(c => c.ClientBaseNs!.Value)) / 1e6;
            if (rttMs < LeastMs || rttMs < LeastShare * median)
            {
                continue;
            }

            bool bound = connections.All(c => c.PathIsBound);
            long count = connections.Sum(c => c.TransactionCount);
            long rttNs = (long)(rttMs * 1e6);
            LostTime cost = new(
                connections.Sum(c => Math.Min(c.Time.PathNs, rttNs * c.TransactionCount)), connections.Sum(c => c.ActiveNs), 0, TimeSpan.Zero);
            yield return new Finding
            {
                Cause = Cause.NetworkRtt,
                Side = Side.Network,
                Confidence = bound ? Confidence.Possible : Confidence.Likely,
                Severity = Severity.Info,
                Count = count,
                CostMs = cost.Ms,
                CostShare = cost.ActiveNs <= 0 ? null : cost.Share,
                Connections = ConnectionNames.Of(connections),
                For = [$"the shortest round trip between {path.Key.Client} and {path.Key.Server} is {rttMs:0.0} ms of a median transaction of {median:0.0} ms"],
                Against = bound ? [Bound] : [],
                Recommendation = "Use fewer round trips per operation, or a nearer server. No TCP setting shortens the path.",
            };
        }
    }
}
