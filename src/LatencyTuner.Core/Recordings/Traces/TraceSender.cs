namespace LatencyTuner.Core.Recordings.Traces;

/// <summary>
/// The sending half of one connection by the events of Microsoft-Windows-TCPIP: posted (1159), sent (1332), acknowledged (1330). Nagle's algorithm
/// (RFC 1122 4.2.3.4) holds data when it is small, was posted behind unacknowledged data, both windows had room, and it is sent as soon as all earlier
/// data is acknowledged. Behind a filter that inspects streams, the same bytes are posted and later injected (1159 as well): they count once.
/// Assumed from the manifests: a post is written before the send that it causes, and what the numbers of event 1330 count.
/// </summary>
internal sealed class TraceSender(RetentionBudget budget)
{
    /// <summary>The most holds that are kept one by one; the others are only counted.</summary>
    public const int MostHolds = 20_000;

    // Between the ACK and the data that it released there is only the stack's own work.
    private const long ReleaseNs = 1_000_000;
    private const long Unseen = long.MinValue;

    // The largest window that TCP has (RFC 7323 2.3).
    private const uint MostOutstanding = 1u << 30;

    private bool _started;
    private uint _max;
    private uint _una;
    private long _firstUnackedNs;
    private uint _lastLength;
    private bool _lastSmall;
    private long _fullWaits;
    private long _pendingSinceNs;
    private bool _behind;
    private bool _filtered;
    private long _atFilter;
    private Limit _limit;
    private uint _cwnd;
    private uint _window;
    private bool _windowsKnown;
    private long _trainBytes;
    private long _trainNs;
    private long _ackNs = Unseen;
    private long _ackedSentNs;
    private bool _emptied;
    private uint _firstSequence;
    private uint _ackedSequence;
    private int _holdsBefore;
    private long _violationsBefore;
    private bool _mayHoldBefore;
    private int _duplicateAcks;
    private uint _waitWindow;
    private uint _waitCwnd;
    private long _waitOutstanding;

    private enum Limit
    {
        Unknown,
        None,
        Receiver,
        Congestion,
    }

    /// <summary>What is known of the size of full segments.</summary>
    public SegmentSize Size { get; } = new();

    /// <summary>Bytes posted but not yet sent.</summary>
    public long Pending { get; private set; }

    public long Posts { get; private set; }

    /// <summary>Bytes sent but not acknowledged.</summary>
    public long Outstanding => _started ? Math.Max((int)(_max - _una), 0) : 0;

    public List<TraceHold> Holds { get; } = [];

    public long MoreHolds { get; private set; }

    /// <summary>Number of small segments sent while small data was unacknowledged: TCP_NODELAY, or something with the same effect.</summary>
    public long Violations { get; private set; }

    public long ReceiverLimited { get; private set; }

    public long ReceiverLimitedNs { get; private set; }

    public TraceExample? LongestReceiverWait { get; private set; }

    public TraceExample? LongestCongestionWait { get; private set; }

    public long CongestionLimited { get; private set; }

    public long CongestionLimitedNs { get; private set; }

    /// <summary>Shortest time from sending data to its ACK, nanoseconds; null when none was seen.</summary>
    public long? BaseNs { get; private set; }

    public long LastSentNs { get; private set; } = Unseen;

    /// <summary>True when small data usually waits for the peer; false for a connection that sends small data behind other small data.</summary>
    public bool MayHold => _mayHoldBefore || MayHoldNow;

    /// <summary>How long all held data waited in all, nanoseconds.</summary>
    public long HeldNs { get; private set; }

    /// <summary>When the last ACK came, nanoseconds since 1970; null when none came.</summary>
    public long? LastAckNs => _ackNs == Unseen ? null : _ackNs;

    /// <summary>Sequence number of the oldest unacknowledged data; null when all is acknowledged.</summary>
    public uint? UnackedSequence => Outstanding > 0 ? _una : null;

    /// <summary>
    /// The time of each byte on the path by the ACKs that follow each other within a third of the shortest round trip, nanoseconds; 0 when unknown.
    /// </summary>
    public double NsPerByte => _trainBytes == 0 ? 0 : (double)_trainNs / _trainBytes;

