namespace LatencyTuner.Core.Capture;

/// <summary>
/// Follows every connection of a capture: what each packet is (new data, retransmission, advancing ACK, window update, ...), which data an
/// ACK answers, and the shortest round trip from the capture point to each end. Sequence numbers wrap; nothing is allocated per packet.
/// </summary>
internal sealed class ConnectionTracker
{
    /// <summary>Largest number of packets of a connection that are analysed together.</summary>
    public const int PartLength = 4096;

    // Packets of all connections that may wait before parts get shorter, and how many more make them shrink to the shortest part.
    private const long FullParts = 400_000;
    private const long ShrinkingParts = 300_000;
    private const int ShortestPart = 64;

    private readonly IConnectionSink _sink;
    private readonly ConnectionTable _table;
    private readonly RecordPool _pool = new();
    private readonly EndedConnections _ended;
    private readonly Dictionary<IpAddressValue, HostSilences> _silences = [];
    private long _logged;

    /// <summary>Creates a tracker.</summary>
    /// <param name="sink">
    /// Receives the packets of each connection with their traits: ended connections on another thread now and then, but always one after the other.
    /// </param>
    public ConnectionTracker(IConnectionSink sink)
    {
        _sink = sink;
        _table = new ConnectionTable(End);
        _ended = new EndedConnections(sink);
    }

    /// <summary>Connections seen so far.</summary>
    public long Connections => _table.Seen;

    /// <summary>Connections that were dropped before they closed because too many were open at once.</summary>
    public long GivenUp => _table.GivenUp;

    /// <summary>When nothing from anybody reached which host, of up to as many hosts as connections may be open.</summary>
    public IReadOnlyDictionary<IpAddressValue, HostSilences> Silences => _silences;

    /// <summary>Follows one segment.</summary>
    public void Add(in TcpSegment segment)
    {
        if (segment.ReportedMtu != 0)
        {
            if (_table.Known(in segment) is { } reported)
            {
                reported.Flow(reported.Key.IsForward(in segment) == reported.ClientIsB ? 1 : 0).Report(in segment);
            }

            return;
        }

        if ((segment.Flags & (TcpFlags.Ack | TcpFlags.Syn | TcpFlags.Rst)) == 0)
        {
            // No host sends or takes it (RFC 9293 3.10.7.4): a scan, or a tool that writes decrypted data as packets.
            return;
        }

        TcpConnection connection = _table.Find(in segment);
        bool forward = connection.Key.IsForward(in segment);
        bool fromServer = forward == connection.ClientIsB;
        ref FlowState sender = ref connection.Flow(fromServer ? 1 : 0);
        ref FlowState peer = ref connection.Flow(fromServer ? 0 : 1);
        (peer.Silences ??= SilencesOf(forward ? connection.Key.AddressB : connection.Key.AddressA)).Hear(segment.TimeNs);
        sender.Packets++;
        sender.Bytes += segment.PayloadLength;
        if (connection.IsMergedTwice(in segment, fromServer) || sender.IsCaptureDuplicate(in segment))
        {
            connection.CaptureDuplicates++;
            return;
        }

        if (segment.TimeNs < connection.PacketNs)
        {
            connection.BackwardSteps++;
            connection.BackwardNs = Math.Max(connection.BackwardNs, connection.PacketNs - segment.TimeNs);
        }

        connection.OptionsCut |= segment.OptionsCut;
        bool ahead = ClockAhead.Before(connection, in sender, in segment);
        connection.PacketNs = segment.TimeNs;
        connection.LastNs = Math.Max(connection.LastNs, segment.TimeNs);
        ref PacketRecord record = ref connection.Append(_pool);
        _logged++;
        record = new PacketRecord
        {
            TimeNs = segment.TimeNs,
            SinceFirstNs = -1,
            SinceLastNs = -1,
            Frame = (uint)segment.FrameNumber,
            Sequence = segment.Sequence,
            Acknowledgement = segment.Acknowledgement,
            Length = segment.PayloadLength,
            IpId = segment.IpId,
            TimestampValue = segment.HasTimestamp ? segment.TimestampValue : 0,
            Traits = (fromServer ? PacketTraits.FromServer : 0) | FlagsOf(segment.Flags) | (ahead ? PacketTraits.ClockAhead : 0),
        };
        if ((segment.Flags & TcpFlags.Syn) != 0)
        {
            Handshake.Add(connection, ref sender, in peer, in segment);
        }
        else if (!fromServer && connection.ConnectedNs == 0 && (segment.Flags & TcpFlags.Ack) != 0)
        {
            connection.ConnectedNs = segment.PayloadLength == 0 ? segment.TimeNs : connection.SynAckNs;
        }
        else if (fromServer && sender.SynSeen && Math.Abs(sender.Ttl - segment.Ttl) > 1 && (segment.Flags & TcpFlags.Rst) == 0 && !sender.Answered)
        {
            // Another device had answered the SYN for the server: that round trip is not the server's.
            (sender.BaseNs, sender.HandshakeNs, sender.SynAnsweredNs) = (FlowState.Unknown, FlowState.Unknown, FlowState.Unknown);
        }

        if (connection.SynRetransmissions > 0 && segment.SackCount > 0)
        {
            Handshake.Hear(connection, fromServer, in peer, in segment);
        }

        sender.Answered |= fromServer && (segment.Flags & TcpFlags.Syn) == 0;
        sender.Ttl = segment.Ttl;
        record.Window = WindowOf(in sender, in peer, in segment);
        // An answer to an earlier SYN with a number of its own, after the client has accepted another: no end uses it (RFC 9293 3.10.7.4).
        bool stray = fromServer && sender.AckSeen && sender.SynSeen && (segment.Flags & TcpFlags.Syn) != 0 && segment.Sequence != sender.Initial
            && SequenceNumber.Less(sender.Initial, sender.Acknowledged);
        if (stray || ReceivedAck.IsOfAnother(in peer, in segment) || DoubtfulNumbers.Are(ref sender, in peer, in segment))
        {
            connection.DoubtfulPackets += stray ? 0 : 1;
            return;
        }

        if ((segment.Flags & TcpFlags.Rst) == 0)
        {
            SentData.Add(connection, ref sender, in segment, ref record);
        }

        if (record.Has(PacketTraits.Retransmission) || (connection.SynRetransmissions > 0 && !fromServer && record.Has(PacketTraits.Syn)))
        {
            (sender.Silences ??= SilencesOf(forward ? connection.Key.AddressA : connection.Key.AddressB)).Ask();
        }

        if ((segment.Flags & TcpFlags.Ack) != 0)
        {
            bool connecting = !fromServer && sender.HandshakeNs == FlowState.Unknown;
            ReceivedAck.Add(ref sender, ref peer, in segment, ref record);
            if (connecting && sender.HandshakeNs != FlowState.Unknown && connection.SynRetransmissions == 0)
            {
                _ended.Add(new ShownHandshake(
                    connection.ClientAddress, connection.ServerAddress, connection.ServerPort, sender.HandshakeNs, peer.HandshakeNs));
            }

            if (sender.IsLate(segment.IpId))
            {
                // A late copy from a port mirror: it does not ask for a retransmission.
                record.Traits &= ~PacketTraits.DuplicateAck;
            }
        }

        if (segment.HasTimestamp)
        {
            BatchedTimes.Add(ref sender, in segment);
            (sender.TimestampValue, sender.TimestampNs) = (segment.TimestampValue, segment.TimeNs);
            TimestampEcho.Add(ref sender, ref peer, in segment, ref record);
            TimestampEcho.Lead(ref sender, in peer, in segment, ref record);
        }

        FollowClosing(connection, ref sender, ref peer, in segment);
        if (connection.RecordCount >= ShortestPart && connection.RecordCount >= LongestPart())
        {
            JudgePart(connection);
        }
    }

