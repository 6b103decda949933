namespace LatencyTuner.Core.Capture;

/// <summary>An open connection: the state of both directions and the packets that have not been analysed yet.</summary>
internal sealed class TcpConnection
{
    /// <summary>The shortest retransmission timeout of a common stack, in nanoseconds: Linux waits 200 ms; Windows and RFC 6298 2.4 wait longer.</summary>
    internal const long ShortestRtoNs = 200_000_000;

    /// <summary>The direction from the client to the server.</summary>
    public FlowState FromClient;

    /// <summary>The direction from the server to the client.</summary>
    public FlowState FromServer;

    private PacketRecord[] _records = [];

    /// <summary>Order of appearance in the capture, from 0.</summary>
    public long Number { get; private set; }

    /// <summary>The ends; A is the client unless <see cref="ClientIsB"/>.</summary>
    public ConnectionKey Key { get; private set; }

    /// <summary>True when the end that sent the first packet is the server.</summary>
    public bool ClientIsB { get; private set; }

    /// <summary>True when no SYN was captured: the port numbers decide which end is the client, or, where they tell nothing, which end begins.</summary>
    public bool RolesGuessed { get; private set; }

    /// <summary>True when the roles are guessed and the port numbers tell nothing.</summary>
    public bool RolesDoubtful => RolesGuessed && GuessedRoles.PortsTellNothing(Key);

    public long FirstNs { get; private set; }
    public long LastNs { get; set; }

    /// <summary>Time of the last packet, which is before <see cref="LastNs"/> after the clock was set back.</summary>
    public long PacketNs { get; set; }

    /// <summary>When both ends had closed or one had reset the connection, nanoseconds since 1970; 0 while it is open.</summary>
    public long ClosedNs { get; set; }

    /// <summary>True from its first packet until no more are expected.</summary>
    public bool IsFollowed { get; set; }
    public bool Reset { get; set; }

    /// <summary>Number of packets that were captured twice and left out.</summary>
    public long CaptureDuplicates { get; set; }

    /// <summary>Number of packets with an earlier time than the previous packet, and the most by which one is earlier, nanoseconds.</summary>
    public long BackwardSteps { get; set; }
    public long BackwardNs { get; set; }

    /// <summary>How often the capture clock jumped forward, and the sum of these jumps in nanoseconds.</summary>
    public long ForwardSteps { get; set; }
    public long ForwardNs { get; set; }

    /// <summary>Number of retransmitted SYNs, and the time from the first to the last SYN in nanoseconds.</summary>
    public int SynRetransmissions { get; set; }
    public long SynRetryNs { get; set; }
    public long SynNs { get; set; }

    /// <summary>When the server last answered a SYN before the client accepted, nanoseconds since 1970; 0 before.</summary>
    public long SynAckNs { get; set; }

    /// <summary>Number of the server's answers to SYNs, and of those that the client reports to have had before.</summary>
    public int SynAcks { get; set; }
    public int SynAcksReported { get; set; }

    /// <summary>
    /// True when answers to both of two SYNs came, as far apart as the SYNs, or the first answer left before the second SYN did: the path had held it, and
    /// nothing was lost.
    /// </summary>
    public bool SynsWereHeld { get; set; }

    /// <summary>True when the server answered each of two SYNs as one of its own, with another number.</summary>
    public bool SynsTaken { get; set; }

    /// <summary>When the client is known to have accepted: at its first ACK, or, where that carries data, at the answer before it; 0 before.</summary>
    public long ConnectedNs { get; set; }

    /// <summary>Number of SYNs that were retransmitted before the server's answer passed the capture point.</summary>
    public int SynsUnanswered { get; set; }

    /// <summary>The timestamps of the first and of the last SYN.</summary>
    public (uint First, uint Last) SynTicks { get; set; }

    /// <summary>The timestamp of the server's first answer.</summary>
    public uint SynAckTicks { get; set; }

    /// <summary>Number of SYNs that were sent again because the server answered with an ACK of an older connection.</summary>
    public int SynsChallenged { get; set; }

    /// <summary>True when the end of the TCP options was cut off in at least one header.</summary>
    public bool OptionsCut { get; set; }

    /// <summary>
    /// True when neither SYN says how large segments may be. Every TCP stack says it (RFC 9293 3.7.1); tools that write packets mostly do not, and what
    /// their times and numbers suggest no stack has done.
    /// </summary>
    public bool IsHandmade => FromClient.SynSeen && FromServer.SynSeen && FromClient.Mss == 0 && FromServer.Mss == 0 && !OptionsCut;

    /// <summary>True when a handshake says how large segments may be.</summary>
    public bool KnowsMss => FromClient.Mss + FromServer.Mss > 0;

    /// <summary>
    /// True when a connection on the same ports began with the same number, before or after this one: a tool replayed one of them, and its times are not
    /// those of the hosts.
    /// </summary>
    public bool IsReplayed { get; set; }

    /// <summary>Payload that was acknowledged but never captured, bytes.</summary>
    public long MissedBytes { get; set; }

    /// <summary>Packets that were left out because no window explains their sequence or acknowledgement numbers.</summary>
    public long DoubtfulPackets { get; set; }

    /// <summary>State that the analysis keeps between parts; null before the first part and after the last.</summary>
    public object? Analysis { get; set; }

