using System.Globalization;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting.Charts;
using LatencyTuner.Core.Reporting.Pages;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.Analysis;

/// <summary>The page of an analysis: the verdict and its reasons, then hosts, connections, one example and the round trips.</summary>
internal static class AnalysisPage
{
    private const int MostRows = 20;
    private const int MostEnds = 10;

    internal static Page Of(AnalysisReport report)
    {
        ArgumentNullException.ThrowIfNull(report);
        List<PageSection> sections = new();
        sections.AddRange(FindingBlocks.Section("Findings", report.Findings, MostFindings(report)));
        if (report.Example is { } example)
        {
            sections.Add(new($"{example.Title}: {example.Connection}", new ChartBlock(AnalysisCharts.Ladder(example), Ladder(example))));
        }

        if (report.Hosts.Any(h => h.LateAcks + h.ImmediateAcks + h.SecondSegmentAcks > 0))
        {
            sections.Add(new("How each host sends ACKs", Hosts(report.Hosts)));
        }

        if (report.Processes.Count > 0)
        {
            sections.Add(new("TCP by process", Processes(report.Processes)));
        }

        if (report.Connections.Any(c => c.Ends.Count > 0))
        {
            sections.Add(new("Connections in trace events", Ends(report)));
        }

        if (report.Connections.Any(c => c.Ends.Count == 0 || c.Transactions > 0))
        {
            sections.Add(new("Connections", [.. ChartBlock.Of(AnalysisCharts.Lost(report)), Connections(report)]));
        }

        if (report.Transactions.Count > 0)
        {
            sections.Add(new("Slowest transactions", [.. ChartBlock.Of(AnalysisCharts.Transactions(report)), Transactions(report)]));
        }

        if (report.Pairs.Count > 0)
        {
            sections.Add(new("Captured at two places", Pairs(report.Pairs)));
        }

        if (Strip(report) is { } strip)
        {
            sections.Add(new(
                "Round trips over time",
                AnalysisCharts.RoundTrips(report) is { } chart ? new ChartBlock(chart, strip) : new TextOnlyBlock(strip)));
        }

        sections.Add(new("What was read", Inputs(report)));
        List<string> notes = [.. report.Inputs.Where(i => i.Damage is not null).Select(i => $"{i.Path}: {i.Damage}"), .. report.Notes];
        if (notes.Count > 0)
        {
            sections.Add(new("Notes", ListBlock.Of(notes)));
        }

        return new Page
        {
            Title = report.Inputs.All(i => i.Kind == "live") ? "trace" : $"analyze {string.Join(" ", report.Inputs.Select(i => i.Path))}",
            Subtitle = Subtitle(report),
            Verdict = report.Judgement,
            Sections = sections,
            Screen =
            [
                .. FindingBlocks.Screen("Findings", report.Findings, report.Judgement),
                .. PageSection.If(report.Connections.Any(c => c.Ends.Count > 0), "Connections in trace events", () => Ends(report)),
                .. PageSection.If(report.Connections.Any(c => c.Ends.Count == 0 || c.Transactions > 0), "Connections", () => Connections(report)),
                .. PageSection.If(report.Example is not null, $"{report.Example?.Title}: {report.Example?.Connection}", () => Ladder(report.Example!)),
                .. PageSection.If(report.Processes.Count > 0, "TCP by process", () => Processes(report.Processes)),
                .. PageSection.If(
                    report.Hosts.Any(h => h.LateAcks + h.ImmediateAcks + h.SecondSegmentAcks > 0), "How each host sends ACKs", () => Hosts(report.Hosts)),
                .. PageSection.Of("Notes", notes),
            ],
        };
    }

