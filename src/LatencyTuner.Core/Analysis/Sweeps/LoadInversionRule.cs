using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Measurement;

namespace LatencyTuner.Core.Analysis.Sweeps;

/// <summary>
/// Latency falls as load rises (LT161). Queueing only ever raises it, so something waits for more traffic: Nagle's algorithm, a delayed
/// ACK, interrupt moderation, a processor that sleeps.
/// </summary>
internal static class LoadInversionRule
{
    // A processor that wakes from sleep or a moderated interrupt costs tens of microseconds; below this it is not worth a finding.
    private const double SmallestNs = 2_000_000;

    /// <summary>Judges the 90th percentile and the median per rate.</summary>
    /// <param name="points">Rate, 90th percentile and median in nanoseconds of each round, in ascending order of rate.</param>
    /// <param name="workload">What was measured.</param>
    /// <param name="noDelay">TCP_NODELAY at the client as read back.</param>
    /// <param name="target">The target's name.</param>
    /// <param name="limits">What makes it a warning or an error.</param>
    internal static Finding? Evaluate(
        IReadOnlyList<(double Rate, IReadOnlyList<double> TailNs, IReadOnlyList<double> MedianNs)> points, Workload workload, bool? noDelay, string target,
        SeverityLimits limits)
    {
        if (points.Count < 3)
        {
            return null;
        }

        // The slowest low rate against the fastest higher one, each by the round least favourable to the finding.
        (double lowRate, double highRate, double high, double low) = (0, 0, 0, 0);
        for (int i = 0; i < points.Count; i++)
        {
            for (int j = i + 1; j < points.Count; j++)
            {
                double atLow = points[i].MedianNs.Min();
                double atHigh = points[j].MedianNs.Max();
                double tailLow = points[i].TailNs.Min();
                double tailHigh = points[j].TailNs.Max();
                if (atLow > 1.5 * atHigh && atLow - atHigh >= SmallestNs && tailLow > tailHigh && atLow - atHigh > high - low)
                {
                    (lowRate, highRate, high, low) = (points[i].Rate, points[j].Rate, atLow, atHigh);
                }
            }
        }

        if (lowRate == 0)
        {
            return null;
        }

        bool splits = workload.Writes.Count > 1 && noDelay == false;
        return new Finding
        {
            Cause = Cause.LoadInversion,
            Side = splits ? Side.Client : null,
            Confidence = splits ? Confidence.Likely : Confidence.Possible,
            Severity = limits.Of((high - low) / high, 0, TimeSpan.Zero),
            Count = points.Count,
            CostMs = (high - low) / 1e6,
            CostShare = (high - low) / high,
            Connections = [target],
            For =
            [
                $"the median falls from {high / 1e6:0.0} ms at {lowRate:N0} requests/s to {low / 1e6:0.0} ms at {highRate:N0} requests/s in every "
                + "round: more load, less latency",
                .. splits
                    ? new[] {
                        "requests are written in several sends with TCP_NODELAY off; the second send waits for an ACK, unless more data fills a segment "
                        + "or a reply carries the ACK" } : [],
            ],
            Against = splits ? [] : ["the workload sends one write per request; what waits for more traffic was not seen"],
            Recommendation = splits ? $"Run 'latencytuner diagnose {target}' for the end at fault and the fixes."
                : "Look at the power plan and at the adapter's interrupt moderation.",
        };
    }
}
