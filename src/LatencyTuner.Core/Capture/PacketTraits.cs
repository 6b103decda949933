namespace LatencyTuner.Core.Capture;

/// <summary>What a packet is within its connection.</summary>
[Flags]
internal enum PacketTraits : uint
{
    None = 0,

    /// <summary>Sent by the server; otherwise by the client.</summary>
    FromServer = 1 << 0,
    Syn = 1 << 1,
    Fin = 1 << 2,
    Rst = 1 << 3,
    Psh = 1 << 4,
    Ack = 1 << 5,

    /// <summary>Payload that ends beyond everything seen before.</summary>
    NewData = 1 << 6,

    /// <summary>Payload, all of it seen before or acknowledged.</summary>
    Retransmission = 1 << 7,

    /// <summary>Payload below the highest byte seen that was not seen before.</summary>
    HoleFill = 1 << 8,

    /// <summary>New data that leaves a hole below it.</summary>
    AboveGap = 1 << 9,

    /// <summary>A keep-alive: at most one byte, just below the next one, with nothing outstanding.</summary>
    KeepAlive = 1 << 10,

    /// <summary>At most one byte at the right edge of a closed window.</summary>
    WindowProbe = 1 << 11,

    /// <summary>Acknowledges something new.</summary>
    Advancing = 1 << 12,

    /// <summary>Acknowledges nothing new and does not change the window, while data is outstanding.</summary>
    DuplicateAck = 1 << 13,

    /// <summary>Acknowledges nothing new and changes the window.</summary>
    WindowUpdate = 1 << 14,

    /// <summary>Moves the right edge of the peer's window.</summary>
    RaisesWindow = 1 << 15,

    /// <summary>Acknowledges data that was sent more than once (Karn), or with data that is sent again: its round trip is not known.</summary>
    AmbiguousRtt = 1 << 16,

    /// <summary>The acknowledgement number is the end of a segment that was seen.</summary>
    ExactEnd = 1 << 17,

    /// <summary>Acknowledges data that arrived out of order or filled a hole: the receiver should send this ACK immediately (RFC 5681 4.2).</summary>
    Forced = 1 << 18,

    /// <summary>Carries SACK blocks.</summary>
    Sack = 1 << 19,

    /// <summary>Its first SACK block reports a duplicate (RFC 2883).</summary>
    DuplicateSack = 1 << 20,

    /// <summary>Echoes a timestamp from before the retransmission of what it acknowledges: the original had arrived (RFC 3522).</summary>
    OriginalArrived = 1 << 21,

    /// <summary>Acknowledges data that was not captured before it.</summary>
    AcksUnseen = 1 << 22,

    /// <summary>New data beyond bytes that were acknowledged but never captured.</summary>
    CaptureGap = 1 << 23,

    /// <summary>IP identification or timestamp shows that it was sent before the data above it.</summary>
    SentBeforeSuccessor = 1 << 24,

    /// <summary>IP identification or timestamp shows that it was sent after the data above it.</summary>
    SentAfterSuccessor = 1 << 25,

    /// <summary>Part of its payload had been sent before.</summary>
    Overlap = 1 << 26,

    /// <summary>The peer's window was closed when it was sent, or when its bytes were sent before: the peer had not accepted them.</summary>
    AtZeroWindow = 1 << 27,

    /// <summary>Data whose timestamp echo gives a round trip through its sender (RFC 7323 4.1).</summary>
    Echo = 1 << 28,

    /// <summary>Does not acknowledge data that arrived long before: not an ACK of the delayed ACK timer, which covers all received data.</summary>
    LeavesReceivedData = 1 << 29,

    /// <summary>The capture clock jumped forward before this packet: the previous packet cannot be that old.</summary>
    ClockAhead = 1 << 30,

    /// <summary>Data sent again as the first part of a segment that had been sent whole: the path may take only smaller packets.</summary>
    SmallerPiece = 1u << 31,

    /// <summary>
    /// Of an ACK without data: acknowledges bytes below others that were seen, which themselves were never captured. Data has the other meaning of this bit.
    /// </summary>
    AcksHole = SmallerPiece,

    /// <summary>
    /// Like <see cref="OriginalArrived"/>, and the timestamp is from before the first of all copies. What fills a hole has the other meaning of this bit.
    /// </summary>
    FirstArrived = SentBeforeSuccessor,

    /// <summary>
    /// Of data: sent again because a router had reported that it was too big for the path. Of an ACK without data the bit has the other meaning.
    /// </summary>
    TooBig = WindowUpdate,

    /// <summary>
    /// Of data that is sent again: its last copy, or that of a part of it, had a wrong checksum (<see cref="DamagedCopies"/>). New data has the other meaning
    /// of this bit.
    /// </summary>
    LastCopyDamaged = CaptureGap,
}
