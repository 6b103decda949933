using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Text;

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
    /// <param name="points">
    /// Rate, 90th percentile and median in nanoseconds of each round, and the median of all rounds, in ascending order of rate.
    /// </param>
    /// <param name="workload">What was measured.</param>
    /// <param name="noDelay">TCP_NODELAY at the client as read back.</param>
    /// <param name="target">The target's name.</param>
    /// <param name="limits">What makes it a warning or an error.</param>
    internal static Finding? Evaluate(
        IReadOnlyList<(double Rate, IReadOnlyList<double> TailNs, IReadOnlyList<double> MedianNs, double ShownNs)> points, Workload workload, bool? noDelay,
        string target, SeverityLimits limits)
    {
        if (points.Count < 3)
        {
            return null;
        }

        // The slowest low rate against the fastest higher one, each by the round least favourable to the finding.
        (int slow, int fast, double least) = (-1, -1, 0);
        for (int i = 0; i < points.Count; i++)
        {
            for (int j = i + 1; j < points.Count; j++)
            {
                double atLow = points[i].MedianNs.Min();
                double atHigh = points[j].MedianNs.Max();
                double tailLow = points[i].TailNs.Min();
                double tailHigh = points[j].TailNs.Max();
                if (atLow > 1.5 * atHigh && atLow - atHigh >= SmallestNs && tailLow > tailHigh && atLow - atHigh > least)
                {
                    (slow, fast, least) = (i, j, atLow - atHigh);
                }
            }
        }

        if (slow < 0)
        {
            return null;
        }

        // The figures of the tables, which are those of all rounds together.
        (double high, double low) = (points[slow].ShownNs, points[fast].ShownNs);

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
                $"the median falls from {Format.Us(high / 1e3)} at {Format.Plain(points[slow].Rate)} requests/s to {Format.Us(low / 1e3)} at "
                + $"{Format.Plain(points[fast].Rate)} requests/s, and in every round: more load, less latency",
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
