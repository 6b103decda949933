namespace LatencyTuner.Core.Evidence;

/// <summary>
/// One event about TCP, decoded. A field is meaningful only when <see cref="Fields"/> has it: absence is a state, not a zero.
/// </summary>
internal struct TcpEvent
{
    /// <summary>What the event reports.</summary>
    public TcpEventKind Kind { get; set; }

    /// <summary>The provider that wrote the event.</summary>
    public TcpEventSource Source { get; set; }

    /// <summary>Which fields the event carries.</summary>
    public TcpFields Fields { get; set; }

    /// <summary>Nanoseconds since the first event of the trace.</summary>
    public long TimeNs { get; set; }

    /// <summary>Id of the event, or opcode of a kernel event.</summary>
    public int EventId { get; set; }

    /// <summary>False when the layout is known only from a manifest and no real event has confirmed it.</summary>
    public bool IsVerified { get; set; }

    /// <summary>The number of the processor on which the event was written.</summary>
    public int Processor { get; set; }

    /// <summary>The id of the process that was running, -1 when unknown; TCP often runs in the context of another process.</summary>
    public int RunningProcessId { get; set; }

    /// <summary>The id of the thread that was running, -1 when unknown.</summary>
    public int ThreadId { get; set; }

    /// <summary>This machine's end.</summary>
    public TcpEndpoint Local { get; set; }

    /// <summary>The other end.</summary>
    public TcpEndpoint Remote { get; set; }

    /// <summary>The id of the process in the event's payload: the process that owns the socket.</summary>
    public uint ProcessId { get; set; }

    /// <summary>Address of the transmission control block: identifies the connection until the address is used again.</summary>
    public ulong Tcb { get; set; }

    /// <summary>Address of the AFD endpoint: identifies the socket.</summary>
    public ulong Endpoint { get; set; }

    /// <summary>Bytes posted, sent, received, acknowledged or indicated, depending on the kind of event.</summary>
    public ulong Bytes { get; set; }

    /// <summary>Sequence number the event is about: SeqNo of a segment or an ACK, SndNxt of a posted send, RcvNxt of a delivery.</summary>
    public uint Sequence { get; set; }

    /// <summary>SND.UNA (RFC 9293).</summary>
    public uint SendUnacknowledged { get; set; }

    /// <summary>Congestion window, bytes.</summary>
    public uint Cwnd { get; set; }

    /// <summary>Window that the peer advertised, bytes.</summary>
    public uint SendWindow { get; set; }

    /// <summary>Window that this machine advertised to the peer, bytes.</summary>
    public uint ReceiveWindow { get; set; }

    /// <summary>Smoothed round-trip time in the unit of the event, which no document states.</summary>
    public uint Srtt { get; set; }

    /// <summary>Round-trip time variation, in the same unit.</summary>
    public uint RttVariation { get; set; }

    /// <summary>One measured round-trip time, in the same unit.</summary>
    public uint RttSample { get; set; }

    /// <summary>Retransmission timeout, in the unit of the event.</summary>
    public uint Rto { get; set; }

    /// <summary>Number of the timer; 2 is the delayed-ACK timer on every build.</summary>
    public uint TimerType { get; set; }

    /// <summary>Time until the timer expires, milliseconds.</summary>
    public uint WaitMs { get; set; }

    /// <summary>TCP state before (TCP_CONNECTION_STATE).</summary>
    public uint OldState { get; set; }

    /// <summary>TCP state after.</summary>
    public uint NewState { get; set; }

    /// <summary>NTSTATUS of the call or the connection.</summary>
    public uint Status { get; set; }

    /// <summary>Number of the socket option.</summary>
    public uint Option { get; set; }

    /// <summary>Value of the socket option.</summary>
    public uint OptionValue { get; set; }

    /// <summary>Number of retransmissions in a round, duplicate ACKs or coalesced segments so far.</summary>
    public uint Count { get; set; }

    /// <summary>Whether a call begins or ends; 0 is assumed to mean that it begins, which no document states.</summary>
    public uint EnterExit { get; set; }

    /// <summary>Bytes that the application handed over and that wait to be sent.</summary>
    public uint Available { get; set; }

    /// <summary>The place in the driver that wrote the event of a call: distinguishes calls of the application from the steps inside them.</summary>
    public uint Location { get; set; }

    /// <summary>True when a filter of the machine, such as a firewall, handed the data to TCP and not the application.</summary>
    public bool IsInjected { get; set; }

    /// <summary>True when the event carries all of these fields.</summary>
    /// <param name="fields">The fields.</param>
    public readonly bool Has(TcpFields fields) => (Fields & fields) == fields;
}

/// <summary>The provider that wrote an event.</summary>
internal enum TcpEventSource
{
    /// <summary>Microsoft-Windows-TCPIP.</summary>
    Tcpip,

    /// <summary>Microsoft-Windows-Winsock-AFD.</summary>
    Afd,

    /// <summary>The kernel's TcpIp class, or Microsoft-Windows-Kernel-Network.</summary>
    Kernel,
}
