using LatencyTuner.Core.Evidence;

namespace LatencyTuner.Core.Analysis.Sockets;

/// <summary>The sockets of one process, as rules and readers see them together.</summary>
public sealed record ProcessSockets
{
    /// <summary>The process, such as <c>nginx (812)</c>; null for connections whose process is unknown.</summary>
    public required string? Label { get; init; }

    /// <summary>Its connections that carry data or may do so.</summary>
    public required IReadOnlyList<HostSocket> Connections { get; init; }

    /// <summary>Its listeners.</summary>
    public required IReadOnlyList<HostSocket> Listeners { get; init; }

    /// <summary>Connections with Nagle's algorithm on (TCP_NODELAY off).</summary>
    public int NagleOn => Connections.Count(c => c.NoDelay == false);

    /// <summary>Connections with Nagle's algorithm off (TCP_NODELAY on).</summary>
    public int NagleOff => Connections.Count(c => c.NoDelay == true);

    /// <summary>Connections whose TCP_NODELAY is unknown.</summary>
    public int Unknown => Connections.Count - NagleOn - NagleOff;

    /// <summary>Nagle's algorithm in a word or two: <c>on</c>, <c>off</c>, <c>on 3, off 1</c>, <c>unknown</c>.</summary>
    public string Nagle => (NagleOn, NagleOff, Unknown) switch
    {
        (0, 0, _) => Connections.Count == 0 ? "-" : "unknown",
        (_, 0, 0) => "on",
        (0, _, 0) => "off",
        var (on, off, unknown) => string.Join(
            ", ", new[] { on > 0 ? $"on {on}" : null, off > 0 ? $"off {off}" : null, unknown > 0 ? $"? {unknown}" : null }.OfType<string>()),
    };

    /// <summary>The sockets by process, in the order in which they are listed.</summary>
    /// <param name="sockets">Any sockets.</param>
    public static IReadOnlyList<ProcessSockets> Of(IEnumerable<HostSocket> sockets) =>
    [
        .. sockets.GroupBy(s => s.ProcessLabel).Select(g => new ProcessSockets
        {
            Label = g.Key,
            Connections = [.. g.Where(s => s.IsConnected)],
            Listeners = [.. g.Where(s => s.State == SocketState.Listen)],
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
