namespace LatencyTuner.Core.Capture;

/// <summary>Reads SYN and SYN/ACK: the options, and which end is the client.</summary>
internal static class Handshake
{
    // The first timeout is a second (RFC 6298 2.1), a little less on the wire. A SYN that comes sooner although the last one was answered shows that the
    // path had held that one back.
    private const long ShortestRetryNs = 900_000_000;

    // Answers that are no farther apart were not sent one after the other by a timer of a second. One of 300 ms, as some servers have, repeats an answer twice
    // within 900 ms.
    private const long TogetherNs = ShortestRetryNs / 2;
    private const long ShortRetryNs = 300_000_000;
    private const long TwoShortRetriesNs = 3 * ShortRetryNs;

    public static void Add(TcpConnection connection, ref FlowState sender, in FlowState peer, in TcpSegment segment)
    {
        connection.SynAcks += segment.IsSynAck ? 1 : 0;
        connection.SynAckNs = segment.IsSynAck && connection.ConnectedNs == 0 ? segment.TimeNs : connection.SynAckNs;
        connection.SynAckTicks = segment.IsSynAck && !sender.SynSeen ? segment.TimestampValue : connection.SynAckTicks;
        // A server that had only one SYN answers with one number.
        connection.SynsTaken |= segment.IsSynAck && sender.SynSeen && segment.Sequence != sender.Initial
            && connection is { SynRetransmissions: 1, SynsUnanswered: 1 };
        if (segment.IsSynAck && sender.SynSeen && connection is { SynRetransmissions: > 0, ConnectedNs: > 0 })
        {
            // An answer more than there were SYNs is that of the server's timer, which it sends so long after it had one that the path held all of them. Where
            // they have timestamps, those show it.
            bool oneMore = connection.SynAcks > connection.SynRetransmissions + 1 && segment.TimeNs - connection.SynAckNs < TogetherNs
                && !segment.HasTimestamp && segment.TimeNs - peer.SynNs < TwoShortRetriesNs;
            // An answer to each SYN, sooner behind the last one than any timer of a server repeats an answer: it had all of them.
            bool all = connection.SynAcks > connection.SynRetransmissions && !segment.HasTimestamp && segment.TimeNs - peer.SynNs < ShortRetryNs;
            // It answered both SYNs, each for itself: the second one came when it no longer knew the first.
            bool each = connection is { SynRetransmissions: 1, SynsUnanswered: 0 } && segment.HasTimestamp && segment.Sequence != sender.Initial
                && segment.TimestampEcho == connection.SynTicks.Last && connection.SynTicks.First != connection.SynTicks.Last;
            connection.SynsWereHeld |= oneMore || all || each;
        }

        if (segment.IsSynAck && connection is { SynRetransmissions: > 0, ConnectedNs: > 0 })
        {
            // The echo of the first SYN alone also stands in the copy of an answer that was lost. Of answers that a queue held, the server's clock shows how
            // far apart it sent them, where it counts milliseconds.
            long apartNs = segment.TimeNs - connection.SynAckNs;
            long sentApartNs = SequenceNumber.Beyond(segment.TimestampValue, connection.SynAckTicks) * 1_000_000L;
            bool asSyns = Math.Min(Math.Abs(apartNs - connection.SynRetryNs), Math.Abs(sentApartNs - connection.SynRetryNs)) <= connection.SynRetryNs / 10;
            bool together = sentApartNs <= connection.SynRetryNs && sentApartNs - apartNs >= connection.SynRetryNs / 2;
            connection.SynsWereHeld |= segment.HasTimestamp && segment.TimestampEcho == connection.SynTicks.First
                && connection.SynTicks.First != connection.SynTicks.Last && (asSyns || together);
        }

        if (sender.SynSeen)
        {
            // No timer repeats a SYN so soon: the packet was captured twice, a device before the capture point had held it back, or a tool floods the server.
            long sinceNs = segment.TimeNs - connection.SynNs;
            bool soon = segment.TimeNs - sender.SynNs < (peer.SynSeen ? ShortestRetryNs : TcpConnection.ShortestRtoNs);
            sender.SynNs = segment.TimeNs;
            if (segment.IsSyn && !soon && !peer.SynSeen && peer.Packets > 0)
            {
                // The server still had the connection before, and answered with an ACK of it (RFC 9293 3.10.7.4): nothing was lost.
                connection.SynsChallenged++;
                connection.SynNs = segment.TimeNs;
            }
            else if (segment.IsSyn && !soon)
            {
                connection.SynRetransmissions++;
                connection.SynsUnanswered += peer.SynSeen ? 0 : 1;
                connection.SynRetryNs = sinceNs;
                connection.SynTicks = (connection.SynTicks.First, segment.TimestampValue);
            }

            return;
        }

        if (segment.IsSyn)
        {
            connection.SynNs = segment.TimeNs;
            connection.SynTicks = (segment.TimestampValue, segment.TimestampValue);
        }
        else if (segment.HasTimestamp && segment.TimestampEcho == connection.SynTicks.First && segment.TimestampEcho != connection.SynTicks.Last)
        {
            // The server had taken the first SYN (RFC 7323 3.2): what it answered was lost, or came late.
            connection.SynsUnanswered = 0;
        }

        (sender.SynSeen, sender.SynNs) = (true, segment.TimeNs);
        sender.Mss = segment.Mss;
        sender.SackPermitted = segment.SackPermitted;
        sender.Timestamps = segment.HasTimestamp;
        // An absent option is information too: no scaling in either direction.
        sender.Scale = segment.WindowScale >= 0 ? segment.WindowScale : segment.OptionsCut ? FlowState.UnknownScale : FlowState.Unscaled;
    }

    /// <summary>
    /// Hears an end that reports what the other one sent to connect as a duplicate (RFC 2883 4). A server that had a second SYN as well had both, and that one
    /// came behind the ACK of the handshake, so that its answer was to the first. A client that had all answers but one a second time had the first one, too;
    /// where that left before the second SYN came, nothing was lost.
    /// </summary>
    /// <param name="connection">A connection whose SYN was sent again.</param>
    /// <param name="fromServer">True when the server reports.</param>
    /// <param name="peer">The other end.</param>
    /// <param name="segment">A segment with SACK blocks.</param>
    public static void Hear(TcpConnection connection, bool fromServer, in FlowState peer, in TcpSegment segment)
    {
        if (segment.Sack[0] != new SackBlock(peer.Initial, peer.Initial + 1))
        {
            return;
        }

        connection.SynAcksReported += fromServer ? 0 : 1;
        connection.SynsWereHeld |= fromServer ? connection.SynRetransmissions == 1
            : connection is { SynsUnanswered: 0, SynAcks: > 1 } && connection.SynAcksReported >= connection.SynAcks - 1;
    }
}