    private static string? Subtitle(AnalysisReport report)
    {
        DateTimeOffset? started = report.Inputs.Min(i => i.StartUtc);
        string events = report.Inputs.Sum(i => i.Events) is > 0 and var n ? $"{Format.Count(n)} {Counted.Noun(n, "event")}, " : "";
        long packets = report.Inputs.Sum(i => i.Packets);
        string counts =
            $"{events}{Format.Count(packets)} {Counted.Noun(packets, "packet")}, {Format.Count(report.ConnectionCount)} "
            + $"{Counted.Noun(report.ConnectionCount, "connection")}, {Format.Count(report.TransactionCount)} "
            + $"{Counted.Noun(report.TransactionCount, "transaction")}";
        return started is { } at ? $"captured {Format.Utc(at)} for {Format.Span(report.Inputs.Max(i => i.DurationMs))}: {counts}" : counts;
    }

    /// <summary>Every warning and error, but only some findings that inform: a busy client talks to dozens of slow servers.</summary>
    private static int MostFindings(AnalysisReport report) => Math.Max(MostRows, report.Findings.Count(f => f.Severity > Severity.Info));

    private static ListBlock Ladder(AnalysisLadder ladder) => new(
        [.. ladder.Steps.Select(s => new ListItem(
            $"{s.AtMs.ToString("0.000", CultureInfo.InvariantCulture),8} ms  {s.From} {s.Text}{(s.Frame is { } frame ? $" (frame {frame})" : "")}",
            s.Because is { } because ? [$"because: {because}"] : []))]);

    private static TableBlock Hosts(IReadOnlyList<AnalysedHost> hosts) => new(
        [
            new("host"), new("ACK timer", true), new("late ACKs", true), new("above 100 ms", true), new("waited for", true), new("median late", true),
            new("at once", true, Optional: true), new("every 2nd", true, Optional: true), new("on data", true, Optional: true)],
        [.. hosts.Take(MostRows).Select(h => (IReadOnlyList<TableCell>)
        [
            new(h.Address),
            new(
                h.AckTimerMs is { } ms ? Format.Milliseconds(Math.Round(ms, 1)) : Format.Unknown,
                h.AckTimerModel is "tick" or "unknown" ? h.AckTimerModel : null),
            new(Format.Count(h.LateAcks)),
            new(Format.Count(h.AcksAbove100Ms), null, h.AcksAbove100Ms > 0 ? Tone.Bad : Tone.Neutral),
            new(Format.Count(h.Harmful), null, h.Harmful > 0 ? Tone.Bad : Tone.Neutral),
            new(Format.Ms(h.LateP50Ms)),
            new(Format.Count(h.ImmediateAcks)), new(Format.Count(h.SecondSegmentAcks)), new(Format.Count(h.PiggybackAcks)),
        ])],
        "late: pure ACKs of one segment, delayed by more than the path's own time. "
            + "waited for: a small segment was sent only after these ACKs." + More(hosts.Count));

    private static TableCell NagleOf(AnalysedProcess p) =>
        new(p.NagleConnections is { } on ? $"{on} of {on + p.NoDelayConnections}" : Format.Unknown, Tone: p.NagleConnections > 0 ? Tone.Unsure : Tone.Neutral);

    private static TableBlock Processes(IReadOnlyList<AnalysedProcess> processes) => new(
        [
            new("process"), new("connections", true), new("sends", true), new("sent", true), new("received", true), new("retransmits", true),
            .. processes.Any(p => p.NagleConnections is not null) ? [new TableColumn("Nagle on", true)] : Array.Empty<TableColumn>(),
            new("receives", true, Optional: true), new("connects", true, Optional: true), new("accepts", true, Optional: true),
            new("disconnects", true, Optional: true), new("late reads", true, Optional: true), new("in send calls", true, Optional: true)],
        [.. processes.Take(MostRows).Select(p => (IReadOnlyList<TableCell>)
        [
            new(Process(p.Process, p.ProcessId)), new(Format.Count(p.Connections)), new(Format.Count(p.Sends)), new(Format.Bytes(p.BytesSent)),
            new(Format.Bytes(p.BytesReceived)), new(Format.Count(p.Retransmissions)),
            .. processes.Any(o => o.NagleConnections is not null) ? [NagleOf(p)] : Array.Empty<TableCell>(),
            new(Format.Count(p.Receives)), new(Format.Count(p.Connects)), new(Format.Count(p.Accepts)), new(Format.Count(p.Disconnects)),
            new(p.ReadWaitP50Ms is null ? Format.Unknown : Format.Count(p.LateReads)), new(p.SendCalls > 0 ? Format.Ms(p.SendCallMs) : Format.Unknown),
        ])],
        "sends, receives: calls or segments, as the events count them." + More(processes.Count));