    /// <summary>Adds segments one after the other and prefetches the data that the next ones need.</summary>
    public void Add(ReadOnlySpan<TcpSegment> segments)
    {
        const int Soon = 8;
        const int Next = 4;
        for (int i = 0; i < segments.Length; i++)
        {
            if (i + Soon < segments.Length)
            {
                _table.Expect(in segments[i + Soon], next: false);
                _table.Expect(in segments[i + Next], next: true);
            }

            Add(in segments[i]);
        }
    }

    /// <summary>Ends all connections.</summary>
    public void Finish()
    {
        _table.Finish();
        _ended.Wait();
    }

    /// <summary>Judges the waiting packets of a connection whose next packets need the result, once all that came before were judged.</summary>
    private void JudgePart(TcpConnection connection)
    {
        _ended.Wait();
        GuessedRoles.Correct(connection);
        int before = connection.RecordCount;
        connection.Keep(Math.Min(_sink.Judge(connection, last: false), before / 2), _pool);
        _logged -= before - connection.RecordCount;
    }

    private void End(TcpConnection connection)
    {
        GuessedRoles.Correct(connection);
        // From here on its packets count as gone, so that what becomes of others does not depend on the other thread.
        _logged -= connection.RecordCount;
        _ended.Add(connection);
        while (_ended.TryTakeBack(out TcpConnection judged))
        {
            judged.Keep(0, _pool);
            _table.Free(judged);
        }
    }

    private HostSilences SilencesOf(IpAddressValue host)
    {
        const int Most = 32_768;
        if (!_silences.TryGetValue(host, out HostSilences? silences))
        {
            silences = new HostSilences();
            if (_silences.Count < Most)
            {
                _silences.Add(host, silences);
            }
        }

        return silences;
    }

    private int LongestPart() =>
        _logged <= FullParts ? PartLength : (int)(PartLength * Math.Max(0, 1 - ((double)(_logged - FullParts) / ShrinkingParts)));

    private static PacketTraits FlagsOf(TcpFlags flags) =>
        ((flags & TcpFlags.Syn) != 0 ? PacketTraits.Syn : 0) | ((flags & TcpFlags.Fin) != 0 ? PacketTraits.Fin : 0)
        | ((flags & TcpFlags.Rst) != 0 ? PacketTraits.Rst : 0) | ((flags & TcpFlags.Psh) != 0 ? PacketTraits.Psh : 0)
        | ((flags & TcpFlags.Ack) != 0 ? PacketTraits.Ack : 0);

