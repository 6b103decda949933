namespace LatencyTuner.Core.Evidence;

/// <summary>
/// One event about TCP, decoded. A field is meaningful only when <see cref="Fields"/> has it: absence is a state, not a zero.
/// </summary>
internal struct TcpEvent
{
    /// <summary>What it says.</summary>
    public TcpEventKind Kind { get; set; }

    /// <summary>Who said it.</summary>
    public TcpEventSource Source { get; set; }

    /// <summary>Which fields the event carries.</summary>
    public TcpFields Fields { get; set; }

    /// <summary>Nanoseconds since the first event of the trace.</summary>
    public long TimeNs { get; set; }

    /// <summary>Id of the event, or opcode of a kernel event.</summary>
    public int EventId { get; set; }

    /// <summary>False when the layout rests on a manifest alone and no real event was seen to agree with it.</summary>
    public bool IsVerified { get; set; }

    /// <summary>The processor that wrote it.</summary>
    public int Processor { get; set; }

    /// <summary>The process that happened to run, -1 when unknown; TCP often runs in another's time.</summary>
    public int RunningProcessId { get; set; }

    /// <summary>The thread that happened to run, -1 when unknown.</summary>
    public int ThreadId { get; set; }

    /// <summary>This machine's end.</summary>
    public TcpEndpoint Local { get; set; }

    /// <summary>The other end.</summary>
    public TcpEndpoint Remote { get; set; }

    /// <summary>The process the event names in its payload, which is the one that owns the socket.</summary>
    public uint ProcessId { get; set; }

    /// <summary>Address of the transmission control block: the connection, until the address is used again.</summary>
    public ulong Tcb { get; set; }

    /// <summary>Address of the AFD endpoint: the socket.</summary>
    public ulong Endpoint { get; set; }

    /// <summary>Bytes posted, sent, received, acknowledged or indicated, by the kind of event.</summary>
    public ulong Bytes { get; set; }

    /// <summary>Sequence number the event is about: SeqNo of a segment or an ACK, SndNxt of a posted send, RcvNxt of a delivery.</summary>
    public uint Sequence { get; set; }

    /// <summary>SND.UNA (RFC 9293).</summary>
    public uint SendUnacknowledged { get; set; }

    /// <summary>Congestion window, bytes.</summary>
    public uint Cwnd { get; set; }

    /// <summary>Window the peer granted, bytes.</summary>
    public uint SendWindow { get; set; }

    /// <summary>Window granted to the peer, bytes.</summary>
    public uint ReceiveWindow { get; set; }

    /// <summary>Smoothed round-trip time in the unit of the event, which no document states.</summary>
    public uint Srtt { get; set; }

    /// <summary>Round-trip time variation, in the same unit.</summary>
    public uint RttVariation { get; set; }

    /// <summary>One round trip, in the same unit.</summary>
    public uint RttSample { get; set; }

    /// <summary>Retransmission timeout, in the unit of the event.</summary>
    public uint Rto { get; set; }

    /// <summary>Which timer; 2 is the delayed-ACK timer on every build.</summary>
    public uint TimerType { get; set; }

    /// <summary>For how long the timer is armed, milliseconds.</summary>
    public uint WaitMs { get; set; }

    /// <summary>TCP state before (TCP_CONNECTION_STATE).</summary>
    public uint OldState { get; set; }

    /// <summary>TCP state after.</summary>
    public uint NewState { get; set; }

    /// <summary>NTSTATUS of the call or the connection.</summary>
    public uint Status { get; set; }

    /// <summary>Number of the option.</summary>
    public uint Option { get; set; }

    /// <summary>Value of the option.</summary>
    public uint OptionValue { get; set; }

    /// <summary>Retransmissions of a round, duplicate ACKs or coalesced segments so far.</summary>
    public uint Count { get; set; }

    /// <summary>Whether a call enters or leaves; 0 is taken for entering, which no document states.</summary>
    public uint EnterExit { get; set; }

    /// <summary>Bytes the application handed over that wait to be sent.</summary>
    public uint Available { get; set; }

    /// <summary>True when the event carries all of these fields.</summary>
    /// <param name="fields">The fields.</param>
    public readonly bool Has(TcpFields fields) => (Fields & fields) == fields;
}

/// <summary>Which provider told of TCP.</summary>
internal enum TcpEventSource
{
    /// <summary>Microsoft-Windows-TCPIP.</summary>
    Tcpip,

    /// <summary>Microsoft-Windows-Winsock-AFD.</summary>
    Afd,

    /// <summary>The kernel's TcpIp class, or Microsoft-Windows-Kernel-Network.</summary>
    Kernel,
}