    /// <summary>The ends of connections. On a narrow page, columns to which no event contributes are left out first.</summary>
    private static TableBlock Ends(AnalysisReport report)
    {
        List<ConnectionEnd> ends = report.Connections.SelectMany(c => c.Ends).ToList();
        bool causes = ends.Exists(e => e.NagleHolds + e.DelayedAckExpiries > 0), late = ends.Exists(e => e.LateReads > 0), sends =
            ends.Exists(e => e.SendCalls > 0 && e.SendCallMaxMs >= 5);
        return new(
            [
                new("client > server"), new("end"), new("process"), new("Nagle held", true, Optional: !causes), new("ACK timer", true, Optional: !causes),
                new("late reads", true, Optional: !late), new("in send calls", true, Optional: !sends),
                new("sent", true, Optional: causes || late || sends),
                new("received", true, Optional: causes || late || sends), new("connect", true, Optional: true)],
            [.. report.Connections.Where(c => c.Ends.Count > 0).Take(MostEnds).SelectMany(c => c.Ends.Select(e => (IReadOnlyList<TableCell>)
            [
                new(c.Id), new(FindingWords.Of(e.Side)), new(e.ProcessId is { } id ? Process(e.Process, id) : Format.Unknown),
                new(e.NagleHolds > 0 ? $"{Format.Count(e.NagleHolds)}: {Format.Ms(e.NagleHoldMs)}" : "0"), new(Format.Count(e.DelayedAckExpiries)),
                new(e.ReadWaitP50Ms is null ? Format.Unknown : Format.Count(e.LateReads)), new(e.SendCalls > 0 ? Format.Ms(e.SendCallMs) : Format.Unknown),
                new(Format.Bytes(e.BytesSent)), new(Format.Bytes(e.BytesReceived)), new(Format.Ms(e.ConnectMs)),
            ]))],
            string.Join(' ', Notes()) is { Length: > 0 } note ? note : null);

        IEnumerable<string> Notes()
        {
            if (causes)
            {
                yield return "Nagle held: how often and how long data waited from the send call until it was sent. ACK timer: expirations at this end.";
            }

            if (report.ConnectionCount > MostEnds)
            {
                yield return $"{MostEnds} of {Counted.Of(report.ConnectionCount, "connection")} are shown; --format json has more.";
            }
        }
    }

    private static string Process(string? name, long id) => name is null ? id.ToString(CultureInfo.InvariantCulture) : $"{name} ({id})";

    private static TableBlock Connections(AnalysisReport report) => new(
        [
            new("client > server"), new("transactions", true), new("median", true), new("max", true, Optional: true),
            new("server", true, Optional: true, Legend: "server: median of the server's own time."), new("base RTT", true),
            new("lost", true, Legend: "lost: time in stalls; overlapping stalls count once."), new("main cause")],
        [.. report.Connections.Where(c => c.Ends.Count == 0 || c.Transactions > 0).Take(MostRows).Select(c => (IReadOnlyList<TableCell>)
        [
            new(c.Id),
            new(Format.Count(c.Transactions)),
            new(Format.Ms(c.TransactionP50Ms)),
            new(Format.Ms(c.TransactionMaxMs)),
            new(Format.Ms(c.ServerP50Ms)),
            new(Format.Ms(c.BaseRttMs)),
            new(c.StallMs > 0 ? Format.Ms(c.StallMs) : "0", null, c.StallMs > 0.2 * c.ActiveMs ? Tone.Bad : Tone.Neutral),
            new(c.StallsMs.Count == 0 ? "" : c.StallsMs.MaxBy(s => s.Value).Key),
        ])],
        More(report.ConnectionCount) is { Length: > 0 } more ? more.TrimStart() : null);

