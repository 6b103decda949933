using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Analysis.Sockets;

/// <summary>
/// Connections of requests and replies with Nagle's algorithm on: an exposure, which is information. It rises where a capture shows the holds, or the
/// counters look like them: messages in pieces, and for each piece data outstanding for as long as a delayed-ACK timer. An application that pauses
/// between two writes looks the same to the counters, so that they alone never make it more than possible.
/// </summary>
internal static class SocketNagleRule
{
    /// <summary>Messages in pieces from here on: segments sent for each segment received.</summary>
    private const double InPieces = 1.5;

    private const int FewestPieces = 10;
    private const int MostNamed = 20;
    private const int MostPredicted = 5;

    /// <summary>The smoothed round trip lies between the path's own and the timer, because the ACK of the last piece comes at once.</summary>
    private const double LeastOfTimer = 0.3;

    private static readonly double[] TimersMs = [40, 100, 200];

    /// <summary>The findings of one process: at most one.</summary>
    /// <param name="process">Its sockets.</param>
    /// <param name="captured">Findings of a capture, with connections as it names them.</param>
    /// <param name="limits">What makes a finding a warning or an error.</param>
    internal static IEnumerable<Finding> Evaluate(ProcessSockets process, IReadOnlyList<Finding> captured, SeverityLimits limits)
    {
        if (process.Label is null)
        {
            return [];
        }

        Finding[] seen = [.. captured.Where(f => f.Cause is Cause.NagleDelayedAck or Cause.NagleHold).Select(f => Seen(f, process, limits)).OfType<Finding>()];
        if (seen.Length > 0)
        {
            return seen;
        }

        HostSocket[] exposed = [.. process.Connections.Where(c => c.NoDelay == false && ProcessSockets.IsRequestReply(c) != false)];
        (HostSocket Socket, double TimerMs)[] stalled =
            [.. exposed.Select(c => (c, TimerOf(c))).Where(c => c.Item2 is not null).Select(c => (c.c, c.Item2!.Value))];
        return exposed.Length == 0 ? [] : [stalled.Length > 0 ? Stalled(process, stalled, limits) : Exposure(process, exposed)];
    }

    /// <summary>
    /// Findings of a recording with the process whose sockets they are about, and whether TCP_NODELAY is off there. A finding about connections of several
    /// processes becomes one for each, with its own figures, and one for connections whose process is unknown.
    /// </summary>
    /// <param name="findings">Any findings.</param>
    /// <param name="sockets">Sockets of the host that was captured; empty when unknown.</param>
    /// <param name="limits">What makes a finding a warning or an error.</param>
    internal static IEnumerable<Finding> Named(IEnumerable<Finding> findings, IReadOnlyList<HostSocket> sockets, SeverityLimits limits)
    {
        ProcessSockets[] processes = [.. ProcessSockets.Of(sockets).Where(p => p.Label is not null)];
        return findings.SelectMany(f => processes.Length == 0 || f.Cause is not (Cause.NagleDelayedAck or Cause.NagleHold) || f.Process is not null ? [f]
            : Named(f, processes, limits));
    }

    private static IEnumerable<Finding> Named(Finding finding, ProcessSockets[] processes, SeverityLimits limits)
    {
        (ProcessSockets Process, Finding Finding)[] seen =
            [.. processes.Select(p => (p, Seen(finding, p, limits))).Where(s => s.Item2 is not null).Select(s => (s.p, s.Item2!))];
        if (seen.Length == 0 || finding.Parts?.Invoke() is not { } parts)
        {
            return [seen.Length == 0 ? finding : seen[0].Finding];
        }

        HashSet<string> known = [.. seen.SelectMany(s => NamesAt(finding, s.Process))];
        FindingPart[] rest = [.. parts.Where(p => !known.Contains(p.Connection) && !IsEmpty([p]))];
        return
        [
            .. seen.Select(s => s.Finding),
            .. rest.Length == 0 ? Array.Empty<Finding>()
                : [Share(finding, rest, parts, limits, $"others, or unknown processes, have {rest.Length} of them, with")],
        ];
    }

    /// <summary>True for a finding that says what may happen and nothing that was seen: no gate fails on it.</summary>
    /// <param name="finding">A finding of a <c>sockets</c> document.</param>
    internal static bool IsExposure(Finding finding) => finding is { Cause: Cause.NagleDelayedAck, CostMs: null, CountOf: Connection };

    /// <summary>True for a finding that a recording shows: neither an exposure nor what the counters alone make possible.</summary>
    /// <param name="finding">A finding of a <c>sockets</c> document.</param>
    internal static bool IsMeasured(Finding finding) =>
        finding is { Cause: Cause.NagleDelayedAck or Cause.NagleHold, CostMs: not null } && finding.CountOf != Piece;

    private const string Piece = "piece";
    private const string Connection = "connection";

