namespace LatencyTuner.Lab;

/// <summary>
/// The delayed-ACK receiver at one host: sees what is delivered to the host and decides whether what the host sends may leave now.
/// Has no clock and no I/O; not thread-safe.
/// </summary>
public sealed class AckHoldStage
{
    // SYN starts a flow anew, so forgetting an idle one costs at most one ACK that is not delayed.
    private const int MaxFlows = 65_536;
    private readonly Dictionary<FlowKey, AckHoldFlow> _flows = [];
    private readonly PriorityQueue<(AckHoldFlow Flow, int Generation), long> _timers = new();
    private readonly FramePool _pool;
    private readonly long _timerNs;
    private readonly long _tickNs;
    private readonly int _segmentsPerAck;

    /// <summary>Creates the stage.</summary>
    /// <param name="spec">The receiver.</param>
    /// <param name="pool">Where ACKs that became superfluous are returned.</param>
    /// <exception cref="ArgumentOutOfRangeException">A value of <paramref name="spec"/> is out of its range.</exception>
    public AckHoldStage(AckHoldSpec spec, FramePool pool)
    {
        spec.Validate();
        _pool = pool;
        _timerNs = (long)(spec.TimerMs * 1e6);
        _tickNs = (long)(spec.TickMs * 1e6);
        _segmentsPerAck = spec.SegmentsPerAck;
    }

    /// <summary>How many ACKs were kept back, including those that data or a second segment overtook.</summary>
    public long Held { get; private set; }

    /// <summary>How many kept ACKs left because their timer ran out.</summary>
    public long Expired { get; private set; }

    /// <summary>When the next kept ACK leaves, nanoseconds; <see cref="long.MaxValue"/> where none is kept.</summary>
    public long NextDueNs
    {
        get
        {
            while (_timers.TryPeek(out (AckHoldFlow Flow, int Generation) timer, out long due))
            {
                if (timer.Generation == timer.Flow.Generation)
                {
                    return due;
                }

                _timers.Dequeue();
            }

            return long.MaxValue;
        }
    }

    /// <summary>Tells the stage that a frame reaches the host. The frame is not kept.</summary>
    /// <param name="frame">Any frame.</param>
    /// <param name="nowNs">Now, nanoseconds of a monotonic clock.</param>
    public void OnDelivered(FrameBuffer frame, long nowNs)
    {
        if (!frame.IsTcp)
        {
            return;
        }

        ref readonly TcpFrame tcp = ref frame.Tcp;
        FlowKey key = FlowKey.OfDelivered(tcp);
        if (tcp.Has(TcpControl.Rst))
        {
            Forget(key);
        }
        else if (tcp.Has(TcpControl.Syn))
        {
            Restart(key, tcp.EndSequence);
        }
        else if (tcp.PayloadLength > 0 || tcp.Has(TcpControl.Fin))
        {
            FlowOf(key).Delivered(tcp, nowNs);
        }
    }

    /// <summary>Asks whether a frame the host sends may leave now.</summary>
    /// <param name="frame">Any frame. If it is kept, the stage owns it until <see cref="TryRelease"/>.</param>
    /// <param name="nowNs">Now, nanoseconds of the same clock.</param>
    /// <returns>True: it leaves now. False: the stage keeps it.</returns>
    public bool OnSent(FrameBuffer frame, long nowNs)
    {
        if (!frame.IsTcp)
        {
            return true;
        }

        ref readonly TcpFrame tcp = ref frame.Tcp;
        FlowKey key = FlowKey.OfSent(tcp);
        if (tcp.Has(TcpControl.Rst))
        {
            Forget(key);
            return true;
        }

        if (!tcp.Has(TcpControl.Ack))
        {
            return true;
        }

        AckHoldFlow flow = FlowOf(key);
        bool isPure = tcp.PayloadLength == 0 && (tcp.Flags & (TcpControl.Syn | TcpControl.Fin)) == 0;
        if (isPure && Keep(flow, frame, nowNs))
        {
            return false;
        }

        Acknowledge(flow, tcp.Acknowledgement);
        return true;
    }

    /// <summary>Takes a kept ACK whose time has come.</summary>
    /// <param name="nowNs">Now.</param>
    /// <param name="frame">The ACK, which now belongs to the caller.</param>
    /// <returns>False where none is due.</returns>
    public bool TryRelease(long nowNs, out FrameBuffer frame)
    {
        frame = null!;
        if (NextDueNs > nowNs)
        {
            return false;
        }

        AckHoldFlow flow = _timers.Dequeue().Flow;
        frame = flow.Held!;
        flow.Held = null;
        flow.Generation++;
        flow.Acknowledge(frame.Tcp.Acknowledgement);
        Expired++;
        return true;
    }

    private bool Keep(AckHoldFlow flow, FrameBuffer frame, long nowNs)
    {
        uint number = frame.Tcp.Acknowledgement;
        if (!flow.Advances(number))
        {
            return false; // duplicate ACK, window update, keep-alive answer
        }

        (int segments, bool atOnce, long oldestNs) = flow.Covered(number);
        if (segments == 0 || segments >= _segmentsPerAck || atOnce)
        {
            return false;
        }

        if (flow.Held is { } held)
        {
            if (!AckHoldFlow.IsAfter(number, held.Tcp.Acknowledgement))
            {
                return false; // the same number again is a window update or the answer to old data
            }

            _pool.Return(held);
            flow.Held = frame;
            return true;
        }

        Held++;
        flow.Held = frame;
        flow.Generation++;
        _timers.Enqueue((flow, flow.Generation), Math.Max(DueNs(oldestNs), nowNs));
        return true;
    }

    private long DueNs(long arrivalNs)
    {
        if (_tickNs == 0)
        {
            return arrivalNs + _timerNs;
        }

        long ticks = Math.Max(1, (_timerNs + (_tickNs / 2)) / _tickNs);
        return ((arrivalNs / _tickNs) + ticks) * _tickNs;
    }

    private void Acknowledge(AckHoldFlow flow, uint number)
    {
        flow.Acknowledge(number);
        if (flow.Held is { } held && !AckHoldFlow.IsAfter(held.Tcp.Acknowledgement, number))
        {
            Drop(flow);
        }
    }

    private void Drop(AckHoldFlow flow)
    {
        if (flow.Held is { } held)
        {
            _pool.Return(held);
        }

        flow.Held = null;
        flow.Generation++;
    }

    private AckHoldFlow FlowOf(FlowKey key)
    {
        if (_flows.TryGetValue(key, out AckHoldFlow? flow))
        {
            return flow;
        }

        if (_flows.Count >= MaxFlows)
        {
            foreach (KeyValuePair<FlowKey, AckHoldFlow> idle in _flows.Where(pair => pair.Value.Held is null).ToList())
            {
                _flows.Remove(idle.Key);
            }
        }

        return _flows[key] = new AckHoldFlow();
    }

    private void Restart(FlowKey key, uint highestEnd)
    {
        AckHoldFlow flow = FlowOf(key);
        Drop(flow);
        flow.Restart(highestEnd);
    }

    private void Forget(FlowKey key)
    {
        if (_flows.Remove(key, out AckHoldFlow? flow))
        {
            Drop(flow);
        }
    }
}
