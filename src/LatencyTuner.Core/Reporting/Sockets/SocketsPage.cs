using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting.Pages;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.Sockets;

/// <summary>The page of a host's sockets: findings, processes, connections, what could not be read.</summary>
internal static class SocketsPage
{
    private const string Nobody = "(unknown)";

    internal static Page Of(SocketsReport report)
    {
        ArgumentNullException.ThrowIfNull(report);
        IReadOnlyList<SocketProcess> processes = report.Processes;
        HostSocket[] connections = [.. report.Sockets.Where(s => s.State != SocketState.Listen)];
        HostSocket[] listeners = [.. report.Sockets.Where(s => s.State == SocketState.Listen)];
        PageSection[] findings = [.. FindingBlocks.Section("Findings", report.Findings)];
        PageSection[] byProcess = [.. PageSection.If(processes.Count > 1, "Processes", () => Processes(processes))];
        PageSection[] unreadable = [.. PageSection.If(report.Unreadable.Count > 0, "Not readable", () => Unreadable(report.Unreadable))];
        PageSection[] listed = [.. PageSection.If(connections.Length > 0, "Connections", () => Connections(connections, report.IntervalMs))];
        PageSection[] waiting = [.. PageSection.If(listeners.Length > 0, "Listeners", () => Listeners(listeners))];
        PageSection[] notes =
        [
            .. PageSection.Of(
                "Notes",
                [
                    .. report.Notes,
                    .. report.WithoutProcess == 0 ? Array.Empty<string>()
                        : [$"Not listed: {Counted.Of(report.WithoutProcess, "connection")} without a process (--all)."],
                ]),
        ];
        return new Page
        {
            Title = Title(processes, report.IntervalMs),
            Subtitle = PageWords.Made(report.StartedUtc),
            Verdict = report.Judgement,
            Sections = [.. findings, .. byProcess, .. States(connections), .. listed, .. waiting, .. unreadable, .. notes],
            Screen =
            [
                // The verdict names the worst finding: the lists say whose sockets these are.
                .. byProcess,
                .. listed,
                .. FindingBlocks.Screen("Findings", report.Findings.Where(f => f.Severity > Severity.Info), report.Judgement),
                .. unreadable,
                .. waiting,
            ],
        };
    }

    private static IEnumerable<PageSection> States(HostSocket[] connections)
    {
        PageBlock[] charts = [.. ChartBlock.Of(SocketsCharts.RoundTrips(connections)), .. ChartBlock.Of(SocketsCharts.HeldBack(connections))];
        return charts.Length > 0 ? [new("State of each connection", charts)] : [];
    }

    private static string Title(IReadOnlyList<SocketProcess> processes, double? intervalMs)
    {
        int known = processes.Count(p => p.Pid is not null);
        return $"sockets, {Counted.Of(processes.Sum(p => p.Connections), "connection")}, {Counted.Of(processes.Sum(p => p.Listeners), "listener")}, "
            + (known == 1 ? "1 process" : $"{known} processes") + (intervalMs is { } ms ? $", changes in {Format.Span(ms)}" : "");
    }

    private static TableBlock Processes(IReadOnlyList<SocketProcess> processes) => new(
        [
            new("process"), new("connections", Right: true), new("listeners", Right: true), new("Nagle"), new("fixed buffers", Right: true),
            new("retransmitted", Right: true), new("longest RTT", Right: true, Optional: true), new("service", Optional: true),
        ],
        [
            .. processes.OrderByDescending(p => p.NagleConnections).ThenByDescending(p => p.Connections).Select(p => (IReadOnlyList<TableCell>)
            [
                new(p.Pid is null ? Nobody : p.Process is null ? $"process {p.Pid}" : $"{p.Process} ({p.Pid})"), new(Format.Count(p.Connections)),
                new(Format.Count(p.Listeners)), Nagle(p), new(Format.Count(p.FixedBufferConnections)),
                new(p.Retransmitted is { } again ? Format.Count(again) : Format.Unknown), new(Format.Us(p.LongestRttUs)), new(string.Join(", ", p.Services)),
            ]),
        ],
        "Nagle: on means TCP_NODELAY off. Fixed buffers: connections whose application set a size, which switches autotuning off.");

