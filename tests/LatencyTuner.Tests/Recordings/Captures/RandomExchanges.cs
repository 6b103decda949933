using LatencyTuner.Core.Recordings.Captures;
using LatencyTuner.Tests.Capture;

namespace LatencyTuner.Tests.Recordings.Captures;

/// <summary>
/// A connection with exchanges that the seed chooses: a tap anywhere on the path, held and split requests, timeouts, a server and a client that take
/// their time, and large responses behind a queue that grows.
/// </summary>
internal sealed class RandomExchanges
{
    private const int Mss = 1460;

    private readonly Random _random;
    private readonly List<(double At, Action<SegmentSequence> Add)> _packets = [];
    private readonly double _toClient;
    private readonly double _toServer;
    private double _at;
    private uint _request = 1000;
    private uint _answer = 5000;

    public RandomExchanges(int seed)
    {
        _random = new Random(seed);
        double roundTrip = Pick(0.5, 5, 20, 60, 150);
        _toClient = roundTrip * Pick(0.0, 0.5, 1.0);
        _toServer = Math.Max(0.05, roundTrip - _toClient);
        Handshake();
        int exchanges = _random.Next(1, 25);
        (double think, double pause, double timer) = (Pick(0.1, 8, 60), Pick(0.2, 30, 400), Pick(40, 200));
        bool splits = Chance(0.4), bulk = Chance(0.3), loses = Chance(0.4), stops = Chance(0.3);
        for (int i = 0; i < exchanges; i++)
        {
            Ask(splits, loses, stops, timer);
            Answer(think * Pick(0.2, 1, 3), bulk && Chance(0.5));
            _at += pause * Pick(0.1, 1, 2);
        }
    }

    public CaptureEvidence Evidence()
    {
        SegmentSequence sequence = new();
        foreach ((double _, Action<SegmentSequence> add) in _packets.OrderBy(p => p.At))
        {
            add(sequence);
        }

        return sequence.Evidence();
    }

    private void Handshake()
    {
        if (Chance(0.2))
        {
            Add(_at, (s, ms) => s.Syn(ms));
            _at += 1000;
        }

        Add(_at, (s, ms) => s.Syn(ms));
        Add(_at += _toServer, (s, ms) => s.SynAck(ms));
        Add(_at += _toClient + 0.02, (s, ms) => s.FromClient(ms, 1000, 0));
        _at += Pick(0.1, 50, 900);
    }

    /// <summary>Sends a request, in one piece or two, and leaves the time at its arrival at the server's end of the tap.</summary>
    private void Ask(bool splits, bool loses, bool stops, double timer)
    {
        Client(100);
        if (splits)
        {
            Server(_at += _toServer + timer, 0);
            _at += _toClient + 0.03;
            Client(50);
        }
        else if (stops)
        {
            Server(_at += _toServer, 0);
            _at += _toClient + 25;
            Client(50);
        }

        if (loses && Chance(0.4))
        {
            // The last piece is sent again.
            uint sequence = _request - (uint)(splits || stops ? 50 : 100);
            (int length, uint answer) = ((int)(_request - sequence), _answer);
            Add(_at += Math.Max(210, 2 * (_toClient + _toServer)), (s, ms) => s.FromClient(ms, sequence, length, ack: answer));
        }
    }

    private void Answer(double think, bool bulk)
    {
        _at += _toServer + think;
        if (!bulk)
        {
            Server(_at, 200);
            _at += _toClient;
            return;
        }

        // A queue towards the client grows with the transfer; ACKs come for every second segment.
        const int Segments = 150;
        double rate = Pick(0.4, 2);
        double start = _at;
        for (int i = 0; i < Segments; i++)
        {
            Server(start + (i * rate / 2), Mss);
            if (i % 2 == 1)
            {
                (uint request, uint answer) = (_request, _answer);
                Add(start + ((i + 1) * rate) + _toClient, (s, ms) => s.FromClient(ms, request, 0, ack: answer));
            }
        }

        _at = start + (Segments * rate) + _toClient;
    }

    private void Client(int length)
    {
        (uint sequence, uint answer) = (_request, _answer);
        Add(_at, (s, ms) => s.FromClient(ms, sequence, length, ack: answer));
        _request += (uint)length;
    }

    private void Server(double at, int length)
    {
        (uint sequence, uint request) = (_answer, _request);
        Add(at, (s, ms) => s.FromServer(ms, request, length, sequence));
        _answer += (uint)length;
    }

    private void Add(double at, Action<SegmentSequence, double> add) => _packets.Add((at, s => add(s, at)));

    private bool Chance(double share) => _random.NextDouble() < share;

    private double Pick(params double[] values) => values[_random.Next(values.Length)];
}
