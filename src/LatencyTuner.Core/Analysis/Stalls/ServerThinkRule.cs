using LatencyTuner.Core.Findings;

namespace LatencyTuner.Core.Analysis.Stalls;

/// <summary>The server's own processing explains the time (LT141), by its residence stamps. Not a TCP fault.</summary>
internal static class ServerThinkRule
{
    internal static Finding? Evaluate(MeasurementFacts facts) =>
        facts.Received == 0 || facts.ServerMeanNs < Math.Max(5e6, 0.2 * facts.MedianNs)
            ? null
            : new Finding
            {
                Cause = Cause.ServerThink,
                Side = Side.Server,
                Host = facts.Address,
                Confidence = Confidence.Confirmed,
                Severity = Severity.Info,
                Count = facts.Received,
                CostMs = facts.ServerMeanNs * facts.Received / 1e6,
                CostShare = Math.Min(facts.ServerMeanNs * facts.Received / facts.ActiveNs, 1),
                Connections = [facts.Target],
                For = [
                    $"the server reported a mean processing time of {facts.ServerMeanNs / 1e6:0.0} ms per reply; the median response time is "
                    + $"{facts.MedianNs / 1e6:0.0} ms"],
                Against = [],
                Recommendation = "Look at the server's processing. The network and the TCP stacks do not take the time.",
            };
}
