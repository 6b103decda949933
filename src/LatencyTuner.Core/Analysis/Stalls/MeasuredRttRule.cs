using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Measurement;

namespace LatencyTuner.Core.Analysis.Stalls;

/// <summary>The path's own round trip explains the time (LT131). Not a fault; it says where the time goes.</summary>
internal static class MeasuredRttRule
{
    internal static Finding? Evaluate(MeasurementFacts facts)
    {
        double rttNs = facts.Stalls.RttNs;
        // One-way messages wait for no round trip.
        return facts.Received == 0 || facts.Workload.Pattern == WritePattern.Stream || rttNs < Math.Max(10e6, 0.5 * facts.MedianNs)
            ? null
            : new Finding
            {
                Cause = Cause.NetworkRtt,
                Side = Side.Network,
                Confidence = Confidence.Likely,
                Severity = Severity.Info,
                Count = facts.Received,
                CostMs = rttNs * facts.Received / 1e6,
                CostShare = Math.Min(rttNs * facts.Received / facts.ActiveNs, 1),
                Connections = [facts.Target],
                For = [$"the shortest round trip is {rttNs / 1e6:0.0} ms of a median response time of {facts.MedianNs / 1e6:0.0} ms"],
                Against = [],
                Recommendation = "Use fewer round trips per operation, or a nearer server. No TCP setting shortens the path.",
            };
    }
}
