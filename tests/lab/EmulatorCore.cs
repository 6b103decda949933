namespace LatencyTuner.Lab;

/// <summary>
/// The emulated network between the two hosts: hold stages and link directions. Driven by frames and a given time, without clock and I/O,
/// so that it is tested with neither. Not thread-safe.
/// </summary>
public sealed class EmulatorCore
{
    private readonly PriorityQueue<(LabHost To, FrameBuffer Frame), (long DueNs, long Order)> _inFlight = new();
    private readonly LinkDirection[] _directions;
    private readonly AckHoldStage?[] _holds;
    private readonly FramePool _pool;
    private long _order;

    /// <summary>Creates the network.</summary>
    /// <param name="options">What it emulates.</param>
    /// <param name="pool">Where the frames come from and go back to.</param>
    /// <exception cref="ArgumentOutOfRangeException">A value of <paramref name="options"/> is out of its range.</exception>
    public EmulatorCore(LinkEmulatorOptions options, FramePool pool)
    {
        _pool = pool;
        _directions =
        [
            new LinkDirection(options.ClientToServer, options.Seed),
            new LinkDirection(options.ServerToClient, unchecked(options.Seed + 1)),
        ];
        _holds =
        [
            options.ClientHold is null ? null : new AckHoldStage(options.ClientHold, pool),
            options.ServerHold is null ? null : new AckHoldStage(options.ServerHold, pool),
        ];
    }

    /// <summary>Called when a frame leaves the host, after its hold stage. The frame must not be kept.</summary>
    public Action<LabHost, FrameBuffer>? Sent { get; set; }

    /// <summary>Called when a frame arrives at the host, with the time it was due. The frame must not be kept.</summary>
    public Action<LabHost, FrameBuffer, long>? Arrived { get; set; }

    /// <summary>Called when a frame of the host is dropped. The frame must not be kept.</summary>
    public Action<LabHost, FrameBuffer, DropReason>? Dropped { get; set; }

    /// <summary>When <see cref="Advance"/> next has something to do, nanoseconds; <see cref="long.MaxValue"/> where nothing waits.</summary>
    public long NextDueNs
    {
        get
        {
            long due = _inFlight.TryPeek(out _, out (long DueNs, long Order) priority) ? priority.DueNs : long.MaxValue;
            foreach (AckHoldStage? hold in _holds)
            {
                if (hold is not null)
                {
                    due = Math.Min(due, hold.NextDueNs);
                }
            }

            return due;
        }
    }

    /// <summary>ACKs kept back at the host so far.</summary>
    /// <param name="host">The host.</param>
    public long AcksHeld(LabHost host) => _holds[(int)host]?.Held ?? 0;

    /// <summary>Kept ACKs of the host whose timer ran out.</summary>
    /// <param name="host">The host.</param>
    public long AcksExpired(LabHost host) => _holds[(int)host]?.Expired ?? 0;

    /// <summary>A host sends a frame, which then belongs to this object.</summary>
    /// <param name="host">The sender.</param>
    /// <param name="frame">Any bytes.</param>
    /// <param name="nowNs">Now, nanoseconds of a monotonic clock.</param>
    public void FromHost(LabHost host, FrameBuffer frame, long nowNs)
    {
        if (_holds[(int)host] is { } hold && !hold.OnSent(frame, nowNs))
        {
            return;
        }

        Send(host, frame, nowNs);
    }

    /// <summary>Does everything that is due.</summary>
    /// <param name="nowNs">Now.</param>
    public void Advance(long nowNs)
    {
        for (int host = 0; host < _holds.Length; host++)
        {
            while (_holds[host] is { } hold && hold.TryRelease(nowNs, out FrameBuffer? ack))
            {
                Send((LabHost)host, ack, nowNs);
            }
        }

        while (_inFlight.TryPeek(out (LabHost To, FrameBuffer Frame) next, out (long DueNs, long Order) priority) && priority.DueNs <= nowNs)
        {
            _inFlight.Dequeue();
            _holds[(int)next.To]?.OnDelivered(next.Frame, nowNs);
            Arrived?.Invoke(next.To, next.Frame, priority.DueNs);
            _pool.Return(next.Frame);
        }
    }

    private void Send(LabHost from, FrameBuffer frame, long nowNs)
    {
        Sent?.Invoke(from, frame);
        bool hasPayload = frame.IsTcp && frame.Tcp.PayloadLength > 0;
        if (_directions[(int)from].Send(frame.Length, hasPayload, nowNs, out long dueNs) is { } reason)
        {
            Dropped?.Invoke(from, frame, reason);
            _pool.Return(frame);
            return;
        }

        LabHost to = from == LabHost.Client ? LabHost.Server : LabHost.Client;
        _inFlight.Enqueue((to, frame), (dueNs, _order++));
    }
}
