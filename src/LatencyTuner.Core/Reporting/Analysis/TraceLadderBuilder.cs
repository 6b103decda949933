using LatencyTuner.Core.Analysis.Recordings;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings.Traces;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.Analysis;

/// <summary>Describes one example of a finding step by step, from the events of a trace: what waited for what.</summary>
internal static class TraceLadderBuilder
{
    internal static AnalysisLadder? Of(RecordingResult result, Finding worst)
    {
        TraceConnection[] all = [.. result.Traces.SelectMany(t => t.Connections).Where(c => worst.Connections.Contains(c.Name))];
        return worst.Cause switch
        {
            Cause.NagleDelayedAck => Hold([.. all.Where(c => c.Side == worst.Side)], late: true),
            Cause.NagleHold => Hold([.. all.Where(c => c.Side == worst.Side)], late: false),
            Cause.ReceiveWindow => Window(all, c => c.Sender.LongestReceiverWait, "the peer's window"),
            Cause.CongestionWindow => Window(all, c => c.Sender.LongestCongestionWait, "the congestion window"),
            Cause.ZeroWindow => Longest(all, c => c.Windows.LongestClosed, (c, e) =>
            [
                Step(c, e, e.FromNs, "finds the peer's window closed and begins to probe it [TCPIP event 1102]", null),
                Step(c, e, e.ToNs, "sends again [TCPIP event 1103]", $"the {FindingWords.Of(c.PeerSide)}'s window opened"),
            ]),
            Cause.LossRto => Longest(all, c => c.Losses.LongestTimeout, (c, e) => Lost(c, e, "its retransmission timer expired: no ACK arrived")),
            Cause.LossFastRetransmit => Longest(all, c => c.Losses.LongestFast, (c, e) => Lost(c, e, "three duplicate ACKs arrived [TCPIP event 1430]")),
            Cause.SendBuffer => Longest(all, c => c.Calls?.LongestBlocked, (c, e) =>
            [
                Step(c, e, e.FromNs, $"calls send with {Counted.Of(e.Bytes, "byte")} [Winsock-AFD event 1003]", null),
                Step(c, e, e.ToNs, "returns from the send call", "it waited for the ACK of the data in the send buffer"),
            ]),
            _ => null,
        };
    }

    private static AnalysisLadder? Hold(TraceConnection[] connections, bool late)
    {
        (TraceConnection Connection, TraceHold Hold)[] holds = connections
            .SelectMany(c => (late ? c.LateHolds : c.PlainHolds).Select(h => (Connection: c, Hold: h))).OrderBy(x => x.Hold.CostNs).ToArray();
        if (holds.Length == 0)
        {
            return null;
        }

        (TraceConnection c, TraceHold h) = holds[holds.Length / 2];
        string sender = FindingWords.Of(c.Side);
        string receiver = FindingWords.Of(c.PeerSide);
        string who = c.Process ?? "the application";
        LadderStep At(long ns, string from, string text, string? because = null) =>
            new() { AtMs = AnalysisReportBuilder.Ms(ns - h.SentNs), From = from, Text = text, Because = because };
        long? expiry = c.Twin is { } twin ? ExpiryIn(twin.Receiver.Expiries, h) : null;
        List<LadderStep> steps =
        [
            At(h.SentNs, sender, $"sends data, seq {h.FirstSequence} [TCPIP event 1332]"),
            At(
                h.PostedNs, sender,
                $"gets {h.Bytes} more bytes from {who} [TCPIP event 1159] and holds them: the segment is small, and seq {h.FirstSequence} is not "
                    + $"acknowledged{Room(h)}"),
        ];
        if (expiry is { } at)
        {
            steps.Add(
                At(
                    at, receiver, $"acknowledges seq {h.FirstSequence} ({c.Twin!.Process ?? "the other end"})",
                    "its delayed-ACK timer expired [TCPIP event 1066]"
                    + $"{(c.Twin.Receiver.ArmedMs is { } armed ? $", set to {armed} ms [TCPIP event 1064]" : "")}"));
        }

        string? why = expiry is not null ? null : late ? $"the {receiver}'s delayed-ACK timer, judged by the delay" : "the round trip";
        steps.Add(At(h.AckNs, sender, "gets the ACK of all sent data [TCPIP event 1330]", why));
        steps.Add(
            At(
                h.ReleasedNs, sender, $"sends the {Counted.Of(h.Bytes, "byte")}, seq {h.Sequence} [TCPIP event 1332]",
                $"Nagle's algorithm held them for {h.CostNs / 1e6:0.0} ms until that ACK"));
        if (h.AnsweredNs > 0)
        {
            steps.Add(At(h.AnsweredNs, receiver, "answers [TCPIP event 1074]", null));
        }

        return Ladder("A typical hold", c, steps);
    }

    private static AnalysisLadder? Window(TraceConnection[] connections, Func<TraceConnection, TraceExample?> exampleOf, string window) =>
        Longest(connections, exampleOf, (c, e) =>
    [
        Step(c, e, e.FromNs, $"has {Counted.Of(e.Bytes, "byte")} to send [TCPIP event 1159], {e.Outstanding:N0} unacknowledged: {window} is {e.Window:N0} "
            + "bytes",
            null),
        Step(c, e, e.ToNs, $"sends them, seq {e.Sequence} [TCPIP event 1332]",
            $"an ACK [TCPIP event 1330] made room in {window} after {e.DurationNs / 1e6:0.0} ms"),
    ]);

    private static LadderStep[] Lost(TraceConnection c, TraceExample e, string because) =>
    [
        Step(c, e, e.FromNs, $"waits for the ACK of seq {e.Sequence} [TCPIP event 1332]", null),
        Step(c, e, e.ToNs, $"sends seq {e.Sequence} again [TCPIP event 1351, 1077 or 1187]", because),
    ];

    private static AnalysisLadder? Longest(
        TraceConnection[] connections, Func<TraceConnection, TraceExample?> exampleOf, Func<TraceConnection, TraceExample, LadderStep[]> steps) =>
        connections.Where(c => exampleOf(c) is { DurationNs: > 0 }).MaxBy(c => exampleOf(c)!.DurationNs) is { } c
            ? Ladder("The longest wait", c, steps(c, exampleOf(c)!)) : null;

    private static LadderStep Step(TraceConnection c, TraceExample e, long ns, string text, string? because) =>
        new() { AtMs = AnalysisReportBuilder.Ms(ns - e.FromNs), From = FindingWords.Of(c.Side), Text = text, Because = because };

    private static AnalysisLadder Ladder(string title, TraceConnection c, IReadOnlyList<LadderStep> steps) =>
        new() { Title = title, Connection = c.Name, Steps = steps, Verified = c.Verified };

    private static string Room(TraceHold h) => h.Window == uint.MaxValue ? "" : $"; both windows have room ({h.Window} and {h.Cwnd} bytes)";

    private static long? ExpiryIn(List<long> expiries, TraceHold h)
    {
        int at = expiries.BinarySearch(h.SentNs);
        at = at < 0 ? ~at : at;
        return at < expiries.Count && expiries[at] <= h.ReleasedNs ? expiries[at] : null;
    }
}