    private static TableBlock Transactions(AnalysisReport report) => new(
        [
            new("at", true), new("took", true), new("server", true), new("client", true), new("path", true), new("stalled", true), new("cause"),
            new("frames", Optional: true), new("client > server", Optional: true)],
        [.. report.Transactions.OrderByDescending(t => t.DurationMs).Take(10).Select(t => (IReadOnlyList<TableCell>)
        [
            new((t.StartMs / 1000).ToString("0.000", CultureInfo.InvariantCulture) + " s"),
            new(Format.Ms(t.DurationMs)), new(Format.Ms(t.ServerMs + (t.ServerPausesMs ?? 0))), new(Format.Ms(t.ClientMs)), new(Format.Ms(t.NetworkMs)),
            new(Format.Ms(t.StallMs)), new(t.Stall ?? ""), new($"{t.FirstFrame}-{t.LastFrame}"), new(t.Connection),
        ])],
        "at: time since the connection's first packet. server: the server's time before and within its response."
            + (report.TransactionCount > 10 ? $" 10 of {Counted.Of(report.TransactionCount, "transaction")} are shown; --format json has more." : ""));

    private static TableBlock Pairs(IReadOnlyList<PairedConnection> pairs) => new(
        [new("client > server"), new("packets", true), new("clock ahead", true), new("to server", true), new("to client", true), new("lost", true)],
        [.. pairs.Take(MostRows).Select(p => (IReadOnlyList<TableCell>)
        [
            new(p.Connection),
            new(Format.Count(p.Packets)),
            new(Format.Difference(p.ClockOffsetMs * 1000), $"+- {Format.Ms(p.ClockUncertaintyMs)}"),
            new(Format.Ms(p.ToServerP50Ms), $"max {Format.Ms(p.ToServerMaxMs)}"),
            new(Format.Ms(p.ToClientP50Ms), $"max {Format.Ms(p.ToClientMaxMs)}"),
            new($"{p.LostToServer} > < {p.LostToClient}"),
        ])],
        "One-way times are medians. They assume that the idle path is equally fast in both directions." + More(pairs.Count));

    private static TimeStripBlock? Strip(AnalysisReport report)
    {
        AnalysedConnection? worst = report.Connections.FirstOrDefault(c => c.RoundTrips.Count > 3);
        if (worst is null || worst.RoundTripIntervalMs <= 0)
        {
            return null;
        }

        // A document that another program wrote may have an interval twice.
        Dictionary<long, double> values = worst.RoundTrips.GroupBy(r => (long)Math.Round(r.AtMs / worst.RoundTripIntervalMs))
            .ToDictionary(g => g.Key, g => g.Max(r => r.LongestUs));
        return new TimeStripBlock(
            $"Longest wait for an ACK per {Format.Ms(worst.RoundTripIntervalMs)}, {worst.Id}",
            [.. Enumerable.Range(0, (int)Math.Clamp(values.Keys.Max() + 1, 0, 10_000))
                .Select(i => new StripInterval(i * worst.RoundTripIntervalMs, values.TryGetValue(i, out double us) ? us : null))]);
    }

    private static TableBlock Inputs(AnalysisReport report) => new(
        [
            new("file"), new("kind"), new("events", true, Optional: true), new("packets", true), new("bytes", true), new("left out")],
        [.. report.Inputs.Select(i => (IReadOnlyList<TableCell>)
        [
            new(i.Path, i.Damage is null ? null : "damaged", i.Damage is null ? Tone.Neutral : Tone.Unsure), new(i.Kind), new(Format.Count(i.Events)),
            new(Format.Count(i.Packets)), new(Format.Bytes(i.Bytes)),
            new(i.Skipped.Count == 0 ? "nothing" : string.Join(", ", i.Skipped.Select(s => $"{s.Value} {s.Key}"))),
        ])]);

    private static string More(long count) => count > MostRows ? $" {MostRows} of {Counted.Of(count, "row")} are shown; --format json has more." : "";
}