    /// <summary>When the oldest unacknowledged data was sent, or when the data before it was acknowledged, if later; null when all is acknowledged.</summary>
    public long? UnackedSinceNs => Outstanding > 0 ? _firstUnackedNs : null;

    /// <summary>True when both windows have room for another segment; null while the windows are unknown.</summary>
    public bool? HasRoom => !_windowsKnown ? null : Outstanding + Math.Min(Size.Probable, Math.Max(Pending, 1)) <= Math.Min(_window, _cwnd);

    /// <summary>True when at least three duplicate ACKs came since the last ACK of new data: then RFC 5681 sends again.</summary>
    public bool LossSignalled => _duplicateAcks >= 3;

    // Where full segments wait for the ACK as often as small ones do, something else than Nagle's algorithm spaces them.
    private bool MayHoldNow => Violations - _violationsBefore <= 0.1 * (Holds.Count + MoreHolds - _holdsBefore) && _fullWaits <= Holds.Count + MoreHolds;

    /// <summary>Holds that no later small segment behind small data disproves, nor the size of full segments, which may have become known later.</summary>
    public IEnumerable<TraceHold> Believed => Holds.Where((h, i) => (i < _holdsBefore ? _mayHoldBefore : MayHoldNow) && IsSmall(h) != false)
        .Select(h => h with { SizeUnknown = IsSmall(h) is null });

    /// <summary>TCP_NODELAY was set or cleared: from now on the connection may behave differently.</summary>
    public void OptionTouched()
    {
        _mayHoldBefore = Holds.Count > 0 && (_mayHoldBefore || MayHoldNow);
        (_holdsBefore, _violationsBefore) = (Holds.Count, Violations);
    }

    /// <summary>A duplicate ACK came.</summary>
    public void Duplicated() => _duplicateAcks++;

    /// <summary>Data of the peer came: it answers the data that was held last.</summary>
    public void Answered(long now)
    {
        if (Holds.Count > 0 && Holds[^1] is { AnsweredNs: 0 } last)
        {
            Holds[^1] = last with { AnsweredNs = now };
        }
    }

    public void Posted(long now, ulong bytes)
    {
        if (Pending > 0 && Outstanding == 0 && HasRoom != false && now - Math.Max(_ackNs, _pendingSinceNs) > ReleaseNs)
        {
            // TCP would have sent it: a filter took these bytes, or the trace lacks their transmission.
            (Pending, _atFilter) = (0, 0);
        }

        if (Pending == 0)
        {
            Wait(now, bytes);
        }

        Posts++;
        long posted = (long)Math.Min(bytes, int.MaxValue);
        Pending += posted;
        _atFilter += _filtered ? posted : 0;
    }

    /// <summary>A filter of the machine, such as a firewall, hands TCP data that it took after it was posted: TCP can hold the data only from now on.</summary>
    public void Injected(long now, ulong bytes)
    {
        long injected = (long)Math.Min(bytes, int.MaxValue);
        (_filtered, _atFilter) = (true, _filtered ? _atFilter : Pending);
        bool alone = Pending <= _atFilter;
        _atFilter = Math.Max(_atFilter - injected, 0);
        Pending = Math.Max(Pending, injected);
        if (alone)
        {
            Wait(now, bytes);
        }
    }

    public void Sent(long now, uint sequence, uint length, uint cwnd, uint window)
    {
        if (!_started)
        {
            (_started, _max, _una) = (true, sequence, sequence);
        }

        int advance = (int)(sequence + length - _max);
        if (advance <= 0)
        {
            return;
        }

        bool more = Pending > advance;
        bool small = (!more || length < SegmentSize.Least) && Size.IsSmall(length, _lastLength) != false;
        Size.Sent(length, Math.Min(window, cwnd) - Outstanding - advance, more);
        if (Pending > 0)
        {
            Release(now, sequence, length, small);
            Pending = Math.Max(Pending - advance, 0);
            _atFilter = Math.Min(_atFilter, Pending);
        }

        if (Outstanding == 0)
        {
            _una = sequence;
            _firstUnackedNs = now;
            _firstSequence = sequence;
        }

        (_max, _lastLength, _lastSmall, LastSentNs, _emptied) = (sequence + length, length, small, now, false);
        (_cwnd, _window, _windowsKnown) = (cwnd, window, true);
        if (Pending > 0)
        {
            Wait(now, (ulong)Pending);
        }
    }

