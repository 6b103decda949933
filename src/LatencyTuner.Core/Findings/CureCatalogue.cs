namespace LatencyTuner.Core.Findings;

/// <summary>The cures and the causes that they cure. Ids are published: their meaning never changes.</summary>
internal static class CureCatalogue
{
    private const string MorePackets = "more ACK packets, one per segment received instead of one per two; a second write still waits one round trip";

    internal static readonly Cure OneWrite = new()
    {
        Id = "REC-NAGLE-ONE-WRITE",
        Kind = RecommendationKind.Code,
        AtSender = true,
        Title = "Write each {message} with one send call.",
        What = "Nagle's algorithm holds a small segment only while earlier data is unacknowledged. A message written with one call has nothing to wait for.",
        MeasuredBy = "one-write",
        Price = 0,
        TradeOff = "the application must gather the pieces first; fewer packets on the wire",
        Scope = "the code that writes {messages}",
        TakesEffect = "with the application's next version",
        Undo = "deploy the previous version",
        Snippet = "one-write",
        Sources = ["RFC 896", "RFC 1122, 4.2.3.4", "KB 823764"],
    };

    internal static readonly Cure NoDelay = new()
    {
        Id = "REC-NAGLE-NODELAY",
        Kind = RecommendationKind.SocketOption,
        AtSender = true,
        Title = "Set TCP_NODELAY on the {sender}'s sockets.",
        What = "It switches Nagle's algorithm off for the socket, so that the second piece leaves without waiting for an ACK.",
        MeasuredBy = "no-delay",
        Price = 0.03,
        TradeOff = "each piece becomes a packet of its own",
        Scope = "each socket on which it is set",
        TakesEffect = "with the application's next version",
        Undo = "deploy the previous version",
        Snippet = "nodelay",
        SettingId = "sock.tcp_nodelay",
    };

    internal static readonly Cure AckSocket = new()
    {
        Id = "REC-ACK-SOCKET",
        Kind = RecommendationKind.SocketCall,
        AtSender = false,
        Title = "Acknowledge every segment on the {receiver}'s sockets (SIO_TCP_SET_ACK_FREQUENCY).",
        What = "The ACK that the {sender} waits for is then sent at once, not only when the {receiver}'s timer expires.",
        MeasuredBy = "ack-immediate",
        Price = 0.10,
        TradeOff = MorePackets,
        Scope = "each socket on which it is set",
        TakesEffect = "at once (inferred)",
        Undo = "deploy the previous version, or set the frequency to 2",
        Snippet = "ack-frequency",
        SettingId = "ioctl.ack_frequency",
    };

    internal static readonly Cure AckTemplate = new()
    {
        Id = "REC-ACK-TEMPLATE",
        Kind = RecommendationKind.Template,
        AtSender = false,
        Title = "Set DelayedAckFrequency 1 in a TCP template of the {receiver} host.",
        What = "Connections that use the template acknowledge every segment, whatever the application does.",
        MeasuredBy = "ack-immediate",
        MeasuredByAnother = true,
        Price = 0.15,
        TradeOff = MorePackets,
        Scope = "new connections that a transport filter assigns to the template",
        TakesEffect = "new connections (inferred)",
        Undo = "latencytuner rollback",
        SettingId = "template.delayedackfrequency",
        Value = "1",
    };

    internal static readonly Cure AckInterface = new()
    {
        Id = "REC-ACK-INTERFACE",
        Kind = RecommendationKind.Registry,
        AtSender = false,
        Title = "Set TcpAckFrequency 1 on the {receiver} host's interface.",
        What = "All connections of the interface acknowledge every segment, whatever the application does.",
        MeasuredBy = "ack-immediate",
        MeasuredByAnother = true,
        Price = 0.20,
        TradeOff = MorePackets,
        Scope = "one interface, all processes",
        TakesEffect = "after a restart of Windows (KB 823764)",
        Undo = "latencytuner rollback, then restart Windows",
        SettingId = "tcp.ackfrequency",
        Value = "1",
        Caveats = ["It is not documented which one wins, TcpAckFrequency or the template's DelayedAckFrequency."],
    };

    internal static readonly Cure AckOneWrite = OneWrite with
    {
        Id = "REC-ACK-ONE-WRITE",
        What = "A message written with one call needs no ACK in between: the {sender} no longer waits for one before it sends the rest.",
    };

    internal static readonly Cure WindowRead = new()
    {
        Id = "REC-WINDOW-READ",
        Kind = RecommendationKind.Code,
        AtSender = false,
        Title = "Read faster in the {receiver}'s application: keep a receive posted, work on another thread.",
        What = "The window closes because received data stays in the socket. No buffer is large enough for a reader that is too slow.",
        Price = 0,
        TradeOff = "memory in the application instead of in the stack",
        Scope = "the code that reads {messages}",
        TakesEffect = "with the application's next version",
        Undo = "deploy the previous version",
        Sources = ["RFC 9293, 3.8.6"],
    };

