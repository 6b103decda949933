using System.Globalization;
using LatencyTuner.Core.Recordings.Captures;
using LatencyTuner.Tests.Capture;

namespace LatencyTuner.Tests.Recordings.Captures;

/// <summary>
/// A simulated connection on which TCP never makes anybody wait: TCP_NODELAY, no loss, open windows, messages within the first congestion window. The
/// hosts delay their ACKs (RFC 1122 4.2.3.2), the applications pause as they like, and the path varies; the seed chooses how, and where the tap is.
/// </summary>
internal sealed class InnocentHosts
{
    private const int Mss = 1460;
    private const int Most = 10 * Mss;

    private readonly Random _random;
    private readonly PriorityQueue<Action, double> _due = new();
    private readonly List<(double At, Action<SegmentSequence> Add)> _seen = [];
    private readonly double _oneWayMs;
    private readonly double _jitterMs;
    private readonly double _tap;
    private readonly double[] _timerMs;
    private readonly double[][] _lastMs = [[0, 0], [0, 0]];
    private readonly uint[] _next = [1000, 5000];
    private readonly uint[] _received = [5000, 1000];
    private readonly int[] _waiting = new int[2];
    private readonly int[] _generation = new int[2];
    private readonly ushort[] _ids = [200, 30_000];
    private double _now;

    public InnocentHosts(int seed)
    {
        _random = new Random(seed);
        _oneWayMs = Pick(0.05, 0.3, 2, 12, 40, 110) * Between(0.7, 1.4);
        _jitterMs = Pick(0, 0, 0.02, 0.3, 3) * Between(0.5, 1.5);
        _tap = Pick(0, 0, 1, 1, 0.5);
        _timerMs = [Pick(0, 10, 40, 50, 100, 200), Pick(0, 10, 40, 50, 100, 200)];
    }

    /// <summary>The path, the timers and the applications in one line.</summary>
    public string Told { get; private set; } = "";

    public CaptureEvidence Evidence()
    {
        double at = Handshake();
        (double think, double pause) = (Pick(0.05, 1, 15, 130) * Between(0.5, 2), Pick(0.05, 2, 30, 250) * Between(0.5, 2));
        int writes = _random.Next(1, 4);
        (double gap, bool steady, int largest, bool answers) = (Pick(0.005, 0.05, 1, 60, 200), Chance(0.5), Pick(200, 1200, 4000, 9000), Chance(0.85));
        // What an application always sends together with an ACK, as near as the path lets it be seen, cannot be told from what waited for it.
        double[] acksMs = [_timerMs[1] + (2 * _oneWayMs), 2 * _oneWayMs, _timerMs[0] + (2 * _oneWayMs)];
        while (Coincides(gap) || Coincides(2 * gap) || Coincides(gap + pause) || Coincides((2 * gap) + pause) || Coincides(pause))
        {
            (gap, pause) = (gap * 1.13, pause * 1.29);
        }

        Told = string.Create(
            CultureInfo.InvariantCulture,
            $"path {2 * _oneWayMs:0.00} ms, jitter {_jitterMs:0.00} ms, tap {_tap}, timers {_timerMs[0]} and {_timerMs[1]} ms, think {think:0.0} ms, "
            + $"pause {pause:0.0} ms, gap {gap:0.000} ms, {writes} writes of up to {largest}{(steady ? ", steady" : "")}{(answers ? "" : ", one way")}");
        Ask(at + Between(0.1, 50), _random.Next(8, 60));
        Run();
        SegmentSequence sequence = new();
        foreach ((_, Action<SegmentSequence> add) in _seen.OrderBy(s => s.At))
        {
            add(sequence);
        }

        return sequence.Evidence();

        bool Coincides(double ms) => steady && ms > 0.5 && acksMs.Any(a => Math.Abs(a - ms) < 2 + (0.12 * ms) + (3 * _jitterMs));

        void Ask(double atMs, int left) => _due.Enqueue(() => Write(0, writes, answers ? () => OnReceived(1, () => Answer(left)) : () => Again(left)), atMs);

        void Answer(int left) =>
            _due.Enqueue(() => Write(1, writes, () => OnReceived(0, () => Again(left))), _now + (think * (steady ? 1 : Between(0.2, 3))));

        void Again(int left)
        {
            if (left > 1)
            {
                Ask(_now + (pause * (steady ? 1 : Between(0.1, 3))) + Between(0, 0.05), left - 1);
            }
        }

        void Write(int side, int left, Action done)
        {
            Send(side, _random.Next(20, largest + 1));
            if (left > 1)
            {
                _due.Enqueue(() => Write(side, left - 1, done), _now + (gap * (steady ? Between(0.98, 1.02) : Between(0.3, 2.5))));
                return;
            }

            done();
        }
    }

