using LatencyTuner.Tests.Capture;

namespace LatencyTuner.Tests.Recordings.Captures.HoldOut;

/// <summary>
/// Two hosts and the path between them, simulated packet by packet, times in milliseconds, with a tap beside each host. In the middle of the path packets
/// are lost, late by chance, or in a queue. What the hosts waited for is the truth that a capture is judged by.
/// </summary>
internal sealed class SimulatedConnection
{
    private readonly PriorityQueue<Action, (double, long)> _due = new();
    private readonly List<(double At, SimulatedPacket Packet)>[] _seen = [[], []];
    private readonly Random _random;
    private readonly double[] _free = new double[2];
    private readonly double[] _middle = new double[2];
    private readonly ushort[] _ids;
    private long _order;
    private int _synsSent;
    private bool _answered;

    public SimulatedConnection(Random random)
    {
        _random = random;
        _ids = [(ushort)random.Next(1, 60_000), (ushort)random.Next(1, 60_000)];
        Ends = [new SimulatedEnd(this, 0), new SimulatedEnd(this, 1)];
        Number = random.Next(1, 250);
    }

    public SimulatedEnd[] Ends { get; }

    public SimulatedEnd Client => Ends[0];

    public SimulatedEnd Server => Ends[1];

    public double NowMs { get; private set; }

    /// <summary>From one end to the other.</summary>
    public double OneWayMs { get; init; } = 5;

    public double JitterMs { get; init; }

    public bool Timestamps { get; init; }

    public bool Sack { get; init; } = true;

    /// <summary>Scale of both windows; -1 for none.</summary>
    public int Scale { get; init; } = 7;

    /// <summary>Bytes that the path carries in a millisecond in each direction; 0 for no limit.</summary>
    public double[] Rate { get; init; } = [0, 0];

    /// <summary>Whether the middle of the path loses a packet.</summary>
    public Func<SimulatedPacket, bool> Loses { get; set; } = _ => false;

    /// <summary>Where the packets pass that a capture missed: none of it is seen.</summary>
    public (double From, double To) Uncaptured { get; set; } = (-1, -1);

    public int Mss => Timestamps ? 1448 : 1460;

    /// <summary>The last part of the server's address and of the client's port.</summary>
    public int Number { get; init; }

    public string ServerName => $"10.0.{(Servers ? Number : 0)}.2";

    /// <summary>Whether each connection has a server of its own.</summary>
    public bool Servers { get; init; }

    /// <summary>What answers the SYN for the server, so many milliseconds from the client; 0 for the server itself.</summary>
    public double ProxyMs { get; init; }

    public byte ServerTtl { get; init; }

    /// <summary>Runs it: the client connects, then does what it is told.</summary>
    public SimulatedConnection Run(double atMs, Action opened)
    {
        At(atMs, () => Connect(opened, 1000));
        for (int i = 0; i < 400_000 && _due.TryDequeue(out Action? action, out (double At, long) when); i++)
        {
            NowMs = when.At;
            action();
        }

        return this;
    }

    /// <summary>A factor of about 1.</summary>
    public double Varies() => 0.8 - (0.3 * Math.Log(1 - _random.NextDouble()));

    public void At(double ms, Action action) => _due.Enqueue(action, (Math.Max(ms, NowMs), _order++));

    public void After(double ms, Action action) => At(NowMs + ms, action);

    /// <summary>Sends a packet from one end: the taps see it, and the other end gets it unless it is lost between them.</summary>
    public void Send(SimulatedPacket packet, Action<SimulatedPacket>? arrives = null)
    {
        int side = packet.Side;
        packet = packet with { Id = Numbered ? ++_ids[side] : (ushort)0, SentMs = NowMs, Ttl = side == 1 ? ServerTtl : ServerTtl > 0 ? (byte)128 : (byte)0 };
        See(side, packet);
        if (Loses(packet))
        {
            return;
        }

        // The middle of the path: in order, a queue if it has a rate.
        double middle = Math.Max(NowMs + (OneWayMs / 2) + (JitterMs == 0 ? 0 : -JitterMs * Math.Log(1 - _random.NextDouble())), _middle[side] + 0.0005);
        if (Rate[side] > 0)
        {
            middle = Math.Max(middle, _free[side]) + ((packet.Length + 40) / Rate[side]);
            _free[side] = middle;
        }

        _middle[side] = middle;
        At(middle + (OneWayMs / 2), () =>
        {
            See(1 - side, packet);
            (arrives ?? Ends[1 - side].Arrived)(packet);
        });
    }

    /// <summary>Whether the hosts number their packets (IPv4 identification).</summary>
    public bool Numbered { get; init; } = true;

    /// <summary>The packets at a tap: 0 beside the client, 1 beside the server.</summary>
    public IEnumerable<(double At, Action<SegmentSequence> Add)> Seen(int tap, bool handshake = true) => _seen[tap]
        .Where(s => (handshake || s.At > OpenedMs) && (s.At < Uncaptured.From || s.At > Uncaptured.To)).Select(s => (s.At, (Action<SegmentSequence>)(q =>
        {
            q.To(ServerName, (ushort)(40_000 + Number));
            s.Packet.AddTo(q, s.At, Scale, Sack);
        })));

    public IReadOnlyList<(double At, SimulatedPacket Packet)> Packets(int tap) => _seen[tap];

    public double OpenedMs { get; private set; }

    public double LastMs => _seen.SelectMany(s => s).Max(s => s.At);

    private void See(int tap, SimulatedPacket packet) => _seen[tap].Add((NowMs, packet));

    private void Connect(Action opened, double again)
    {
        int sent = ++_synsSent;
        Send(new SimulatedPacket(0, -1, 0, -5000, Math.Min(64_000, Client.Buffer)) { Syn = true }, syn =>
        {
            if (_answered)
            {
                return;
            }

            _answered = true;
            SimulatedPacket answer = new(1, -1, 0, 0, Math.Min(64_000, Server.Buffer)) { Syn = true };
            After(0.01, () => Send(answer with { EchoMs = syn.SentMs }, Opened));
        });
        if (ProxyMs > 0)
        {
            _answered = true;
            SimulatedPacket answer = new(1, -1, 0, 0, 64_000) { Syn = true, Ttl = 64, Id = 1, SentMs = NowMs, EchoMs = NowMs };
            After(ProxyMs, () =>
            {
                See(0, answer);
                Opened(answer);
            });
        }

        After(again, () =>
        {
            if (OpenedMs == 0 && sent == _synsSent && sent < 6)
            {
                Connect(opened, 2 * again);
            }
        });

        void Opened(SimulatedPacket answer)
        {
            OpenedMs = NowMs;
            foreach (SimulatedEnd end in Ends)
            {
                end.Opened(Ends[1 - end.Side].Buffer);
            }

            After(0.02, () =>
            {
                Client.Acknowledge();
                opened();
            });
        }
    }
}
