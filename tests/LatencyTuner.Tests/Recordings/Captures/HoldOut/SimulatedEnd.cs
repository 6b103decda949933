namespace LatencyTuner.Tests.Recordings.Captures.HoldOut;

/// <summary>
/// One end of a simulated connection: Nagle's algorithm (RFC 896), delayed ACKs (RFC 1122 4.2.3.2), silly-window avoidance and window probes, slow start,
/// fast retransmission (RFC 5681, 6582, with SACK 6675) and the timer (RFC 6298), as far as packets show them.
/// </summary>
internal sealed partial class SimulatedEnd(SimulatedConnection on, int side)
{
    private readonly List<(long To, Action Then)> _whenReceived = [];
    private readonly List<(long To, Action Then)> _whenAcked = [];
    private readonly List<(long From, long To)> _beyond = [];
    private readonly List<(long From, int Length)> _segments = [];

    private long _written;
    private long _next;
    private long _una;
    private long _most;
    private long _edge;
    private double _cwnd;
    private double _threshold = double.MaxValue;
    private int _duplicates;
    private bool _recovering;
    private long _recover;
    private long _resent;
    private int _timer;
    private int _backoff;
    private double _timerBegan;
    private bool _timing;
    private double _heard;
    private double _heldSince = -1;
    private double _closedSince = -1;
    private int _persist;
    private bool _persisting;
    private long _probed = -1;
    private double _roundTrip;
    private double _variance;
    private (long To, double At)? _timed;
    private (long From, long To)[] _peerBeyond = [];

    public int Side => side;

    public bool Nagle { get; set; }

    /// <summary>The delayed-ACK timer in milliseconds; 0 acknowledges each segment at once.</summary>
    public double AckMs { get; set; }

    /// <summary>Whether the timer ends at the next multiple of itself.</summary>
    public bool Ticks { get; set; }

    /// <summary>So many full segments are acknowledged at once.</summary>
    public int AckEvery { get; set; } = 2;

    /// <summary>Delay of ACKs of two and more full segments, which are due at once; null for none.</summary>
    public Func<double>? StretchMs { get; set; }

    /// <summary>Receive buffer in bytes.</summary>
    public long Buffer { get; set; } = 4 << 20;

    /// <summary>Congestion window to begin with, in segments.</summary>
    public double FirstWindow { get; set; } = 10;

    public double LeastTimerMs { get; set; } = 200;

    /// <summary>Whether a timeout sends again as much as fits into one segment, or the segment as it was.</summary>
    public bool Coalesces { get; set; }

    /// <summary>Bytes of a window probe: 0, or the next one.</summary>
    public int ProbeBytes { get; set; } = 1;

    /// <summary>Whether a probe's byte goes alone when the window opens.</summary>
    public bool ByteAlone { get; set; }

    /// <summary>From the arrival of a packet to what it brings about.</summary>
    public double ReactsMs { get; set; } = 0.02;

    /// <summary>Time for which Nagle's algorithm held data, and how often.</summary>
    public (double Ms, int Count) Held { get; private set; }

    /// <summary>Time from the last progress to each timeout, and how many there were.</summary>
    public (double Ms, int Count) Timeouts { get; private set; }

    /// <summary>Of that, the time in which nothing came from the peer.</summary>
    public double SilentMs { get; private set; }

    public double ShortestSilenceMs { get; private set; } = double.MaxValue;

    public int FastRetransmissions { get; private set; }

    /// <summary>Time for which the peer's window was closed with data waiting.</summary>
    public (double Ms, int Count) Closed { get; private set; }

    /// <summary>Time by which this end's ACKs of two and more full segments came late.</summary>
    public (double Ms, int Count) Late { get; private set; }

    public long Received => _received;

    public void Opened(long window) => (_edge, _cwnd, _advertised) = (Math.Min(64_000, window), FirstWindow * on.Mss, Math.Min(64_000, Buffer));

    /// <summary>The application sends.</summary>
    public void Write(int bytes, Action? acked = null)
    {
        _written += bytes;
        if (acked is not null)
        {
            _whenAcked.Add((_written, acked));
        }

        TrySend();
    }

    /// <summary>Calls back when so many bytes have been received in all.</summary>
    public void OnReceived(long total, Action then)
    {
        _whenReceived.Add((total, then));
        Call(_whenReceived, _received);
    }

