namespace LatencyTuner.Tests.Recordings.Captures.HoldOut;

/// <content>Receives, and acknowledges.</content>
internal sealed partial class SimulatedEnd
{
    private long _received;
    private long _read;
    private long _advertised;
    private int _full;
    private int _waiting;
    private double _dueSince = -1;
    private int _ackTimer;
    private bool _stopped;
    private double _echo;
    private double _takesMs;

    /// <summary>The application does not read for a while.</summary>
    public void Stop(double ms)
    {
        _stopped = true;
        on.After(ms, () =>
        {
            _stopped = false;
            Read();
        });
    }

    public void Acknowledge() => Acknowledge(_beyond.Count > 0 ? _beyond[0] : null);

    private void Receive(SimulatedPacket packet)
    {
        bool refused = packet.From >= _received + Room() && packet.To > _received;
        if (packet.From <= _received)
        {
            _echo = packet.SentMs;
        }

        if (refused || packet.To <= _received)
        {
            Acknowledge();
            return;
        }

        if (packet.From > _received)
        {
            Keep(packet.From, packet.To);
            Acknowledge(Block(packet.From));
            return;
        }

        bool filled = _beyond.Count > 0;
        _received = packet.To;
        while (_beyond.Count > 0 && _beyond[0].From <= _received)
        {
            _received = Math.Max(_received, _beyond[0].To);
            _beyond.RemoveAt(0);
        }

        if (!_stopped)
        {
            _read = _received;
        }

        (_waiting, _full) = (_waiting + 1, _full + packet.Length / on.Mss);
        if (AckMs == 0 || filled || Room() == 0)
        {
            Acknowledge();
        }
        else if (_full >= 2 && StretchMs is { } late)
        {
            if (_dueSince < 0)
            {
                double due = on.NowMs;
                _dueSince = due;
                Arm(late(), () => Late = (Late.Ms + (on.NowMs - due), Late.Count + 1));
            }
        }
        else if (_full >= AckEvery)
        {
            Acknowledge();
        }
        else if (_waiting == 1)
        {
            Arm(Ticks ? AckMs - ((on.NowMs + 7) % AckMs) : AckMs, () => { });
        }

        Call(_whenReceived, _received);
    }

    private void Arm(double ms, Action fires)
    {
        int generation = ++_ackTimer;
        on.After(ms, () =>
        {
            if (generation == _ackTimer && _waiting > 0)
            {
                fires();
                Acknowledge();
            }
        });
    }

    private void Acknowledge((long, long)? block)
    {
        (_full, _waiting, _dueSince, _ackTimer) = (0, 0, -1, _ackTimer + 1);
        on.Send(Packet(_next, 0) with { Block = block, Beyond = [.. _beyond] });
    }

    private void Keep(long from, long to)
    {
        _beyond.Add((from, to));
        List<(long From, long To)> joined = [];
        foreach ((long f, long t) in _beyond.OrderBy(b => b.From))
        {
            if (joined.Count > 0 && f <= joined[^1].To)
            {
                joined[^1] = (joined[^1].From, Math.Max(joined[^1].To, t));
            }
            else
            {
                joined.Add((f, t));
            }
        }

        _beyond.Clear();
        _beyond.AddRange(joined);
    }

    private (long, long)? Block(long at) => _beyond.First(b => b.From <= at && at < b.To);

    private long Room() => Math.Max(0, Buffer - (_received - _read));

    private void Read()
    {
        _read = _received;
        // The window opens by a good part of the buffer (RFC 9293 3.8.6.2.2).
        if (_received + Window() - _advertised >= Math.Min(2 * on.Mss, Buffer / 2))
        {
            Acknowledge();
        }
    }

    private long Window()
    {
        // No window smaller than a segment, or a quarter of the buffer, is offered; one that was offered stays.
        long room = Room();
        if (room < Math.Min(on.Mss, Buffer / 4))
        {
            room = Math.Max(0, Math.Min(room, _advertised - _received));
        }

        long most = 65_535L << Math.Max(0, on.Scale);
        return Math.Min(most, room) >> Math.Max(0, on.Scale) << Math.Max(0, on.Scale);
    }
}