    private static Finding Exposure(ProcessSockets process, HostSocket[] exposed)
    {
        bool unsure = exposed.Any(c => ProcessSockets.IsRequestReply(c) is null);
        return new Finding
        {
            Cause = Cause.NagleDelayedAck,
            Side = Side.Host,
            Process = process.Label,
            Confidence = Confidence.Possible,
            Severity = Severity.Info,
            Count = exposed.Length,
            CountOf = Connection,
            Connections = NamesOf(exposed),
            For =
            [
                $"{Counted.Of(exposed.Length, Connection)} of {process.Connections.Count} of {process.Label} {(exposed.Length == 1 ? "has" : "have")} "
                + $"TCP_NODELAY off [{exposed[0].OptionsFrom}] and {(unsure ? "carry data both ways" : "small segments both ways: " + Sizes(exposed))}",
            ],
            Against = ["this is the exposure of an application, not a stall: Nagle's algorithm costs time only where a message is written in several sends"],
            Recommendation = CureCatalogue.NagleRemedy(null, $"If {process.Label} writes a message in several sends"),
        };
    }

    private static Finding Stalled(ProcessSockets process, (HostSocket Socket, double TimerMs)[] stalled, SeverityLimits limits)
    {
        long pieces = stalled.Sum(s => PiecesOf(s.Socket));
        double busy = stalled.Sum(s => s.Socket.BusyMs ?? 0);
        double cost = stalled.Sum(s => Math.Max(0, s.Socket.BusyMs!.Value - (s.Socket.DataSegmentsOut!.Value * (s.Socket.MinRttUs ?? 0) / 1e3)));
        double share = busy > 0 ? Math.Min(cost / busy, 1) : 0;
        HostSocket worst = stalled.MaxBy(s => s.Socket.BusyMs).Socket;
        long longStalls = stalled.Where(s => s.TimerMs >= limits.LongStallMs).Sum(s => PiecesOf(s.Socket));
        return new Finding
        {
            Cause = Cause.NagleDelayedAck,
            Side = Side.Host,
            Process = process.Label,
            Confidence = Confidence.Possible,
            Severity = limits.Of(share, longStalls, TimeSpan.FromMilliseconds(busy)),
            Count = pieces,
            CountOf = Piece,
            CostMs = cost,
            CostShare = share,
            Connections = NamesOf(stalled.Select(s => s.Socket)),
            For =
            [
                $"{Counted.Of(stalled.Length, Connection)} of {process.Label} {(stalled.Length == 1 ? "has" : "have")} TCP_NODELAY off "
                + $"[{worst.OptionsFrom}] and sent messages in pieces: {Counted.Of(worst.DataSegmentsOut!.Value, "segment")} for "
                + $"{Format.Count(worst.DataSegmentsIn!.Value)} received",
                $"for each further piece, data was outstanding for {Format.Ms(worst.BusyMs!.Value / PiecesOf(worst))}. This fits a delayed-ACK timer of "
                + $"{stalled[0].TimerMs:0} ms at the other end [TCP_INFO]",
                $"the smoothed round trip is {Format.Us(worst.RttUs)}, the shortest one {Format.Us(worst.MinRttUs)} [TCP_INFO]",
            ],
            Against = ["an application that pauses between two writes gives the same counters; a capture tells them apart (--with-capture)"],
            Recommendation = CureCatalogue.NagleRemedy(null, $"In {process.Label}"),
        };
    }

    /// <summary>A finding of a recording, where it is about data that connections of this process sent: with the figures of these connections.</summary>
    private static Finding? Seen(Finding finding, ProcessSockets process, SeverityLimits limits)
    {
        HashSet<string> names = NamesAt(finding, process);
        // A trace knows the process, also of connections that are gone now.
        IReadOnlyList<FindingPart>? parts = names.Count == 0 || finding.Process is not null ? null : finding.Parts?.Invoke();
        FindingPart[] own = [.. parts?.Where(p => names.Contains(p.Connection)) ?? []];
        HashSet<string> about = parts is not null ? [.. own.Select(p => p.Connection)] : [.. finding.Connections.Where(names.Contains)];
        HostSocket[] matched = [.. process.Connections.Where(c => about.Overlaps(NamesAt(finding, c)))];
        if (matched.Length == 0 || (parts is not null && IsEmpty(own)))
        {
            return null;
        }

        int off = matched.Count(c => c.NoDelay == true);
        int on = matched.Count(c => c.NoDelay == false);
        // Where the figures of each connection are unknown, a recording may put those of several processes together.
        int others = parts is not null || finding.Process is not null ? 0 : finding.Connections.Count - about.Count;
        if ((others > 0 || own.Length < parts?.Count) && off == matched.Length)
        {
            return null;
        }

        Finding of = parts is null || own.Length == parts.Count ? finding
            : Share(finding, own, parts, limits, $"{process.Label} has {own.Length} of them, with");
        return of with
        {
            Process = process.Label,
            For =
            [
                .. of.For,
                .. on == 0 ? Array.Empty<string>()
                    : [$"TCP_NODELAY is off on {on} of these connections of {process.Label}, read from the socket [{matched[0].OptionsFrom}]"],
            ],
            Against =
            [
                .. of.Against,
                .. off == 0 ? Array.Empty<string>()
                    : [
                        $"TCP_NODELAY is on now on {off} of these connections of {process.Label}: it was set after the capture, or something else held "
                        + "the data"],
                .. others == 0 ? Array.Empty<string>()
                    : [
                        $"the figures are those of {Counted.Of(finding.Connections.Count, Connection)}; {matched.Length} of them "
                        + $"{(matched.Length == 1 ? "is" : "are")} of {process.Label}"],
            ],
        };
    }

