namespace LatencyTuner.Core.Analysis.Traces;

/// <summary>
/// The sending half of one connection by the events of Microsoft-Windows-TCPIP: posted (1159), sent (1332), acknowledged (1330). Data is held by
/// Nagle's algorithm (RFC 1122 4.2.3.4) when it is small, was posted behind unacknowledged data, both windows had room, and it leaves as soon as
/// the acknowledgement empties the pipe. Resting on the manifests: that a post is written before what it sends, and what the numbers of 1330 count.
/// </summary>
internal sealed class TraceSender
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

    public long CongestionLimited { get; private set; }

    public long CongestionLimitedNs { get; private set; }

    /// <summary>Shortest time from sent to acknowledged, nanoseconds; null when none was seen.</summary>
    public long? BaseNs { get; private set; }

    public long LastSentNs { get; private set; } = Unseen;

    /// <summary>True when small data waits for the peer as a rule: not on a connection that sends it behind other small data.</summary>
    public bool MayHold => Violations <= 0.1 * (Holds.Count + MoreHolds);

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
            Release(now, length);
            Pending = Math.Max(Pending - advance, 0);
        }

        if (Outstanding == 0)
        {
            _una = sequence;
            _firstUnackedNs = now;
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
        _ackedSentNs = _firstUnackedNs;
        long taken = now - _firstUnackedNs;
        BaseNs = Math.Min(BaseNs ?? taken, taken);
        _firstUnackedNs = now;
    }

    private void Wait(long now, ulong bytes)
    {
        (_pendingSinceNs, _behind) = (now, Outstanding > 0);
        long next = Outstanding + (long)Math.Min(bytes, Mss);
        _limit = !_windowsKnown ? Limit.Unknown : next > _window ? Limit.Receiver : next > _cwnd ? Limit.Congestion : Limit.None;
    }

    private void Release(long now, uint length)
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
                break;
            case Limit.Congestion when byAck:
                (CongestionLimited, CongestionLimitedNs) = (CongestionLimited + 1, CongestionLimitedNs + waited);
                break;
            case Limit.None when byAck && _emptied && Outstanding == 0 && length < Mss:
                Keep(new TraceHold(_ackedSentNs, _pendingSinceNs, _ackNs, now, length));
                break;
            case Limit.None when Outstanding > 0 && length < Mss && _lastLength < Mss:
                Violations++;
                break;
        }
    }

    private void Keep(TraceHold hold)
    {
        if (Holds.Count < MostHolds)
        {
            Holds.Add(hold);
        }
        else
        {
            MoreHolds++;
        }
    }
}
