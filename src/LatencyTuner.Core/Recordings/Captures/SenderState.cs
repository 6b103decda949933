namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>What a sender has sent and knows about its peer, in the sender's own view of time.</summary>
internal struct SenderState
{
    public SenderState()
    {
    }

    public bool Started;
    public bool AckKnown;
    public uint Next;
    public uint Acknowledged;

    public bool WindowKnown;
    public uint WindowRight;
    public uint LargestWindow;

    /// <summary>Since when the peer's window has been closed; 0 when open. The last closed interval is kept until it shows whether data follows.</summary>
    public long ClosedNs;
    public bool Probed;

    /// <summary>When the first probe of that window left, and how long after it the second one, nanoseconds; 0 before.</summary>
    public long FirstProbeNs;
    public long ProbesApartNs;
    public long OpenedNs;
    public long ClosedForNs;

    /// <summary>Since when less than a segment fits into the window; and the last such interval, kept until it shows whether data follows.</summary>
    public long LimitedNs;
    public long LimitedStartNs;
    public long RaisedNs;

    /// <summary>True when the peer had acknowledged everything for long before it raised the window: its application had not read it.</summary>
    public bool RaisedByReader;

    /// <summary>How often data came later than usual after the ACK that let it go.</summary>
    public long LateReleases;

    /// <summary>Away from the sender: true when the next data may have waited for the window.</summary>
    public bool MayBeAtEdge;

    /// <summary>What still fitted into the window before it was raised, bytes; below 0 when the real window was larger than its known part.</summary>
    public int LimitedRoom;

    /// <summary>End of the last small segment.</summary>
    public bool AnySmall;
    public uint SmallEnd;

    /// <summary>The last new data sent; true when a small segment before it was unacknowledged, so that Nagle's algorithm held a small one behind it.</summary>
    public long SentNs;
    public uint SentFrame;
    public int SentLength;
    public uint SentAcknowledgement;
    public uint SentEcho;

    /// <summary>True when the last packet of the peer, as it was captured, reset the connection: nobody waits for what still comes.</summary>
    public bool PeerReset;

    /// <summary>
    /// True when a full segment was sent last without the push flag, by a sender that pushes: more data was waiting behind it (RFC 9293 3.9.1.2).
    /// </summary>
    public bool SentMore;
    public bool Pushes;
    public bool SentBehindSmall;

    /// <summary>When it last sent data again after the silence of a timer: it had waited for that, and for no window.</summary>
    public long RepeatedNs;

    /// <summary>When the sender fell silent: as <see cref="SentNs"/>, but a tail-loss probe does not count.</summary>
    public long SilentNs;

    /// <summary>The last packet, of either end, before which bytes are missing in the capture: what spans it is unknown. 0 for none.</summary>
    public long GapNs;

    /// <summary>The last data from the peer, and the first since the last data sent.</summary>
    public long PeerDataNs;
    public uint PeerEnd;
    public long PeerFirstNs;
    public uint PeerFirstEnd;

    /// <summary>True when data of the peer reached this sender after it sent the last data.</summary>
    public bool PeerSince;

    /// <summary>Where the first message in that data ends, by its push flag; <see cref="PeerFirstEnd"/> until that has come.</summary>
    public uint PeerMessageEnd;
    public bool PeerPushed;

    /// <summary>
    /// What this sender's application took at least to answer data of the peer, nanoseconds, and the number of such answers: those alone that nothing can
    /// have held, because all data before them had been acknowledged before the peer's came.
    /// </summary>
    public long LeastAnswerNs = long.MaxValue;
    public int FreeAnswers;

    /// <summary>The last ACK that advanced, and whether data has followed it yet.</summary>
    public bool Answered = true;
    public long AckNs;
    public uint AckFrame;
    public uint AckSequence;
    public uint AckTimestamp;
    public bool AckPure;
    public bool AckLate;
    public bool AckEmptied;
    public long AckDelayNs;

    /// <summary>How long the peer held this ACK of several segments, nanoseconds; 0 when it did not. Whether the path may have been slow instead.</summary>
    public long AckStretchedNs;
    public bool AckStretchUnsure;

    /// <summary>How long ago a prompt ACK of the same burst would have come, nanoseconds.</summary>
    public long AckDueNs;

    /// <summary>How much longer than the shortest round trip what it acknowledges took, nanoseconds: a queue on the path.</summary>
    public long AckQueuedNs;
    public int FlightBefore;
    public bool SmallBefore;
    public int RoomBefore;

    /// <summary>The first ACK after the last data sent: when, and what was in flight before it.</summary>
    public long FirstAckNs;
    public int FlightBeforeFirst;

    public int TinygramRun;

    /// <summary>What slow start allows this sender.</summary>
    public SlowStart SlowStart;

    /// <summary>Sequence number at which the sender last went on after everything had been acknowledged.</summary>
    public uint DrainedAt;
    public long DrainedNs;
    public bool Drained;

    /// <summary>A probe of the peer's closed window.</summary>
    public void Probe(long timeNs)
    {
        (FirstProbeNs, ProbesApartNs) = FirstProbeNs == 0 ? (timeNs, 0) : (FirstProbeNs, ProbesApartNs == 0 ? timeNs - FirstProbeNs : ProbesApartNs);
        Probed = true;
    }

    /// <summary>
    /// Since when data waited for a window that was closed, nanoseconds: the first wait for a probe is no longer than the next one (RFC 9293 3.8.6.1), so
    /// before a first probe that comes much later there was nothing to send.
    /// </summary>
    /// <param name="closedNs">When it was closed, nanoseconds.</param>
    public readonly long WaitedSinceNs(long closedNs) =>
        ProbesApartNs > 0 && FirstProbeNs - closedNs > 2 * ProbesApartNs ? FirstProbeNs - ProbesApartNs : closedNs;
}
