namespace LatencyTuner.Core.Measurement.Experiments;

/// <summary>One combination of write pattern, TCP_NODELAY and ACK behaviour.</summary>
/// <param name="SplitRequest">The client writes each request in two sends.</param>
/// <param name="SplitReply">The server writes each reply in two sends.</param>
/// <param name="NoDelay">TCP_NODELAY at the client.</param>
/// <param name="PeerNoDelay">TCP_NODELAY at the server.</param>
/// <param name="Ack">ACK behaviour of the client.</param>
/// <param name="PeerAck">ACK behaviour of the server.</param>
public sealed record ExperimentCell(
    bool SplitRequest, bool SplitReply, bool NoDelay, bool PeerNoDelay, AckBehaviour Ack = AckBehaviour.Default, AckBehaviour PeerAck = AckBehaviour.Default)
{
    /// <summary>One write each way, Nagle on.</summary>
    public static readonly ExperimentCell OneWrite = new(false, false, false, false);

    /// <summary>One write each way, TCP_NODELAY at both ends.</summary>
    public static readonly ExperimentCell OneWriteNoDelay = new(false, false, true, true);

    /// <summary>Requests in two writes with Nagle on: the pattern under test.</summary>
    public static readonly ExperimentCell Split = new(true, false, false, false);

    /// <summary>The same with TCP_NODELAY at the client.</summary>
    public static readonly ExperimentCell SplitNoDelay = new(true, false, true, false);

    /// <summary>The same with immediate ACKs at the server.</summary>
    public static readonly ExperimentCell SplitPeerAck = new(true, false, false, false, PeerAck: AckBehaviour.Immediate);

    /// <summary>The same with immediate ACKs at the client: the wrong end, a control.</summary>
    public static readonly ExperimentCell SplitOwnAck = new(true, false, false, false, AckBehaviour.Immediate);

    /// <summary>TCP_NODELAY at the client and immediate ACKs at the server.</summary>
    public static readonly ExperimentCell SplitNoDelayPeerAck = new(true, false, true, false, PeerAck: AckBehaviour.Immediate);

    /// <summary>Replies in two writes with Nagle on.</summary>
    public static readonly ExperimentCell SplitReplies = new(false, true, false, false);

    /// <summary>The same with TCP_NODELAY at the server.</summary>
    public static readonly ExperimentCell SplitRepliesPeerNoDelay = new(false, true, false, true);

    /// <summary>The same with immediate ACKs at the client.</summary>
    public static readonly ExperimentCell SplitRepliesOwnAck = new(false, true, false, false, AckBehaviour.Immediate);

    /// <summary>The same with immediate ACKs at the server: the wrong end, a control.</summary>
    public static readonly ExperimentCell SplitRepliesPeerAck = new(false, true, false, false, PeerAck: AckBehaviour.Immediate);

    /// <summary>The whole experiment.</summary>
    public static readonly IReadOnlyList<ExperimentCell> All =
    [
        OneWrite, OneWriteNoDelay, Split, SplitNoDelay, SplitPeerAck, SplitOwnAck, SplitNoDelayPeerAck,
        SplitReplies, SplitRepliesPeerNoDelay, SplitRepliesOwnAck, SplitRepliesPeerAck,
    ];

    /// <summary>The cells measured on loopback in addition to a remote target.</summary>
    public static readonly IReadOnlyList<ExperimentCell> Context = [OneWrite, Split, SplitNoDelay];
}
