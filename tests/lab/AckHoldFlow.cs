namespace LatencyTuner.Lab;

/// <summary>What <see cref="AckHoldStage"/> remembers of one connection.</summary>
internal sealed class AckHoldFlow
{
    // A host that stops acknowledging would otherwise grow the list without limit.
    private const int MaxPending = 4096;
    private readonly List<Arrival> _pending = [];
    private uint _highestEnd;
    private bool _hasHighestEnd;
    private uint _acknowledged;
    private bool _hasAcknowledged;

    /// <summary>The kept ACK.</summary>
    public FrameBuffer? Held { get; set; }

    /// <summary>Changes whenever <see cref="Held"/> is set anew or cleared, which makes an older timer void.</summary>
    public int Generation { get; set; }

    public static bool IsAfter(uint a, uint b) => unchecked((int)(a - b)) > 0;

    public void Restart(uint highestEnd)
    {
        _pending.Clear();
        _highestEnd = highestEnd;
        _hasHighestEnd = true;
        _hasAcknowledged = false;
    }

    public void Delivered(in TcpFrame tcp, long nowNs)
    {
        uint end = tcp.EndSequence;
        // RFC 5681 section 4.2: a segment out of order, or one that fills a gap, is acknowledged at once. So are FIN and old data.
        bool atOnce = tcp.Has(TcpControl.Fin) || (_hasHighestEnd && tcp.Sequence != _highestEnd);
        if (_pending.Count == MaxPending)
        {
            _pending.RemoveAt(0);
        }

        _pending.Add(new Arrival(end, nowNs, atOnce));
        if (!_hasHighestEnd || IsAfter(end, _highestEnd))
        {
            _highestEnd = end;
        }

        _hasHighestEnd = true;
    }

    /// <summary>Whether the number says more than the last one that left.</summary>
    public bool Advances(uint acknowledgement) => _hasAcknowledged && IsAfter(acknowledgement, _acknowledged);

    /// <summary>What an ACK with this number would cover that no ACK has covered yet.</summary>
    public (int Segments, bool AtOnce, long OldestNs) Covered(uint acknowledgement)
    {
        int segments = 0;
        bool atOnce = false;
        long oldest = long.MaxValue;
        foreach (Arrival arrival in _pending)
        {
            if (IsAfter(arrival.End, acknowledgement))
            {
                continue;
            }

            segments++;
            atOnce |= arrival.AtOnce;
            oldest = Math.Min(oldest, arrival.TimeNs);
        }

        return (segments, atOnce, oldest);
    }

    /// <summary>An ACK with this number leaves the host.</summary>
    public void Acknowledge(uint acknowledgement)
    {
        if (!_hasAcknowledged || IsAfter(acknowledgement, _acknowledged))
        {
            _acknowledged = acknowledgement;
        }

        _hasAcknowledged = true;
        int kept = 0;
        for (int i = 0; i < _pending.Count; i++)
        {
            if (IsAfter(_pending[i].End, acknowledgement))
            {
                _pending[kept++] = _pending[i];
            }
        }

        _pending.RemoveRange(kept, _pending.Count - kept);
    }

    private readonly record struct Arrival(uint End, long TimeNs, bool AtOnce);
}
