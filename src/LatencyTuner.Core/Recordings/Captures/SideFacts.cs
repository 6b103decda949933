namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>What one end of a connection did, over the whole connection.</summary>
internal sealed class SideFacts
{
    /// <summary>A stall of this length is told as a long one, nanoseconds.</summary>
    public const long LongStallNs = 100_000_000;

    private const int Kinds = (int)StallKind.CongestionWindow + 1;

    // Most ends of most connections never stall, and hardly any for long.
    private long[]? _stalls;
    private int[]? _longStalls;

    /// <summary>True when a device beside the capture point speaks for this end.</summary>
    public bool IsProxied { get; set; }

    /// <summary>True when this end's SYN-ACK has no MSS option although the SYN has one (RFC 9293, 3.7.1: it should).</summary>
    public bool OmitsMss { get; set; }

    /// <summary>Pure ACKs of this end held for more than 100 ms beyond the path.</summary>
    public long AcksAbove100Ms { get; set; }

    /// <summary>Late pure ACKs of this end.</summary>
    public long LateAcks { get; set; }

    /// <summary>True while hardly any small segment was sent behind an unacknowledged small one: Nagle's algorithm may be on.</summary>
    public bool MayHold => NodelaySigns <= 0.02 * SmallSegments;

    /// <summary>Small new-data segments of this end.</summary>
    public long SmallSegments { get; set; }

    /// <summary>Small segments sent while another was unacknowledged: Nagle's algorithm is off (RFC 1122 4.2.3.4, Minshall's variation).</summary>
    public long NodelaySigns { get; set; }

    /// <summary>When the peer had acknowledged the end of this side's data, capture time; 0 where it did not.</summary>
    public long FinAckedNs { get; set; }

    /// <summary>When the first of them was sent; <see cref="long.MaxValue"/> without one.</summary>
    public long FirstNodelayNs { get; set; } = long.MaxValue;

    /// <summary>True when the holds can be Nagle's algorithm: also when an application switched it off only after them.</summary>
    public bool MayHaveHeld => MayHold || HeldAtFirst;

    /// <summary>
    /// True when Nagle's algorithm is off, and was perhaps on during all the holds. Where the distance to the sender is known by a bound alone, in a
    /// connection that began before the capture, the first few prove nothing.
    /// </summary>
    public bool HeldAtFirst => !MayHold && !HoldsUnsure && Holds.Count > 0 && MoreHolds == 0 && Holds.All.All(h => h.ReleasedNs < FirstNodelayNs);

    /// <summary>Small segments that this end first sent after a pure ACK of all its earlier data.</summary>
    public long NagleChances { get; set; }

    /// <summary>How many of them would follow the ACK at once by chance alone.</summary>
    public double NagleCoincidences { get; set; }

    /// <summary>Those that followed the ACK at once: the ACK released them.</summary>
    public CompactList<NagleHold> Holds;

    /// <summary>
    /// Full segments that left right behind the pure ACK of the only one before them, and those that left behind an unacknowledged one: Nagle's algorithm
    /// never holds a full segment.
    /// </summary>
    public long FullReleases { get; set; }
    public long FullBehindOthers { get; set; }

    /// <summary>Small segments that left right behind an ACK of a part of the full ones before them: they waited for room, not for the last ACK.</summary>
    public long SmallBehindFull { get; set; }

    /// <summary>The number of possible distances to this end, of which the one with the most released segments was chosen; 1 when it is known.</summary>
    public double HoldPlaces { get; set; } = 1;

    /// <summary>True when only an upper bound of the distance between this end and the tap is known: a released segment may also be a pause.</summary>
    public bool HoldsUnsure { get; set; }

    /// <summary>The sum over the small segments behind late ACKs alone, of the part of <see cref="NagleCoincidences"/>.</summary>
    public double LateCoincidences { get; set; }

    /// <summary>
    /// Held segments that the application wrote at times of its own, which nothing shows; for how long they were held at most, and what of that is counted,
    /// nanoseconds.
    /// </summary>
    public long HoldsOfOwnTime { get; set; }
    public long OwnTimeMostNs { get; set; }
    public long OwnTimeCountedNs { get; set; }

    /// <summary>Small segments behind a wait that was no longer than this end takes to answer an ACK; all these waits, nanoseconds.</summary>
    public long ShortHolds { get; set; }
    public long ShortHoldsNs { get; set; }

    /// <summary>Holds beyond those kept in the list.</summary>
    public long MoreHolds { get; set; }

