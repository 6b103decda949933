using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Statistics;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Analysis.Loads;

/// <summary>A queue on a path that was shown to be full multiplies the round trip (LT132).</summary>
internal static class LoadBufferbloatRule
{
    private const double LeastMs = 30;
    private const double LeastTimes = 2;

    /// <summary>The finding, or null when the path was not full or the round trip did not rise enough.</summary>
    /// <param name="loads">The directions of the load with the judgement of each.</param>
    /// <param name="added">By how much the 90th percentile rises under load; null when too few requests were answered.</param>
    /// <param name="idleMedianNs">Median of the idle requests, nanoseconds.</param>
    /// <param name="addedMeanNs">By how much the mean rises under load, nanoseconds.</param>
    /// <param name="loadedMeanNs">Mean of the loaded requests, nanoseconds.</param>
    /// <param name="loadedCount">Number of loaded requests.</param>
    /// <param name="target">The target by name.</param>
    /// <param name="limits">What makes it a warning or an error.</param>
    internal static Finding? Evaluate(
        IReadOnlyList<(LoadFacts Facts, LoadJudgement Judgement)> loads, AddedLatency? added, double idleMedianNs, double addedMeanNs, double loadedMeanNs,
        int loadedCount, string target, SeverityLimits limits)
    {
        // The end of the interval that is least favourable to the finding.
        if (added is not { } more || loads.Count == 0 || loads.Any(l => l.Judgement.Saturated != true) || more.LowNs / 1e6 < LeastMs
            || more.LowNs < LeastTimes * idleMedianNs)
        {
            return null;
        }

        double share = loadedMeanNs > 0 ? Math.Clamp(addedMeanNs / loadedMeanNs, 0, 1) : 0;
        bool seenByKernel = loads.Any(l => (l.Facts.RttUs - l.Facts.MinRttUs) * 1e3 >= more.LowNs / 2);
        return new Finding
        {
            Cause = Cause.Bufferbloat,
            Side = Side.Network,
            Confidence = seenByKernel ? Confidence.Confirmed : Confidence.Likely,
            Severity = limits.Of(share, 0, TimeSpan.Zero),
            Count = loadedCount,
            CostMs = Math.Max(addedMeanNs, 0) * loadedCount / 1e6,
            CostShare = share,
            Connections = [target],
            For =
            [
                $"the 90th percentile rises by {more.ValueNs / 1e6:0.0} ms{Format.Between($"{more.LowNs / 1e6:0.0}", $"{more.HighNs / 1e6:0.0} ms")} while "
                    + "the path "
                + $"is full; the idle median is {idleMedianNs / 1e6:0.0} ms",
                .. loads.Select(l => $"{(l.Facts.Up ? "up" : "down")}: {l.Judgement.Because}"),
                .. seenByKernel ? ["the sender's kernel measured a longer round trip on the load's own connections as well"] : Array.Empty<string>(),
            ],
            Against = ["a queue in the sending machine's own adapter or its drivers looks the same as one in a router"],
            Recommendation =
                "Find the slowest hop. Give it active queue management (FQ-CoDel, CAKE) or a shorter queue, or keep bulk transfers below its rate.",
        };
    }
}
