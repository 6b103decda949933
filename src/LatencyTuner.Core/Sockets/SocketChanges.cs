using LatencyTuner.Core.Evidence;

namespace LatencyTuner.Core.Sockets;

/// <summary>The changes of counters between two readings of the same host.</summary>
public static class SocketChanges
{
    /// <summary>
    /// The later reading with what its counters rose by. A connection that was not in the earlier one keeps its counters: it began meanwhile.
    /// </summary>
    /// <param name="before">The earlier reading.</param>
    /// <param name="now">The later reading.</param>
    public static SocketSnapshot Between(SocketSnapshot before, SocketSnapshot now)
    {
        ArgumentNullException.ThrowIfNull(before);
        ArgumentNullException.ThrowIfNull(now);
        Dictionary<(string?, SocketEnd, SocketEnd), HostSocket> known = [];
        foreach (HostSocket socket in before.Sockets)
        {
            known[KeyOf(socket)] = socket;
        }

        return now with { Sockets = [.. now.Sockets.Select(s => known.TryGetValue(KeyOf(s), out HostSocket? earlier) ? Between(earlier, s) : s)] };
    }

    private static (string?, SocketEnd, SocketEnd) KeyOf(HostSocket socket) => (socket.NetworkNamespace, socket.Local, socket.Remote);

    private static HostSocket Between(HostSocket before, HostSocket now) =>
        // Counters only rise. Where one fell, another connection has taken the same ports.
        now.BytesSent < before.BytesSent || now.BytesReceived < before.BytesReceived || now.BusyMs < before.BusyMs ? now : now with
        {
            Retransmitted = now.Retransmitted - before.Retransmitted,
            RetransmittedBytes = now.RetransmittedBytes - before.RetransmittedBytes,
            BytesSent = now.BytesSent - before.BytesSent,
            BytesReceived = now.BytesReceived - before.BytesReceived,
            DataSegmentsOut = now.DataSegmentsOut - before.DataSegmentsOut,
            DataSegmentsIn = now.DataSegmentsIn - before.DataSegmentsIn,
            RwndLimitedMs = now.RwndLimitedMs - before.RwndLimitedMs,
            CwndLimitedMs = now.CwndLimitedMs - before.CwndLimitedMs,
            SndbufLimitedMs = now.SndbufLimitedMs - before.SndbufLimitedMs,
            BusyMs = now.BusyMs - before.BusyMs,
        };
}