    public void Arrived(SimulatedPacket packet)
    {
        // A host takes now a little more, now a little less, and keeps the order.
        _takesMs = Math.Max(_takesMs, on.NowMs + (ReactsMs * on.Varies()));
        on.At(_takesMs, () => Take(packet));
    }

    private void Take(SimulatedPacket packet)
    {
        if (packet.Length > 0)
        {
            Receive(packet);
        }

        Acked(packet);
    }

    private SimulatedPacket Packet(long from, int length)
    {
        long window = Window();
        _advertised = Math.Max(_advertised, _received + window);
        return new SimulatedPacket(side, from, length, _received, window) { EchoMs = _echo };
    }

    private void Transmit(long from, int length)
    {
        (_full, _waiting, _dueSince, _ackTimer) = (0, 0, -1, _ackTimer + 1);
        if (from >= _most)
        {
            _segments.Add((from, length));
            _timed ??= (from + length, on.NowMs);
        }
        else
        {
            _timed = null;
        }

        _most = Math.Max(_most, from + length);
        on.Send(Packet(from, length));
        if (!_timing)
        {
            StartTimer();
        }
    }

    private void StartTimer()
    {
        (_timing, _timerBegan) = (true, on.NowMs);
        int generation = ++_timer;
        // At least so much more than the round trip, as common stacks have it.
        double timer = (_roundTrip == 0 ? 1000 : _roundTrip + Math.Max(4 * _variance, LeastTimerMs)) * (1 << _backoff);
        on.After(timer, () =>
        {
            if (generation == _timer && _una < _most && _backoff < 8)
            {
                TimedOut();
            }
        });
    }

    private void TimedOut()
    {
        Timeouts = (Timeouts.Ms + (on.NowMs - _timerBegan), Timeouts.Count + 1);
        double silent = on.NowMs - Math.Max(_heard, _timerBegan);
        (SilentMs, ShortestSilenceMs) = (SilentMs + silent, Math.Min(ShortestSilenceMs, silent));
        _threshold = Math.Max(2 * on.Mss, (_most - _una) / 2.0);
        (_cwnd, _recovering, _duplicates, _recover, _timed, _timing) = (on.Mss, false, 0, _most, null, false);
        _backoff++;
        int length = Coalesces ? (int)Math.Min(on.Mss, _most - _una) : Original(_una);
        _next = _una;
        Transmit(_una, length);
        _next = _una + length;
    }

    private int Original(long at)
    {
        foreach ((long from, int length) in _segments)
        {
            if (from <= at && at < from + length)
            {
                return (int)(from + length - at);
            }
        }

        return (int)Math.Min(on.Mss, _most - at);
    }

    private void Acked(SimulatedPacket packet)
    {
        long edge = packet.Ack + packet.Window;
        bool moved = edge != _edge;
        (_edge, _heard) = (edge, on.NowMs);
        _peerBeyond = packet.Beyond;
        if (packet.Ack > _una)
        {
            Progress(packet);
        }
        else if (packet is { Length: 0 } && packet.Ack == _una && _una < _most && !moved && _most > _probed)
        {
            Duplicate();
        }

        TrySend();
        Call(_whenAcked, _una);
    }

    private void Progress(SimulatedPacket packet)
    {
        long acked = packet.Ack - _una;
        _una = packet.Ack;
        _next = Math.Max(_next, _una);
        _most = Math.Max(_most, _una);
        _duplicates = 0;
        _backoff = 0;
        _segments.RemoveAll(s => s.From + s.Length <= _una);
        if (_timed is { } timed && _una >= timed.To)
        {
            double sample = on.NowMs - timed.At;
            _variance = _roundTrip == 0 ? sample / 2 : (0.75 * _variance) + (0.25 * Math.Abs(_roundTrip - sample));
            _roundTrip = _roundTrip == 0 ? sample : (0.875 * _roundTrip) + (0.125 * sample);
            _timed = null;
        }

        if (_recovering && _una < _recover)
        {
            // A partial ACK (RFC 6582): the next hole.
            Resend(_una);
        }
        else
        {
            if (_recovering)
            {
                (_recovering, _cwnd) = (false, _threshold);
            }

            _cwnd += _cwnd < _threshold ? acked : on.Mss * (double)on.Mss / _cwnd;
        }

        if (_una < _most)
        {
            StartTimer();
        }
        else
        {
            (_timing, _timer) = (false, _timer + 1);
        }
    }

