namespace LatencyTuner.Lab;

/// <summary>One direction of the link: decides when a frame arrives, or that it does not. Has no clock and no I/O; not thread-safe.</summary>
public sealed class LinkDirection
{
    private readonly LinkSpec _spec;
    private readonly Random _random;
    private readonly long _delayNs;
    private readonly double _jitterNs;
    private readonly long _reorderNs;
    private readonly double _nsPerByte;
    private double _freeNs;
    private long _lastNs;

    /// <summary>Creates the direction.</summary>
    /// <param name="spec">Its properties.</param>
    /// <param name="seed">The same seed and frames give the same decisions.</param>
    /// <exception cref="ArgumentOutOfRangeException">A value of <paramref name="spec"/> is out of its range.</exception>
    public LinkDirection(LinkSpec spec, int seed)
    {
        spec.Validate();
        _spec = spec;
        _random = new Random(seed);
        _delayNs = (long)(spec.DelayMs * 1e6);
        _jitterNs = spec.JitterMs * 1e6;
        _reorderNs = (long)(spec.ReorderMs * 1e6);
        _nsPerByte = spec.RateBitsPerSecond > 0 ? 8e9 / spec.RateBitsPerSecond : 0;
    }

    /// <summary>Sends a frame into the direction.</summary>
    /// <param name="length">Bytes of the Ethernet frame.</param>
    /// <param name="hasPayload">Whether it is a TCP segment with payload.</param>
    /// <param name="nowNs">Now, nanoseconds.</param>
    /// <param name="dueNs">When it arrives.</param>
    /// <returns>Null, or why it is dropped.</returns>
    public DropReason? Send(int length, bool hasPayload, long nowNs, out long dueNs)
    {
        dueNs = nowNs;
        if (hasPayload && _spec.Loss > 0 && _random.NextDouble() < _spec.Loss)
        {
            return DropReason.Loss;
        }

        if (_nsPerByte > 0)
        {
            double backlogBytes = Math.Max(0, _freeNs - nowNs) / _nsPerByte;
            if (backlogBytes + length > _spec.QueueBytes)
            {
                return DropReason.QueueFull;
            }

            _freeNs = Math.Max(_freeNs, nowNs) + (length * _nsPerByte);
            dueNs = (long)_freeNs;
        }

        dueNs += _delayNs;
        if (_spec.SwingMs > 0)
        {
            dueNs += (long)(_spec.SwingMs * 1e6 * Math.Sin(Math.Tau * nowNs / (_spec.SwingSeconds * 1e9)));
        }

        if (_jitterNs > 0)
        {
            dueNs += (long)(_random.NextDouble() * _jitterNs);
        }

        if (hasPayload && _spec.Reorder > 0 && _random.NextDouble() < _spec.Reorder)
        {
            dueNs += _reorderNs; // not remembered as the last one: those behind may overtake it
            return null;
        }

        dueNs = _lastNs = Math.Max(dueNs, _lastNs);
        return null;
    }
}