    private static TableBlock Connections(HostSocket[] sockets, double? intervalMs) => new(
        [
            new("process"), new("port", Right: true), new("remote"), new("Nagle"), new("RTT", Right: true), new("least", Right: true, Optional: true),
            new("limited by", Optional: true),
            new("retransm.", Right: true, Optional: true), new("unsent", Right: true, Optional: true), new("send buffer", Right: true, Optional: true),
            new("receive buffer", Right: true, Optional: true), new("ACK timer", Right: true, Optional: true), new("control", Optional: true),
            new("sent", Right: true, Optional: true), new("received", Right: true, Optional: true), new("state", Optional: true), new("local", Optional: true),
        ],
        [
            .. sockets.OrderByDescending(s => s.NoDelay == false).ThenByDescending(s => s.RttUs).Select(s => (IReadOnlyList<TableCell>)
            [
                new(s.ProcessLabel ?? Nobody), new($"{s.Local.Port}"), new(s.Remote.ToString()), Nagle(s), new(Format.Us(s.RttUs)),
                new(Format.Us(s.MinRttUs)), new(LimitedBy(s)), new(s.Retransmitted is { } again ? Format.Count(again) : Bytes(s.RetransmittedBytes)),
                new(Bytes(s.UnsentBytes)), new(Buffer(s.SendBufferBytes, s.SendBufferFixed)), new(Buffer(s.ReceiveBufferBytes, s.ReceiveBufferFixed)),
                new(Format.Ms(s.AckTimeoutMs)), new(s.CongestionControl ?? Format.Unknown), new(Bytes(s.BytesSent)), new(Bytes(s.BytesReceived)),
                new(Format.Kebab(s.State)), new(s.Local.ToString()),
            ]),
        ],
        (intervalMs is { } ms ? $"Counters are the changes in {Format.Span(ms)}. " : "Counters are since each connection began. ")
        + "Limited by: what held the sender back, as a share of the time with data outstanding. A buffer with ! is fixed by the application.");

    private static TableBlock Listeners(HostSocket[] sockets) => new(
        [
            new("process"), new("local"), new("Nagle"), new("send buffer", Right: true), new("receive buffer", Right: true), new("control", Optional: true),
            new("service", Optional: true), new("shared with", Optional: true),
        ],
        [
            .. sockets.Select(s => (IReadOnlyList<TableCell>)
            [
                new(s.ProcessLabel ?? Nobody), new(s.Local.ToString()), Nagle(s), new(Buffer(s.SendBufferBytes, s.SendBufferFixed)),
                new(Buffer(s.ReceiveBufferBytes, s.ReceiveBufferFixed)), new(s.CongestionControl ?? Format.Unknown), new(string.Join(", ", s.Services)),
                new(s.OtherPids is { } pids ? $"{pids.Count} more" : ""),
            ]),
        ]);

    /// <summary>Processes with the same reason in one item.</summary>
    private static ListBlock Unreadable(IReadOnlyList<UnreadableProcess> unreadable)
    {
        const int Named = 4;
        return ListBlock.Of(unreadable.GroupBy(u => u.Why).Select(g =>
            string.Join(", ", g.Take(Named).Select(u => $"{u.Process ?? "process"} ({u.Pid})"))
            + (g.Count() > Named ? $" and {g.Count() - Named} more" : "") + $": {g.Key}."));
    }

    private static TableCell Nagle(HostSocket s) => s.NoDelay switch
    {
        true => new("off"),
        false => new("on", Tone: Tone.Unsure),
        _ => new("?"),
    };

    private static string LimitedBy(HostSocket s)
    {
        const double Least = 0.01;
        if (s.BusyMs is not > 0)
        {
            // Windows counts the times, but not the time with data outstanding.
            return string.Join(", ", new[] { Time("rwnd", s.RwndLimitedMs), Time("cwnd", s.CwndLimitedMs) }.OfType<string>()) is { Length: > 0 } times ? times
                : Format.Unknown;
        }

        string? Share(string name, double? ms) => ms / s.BusyMs is >= Least and var share ? $"{name} {Format.Share(Math.Min(share, 1))}" : null;
        return string.Join(
            ", ", new[] { Share("rwnd", s.RwndLimitedMs), Share("cwnd", s.CwndLimitedMs), Share("sndbuf", s.SndbufLimitedMs) }.OfType<string>())
            is { Length: > 0 } shares ? shares : Format.Unknown;
    }

    private static string? Time(string name, double? ms) => ms is >= 1 ? $"{name} {Format.Ms(ms)}" : null;

    private static TableCell Nagle(SocketProcess p)
    {
        int unknown = p.Connections - p.NagleConnections - p.NoDelayConnections;
        string text = (p.NagleConnections, p.NoDelayConnections, unknown) switch
        {
            (0, 0, 0) => Format.Unknown,
            (0, 0, _) => "?",
            (_, 0, 0) => "on",
            (0, _, 0) => "off",
            var (on, off, other) => string.Join(
                ", ", new[] { on > 0 ? $"on {on}" : null, off > 0 ? $"off {off}" : null, other > 0 ? $"? {other}" : null }.OfType<string>()),
        };
        return new(text, Tone: p.NagleConnections > 0 ? Tone.Unsure : Tone.Neutral);
    }

    private static string Buffer(long? bytes, bool? isFixed) => Bytes(bytes) + (isFixed == true ? " !" : "");

    private static string Bytes(long? bytes) => bytes is { } value ? Format.Bytes(value) : Format.Unknown;
}
