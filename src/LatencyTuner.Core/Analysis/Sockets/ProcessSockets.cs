using LatencyTuner.Core.Evidence;

namespace LatencyTuner.Core.Analysis.Sockets;

/// <summary>The sockets of one process, as rules and readers see them together.</summary>
internal sealed record ProcessSockets
{
    /// <summary>The process, such as <c>nginx (812)</c>; null for connections whose process is unknown.</summary>
    public required string? Label { get; init; }

    /// <summary>Its connections that carry data or may do so.</summary>
    public required IReadOnlyList<HostSocket> Connections { get; init; }

    /// <summary>Its listeners.</summary>
    public required IReadOnlyList<HostSocket> Listeners { get; init; }

    /// <summary>Its sockets in other states, such as one that is about to connect.</summary>
    public required IReadOnlyList<HostSocket> Others { get; init; }

    /// <summary>Connections with Nagle's algorithm on (TCP_NODELAY off).</summary>
    public int NagleOn => Connections.Count(c => c.NoDelay == false);

    /// <summary>Connections with Nagle's algorithm off (TCP_NODELAY on).</summary>
    public int NagleOff => Connections.Count(c => c.NoDelay == true);

    /// <summary>The sockets by process, in the order in which they are listed.</summary>
    /// <param name="sockets">Any sockets.</param>
    public static IReadOnlyList<ProcessSockets> Of(IEnumerable<HostSocket> sockets) =>
    [
        .. sockets.GroupBy(s => s.ProcessLabel).Select(g => new ProcessSockets
        {
            Label = g.Key,
            Connections = [.. g.Where(s => s.IsConnected)],
            Listeners = [.. g.Where(s => s.State == SocketState.Listen)],
            Others = [.. g.Where(s => !s.IsConnected && s.State != SocketState.Listen)],
        }),
    ];

    /// <summary>
    /// Whether a connection carries requests and replies: small segments both ways. Null where the system does not count segments; then data both ways
    /// is all that is known.
    /// </summary>
    /// <param name="socket">A connection.</param>
    public static bool? IsRequestReply(HostSocket socket)
    {
        ArgumentNullException.ThrowIfNull(socket);
        const int FewestSegments = 2;
        if (!socket.IsConnected || socket is { BytesSent: null or 0 } or { BytesReceived: null or 0 })
        {
            return socket.IsConnected && socket.BytesSent is null ? null : false;
        }

        return socket is { DataSegmentsOut: { } sent, DataSegmentsIn: { } received, MssBytes: > 0 and var mss }
            ? sent >= FewestSegments && received >= FewestSegments && socket.BytesSent / sent <= mss / 2 && socket.BytesReceived / received <= mss / 2
            : null;
    }
}
