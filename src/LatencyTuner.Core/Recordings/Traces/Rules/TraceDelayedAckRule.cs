using System.Globalization;
using System.Net;
using LatencyTuner.Core.Findings;

namespace LatencyTuner.Core.Recordings.Traces.Rules;

/// <summary>The delayed-ACK timer of this machine expired (LT103): how often, after how long, and whether a peer waited that no chain already claims.</summary>
internal static class TraceDelayedAckRule
{
    private const long Fewest = 3;
    private const double FewestShare = 0.3;
    private const long LongNs = 100_000_000;

    internal static IEnumerable<Finding> Evaluate(TraceEvidence evidence)
    {
        foreach (IGrouping<((uint? Id, int Generation) Owner, Side Side, IPAddress?), TraceConnection> group in evidence.Connections
            .Where(c => c.Receiver.Fired > 0).GroupBy(c => (c.Owner, c.Side, c.Local.IsKnown ? c.Local.Address : null)))
        {
            TraceConnection[] connections = [.. group];
            TraceConnection first = connections[0];
            long fired = connections.Sum(c => c.Receiver.Fired);
            long chained = connections.Sum(c => c.ChainExpiries);

            // With both ends in the trace the sender's side says what waited; with one, what follows the expiry does.
            TraceConnection[] single =
                [.. connections.Where(c => c.Twin is null && c.Receiver.Followed >= Fewest && c.Receiver.Followed >= FewestShare * c.Receiver.Fired)];
            long harmful = single.Sum(c => c.Receiver.Followed);
            long cost = single.Sum(c => c.Receiver.FollowedNs);
            long[] waits = [.. connections.SelectMany(c => c.Receiver.Waits)];
            List<string> reasons = [
                $"the delayed-ACK timer (1066, type 2) of {first.Process ?? "this machine"} expired {fired} times{Configured(connections)}"];
            if (waits.Length > 0)
            {
                reasons.Add($"the data had waited {TraceCost.MedianMs(waits):0.0} ms for its acknowledgement then in the median (n={waits.Length})");
            }

            if (harmful > 0)
            {
                reasons.Add($"{harmful} times the peer sent more within a round trip of that acknowledgement: it had waited for it");
            }

            List<string> against = [];
            if (chained > 0)
            {
                against.Add($"{chained} of these are counted with the data that waited for them (LT101)");
            }

            if (harmful == 0 && chained == 0)
            {
                against.Add(
                    connections.Any(c => c.Twin is null) ? "nothing was seen to wait for it from this end"
                        : "nothing waited for it: the other end, on this machine, held no data");
            }

            long longStalls = harmful > 0 ? waits.Count(w => w >= LongNs) : 0;
            Finding finding = TraceCost.Finding(
                evidence, Cause.DelayedAck, first.Side, connections, fired, cost, longStalls, Confidence.Likely, reasons, against,
                harmful > 0 || chained > 0 ? "At the peer: write a message with one call, or set TCP_NODELAY; only then think of the delayed-ACK timer here."
                    : "Nothing: a delayed ACK that nobody waits for saves packets.");
            yield return finding with { Fired = fired, Harmful = harmful, Severity = harmful == 0 ? Severity.Info : finding.Severity };
        }
    }

    private static string Configured(TraceConnection[] connections)
    {
        uint[] armed = [.. connections.Where(c => c.Receiver.ArmedMs is not null).Select(c => c.Receiver.ArmedMs!.Value).Distinct().Order()];
        (uint Ticks, uint? Frequency)[] templates =
            [.. connections.Where(c => c.DelayedAckTicks is not null).Select(c => (c.DelayedAckTicks!.Value, c.DelayedAckFrequency)).Distinct()
                .OrderBy(t => t.Value)];
        string timer = armed.Length == 0 ? "" : $"; armed for {string.Join(" and ", armed.Take(4))} ms (1064)";
        if (templates.Length == 0)
        {
            return timer;
        }

        IEnumerable<string> told = templates.Take(4).Select(
            t => $"{t.Ticks} ticks, every {t.Frequency?.ToString(CultureInfo.InvariantCulture) ?? "unknown"} segments");
        return $"{timer}; template: {string.Join(" and ", told)} (1223)";
    }
}
