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

        Finding[] seen = [.. captured.Where(f => f.Cause is Cause.NagleDelayedAck or Cause.NagleHold).Select(f => Seen(f, process)).OfType<Finding>()];
        if (seen.Length > 0)
        {
            return seen;
        }

        HostSocket[] exposed = [.. process.Connections.Where(c => c.NoDelay == false && ProcessSockets.IsRequestReply(c) != false)];
        (HostSocket Socket, double TimerMs)[] stalled =
            [.. exposed.Select(c => (c, TimerOf(c))).Where(c => c.Item2 is not null).Select(c => (c.c, c.Item2!.Value))];
        return exposed.Length == 0 ? [] : [stalled.Length > 0 ? Stalled(process, stalled, limits) : Exposure(process, exposed)];
    }

    /// <summary>Findings of a recording with the process whose sockets they are about, and whether TCP_NODELAY is off there.</summary>
    /// <param name="findings">Any findings.</param>
    /// <param name="sockets">Sockets of the host that was captured; empty when unknown.</param>
    internal static IEnumerable<Finding> Named(IEnumerable<Finding> findings, IReadOnlyList<HostSocket> sockets)
    {
        ProcessSockets[] processes = [.. ProcessSockets.Of(sockets).Where(p => p.Label is not null)];
        return findings.Select(f => f.Cause is not (Cause.NagleDelayedAck or Cause.NagleHold) || f.Process is not null ? f
            : processes.Select(p => Seen(f, p)).FirstOrDefault(seen => seen is not null) ?? f);
    }

    /// <summary>True for a finding that says what may happen and nothing that was seen: no gate fails on it.</summary>
    /// <param name="finding">A finding of a <c>sockets</c> document.</param>
    internal static bool IsExposure(Finding finding) => finding is { Cause: Cause.NagleDelayedAck, CostMs: null, CountOf: Connection };

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
            CountOf = "piece",
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

    /// <summary>A finding of a capture, where it is about data that connections of this process sent.</summary>
    private static Finding? Seen(Finding finding, ProcessSockets process)
    {
        HostSocket[] matched = [.. process.Connections.Where(c => c.Local.Address == finding.Host && finding.Connections.Any(name => IsNamed(c, name)))];
        if (matched.Length == 0)
        {
            return null;
        }

        int off = matched.Count(c => c.NoDelay == true);
        int on = matched.Count(c => c.NoDelay == false);
        // A capture puts the connections of a host together, of whatever process; a trace knows the process.
        int others = finding.Process is not null ? 0 : finding.Connections.Count(name => !matched.Any(c => IsNamed(c, name)));
        if (others > 0 && off == matched.Length)
        {
            return null;
        }

        return finding with
        {
            Process = process.Label,
            For =
            [
                .. finding.For,
                .. on == 0 ? Array.Empty<string>()
                    : [$"TCP_NODELAY is off on {on} of these connections of {process.Label}, read from the socket [{matched[0].OptionsFrom}]"],
            ],
            Against =
            [
                .. finding.Against,
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

    private static bool IsNamed(HostSocket socket, string name)
    {
        (string local, string remote) = (socket.Local.ToString(), socket.Remote.ToString());
        return name == $"{local} > {remote}" || name == $"{remote} > {local}";
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

    private static IReadOnlyList<string> NamesOf(IEnumerable<HostSocket> sockets)
    {
        const int Most = 20;
        return [.. sockets.Take(Most).Select(s => $"{s.Local} > {s.Remote}")];
    }
}
