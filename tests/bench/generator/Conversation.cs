namespace LatencyTuner.CaptureBench;

/// <summary>
/// One connection as a tap at the client sees it: handshake, requests with answers of one or many segments, an ACK for every second one, delayed ACKs,
/// now and then a lost segment with its duplicate ACKs and retransmission, and the end.
/// </summary>
internal sealed class Conversation
{
    private const int Segment = 1448;
    private const byte Syn = 0x02;
    private const byte Ack = 0x10;
    private const byte Push = 0x18;
    private const byte Fin = 0x11;

    private readonly Random _random;
    private readonly Queue<Packet> _ready = new();
    private readonly uint _client;
    private readonly uint _server;
    private readonly ushort _port;
    private readonly int _rttUs;
    private readonly int _delayedAckUs;
    private int _exchanges;
    private long _nowUs;
    private uint _clientNext;
    private uint _serverNext;
    private ushort _id;

    public Conversation(int number, long beginUs, Random random)
    {
        _random = random;
        _client = 0x0A00_0000 + (uint)random.Next(1, 200);
        _server = 0x0A01_0000 + (uint)random.Next(1, 20);
        _port = (ushort)(32_768 + (number % 28_000));
        _rttUs = random.Next(200, 40_000);
        _delayedAckUs = random.Next(4) == 0 ? 200_000 : 40_000;
        _exchanges = random.Next(10, 110);
        _nowUs = beginUs;
        _clientNext = (uint)random.NextInt64(1L << 32);
        _serverNext = (uint)random.NextInt64(1L << 32);
        Send(true, Syn, 0);
        _nowUs += _rttUs;
        Send(false, Syn | Ack, 0);
        _nowUs += 30;
        Send(true, Ack, 0);
    }

    /// <summary>The next packet in the order of time.</summary>
    /// <returns>False when the connection is over.</returns>
    public bool TryNext(out Packet packet)
    {
        if (_ready.Count == 0 && _exchanges >= 0)
        {
            if (_exchanges-- == 0)
            {
                End();
            }
            else
            {
                Exchange();
            }
        }

        return _ready.TryDequeue(out packet);
    }

    private void Exchange()
    {
        _nowUs += _random.Next(100, 300_000);
        Send(true, Push, _random.Next(20, 330));
        int thinkUs = _random.Next(50, 5000);
        if (_rttUs + thinkUs > _delayedAckUs)
        {
            _nowUs += _rttUs;
            Send(false, Ack, 0);
        }

        _nowUs += _rttUs + thinkUs;
        Answer(_random.Next(40) == 0 ? _random.Next(2000, 20_000) : _random.Next(50, 520));
    }

    private void Answer(int bytes)
    {
        uint lost = 0;
        int lostBytes = 0;
        uint sackFrom = 0;
        int waiting = 0;
        while (bytes > 0)
        {
            int part = Math.Min(bytes, Segment);
            bytes -= part;
            _nowUs += _random.Next(3, 60);
            if (bytes > 0 && lostBytes == 0 && _random.Next(150) == 0)
            {
                (lost, lostBytes) = (_serverNext, part);
                _serverNext += (uint)part;
                _id++;
                sackFrom = _serverNext;
                continue;
            }

            Send(false, bytes == 0 ? Push : Ack, part);
            waiting++;
            if (lostBytes > 0 || waiting == 2)
            {
                _nowUs += 15;
                Send(true, Ack, 0, lostBytes > 0 ? lost : _serverNext, lostBytes > 0 ? sackFrom : 0, lostBytes > 0 ? _serverNext : 0);
                waiting = 0;
            }
        }

        if (lostBytes > 0)
        {
            _nowUs += _rttUs;
            Put(false, Ack, lostBytes, lost, _clientNext, 0, 0);
            _nowUs += 20;
            Send(true, Ack, 0);
        }
        else if (waiting == 1 && _random.Next(2) == 0)
        {
            // The other half is acknowledged by the next request.
            _nowUs += _delayedAckUs;
            Send(true, Ack, 0);
        }
    }

    private void End()
    {
        _nowUs += 1000;
        Send(true, Fin, 0);
        _nowUs += _rttUs;
        Send(false, Fin, 0);
        _nowUs += 20;
        Send(true, Ack, 0);
    }

    private void Send(bool fromClient, byte flags, int payload, uint? ack = null, uint sackLeft = 0, uint sackRight = 0)
    {
        ref uint next = ref fromClient ? ref _clientNext : ref _serverNext;
        Put(fromClient, flags, payload, next, flags == Syn ? 0 : ack ?? (fromClient ? _serverNext : _clientNext), sackLeft, sackRight);
        next += (uint)payload + ((flags & (Syn | 1)) != 0 ? 1u : 0);
    }

    private void Put(bool fromClient, byte flags, int payload, uint sequence, uint ack, uint sackLeft, uint sackRight) => _ready.Enqueue(new Packet
    {
        TimeUs = _nowUs,
        Client = _client,
        Server = _server,
        ClientPort = _port,
        FromClient = fromClient,
        Flags = flags,
        IpId = _id++,
        Sequence = sequence,
        Acknowledgement = ack,
        Payload = payload,
        SackLeft = sackLeft,
        SackRight = sackRight,
    });
}