    /// <summary>New-data segments and their payload; those below a quarter of the MSS sent while small data was outstanding.</summary>
    public long DataSegments { get; set; }

    /// <summary>As many segments as they were on the wire: a capturing host may join several.</summary>
    public long WireSegments { get; set; }
    public long DataBytes { get; set; }
    public long Tinygrams { get; set; }
    public long TinygramBytes { get; set; }

    /// <summary>Longest run of tinygrams that were outstanding together.</summary>
    public int LongestTinygramRun { get; set; }

    /// <summary>Losses of this end's data that cost a timeout or a probe, or a fast retransmission; retransmissions of data that had arrived.</summary>
    public long Timeouts { get; set; }
    public long FastRetransmissions { get; set; }
    public long SpuriousRetransmissions { get; set; }

    /// <summary>When this end first repaired a loss, or what it took for one, nanoseconds; <see cref="long.MaxValue"/> where it never did.</summary>
    public long FirstRepairNs { get; set; } = long.MaxValue;

    /// <summary>True when it waited for an ACK with the window open behind that: losses reduce the congestion window (RFC 5681 3.1).</summary>
    public bool StopsAfterRepair { get; set; }

    /// <summary>
    /// Silences of this end before new data in which packets are missing by their numbers: the end of a message was probably lost before the tap. The
    /// longest of them, nanoseconds.
    /// </summary>
    public long TailLosses { get; set; }
    public long LongestTailLossNs { get; set; }

    /// <summary>The IP identifications of its first packet and of its last; 0 for none, or where they were not looked at.</summary>
    public (ushort First, ushort Last) Ids { get; private set; }

    /// <summary>Retransmissions at the end of the connection that were never answered.</summary>
    public long Unrepaired { get; private set; }

    /// <summary>True when this end has closed its direction.</summary>
    public bool Closed { get; private set; }

    /// <summary>True when packets of the peer came behind several of them: it is still there, and this data does not get through to it.</summary>
    public bool PeerHeard { get; private set; }

    /// <summary>True when a RST that can be the answer to the last of them ended the connection.</summary>
    public bool Refused { get; private set; }

    /// <summary>Retransmissions in rows whose timer doubled several times while nothing of the peer came.</summary>
    public long Interrupted { get; set; }

    /// <summary>Retransmissions while the packets of the peer were missing in the capture.</summary>
    public long UnseenAnswers { get; set; }

    /// <summary>Number of single segments that were sent again before a delayed ACK was overdue.</summary>
    public long HastyRepeats { get; set; }

    /// <summary>What copies of segments that were alone on their way show.</summary>
    public LoneCopies LoneCopies;

    /// <summary>Losses whose repair the capture lacks: the receiver acknowledged what fills a hole, after the silence of a timer.</summary>
    public long UnseenRepairs { get; set; }

    /// <summary>Those of them for which no SACK block showed the hole.</summary>
    public long UnsureRepairs { get; set; }

    /// <summary>Holds behind which the sender went on by itself later: nobody is seen to have waited for them. How long they lasted, nanoseconds.</summary>
    public long HoldsOfNobody { get; set; }
    public long HeldForNobodyNs { get; set; }

    /// <summary>Number of retransmissions with the IP identification of the data packet before them: perhaps one packet, repeated by a tool.</summary>
    public long SameIds { get; set; }

    /// <summary>Number of packets that came again with their IP identification and timestamp: they passed the capture point several times.</summary>
    public long SamePackets { get; set; }

    /// <summary>Timeouts that repaired the first data of a connection whose handshake was captured.</summary>
    public long LostOpenings { get; set; }

    /// <summary>
    /// Losses that were repaired in smaller segments sooner than an ACK of the peer can ask for it: only a report of a router can (RFC 1191, RFC 8201).
    /// </summary>
    public long ReportedLosses { get; set; }

    /// <summary>The packet size that a router reported, bytes, where something was sent again because of that, and its frame; 0 elsewhere.</summary>
    public int ReportedMtu { get; set; }
    public uint ReportFrame { get; set; }

    /// <summary>True when it reset the connection after retransmissions that nobody had answered.</summary>
    public bool GaveUp { get; set; }

    /// <summary>
    /// Losses of which only this is certain: an answer of the receiver was lost. It had the copies behind the repair twice, or its numbers show that.
    /// </summary>
    public long AnswersLost { get; set; }

