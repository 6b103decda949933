using System.Globalization;
using System.Net;
using LatencyTuner.Core.Findings;

namespace LatencyTuner.Core.Recordings.Traces.Rules;

/// <summary>The delayed-ACK timer of this machine expired (LT103): how often, after how long, and whether a peer waited that LT101 does not count.</summary>
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

            // With both ends in the trace the sender's side shows what waited; with one end, the data that follows the expiration does.
            TraceConnection[] single =
                [.. connections.Where(c => c.Twin is null && c.Receiver.Followed >= Fewest && c.Receiver.Followed >= FewestShare * c.Receiver.Fired)];
            long harmful = single.Sum(c => c.Receiver.Followed);
            long cost = single.Sum(c => c.Receiver.FollowedNs);
            long[] waits = [.. connections.SelectMany(c => c.Receiver.Waits)];
            List<string> reasons = [
                $"delayed-ACK timer expirations of {first.Process ?? "this machine"}: {fired} [TCPIP event 1066, type 2]{Configured(connections)}"];
            if (waits.Length > 0)
            {
                reasons.Add($"the data had then waited a median of {TraceFindingBuilder.MedianMs(waits):0.0} ms for its ACK (waits: {waits.Length})");
            }

            if (harmful > 0)
            {
                reasons.Add($"after {harmful} of these ACKs the peer sent more data within a round trip: it had waited for the ACK");
            }

            List<string> against = [];
            if (chained > 0)
            {
                against.Add($"counted in LT101, with the data that waited for them: {chained} of these expirations");
            }

            if (harmful == 0 && chained == 0)
            {
                against.Add(
                    connections.Any(c => c.Twin is null) ? "at this end nothing was seen to wait for these ACKs"
                        : "nothing waited for these ACKs: the other end, which is on this machine, held no data");
            }

            long longStalls = harmful > 0 ? waits.Count(w => w >= LongNs) : 0;
            Finding finding = TraceFindingBuilder.Finding(
                evidence, Cause.DelayedAck, first.Side, connections, fired, cost, longStalls, Confidence.Likely, reasons, against,
                harmful > 0 || chained > 0 ? $"{CureCatalogue.NagleRemedy(null, "At the peer")} Change the delayed-ACK timer here only after that."
                    : "Nothing to do: a delayed ACK that nothing waits for saves packets.");
            (uint Ms, long Count)[] armings = Armings(connections);
            yield return finding with
            {
                Fired = fired,
                Harmful = harmful,
                Armed = armings.Length > 0 ? armings.Sum(a => a.Count) : null,
                ArmedMs = armings.Length > 0 ? armings.MaxBy(a => a.Count).Ms : null,
                Predictions = harmful == 0 ? [] : TraceResponses.Without(single, w => w.LateAckNs, CureAssumptions.PromptAcks),
                Severity = harmful == 0 ? Severity.Info : finding.Severity,
            };
        }
    }

    /// <summary>How many times the timer was set, by its time in milliseconds.</summary>
    private static (uint Ms, long Count)[] Armings(TraceConnection[] connections) =>
        [.. connections.SelectMany(c => c.Receiver.Armings).GroupBy(a => a.Key).Select(a => (a.Key, a.Sum(x => x.Value))).OrderBy(a => a.Key)];

    private static string Configured(TraceConnection[] connections)
    {
        uint[] armed = [.. Armings(connections).Select(a => a.Ms)];
        (uint Ticks, uint? Frequency)[] templates =
            [.. connections.Where(c => c.DelayedAckTicks is not null).Select(c => (c.DelayedAckTicks!.Value, c.DelayedAckFrequency)).Distinct()
                .OrderBy(t => t.Value)];
        string timer = armed.Length == 0 ? "" : $"; set to {string.Join(" and ", armed.Take(4))} ms [TCPIP event 1064]";
        if (templates.Length == 0)
        {
            return timer;
        }

        IEnumerable<string> told = templates.Take(4).Select(
            t => $"DelayedAckTicks {t.Ticks}, DelayedAckFrequency {t.Frequency?.ToString(CultureInfo.InvariantCulture) ?? "unknown"}");
        return $"{timer}; template: {string.Join(" and ", told)} [TCPIP event 1223]";
    }
}
