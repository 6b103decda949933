using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Analysis.Sockets;

/// <summary>
/// Buffers that the application fixed, on a path that takes more within a round trip (LT111, LT114). The rate is that of the connection with the highest
/// one to the same host: a connection that its own buffer limits cannot show more. Never more than possible: no mechanism was seen.
/// </summary>
internal static class SocketBufferRule
{
    /// <summary>Time limited by the send buffer, as a share of the time with data outstanding, from which it counts.</summary>
    private const double LimitedShare = 0.05;

    /// <summary>What was read within a round trip, as a share of the buffer, from which the buffer may be the limit.</summary>
    private const double FullShare = 0.7;

    /// <summary>A shorter round trip is this machine, or a switch: the rate measured over it means nothing.</summary>
    private const long ShortestRttUs = 200;

    /// <summary>The findings of one process: at most one for each direction.</summary>
    /// <param name="process">Its sockets.</param>
    /// <param name="all">All connections of the host.</param>
    /// <param name="limits">What makes a finding a warning or an error.</param>
    internal static IEnumerable<Finding> Evaluate(ProcessSockets process, IReadOnlyList<HostSocket> all, SeverityLimits limits)
    {
        ILookup<string, HostSocket> byRemote = all.Where(s => s.IsConnected).ToLookup(s => s.Remote.Address);
        if (process.Label is not null && Sending(process, byRemote, limits) is { } sending)
        {
            yield return sending;
        }

        if (process.Label is not null && Receiving(process, byRemote) is { } receiving)
        {
            yield return receiving;
        }
    }

    private static Finding? Sending(ProcessSockets process, ILookup<string, HostSocket> byRemote, SeverityLimits limits)
    {
        (HostSocket Socket, double Product, double Share)[] small =
        [
            .. process.Connections.Where(c => c is { SendBufferFixed: true, SendBufferBytes: not null })
                .Select(c => (c, byRemote[c.Remote.Address].Max(SentPerRtt), LimitedOf(c)))
                .Where(c => c.Item2 > Usable(c.c, c.c.SendBufferBytes) || c.Item3 >= LimitedShare),
        ];
        if (small.Length == 0)
        {
            return null;
        }

        (HostSocket worst, double product, double share) = small.MaxBy(s => (s.Share, s.Product));
        double cost = small.Sum(s => s.Socket.SndbufLimitedMs ?? 0);
        double busy = small.Sum(s => s.Socket.BusyMs ?? 0);
        return new Finding
        {
            Cause = Cause.SendBuffer,
            Side = Side.Host,
            Process = process.Label,
            Confidence = Confidence.Possible,
            Severity = busy > 0 ? limits.Of(Math.Min(cost / busy, 1), 0, TimeSpan.FromMilliseconds(busy)) : Severity.Info,
            Count = small.Length,
            CountOf = "connection",
            CostMs = worst.SndbufLimitedMs is null ? null : cost,
            CostShare = worst.SndbufLimitedMs is null || busy <= 0 ? null : Math.Min(cost / busy, 1),
            Connections = [.. small.Take(20).Select(s => $"{s.Socket.Local} > {s.Socket.Remote}")],
            For =
            [
                $"{process.Label} fixed the send buffer of {Counted.Of(small.Length, "connection")} (SO_SNDBUF): {Buffer(worst, worst.SendBufferBytes)} to "
                + $"{worst.Remote} [{worst.OptionsFrom}]",
                .. product > 0
                    ? [$"the path to {worst.Remote.Address} took {Format.Bytes((long)product)} within a round trip (rate x RTT) [TCP_INFO]"]
                    : Array.Empty<string>(),
                .. share >= LimitedShare
                    ? [
                        $"the send buffer was its limit for {Format.Share(share)} of the time with data outstanding, {Format.Ms(worst.SndbufLimitedMs)} "
                        + "[TCP_INFO]"]
                    : Array.Empty<string>(),
            ],
            Against = ["no single wait was seen; the counters are sums since the connection began"],
            Recommendation = Cure.InWords(CureCatalogue.SendBuffer.Title, null),
        };
    }

    private static Finding? Receiving(ProcessSockets process, ILookup<string, HostSocket> byRemote)
    {
        (HostSocket Socket, long Product)[] small =
        [
            .. process.Connections.Where(c => c is { ReceiveBufferFixed: true, ReceiveBufferBytes: not null, MinRttUs: not < ShortestRttUs })
                .Select(c => (c, byRemote[c.Remote.Address].Max(o => o.ReceivedPerRttBytes ?? 0)))
                .Where(c => c.Item2 >= FullShare * Usable(c.c, c.c.ReceiveBufferBytes)),
        ];
        if (small.Length == 0)
        {
            return null;
        }

        (HostSocket worst, long product) = small.MaxBy(s => s.Product);
        return new Finding
        {
            Cause = Cause.ReceiveWindow,
            Side = Side.Host,
            Process = process.Label,
            Confidence = Confidence.Possible,
            Severity = Severity.Info,
            Count = small.Length,
            CountOf = "connection",
            Connections = [.. small.Take(20).Select(s => $"{s.Socket.Local} > {s.Socket.Remote}")],
            For =
            [
                $"{process.Label} fixed the receive buffer of {Counted.Of(small.Length, "connection")} (SO_RCVBUF): "
                + $"{Buffer(worst, worst.ReceiveBufferBytes)} from {worst.Remote} [{worst.OptionsFrom}]",
                $"from {worst.Remote.Address}, up to {Format.Bytes(product)} arrived within a round trip (rate x RTT) [TCP_INFO]",
            ],
            Against = ["no single wait was seen: an application that reads slowly gives the same figures"],
            Recommendation = Cure.InWords(CureCatalogue.ReceiveBuffer.Title, null),
        };
    }

    private static double LimitedOf(HostSocket c) => c is { SndbufLimitedMs: { } limited, BusyMs: > 0 and var busy } ? limited / busy : 0;

    private static double SentPerRtt(HostSocket c) =>
        c is { DeliveryBytesPerSecond: { } rate, MinRttUs: >= ShortestRttUs and var rtt } ? (double)rate * rtt / 1e6 : 0;

    /// <summary>What of a buffer is for data: Linux accounts the overhead of packets in it and takes half for data.</summary>
    private static long Usable(HostSocket c, long? bytes) => c.CwndLimitedMs is null ? (bytes ?? 0) / 2 : bytes ?? 0;

    private static string Buffer(HostSocket c, long? bytes) =>
        Usable(c, bytes) == bytes ? Format.Bytes(bytes ?? 0) : $"{Format.Bytes(bytes ?? 0)} ({Format.Bytes(Usable(c, bytes))} of data)";
}