    /// <summary>Number of packets that have not been analysed yet.</summary>
    public int RecordCount { get; private set; }

    public Span<PacketRecord> Records => _records.AsSpan(0, RecordCount);

    public IpAddressValue ClientAddress => ClientIsB ? Key.AddressB : Key.AddressA;
    public IpAddressValue ServerAddress => ClientIsB ? Key.AddressA : Key.AddressB;
    public ushort ClientPort => ClientIsB ? Key.PortB : Key.PortA;
    public ushort ServerPort => ClientIsB ? Key.PortA : Key.PortB;

    /// <summary>The direction of a sender: 0 the client, 1 the server.</summary>
    public ref FlowState Flow(int side)
    {
        if (side == 0)
        {
            return ref FromClient;
        }

        return ref FromServer;
    }

    /// <summary>
    /// True when another connection had just begun with the same sequence number: this may be the same one on the other side of an address translation.
    /// </summary>
    public bool BeganLikeAnother { get; set; }

    /// <summary>Starts another connection with this object.</summary>
    public void Begin(long number, in TcpSegment first)
    {
        OutstandingRing client = FromClient.Outstanding;
        OutstandingRing server = FromServer.Outstanding;
        client.Trim();
        server.Trim();
        FromClient = new FlowState
        {
            Outstanding = client,
            BaseNs = FlowState.Unknown,
            EchoBaseNs = FlowState.Unknown,
            HandshakeNs = FlowState.Unknown,
            SynAnsweredNs = FlowState.Unknown,
            LeastOptionBytes = byte.MaxValue,
            Scale = FlowState.UnknownScale,
        };
        FromServer = new FlowState
        {
            Outstanding = server,
            BaseNs = FlowState.Unknown,
            EchoBaseNs = FlowState.Unknown,
            HandshakeNs = FlowState.Unknown,
            SynAnsweredNs = FlowState.Unknown,
            LeastOptionBytes = byte.MaxValue,
            Scale = FlowState.UnknownScale,
        };
        (Number, BeganLikeAnother) = (number, false);
        Key = new ConnectionKey(first.Source, first.Destination, first.SourcePort, first.DestinationPort);
        RolesGuessed = !first.IsSyn && !first.IsSynAck;
        // A server usually listens on the lower, well-known port.
        ClientIsB = first.IsSynAck || (RolesGuessed && first.SourcePort < first.DestinationPort);
        (FirstNs, LastNs, PacketNs, ClosedNs, Reset) = (first.TimeNs, first.TimeNs, first.TimeNs, 0, false);
        (CaptureDuplicates, BackwardSteps, BackwardNs, ForwardSteps, ForwardNs) = (0, 0, 0, 0, 0);
        (SynRetransmissions, SynRetryNs, SynNs, MissedBytes) = (0, 0, 0, 0);
        (OptionsCut, SynsUnanswered, SynsChallenged, SynAckNs, SynAcks, ConnectedNs, SynTicks) = (false, 0, 0, 0, 0, 0, default);
        (IsFollowed, IsReplayed, SynsWereHeld, SynsTaken, SynAckTicks, SynAcksReported) = (true, false, false, false, 0, 0);
        (RecordCount, DoubtfulPackets) = (0, 0);
    }

    /// <summary>Adds a packet to those that have not been analysed yet.</summary>
    public ref PacketRecord Append(RecordPool pool)
    {
        if (RecordCount == _records.Length)
        {
            _records = pool.Larger(_records, RecordCount);
        }

        return ref _records[RecordCount++];
    }

    /// <summary>
    /// True for a packet whose time is before that of the last one, and which the connection has already, with that time: files that overlap were merged.
    /// </summary>
    public bool IsMergedTwice(in TcpSegment segment, bool fromServer)
    {
        // Files overlap by little; what goes back all the time must not be compared with everything each time.
        const int Most = 512;
        int least = segment.TimeNs < PacketNs ? Math.Max(0, RecordCount - Most) : RecordCount;
        for (int i = RecordCount - 1; i >= least && _records[i].TimeNs >= segment.TimeNs; i--)
        {
            ref PacketRecord record = ref _records[i];
            if (record.TimeNs == segment.TimeNs && record.Sequence == segment.Sequence && record.Acknowledgement == segment.Acknowledgement
                && record.Length == segment.PayloadLength && record.IpId == segment.IpId && record.Has(PacketTraits.FromServer) == fromServer)
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>Makes the client the server. Only before the first part is analysed.</summary>
    public void SwapRoles()
    {
        ClientIsB = !ClientIsB;
        (FromClient, FromServer) = (FromServer, FromClient);
        foreach (ref PacketRecord record in Records)
        {
            record.Traits ^= PacketTraits.FromServer;
        }
    }

    /// <summary>Prefetches the data that the next segment needs.</summary>
    public void Fetch()
    {
        Prefetch.Of(ref FromClient);
        Prefetch.Of(ref FromServer);
    }

    /// <summary>Prefetches the lists that the next segment writes to.</summary>
    public void FetchLists()
    {
        Prefetch.Of(ref _records!, RecordCount);
        FromClient.Outstanding.Fetch();
        FromServer.Outstanding.Fetch();
    }

    /// <summary>Drops all but the last packets.</summary>
    public void Keep(int last, RecordPool pool)
    {
        _records = pool.Shorter(_records, RecordCount - last, last);
        RecordCount = last;
    }
}