    public void Acknowledged(long now, ulong bytes, uint cwnd, uint window)
    {
        (_cwnd, _window, _windowsKnown) = (cwnd, window, true);
        if (!_started || bytes == 0 || Outstanding == 0)
        {
            return;
        }

        long acknowledged = (long)Math.Min(bytes, (ulong)Outstanding);
        if (3 * (now - _ackNs) <= BaseNs)
        {
            (_trainBytes, _trainNs) = (_trainBytes + acknowledged, _trainNs + now - _ackNs);
        }

        _una += (uint)acknowledged;
        _emptied = Outstanding == 0;
        _ackNs = now;
        _duplicateAcks = 0;
        _ackedSequence = _firstSequence;
        _firstSequence = _una;
        _ackedSentNs = _firstUnackedNs;
        long taken = now - _firstUnackedNs;
        BaseNs = Math.Min(BaseNs ?? taken, taken);
        _firstUnackedNs = now;
    }

    /// <summary>Takes over SND.UNA as an event says it: events of ACKs may be missing, or two events may report one ACK.</summary>
    public void Resynchronise(uint unacknowledged)
    {
        if (_started && unacknowledged != _una && _max - unacknowledged <= MostOutstanding)
        {
            (_una, _firstSequence, _firstUnackedNs, _emptied) = (unacknowledged, unacknowledged, LastSentNs, false);
        }
    }

    private void Wait(long now, ulong bytes)
    {
        (_pendingSinceNs, _behind) = (now, Outstanding > 0);
        (_waitWindow, _waitCwnd, _waitOutstanding) = (_window, _cwnd, Outstanding);
        long least = Outstanding + (long)Math.Min(bytes, Size.Fits);
        long most = Outstanding + (long)Math.Min(bytes, Size.Probable);
        _limit = !_windowsKnown ? Limit.Unknown : least > _window ? Limit.Receiver : least > _cwnd ? Limit.Congestion
            : most > Math.Min(_window, _cwnd) ? Limit.Unknown : Limit.None;
    }

    private void Release(long now, uint sequence, uint length, bool small)
    {
        long waited = now - _pendingSinceNs;
        if (!_behind || waited <= 0)
        {
            return;
        }

        bool byAck = _ackNs >= _pendingSinceNs && now - _ackNs <= ReleaseNs;
        switch (_limit)
        {
            case Limit.Receiver when byAck:
                (ReceiverLimited, ReceiverLimitedNs) = (ReceiverLimited + 1, ReceiverLimitedNs + waited);
                LongestReceiverWait = TraceExample.Longer(LongestReceiverWait, Waited(now, sequence, length, _waitWindow));
                break;
            case Limit.Congestion when byAck:
                (CongestionLimited, CongestionLimitedNs) = (CongestionLimited + 1, CongestionLimitedNs + waited);
                LongestCongestionWait = TraceExample.Longer(LongestCongestionWait, Waited(now, sequence, length, _waitCwnd));
                break;
            case Limit.None when byAck && _emptied && Outstanding == 0 && small:
                HeldNs += waited;
                Keep(
                    new TraceHold(_ackedSentNs, _pendingSinceNs, _ackNs, now, length)
                    {
                        FirstSequence = _ackedSequence,
                        Sequence = sequence,
                        BytesBefore = _lastLength,
                        Cwnd = _waitCwnd,
                        Window = _waitWindow,
                    });
                break;
            case Limit.None when byAck && _emptied && Outstanding == 0:
                _fullWaits++;
                break;
            case Limit.None when Outstanding > 0 && small && _lastSmall:
                Violations++;
                break;
        }
    }

    private bool? IsSmall(in TraceHold hold) => Size.IsSmall((uint)hold.Bytes, hold.BytesBefore);

    private TraceExample Waited(long now, uint sequence, uint length, uint window) =>
        new(_pendingSinceNs, now) { Sequence = sequence, Bytes = length, Outstanding = _waitOutstanding, Window = window };

    private void Keep(TraceHold hold)
    {
        if (Holds.Count < MostHolds && budget.Take())
        {
            Holds.Add(hold);
        }
        else
        {
            MoreHolds++;
        }
    }
}