    internal static readonly Cure ReceiveBuffer = new()
    {
        Id = "REC-WINDOW-BUFFER",
        Kind = RecommendationKind.SocketOption,
        AtSender = false,
        Title = "Remove the fixed SO_RCVBUF from the {receiver}'s sockets, or set it before connect and listen.",
        What = "A fixed receive buffer switches receive window auto-tuning off for the socket. Its size decides the window scale when the connection opens.",
        Price = 0.03,
        TradeOff = "memory for connections that need it",
        Scope = "each socket on which it is set",
        TakesEffect = "new connections",
        Undo = "deploy the previous version",
        Snippet = "buffers",
        SettingId = "sock.so_rcvbuf",
    };

    internal static readonly Cure SendBuffer = new()
    {
        Id = "REC-SNDBUF-SIZE",
        Kind = RecommendationKind.SocketOption,
        AtSender = true,
        Title = "Leave SO_SNDBUF of the {sender}'s sockets unset, or set it larger than the largest single send.",
        What = "When one send fills the send buffer, the next send waits for the ACK of the last segment. The other end delays this ACK.",
        Price = 0.03,
        TradeOff = "memory",
        Scope = "each socket on which it is set",
        TakesEffect = "with the application's next version",
        Undo = "deploy the previous version",
        Snippet = "buffers",
        SettingId = "sock.so_sndbuf",
    };

    internal static readonly Cure Gather = OneWrite with
    {
        Id = "REC-SEGMENTS-ONE-WRITE",
        Title = "Gather small writes of the {sender}: one send call per {message}.",
        What = "Each small write becomes a packet of its own, which both hosts must process.",
        MeasuredBy = null,
    };

    internal static readonly Cure ReuseConnection = new()
    {
        Id = "REC-CWND-REUSE",
        Kind = RecommendationKind.Code,
        AtSender = true,
        Title = "Keep the {sender}'s connections open and use them again.",
        What = "A new connection starts with a small congestion window and needs a round trip for each doubling.",
        Price = 0,
        TradeOff = "connections that stay open on both hosts",
        Scope = "the code that opens connections",
        TakesEffect = "with the application's next version",
        Undo = "deploy the previous version",
        Sources = ["RFC 5681, 3.1"],
    };

    /// <summary>All cures, in the order in which their ids were published.</summary>
    internal static IReadOnlyList<Cure> All { get; } =
        [OneWrite, NoDelay, AckSocket, AckTemplate, AckInterface, AckOneWrite, WindowRead, ReceiveBuffer, SendBuffer, Gather, ReuseConnection];

    /// <summary>The cures of a cause, the cheapest first; empty when nothing on a host cures it.</summary>
    /// <param name="cause">Any cause.</param>
    internal static IReadOnlyList<Cure> Of(Cause cause) => cause switch
    {
        Cause.NagleDelayedAck => [OneWrite, NoDelay, AckSocket, AckTemplate, AckInterface],
        Cause.NagleHold => [OneWrite, NoDelay],
        Cause.DelayedAck => [AckOneWrite, AckSocket, AckTemplate, AckInterface],
        Cause.ReceiveWindow => [ReceiveBuffer],
        Cause.ZeroWindow => [WindowRead, ReceiveBuffer],
        Cause.CongestionWindow => [ReuseConnection],
        Cause.SendBuffer => [SendBuffer],
        Cause.SmallSegments => [Gather],
        _ => [],
    };

    /// <summary>The remedy of a write that Nagle's algorithm holds back: the titles of its two cheapest cures as one sentence.</summary>
    /// <param name="sender">The end that sends the data that waits; null when unknown.</param>
    /// <param name="place">What the sentence begins with, without its colon, such as "On 192.0.2.1"; null when it stands alone.</param>
    internal static string NagleRemedy(Side? sender, string? place = null)
    {
        string remedy = Cure.InWords($"{OneWrite.Title.TrimEnd('.')}, or {char.ToLowerInvariant(NoDelay.Title[0])}{NoDelay.Title[1..]}", sender);
        return place is null ? remedy : $"{place}: {char.ToLowerInvariant(remedy[0])}{remedy[1..]}";
    }

    /// <summary>The cheapest cure whose effect a remedy of an experiment measures.</summary>
    /// <param name="remedy">Its id, with or without the suffix for replies.</param>
    internal static Cure MeasuredBy(string remedy) =>
        All.Where(c => c.MeasuredBy == remedy.Replace("-reply", "", StringComparison.Ordinal)).MinBy(c => c.Price)
            ?? throw new ArgumentOutOfRangeException(nameof(remedy), remedy, "Not a remedy of an experiment.");

    /// <summary>True for causes whose side at fault is the receiving end.</summary>
    /// <param name="cause">Any cause.</param>
    internal static bool IsAtReceiver(Cause cause) => cause is Cause.DelayedAck or Cause.ReceiveWindow or Cause.ZeroWindow;
}