    private double Handshake()
    {
        double there = 2 * _oneWayMs;
        (double syn, double synAck, double ack) = (_tap * _oneWayMs, _oneWayMs + ((1 - _tap) * _oneWayMs), there + (_tap * _oneWayMs) + 0.02);
        _seen.Add((syn, s => s.Syn(syn, scale: 7)));
        _seen.Add((synAck, s => s.SynAck(synAck, scale: 7)));
        _seen.Add((ack, s => s.FromClient(ack, 1000, 0)));
        return there + 1;
    }

    private void Run()
    {
        while (_due.TryDequeue(out Action? action, out double at))
        {
            _now = at;
            action();
        }
    }

    /// <summary>Runs an action when a host has received all that its peer has sent until now.</summary>
    private void OnReceived(int side, Action action) => _due.Enqueue(action, _lastMs[1 - side][1] + 0.001);

    private void Send(int side, int length)
    {
        length = Math.Min(length, Most / 3);
        for (int sent = 0; sent < length; sent += Mss)
        {
            int bytes = Math.Min(Mss, length - sent);
            uint from = _next[side];
            _next[side] += (uint)bytes;
            Pass(side, from, bytes);
            uint end = _next[side];
            _due.Enqueue(() => Arrived(1 - side, end, bytes), _lastMs[side][1]);
        }
    }

    private void Arrived(int side, uint end, int bytes)
    {
        _received[side] = end;
        if (++_waiting[side] >= 2 || (bytes == 0) || _timerMs[side] == 0)
        {
            Pass(side, _next[side], 0);
            return;
        }

        int generation = ++_generation[side];
        _due.Enqueue(
            () =>
            {
                if (_waiting[side] > 0 && _generation[side] == generation)
                {
                    Pass(side, _next[side], 0);
                }
            },
            _now + _timerMs[side]);
    }

    /// <summary>A packet leaves: it passes the tap and arrives, in order; it carries an ACK of everything.</summary>
    private void Pass(int side, uint sequence, int bytes)
    {
        (_waiting[side], _generation[side]) = (0, _generation[side] + 1);
        double before = side == 0 ? _tap : 1 - _tap;
        double tap = Math.Max(_now + (before * _oneWayMs) + (before * Jitter()), _lastMs[side][0] + 0.001);
        double arrival = Math.Max(tap + ((1 - before) * _oneWayMs) + ((1 - before) * Jitter()), _lastMs[side][1] + 0.001);
        _lastMs[side] = [tap, arrival];
        (uint ack, ushort id) = (_received[side], ++_ids[side]);
        _seen.Add((tap, s => _ = side == 0 ? s.FromClient(tap, sequence, bytes, ack: ack, id: id) : s.FromServer(tap, ack, bytes, sequence, id: id)));
    }

    private double Jitter() => _jitterMs == 0 ? 0 : -_jitterMs * Math.Log(1 - _random.NextDouble());

    private double Between(double low, double high) => low + ((high - low) * _random.NextDouble());

    private bool Chance(double share) => _random.NextDouble() < share;

    private T Pick<T>(params T[] values) => values[_random.Next(values.Length)];
}
