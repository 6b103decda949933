namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>The evidence of loss in one side's data since the last advancing ACK.</summary>
internal struct LossState
{
    public int DuplicateAcks;
    public bool SackSeen;
    public long EvidenceNs;

    /// <summary>The timestamp of the ACK that was the first of them; 0 without the option.</summary>
    public uint EvidenceTimestamp;
    public uint SackedBytes;

    /// <summary>When the last data of this side passed the tap, new or not; 0 before the first.</summary>
    public long SentNs;

    /// <summary>The IP identification of that packet; 0 for none.</summary>
    public ushort SentIpId;

    /// <summary>When the last new data of this side passed the tap; 0 before the first.</summary>
    public long NewNs;

    /// <summary>When the last new data below the latest gap passed the tap; 0 for none.</summary>
    public long BelowGapNs;

    /// <summary>Bytes that are missing below the latest data, when it left a gap; 0 otherwise.</summary>
    public int GapBytes;

    /// <summary>
    /// When the latest tail-loss probe that opened a gap passed the tap, and when the last new data before it: the end of what was lost is repeated by the
    /// probe, and all of it was sent in between. 0 for none.
    /// </summary>
    public long ProbeNs;
    public long BeforeProbeNs;

    /// <summary>When the last ACK of this side's data passed the tap; 0 before the first.</summary>
    public long AckNs;

    /// <summary>When the last ACK that advanced passed the tap; 0 before the first. The retransmission timer restarts with it (RFC 6298 5.3).</summary>
    public long AdvancedNs;

    /// <summary>The window of that ACK, bytes.</summary>
    public uint AckWindow;

    /// <summary>A packet of this side whose length is not true.</summary>
    public FalseLength Length;

    /// <summary>How this side numbers its packets.</summary>
    public PacketNumbers Numbers;

    /// <summary>True while the peer's packets are missing: this side acknowledged bytes that were never captured, and nothing of the peer came since.</summary>
    public bool PeerUnseen;

    /// <summary>True once this side has closed its direction.</summary>
    public bool Closed;

    /// <summary>True once the peer has reset the connection and sent nothing since: nobody waits for what is still sent again.</summary>
    public bool PeerReset;

    /// <summary>What that RST acknowledges; all that came before it when it has no ACK flag, because it answers that (RFC 9293 3.10.7.1).</summary>
    public uint? ResetAcknowledges;

    /// <summary>True when the peer's host answered with nothing but RSTs without an ACK: it knows no such connection (RFC 9293 3.10.7.1).</summary>
    public bool Unknown;

    /// <summary>
    /// ACKs of all that was on its way, an odd number of segments sent once: what a receiver may delay (RFC 1122 4.2.3.2). The longest wait for one behind the
    /// last segment, nanoseconds.
    /// </summary>
    public int OddAcks;
    public long LongestOddNs;

    /// <summary>The shortest wait before a repair of what nothing had shown to be missing, nanoseconds; null for none.</summary>
    public long? LeastUnprovenNs;

    /// <summary>What a timer sent again since the last advancing ACK.</summary>
    public TimerWait Wait;

    /// <summary>Retransmissions since the last advancing ACK.</summary>
    public int Unanswered;

    /// <summary>So many copies without an answer show that they do not get through.</summary>
    public const int Several = 3;

    /// <summary>Those of them that an ACK asked for.</summary>
    public int UnansweredFast;

    /// <summary>True when packets of the peer came behind them, none of which acknowledged the data.</summary>
    public bool PeerHeard;

    /// <summary>True when a RST of the peer can be the answer to the last of them.</summary>
    public bool Refused;

    /// <summary>
    /// The data that was sent again last, how long after its copy before, nanoseconds, how many copies in a row nothing of the peer came between, and how often
    /// that time about doubled.
    /// </summary>
    public uint Repeated;
    public long RepeatedAfterNs;
    public int Copies;
    public int Doublings;

    /// <summary>Until this is acknowledged, retransmissions belong to the same recovery.</summary>
    public bool InRecovery;
    public uint RecoveryEnd;
    public bool ByTimeout;

    /// <summary>Since when the timer waited that ended in this recovery, which duplicate ACKs had begun, nanoseconds; 0 for none.</summary>
    public long TimerSinceNs;

    /// <summary>Where the first retransmission of this recovery begins.</summary>
    public uint FirstRepair;

    /// <summary>True when this recovery began with a segment that a router had reported to be too big.</summary>
    public bool Reported;

    /// <summary>Where the last repair ended, and its length, bytes.</summary>
    public uint RepairEnd;
    public int RepairBytes;

    /// <summary>In this recovery, the length of the latest part of what had been one packet, bytes; 0 before the first.</summary>
    public int PieceBytes;
    public uint Highest;

    /// <summary>The highest acknowledgement so far.</summary>
    public uint Acknowledged;
    public bool Started;

    /// <summary>
    /// Retransmissions at the end of the connection that were never answered. Of one direction only doubling waits show that: they end with any answer.
    /// </summary>
    public readonly int Unrepaired(bool oneSided)
    {
        // No first timer takes so long: the copies before were not answered either.
        const long LateNs = 20_000_000_000;
        return !oneSided ? Unanswered : Doublings > 0 || RepeatedAfterNs >= LateNs ? Copies : 0;
    }

    /// <summary>The peer sent something that acknowledges nothing new: it is there, and the copies do not get through to it.</summary>
    public void Hear() => PeerHeard |= Unanswered > 0;

    /// <summary>No retransmission is unanswered any more.</summary>
    public void Answer() => (Unanswered, UnansweredFast, PeerHeard, Refused) = (0, 0, false, false);

    public void ClearEvidence() => (DuplicateAcks, SackSeen, EvidenceNs, EvidenceTimestamp, SackedBytes) = (0, false, 0, 0, 0);
}