    /// <summary>
    /// Number of timeouts whose receiver has neither SACK nor timestamps to tell that data came twice, had not shown that this was missing, and may delay its
    /// ACKs as long: it looks the same when the data, or only its ACK, was late.
    /// </summary>
    public long UnprovenLosses { get; set; }

    /// <summary>Number of losses that were repaired in smaller segments than those that were lost.</summary>
    public long SmallerRepairs { get; set; }

    /// <summary>Number of fast retransmissions that only their time shows: no ACK that asked for them was captured.</summary>
    public long UnseenRequests { get; set; }

    /// <summary>Number of timeouts that may have been fast retransmissions: how long the way to this end takes is unknown.</summary>
    public long UnsureTimers { get; set; }

    /// <summary>
    /// Number of timeouts less than the shortest timer of a common stack behind a report of the receiver, far from their sender: what was asked for can come
    /// as late on a path that holds packets.
    /// </summary>
    public long EarlyTimers { get; set; }

    /// <summary>What was waited for them, each by itself, nanoseconds.</summary>
    public long EarlyTimersNs { get; set; }

    /// <summary>Fast retransmissions that came so late from such a distance that a timer may have made them.</summary>
    public long UnsureRequests { get; set; }

    /// <summary>Losses between this end and the tap, beyond the tap, and of data that passed the tap damaged.</summary>
    public long LostBeforeTap { get; set; }
    public long LostBeyondTap { get; set; }
    public long LostDamaged { get; set; }

    /// <summary>Those beyond a tap that is at the receiver itself, or one cable away: they reached its machine, and it did not take them.</summary>
    public long DroppedByReceiver { get; set; }

    /// <summary>How many times data of this end was overtaken on the path.</summary>
    public long Reorderings { get; set; }

    /// <summary>This end's data waited for the peer's window: times it was closed, longest, times released after a full window.</summary>
    public long ZeroWindows { get; set; }
    public long LongestZeroWindowNs { get; set; }

    /// <summary>True when it was still closed, and waited for, after the connection's last packet.</summary>
    public bool IsWindowStillClosed { get; set; }
    public long WindowReleases { get; set; }

    /// <summary>The part of these waits in which just as much was in flight as slow start allows, nanoseconds.</summary>
    public long SlowStartNs { get; set; }

    /// <summary>Idle waits for ACKs with the window open and data waiting.</summary>
    public long CongestionWaits { get; set; }

    /// <summary>
    /// The same and those that ended up to a round trip behind the ACK, and how long all of them took, nanoseconds: also while a queue on the path still
    /// carried what had been sent before.
    /// </summary>
    public long Stops { get; private set; }
    public long StopsNs { get; private set; }

    /// <summary>Pure ACKs of several full segments that this end held back.</summary>
    public long StretchedAcks { get; set; }

    /// <summary>
    /// Waits of this end's data for such an ACK of the peer; those where the path may have been slow instead; and those of them where the ACK covered
    /// more than two segments.
    /// </summary>
    public long StretchWaits { get; set; }
    public long UnsureStretchWaits { get; set; }
    public long UnsureLongWaits { get; set; }

    /// <summary>Waits for a late pure ACK, and the amount in flight at the last of them, bytes.</summary>
    public long SendBufferWaits { get; set; }
    public int SendBufferBytes { get; set; }

    /// <summary>Those with the same amount in flight as the wait before, to within one segment.</summary>
    public long SendBufferRepeats { get; set; }

    /// <summary>
    /// Waits until everything was acknowledged, with no late ACK, where neither window asked for it; the bytes that this end sent from one such wait
    /// to the next, and how many times they were as many as before.
    /// </summary>
    public long Drains { get; set; }
    public int DrainBytes { get; set; }
    public long DrainRepeats { get; set; }

    /// <summary>The least scale of this end's window that the peer's data shows, where the handshake was not captured.</summary>
    public int LeastScale { get; set; }

    /// <summary>How fast the path delivered this end's data where a window or a buffer held it back: bytes, and the time that each of them took.</summary>
    public CompactList<(float NsPerByte, int Bytes)> Delivered;

    /// <summary>How many times this end continued by itself after a pause in its message, without an ACK that released the data.</summary>
    public long OwnPauses { get; set; }

    /// <summary>
    /// How many waits for an ACK, for each pause of its own, show that an end waits for ACKs. An end that pauses by itself meets an ACK now and then.
    /// </summary>
    public const int LeastOfPauses = 2;

    /// <summary>How many show it for sure.</summary>
    public const int SureOfPauses = 4;

    /// <summary>Largest amount in flight that was not lost, bytes.</summary>
    public int LargestFlight { get; set; }

