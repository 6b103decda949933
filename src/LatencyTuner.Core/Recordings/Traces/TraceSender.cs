namespace LatencyTuner.Core.Recordings.Traces;

/// <summary>
/// The sending half of one connection by the events of Microsoft-Windows-TCPIP: posted (1159), sent (1332), acknowledged (1330). Data is held by
/// Nagle's algorithm (RFC 1122 4.2.3.4) when it is small, was posted behind unacknowledged data, both windows had room, and it leaves as soon as
/// the acknowledgement empties the pipe. Resting on the manifests: that a post is written before what it sends, and what the numbers of 1330 count.
/// </summary>
internal sealed class TraceSender(RetentionBudget budget)
{
    /// <summary>Holds kept one by one; the count goes on.</summary>
    public const int MostHolds = 20_000;

    // Between the acknowledgement and the data it released lies only the stack's own work.
    private const long ReleaseNs = 1_000_000;
    private const long Unseen = long.MinValue;

    private bool _started;
    private uint _max;
    private uint _una;
    private long _firstUnackedNs;
    private uint _lastLength;
    private long _pendingSinceNs;
    private bool _behind;
    private Limit _limit;
    private uint _cwnd;
    private uint _window;
    private bool _windowsKnown;
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

    /// <summary>Largest payload of a segment that counts as small when below it.</summary>
    public uint Mss { get; set; } = 1460;

    /// <summary>Bytes posted and not yet sent.</summary>
    public long Pending { get; private set; }

    public long Posts { get; private set; }

    /// <summary>Bytes sent and not acknowledged.</summary>
    public long Outstanding => _started ? Math.Max((int)(_max - _una), 0) : 0;

    public List<TraceHold> Holds { get; } = [];

    public long MoreHolds { get; private set; }

    /// <summary>Small segments sent while small data was unacknowledged: TCP_NODELAY, or something that has its effect.</summary>
    public long Violations { get; private set; }

    public long ReceiverLimited { get; private set; }

    public long ReceiverLimitedNs { get; private set; }

    public TraceExample? LongestReceiverWait { get; private set; }

    public TraceExample? LongestCongestionWait { get; private set; }

    public long CongestionLimited { get; private set; }

    public long CongestionLimitedNs { get; private set; }

    /// <summary>Shortest time from sent to acknowledged, nanoseconds; null when none was seen.</summary>
    public long? BaseNs { get; private set; }

    public long LastSentNs { get; private set; } = Unseen;

    /// <summary>True when small data waits for the peer as a rule: not on a connection that sends it behind other small data.</summary>
    public bool MayHold => _mayHoldBefore || MayHoldNow;

    /// <summary>What all holds together cost, nanoseconds.</summary>
    public long HeldNs { get; private set; }

    /// <summary>When the last acknowledgement came; null when none did.</summary>
    public long? LastAckNs => _ackNs == Unseen ? null : _ackNs;

    /// <summary>Sequence number of the oldest unacknowledged data; null when all is acknowledged.</summary>
    public uint? UnackedSequence => Outstanding > 0 ? _una : null;

    /// <summary>When the oldest unacknowledged data was sent, or waited for since its predecessor was acknowledged; null when all is acknowledged.</summary>
    public long? UnackedSinceNs => Outstanding > 0 ? _firstUnackedNs : null;

    /// <summary>Room for another segment; null while the windows are unknown.</summary>
    public bool? HasRoom => !_windowsKnown ? null : Outstanding + Math.Min(Mss, Math.Max(Pending, 1)) <= Math.Min(_window, _cwnd);

    /// <summary>At least three duplicate ACKs came since the last one that acknowledged something: what RFC 5681 retransmits upon.</summary>
    public bool LossSignalled => _duplicateAcks >= 3;

    private bool MayHoldNow => Violations - _violationsBefore <= 0.1 * (Holds.Count + MoreHolds - _holdsBefore);

    /// <summary>Holds that no later sending behind small data disproves.</summary>
    public IEnumerable<TraceHold> Believed => Holds.Where((_, i) => i < _holdsBefore ? _mayHoldBefore : MayHoldNow);

    /// <summary>TCP_NODELAY was set or cleared: from here on the connection may behave otherwise.</summary>
    public void OptionTouched()
    {
        _mayHoldBefore = Holds.Count > 0 && (_mayHoldBefore || MayHoldNow);
        (_holdsBefore, _violationsBefore) = (Holds.Count, Violations);
    }

    /// <summary>A duplicate ACK came.</summary>
    public void Duplicated() => _duplicateAcks++;

    /// <summary>The peer's data came: what was held last has its answer.</summary>
    public void Answered(long now)
    {
        if (Holds.Count > 0 && Holds[^1] is { AnsweredNs: 0 } last)
        {
            Holds[^1] = last with { AnsweredNs = now };
        }
    }

    public void Posted(long now, ulong bytes)
    {
        if (Pending == 0)
        {
            Wait(now, bytes);
        }

        Posts++;
        Pending += (long)Math.Min(bytes, int.MaxValue);
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

        if (Pending > 0)
        {
            Release(now, sequence, length);
            Pending = Math.Max(Pending - advance, 0);
        }

        if (Outstanding == 0)
        {
            _una = sequence;
            _firstUnackedNs = now;
            _firstSequence = sequence;
        }

        (_max, _lastLength, LastSentNs, _emptied) = (sequence + length, length, now, false);
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

        _una += (uint)Math.Min(bytes, (ulong)Outstanding);
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

    private void Wait(long now, ulong bytes)
    {
        (_pendingSinceNs, _behind) = (now, Outstanding > 0);
        (_waitWindow, _waitCwnd, _waitOutstanding) = (_window, _cwnd, Outstanding);
        long next = Outstanding + (long)Math.Min(bytes, Mss);
        _limit = !_windowsKnown ? Limit.Unknown : next > _window ? Limit.Receiver : next > _cwnd ? Limit.Congestion : Limit.None;
    }

    private void Release(long now, uint sequence, uint length)
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
            case Limit.None when byAck && _emptied && Outstanding == 0 && length < Mss:
                HeldNs += waited;
                Keep(
                    new TraceHold(_ackedSentNs, _pendingSinceNs, _ackNs, now, length)
                    {
                        FirstSequence = _ackedSequence,
                        Sequence = sequence,
                        Cwnd = _waitCwnd,
                        Window = _waitWindow,
                    });
                break;
            case Limit.None when Outstanding > 0 && length < Mss && _lastLength < Mss:
                Violations++;
                break;
        }
    }

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