    /// <summary>A finding with the figures of a part of its connections.</summary>
    private static Finding Share(Finding finding, FindingPart[] own, IReadOnlyList<FindingPart> all, SeverityLimits limits, string whose)
    {
        long cost = own.Sum(p => p.CostNs);
        long active = own.Sum(p => p.ActiveNs);
        long count = own.Sum(p => p.Count);
        double share = active <= 0 ? 0 : Math.Min((double)cost / active, 1);
        TimeSpan elapsed = TimeSpan.FromTicks((own.Max(p => p.LastNs) - own.Min(p => p.FirstNs)) / 100);
        return finding with
        {
            Count = count,
            CostMs = cost / 1e6,
            CostShare = share,
            Severity = limits.Of(share, own.Sum(p => p.LongStalls), elapsed),
            Connections = [.. own.Select(p => p.Connection).Take(MostNamed)],
            Predictions = [.. own.SelectMany(p => p.Predictions).OrderByDescending(p => p.SavesMs).Take(MostPredicted)],
            Parts = () => own,
            For =
            [
                .. finding.For,
                $"the lines above are about {Counted.Of(all.Count, Connection)}; {whose} {Format.Ms(cost / 1e6)} of the {Format.Ms(finding.CostMs ?? 0)} "
                + $"lost and {count} of {Counted.Of(finding.Count, finding.CountOf)}",
            ],
        };
    }

    private static bool IsEmpty(FindingPart[] parts) => parts.All(p => p is { Count: 0, CostNs: 0 });

    /// <summary>The names that a recording may have for the connections whose sender is this process, at the host of a finding.</summary>
    private static HashSet<string> NamesAt(Finding finding, ProcessSockets process) =>
        [.. process.Connections.Where(c => c.Local.Address == finding.Host).SelectMany(c => NamesAt(finding, c))];

    /// <summary>Both ends may be on this host: the client comes first in a name, and the finding says whose data waited.</summary>
    private static IEnumerable<string> NamesAt(Finding finding, HostSocket socket)
    {
        (string local, string remote) = (socket.Local.ToString(), socket.Remote.ToString());
        return finding.Side switch
        {
            Side.Client => [$"{local} > {remote}"],
            Side.Server => [$"{remote} > {local}"],
            _ => [$"{local} > {remote}", $"{remote} > {local}"],
        };
    }

    /// <summary>The delayed-ACK timer that the counters of a connection fit; null for none.</summary>
    private static double? TimerOf(HostSocket c)
    {
        if (c is not { BusyMs: { } busy, RttUs: { } rtt, MinRttUs: { } least, DataSegmentsOut: { } sent, DataSegmentsIn: { } received }
            || received == 0 || sent < InPieces * received || PiecesOf(c) is var pieces && pieces < FewestPieces)
        {
            return null;
        }

        double held = (busy - (sent * least / 1e3)) / pieces;
        double smoothed = (rtt - least) / 1e3;
        return Array.Find(TimersMs, t => held >= 0.9 * t && held <= 1.4 * t && smoothed >= LeastOfTimer * t && smoothed <= 1.3 * t) is > 0 and var timer
            ? timer : null;
    }

    /// <summary>Segments beyond one for each message: those that may have been held.</summary>
    private static long PiecesOf(HostSocket c) => Math.Max(0, (c.DataSegmentsOut ?? 0) - (c.DataSegmentsIn ?? 0));

    private static string Sizes(HostSocket[] sockets)
    {
        long sent = sockets.Sum(s => s.BytesSent ?? 0) / Math.Max(1, sockets.Sum(s => s.DataSegmentsOut ?? 0));
        long received = sockets.Sum(s => s.BytesReceived ?? 0) / Math.Max(1, sockets.Sum(s => s.DataSegmentsIn ?? 0));
        return $"a mean of {Format.Count(sent)} B sent and {Format.Count(received)} B received in each [TCP_INFO]";
    }

    private static IReadOnlyList<string> NamesOf(IEnumerable<HostSocket> sockets) => [.. sockets.Take(MostNamed).Select(s => $"{s.Local} > {s.Remote}")];
}