    /// <summary>Time owned by stalls of this end's data of any kind, nanoseconds.</summary>
    public long AllOwnedNs => _stalls is null ? 0 : _stalls.Sum();

    /// <summary>Time owned by one kind of stall of this end's data, nanoseconds.</summary>
    public long OwnedNs(StallKind kind) => _stalls is null ? 0 : _stalls[(int)kind];

    /// <summary>Number of stalls of one kind that lasted 100 ms or more.</summary>
    public long LongStalls(StallKind kind) => _longStalls is null ? 0 : _longStalls[(int)kind];

    /// <summary>Excess of the round trip over the base while data was queued: samples, and the time they stand for.</summary>
    public long BloatNs { get; set; }
    public CompactList<long> ExcessNs;

    /// <summary>Times of actions that are due at once, nanoseconds: completing the handshake, sending again what the peer missed.</summary>
    public CompactList<long> PromptNs;

    /// <summary>The shortest of every few answers of this end, whatever they carried, with their times: for a tap beyond the queue.</summary>
    public CompactList<(long LeastNs, long StartNs, long EndNs)> Answers;

    /// <summary>The same by timestamp echoes, for a tap behind the queue.</summary>
    public CompactList<long> EchoExcessNs;

    /// <summary>Adds a wait for an ACK with the window open and data waiting.</summary>
    public void AddStop(long ns) => (Stops, StopsNs) = (Stops + 1, StopsNs + ns);

    /// <summary>
    /// Takes over what was left unanswered at the end of the connection. No ACK that asked for it has repaired anything then. And a receiver whose ACKs never
    /// took as long would have sent one for what came again.
    /// </summary>
    public void Leave(in LossState loss, bool oneSided, bool showsDamage)
    {
        const int Fewest = 3;
        (LostBeyondTap, LostDamaged) = showsDamage ? (LostBeyondTap, LostDamaged) : (LostBeyondTap + LostDamaged, 0);
        DroppedByReceiver = Math.Max(0, DroppedByReceiver - LostDamaged);
        bool sooner = loss.OddAcks >= Fewest && loss.LeastUnprovenNs > loss.LongestOddNs * 5 / 4;
        UnprovenLosses = sooner ? 0 : UnprovenLosses;
        Ids = (loss.Numbers.FirstId, loss.Numbers.LastId);
        (Unrepaired, PeerHeard, Refused, Closed) = (loss.Unrepaired(oneSided), loss.PeerHeard, loss.Refused, loss.Closed);
        if (PeerHeard && loss.Unanswered >= LossState.Several)
        {
            FastRetransmissions -= loss.UnansweredFast;
            Timeouts += loss.UnansweredFast;
        }
    }

    /// <summary>What was taken for losses that a timer repaired were copies of data that had arrived.</summary>
    public void LostNothing()
    {
        SpuriousRetransmissions += Timeouts;
        LostBeyondTap -= Timeouts;
        (Timeouts, HastyRepeats, Unrepaired) = (0, 0, 0);
        Disown(StallKind.LossRto);
    }

    /// <summary>What was taken for lost ends of messages were packets of another connection.</summary>
    public void LostNoTails()
    {
        (TailLosses, LongestTailLossNs) = (0, 0);
        Disown(StallKind.TailLoss);
    }

    /// <summary>Connecting took no longer because of a loss.</summary>
    public void LostNoSyn(long ns)
    {
        _stalls![(int)StallKind.LossRto] -= ns;
        if (ns >= LongStallNs)
        {
            _longStalls![(int)StallKind.LossRto]--;
        }
    }

    private void Disown(StallKind kind)
    {
        if (_stalls is not null)
        {
            _stalls[(int)kind] = 0;
        }

        if (_longStalls is not null)
        {
            _longStalls[(int)kind] = 0;
        }
    }

    /// <summary>Adds a piece of time that a stall owns.</summary>
    public void AddOwned(StallKind kind, long ns)
    {
        _stalls ??= new long[Kinds];
        _stalls[(int)kind] += ns;
        if (ns >= LongStallNs)
        {
            _longStalls ??= new int[Kinds];
            _longStalls[(int)kind]++;
        }
    }

    /// <summary>Frees unused memory, after the connection's last packet.</summary>
    public void Trim()
    {
        Holds.Trim();
        ExcessNs.Trim();
        PromptNs.Trim();
        Answers.Trim();
        EchoExcessNs.Trim();
        Delivered.Trim();
    }
}
