namespace LatencyTuner.Core.Capture;

/// <summary>A connection while it is being followed: the state of both directions and the packets that have not been judged yet.</summary>
internal sealed class TcpConnection
{
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

    /// <summary>True when no SYN told who connected, so that the ports decided.</summary>
    public bool RolesGuessed { get; private set; }

    public long FirstNs { get; private set; }
    public long LastNs { get; set; }

    /// <summary>Time of the last packet, which is before <see cref="LastNs"/> after the clock was set back.</summary>
    public long PacketNs { get; set; }

    /// <summary>When both ends had closed or one had reset; 0 while open.</summary>
    public long ClosedNs { get; set; }
    public bool Reset { get; set; }

    /// <summary>Packets captured twice and left out.</summary>
    public long CaptureDuplicates { get; set; }

    /// <summary>Packets earlier than the one before.</summary>
    public long BackwardSteps { get; set; }

    /// <summary>Times the clock went ahead by more than can have passed, and by how much in all, nanoseconds.</summary>
    public long ForwardSteps { get; set; }
    public long ForwardNs { get; set; }

    /// <summary>SYNs sent again, and the time from the first to the last of them.</summary>
    public int SynRetransmissions { get; set; }
    public long SynRetryNs { get; set; }
    public long SynNs { get; set; }

    /// <summary>Those sent again before the server's answer passed the tap.</summary>
    public int SynsUnanswered { get; set; }
    public ushort SynIpId { get; set; }

    /// <summary>True when headers were captured without the end of their options.</summary>
    public bool OptionsCut { get; set; }

    /// <summary>Payload that was acknowledged but never captured, bytes.</summary>
    public long MissedBytes { get; set; }

    /// <summary>What the analysis keeps between its visits; null before the first and after the last.</summary>
    public object? Analysis { get; set; }

    /// <summary>Packets not judged yet.</summary>
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

    /// <summary>Begins to follow another connection with this object.</summary>
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
            Scale = FlowState.UnknownScale,
        };
        FromServer = new FlowState
        {
            Outstanding = server,
            BaseNs = FlowState.Unknown,
            EchoBaseNs = FlowState.Unknown,
            HandshakeNs = FlowState.Unknown,
            Scale = FlowState.UnknownScale,
        };
        Number = number;
        Key = new ConnectionKey(first.Source, first.Destination, first.SourcePort, first.DestinationPort);
        RolesGuessed = !first.IsSyn && !first.IsSynAck;
        // Servers listen on the lower, well-known port more often than not.
        ClientIsB = first.IsSynAck || (RolesGuessed && first.SourcePort < first.DestinationPort);
        (FirstNs, LastNs, PacketNs, ClosedNs, Reset) = (first.TimeNs, first.TimeNs, first.TimeNs, 0, false);
        (CaptureDuplicates, BackwardSteps, ForwardSteps, ForwardNs, SynRetransmissions, SynRetryNs, SynNs, SynIpId, MissedBytes) = (0, 0, 0, 0, 0, 0, 0, 0, 0);
        (OptionsCut, SynsUnanswered) = (false, 0);
        RecordCount = 0;
    }

    /// <summary>Adds a packet to those not judged yet.</summary>
    public ref PacketRecord Append(RecordPool pool)
    {
        if (RecordCount == _records.Length)
        {
            _records = pool.Larger(_records, RecordCount);
        }

        return ref _records[RecordCount++];
    }

    /// <summary>Fetches what following a segment looks at.</summary>
    public void Fetch()
    {
        Prefetch.Of(ref FromClient);
        Prefetch.Of(ref FromServer);
    }

    /// <summary>Fetches where it will write.</summary>
    public void FetchLists()
    {
        Prefetch.Of(ref _records!, RecordCount);
        FromClient.Outstanding.Fetch();
        FromServer.Outstanding.Fetch();
    }

    /// <summary>Forgets all but the last packets.</summary>
    public void Keep(int last, RecordPool pool)
    {
        _records = pool.Shorter(_records, RecordCount - last, last);
        RecordCount = last;
    }
}