    /// <summary>A SYN's window is never scaled, and scaling needs both ends (RFC 7323 2.2). Without a SYN the data shows a minimum.</summary>
    private static uint WindowOf(in FlowState sender, in FlowState peer, in TcpSegment segment) =>
        (segment.Flags & TcpFlags.Syn) != 0 || sender.Scale == FlowState.Unscaled || peer.Scale == FlowState.Unscaled ? segment.Window
        : sender.Scale >= 0 && peer.Scale >= 0 ? (uint)segment.Window << sender.Scale
        : (uint)segment.Window << sender.LeastScale;

    private void FollowClosing(TcpConnection connection, ref FlowState sender, ref FlowState peer, in TcpSegment segment)
    {
        if ((segment.Flags & TcpFlags.Rst) != 0)
        {
            connection.Reset = true;
            _table.Closed(connection, segment.TimeNs);
            return;
        }

        sender.FinSeen |= (segment.Flags & TcpFlags.Fin) != 0;
        peer.FinAckedNs = peer is { FinSeen: true, FinAckedNs: 0, HasOutstanding: false } ? segment.TimeNs : peer.FinAckedNs;
        if (sender.FinSeen && peer.FinSeen && !sender.HasOutstanding && !peer.HasOutstanding)
        {
            _table.Closed(connection, segment.TimeNs);
        }
    }
}

/// <summary>Receives the packets of a connection part by part.</summary>
internal interface IConnectionSink
{
    /// <summary>Analyses the waiting packets of a connection.</summary>
    /// <param name="connection">The connection with its records.</param>
    /// <param name="last">True when no more packets of the connection follow.</param>
    /// <returns>How many of the last records to keep for the next part; fewer than half of them.</returns>
    int Judge(TcpConnection connection, bool last);

    /// <summary>The handshake of a connection is complete, and shows the round trips to both ends.</summary>
    void Connected(ShownHandshake handshake)
    {
    }
}

/// <summary>The round trips that a handshake without a repeated SYN shows.</summary>
/// <param name="Client">The client.</param>
/// <param name="Server">The server.</param>
/// <param name="ServerPort">Its port.</param>
/// <param name="ClientNs">From the capture point to the client and back, nanoseconds.</param>
/// <param name="ServerNs">From the capture point to the server and back, nanoseconds; <see cref="FlowState.Unknown"/> when it is not known.</param>
internal readonly record struct ShownHandshake(IpAddressValue Client, IpAddressValue Server, ushort ServerPort, long ClientNs, long ServerNs);

/// <summary>
/// Round trips through a sender from its timestamp echoes: from a packet of the peer to the first data that echoes it. Near the receiver this is
/// the only measurement that shows a queue before the capture point.
/// </summary>
internal static class TimestampEcho
{
    public static void Add(ref FlowState sender, ref FlowState peer, in TcpSegment segment, ref PacketRecord record)
    {
        if (peer.EchoNs != 0 && SequenceNumber.LessOrEqual(peer.EchoTimestamp, segment.TimestampEcho))
        {
            if (record.Has(PacketTraits.NewData) && !record.IsSentAgain && record.SinceLastNs < 0)
            {
                record.Traits |= PacketTraits.Echo;
                record.SinceLastNs = Math.Max(0, segment.TimeNs - peer.EchoNs);
                sender.EchoBaseNs = Math.Min(sender.EchoBaseNs, record.SinceLastNs);
            }

            peer.EchoNs = 0;
        }

        // Many packets of one clock tick carry the same timestamp: the echo may answer the first of them.
        bool first = segment.TimestampValue != sender.LatestTimestamp;
        sender.PureTimestamp = first && record.IsPureAck ? segment.TimestampValue : first || !record.IsPureAck ? 0 : sender.PureTimestamp;
        sender.LatestTimestamp = segment.TimestampValue;
        if (first && sender.EchoNs == 0 && (segment.Flags & TcpFlags.Ack) != 0)
        {
            (sender.EchoTimestamp, sender.EchoNs) = (segment.TimestampValue, segment.TimeNs);
        }
    }

    /// <summary>
    /// How far the sender's timestamp is ahead of the one that it echoes: the way there of what it echoes, and how long ago that came. The way from the
    /// sender to here is not in it.
    /// </summary>
    public static void Lead(ref FlowState sender, in FlowState peer, in TcpSegment segment, ref PacketRecord record)
    {
        sender.EchoesPureAcks |= record.Length > 0 && peer.PureTimestamp != 0 && segment.TimestampEcho == peer.PureTimestamp;
        if (segment.TimestampEcho == 0)
        {
            return;
        }

        uint lead = segment.TimestampValue - segment.TimestampEcho;
        sender.FirstLead = sender.FirstLead == 0 ? lead : sender.FirstLead;
        sender.LeastLead = sender.LeastLead == 0 || SequenceNumber.Less(lead, sender.LeastLead) ? lead : sender.LeastLead;
        record.SackRight = record.Has(PacketTraits.Sack) ? record.SackRight : lead;
    }
}
