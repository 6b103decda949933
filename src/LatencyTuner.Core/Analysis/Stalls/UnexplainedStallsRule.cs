using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Statistics;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Analysis.Stalls;

/// <summary>
/// A good part of the requests stalled, and no other rule says why (LT301): nobody is accused, but a gate must not take it for a healthy path.
/// </summary>
internal static class UnexplainedStallsRule
{
    // On a fast path one late wake-up is a large share of the time; it is no property of the workload.
    private const double FewestShare = 0.05;

    internal static Finding? Evaluate(MeasurementFacts facts, SeverityLimits limits, IEnumerable<Finding> others)
    {
        StallAnalysis stalls = facts.Stalls;
        double share = facts.ActiveNs > 0 ? Math.Min(stalls.LostNs / facts.ActiveNs, 1) : 0;
        if (facts.Workload.Pattern == WritePattern.Stream || stalls.Count < AckTimerInference.FewestMembers || stalls.Share < FewestShare
            || share < limits.WarningShare || others.Any(f => f.Severity >= Severity.Warning))
        {
            return null;
        }

        // On a path with jitter many requests take more than two of its shortest round trips. Only where Nagle can hold something is that suspicious.
        if (!facts.NagleMayHold && facts.MedianNs <= (2e3 * (facts.Local?.RttUs ?? facts.MedianNs)) + AckTimer.SmallestHold.TotalNanoseconds)
        {
            return null;
        }

        return new Finding
        {
            Cause = Cause.EvidenceIncomplete,
            Confidence = Confidence.Confirmed,
            Severity = limits.Of(share, stalls.LongCount, facts.Elapsed),
            Count = stalls.Count,
            CountOf = "stall",
            CostMs = stalls.LostNs / 1e6,
            CostShare = share,
            Connections = [facts.Target],
            For = [
                $"{Counted.Of(stalls.Count, "request")} of {stalls.Requests} waited more than {stalls.ThresholdNs / 1e6:0.0} ms, and nothing shows for what: "
                + "the waits fit no known ACK timer, and the kernel counts no losses that explain them"],
            Against = [],
            Recommendation = $"Run 'latencytuner diagnose {facts.Target}', or capture packets at both ends during the measurement.",
        };
    }
}