    private void Duplicate()
    {
        _duplicates++;
        if (!_recovering && _duplicates == 3 && _una >= _recover)
        {
            (_recovering, _recover, _threshold) = (true, _most, Math.Max(2 * on.Mss, (_most - _una) / 2.0));
            (_cwnd, _resent) = (_threshold, _una - 1);
            FastRetransmissions++;
            Resend(_una);
            // As common stacks do.
            StartTimer();
        }
        else if (_recovering && on.Sack && _peerBeyond.Length > 0)
        {
            long at = Math.Max(_una, _resent + 1);
            foreach ((long from, long to) in _peerBeyond)
            {
                at = at >= from && at < to ? to : at;
            }

            if (at < _peerBeyond[^1].From)
            {
                Resend(at);
            }
        }
    }

    private void Resend(long at)
    {
        int length = Original(at);
        if (at > _resent && at < _most)
        {
            _resent = at + length - 1;
            Transmit(at, length);
        }
    }

    private void TrySend()
    {
        while (_next < _written)
        {
            // After a timeout: what the peer has is not sent again.
            (long From, long To) has = on.Sack && _next < _most ? _peerBeyond.FirstOrDefault(b => b.From <= _next && _next < b.To) : default;
            if (has.To > 0)
            {
                _next = has.To;
                continue;
            }

            long flight = _next - _una;
            int length = (int)Math.Min(on.Mss, _written - _next);
            if (_next < _most)
            {
                length = Original(_next);
            }

            if (ByteAlone && _next == _probed && ProbeBytes > 0)
            {
                length = 1;
            }

            long room = _edge - _next;
            if (room < length)
            {
                if (flight == 0 && room < Math.Min(on.Mss, Math.Max(1, _written - _next)))
                {
                    Persist();
                }

                if (room <= 0 && _closedSince < 0 && flight == 0)
                {
                    _closedSince = on.NowMs;
                }

                return;
            }

            if (_closedSince >= 0)
            {
                Closed = (Closed.Ms + (on.NowMs - _closedSince), Closed.Count + 1);
                _closedSince = -1;
            }

            double pipe = _recovering ? flight - (_duplicates * on.Mss) : flight;
            if (pipe + length > _cwnd && pipe > 0)
            {
                return;
            }

            if (Nagle && length < on.Mss && flight > 0 && _next >= _most)
            {
                _heldSince = _heldSince < 0 ? on.NowMs : _heldSince;
                return;
            }

            if (_heldSince >= 0)
            {
                Held = (Held.Ms + (on.NowMs - _heldSince), Held.Count + 1);
                _heldSince = -1;
            }

            (_persisting, _persist) = (false, _persist + 1);
            long at = _next;
            _next += length;
            Transmit(at, length);
        }
    }

    private void Persist(int times = 0)
    {
        if (_persisting && times == 0)
        {
            return;
        }

        _persisting = true;
        int generation = ++_persist;
        on.After(Math.Max(LeastTimerMs, 2 * _roundTrip) * (1 << Math.Min(times, 7)), () =>
        {
            if (generation != _persist || _next >= _written || _una < _next || times > 9)
            {
                return;
            }

            if (_edge > _next)
            {
                // The override timeout (RFC 9293 3.8.6.2.1): what the window has room for.
                long at = _next;
                _next = Math.Min(_edge, _written);
                (_persisting, _persist) = (false, _persist + 1);
                Transmit(at, (int)(_next - at));
                return;
            }

            if (ProbeBytes > 0)
            {
                _probed = _una;
                on.Send(Packet(_una, ProbeBytes));
            }
            else
            {
                on.Send(Packet(_una - 1, 0));
            }

            Persist(times + 1);
        });
    }

    private static void Call(List<(long To, Action Then)> waiting, long reached)
    {
        for (int i = 0; i < waiting.Count;)
        {
            if (waiting[i].To > reached)
            {
                i++;
                continue;
            }

            Action then = waiting[i].Then;
            waiting.RemoveAt(i);
            then();
        }
    }
}
