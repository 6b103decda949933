using LatencyTuner.Core.Capture;

namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>The part of a connection's packets that is being analysed, with the results of the passes over it so far. Reused for every part.</summary>
internal sealed class ConnectionPass
{
    public TcpConnection Connection { get; private set; } = null!;
    public ConnectionState State { get; private set; } = null!;

    /// <summary>Times to and from each end: 0 the client, 1 the server.</summary>
    public SideTiming[] Timing { get; } = new SideTiming[2];

    /// <summary>What other connections between these hosts have shown; null where there were none.</summary>
    public PathTimes? Path { get; private set; }

    /// <summary>The clocks of the ends' timestamps: 0 the client, 1 the server.</summary>
    public SenderClock[] Clocks { get; } = [new(), new()];

    public CompactList<Stall> Stalls;

    /// <summary>Times that cannot have passed: from the packet before the clock went ahead to the one after.</summary>
    public CompactList<(long StartNs, long EndNs)> Leaps;

    /// <summary>Silences in which a sender's packets are missing, until it is known whether its numbers show that.</summary>
    public CompactList<Stall> Tails;

    public StallOwners Owners { get; } = new();
    public CompactList<NagleChance> Chances;

    /// <summary>The same behind an ACK that came with data of the peer: what follows may be the answer to that.</summary>
    public CompactList<NagleChance> Piggybacked;
    public long[] Scratch { get; } = new long[1024];

    /// <summary>Number of transactions that may still be kept one by one, over all connections.</summary>
    public int TransactionsLeft { get; set; } = 250_000;

    /// <summary>The slowest transactions beyond that number.</summary>
    public SlowTransactions Later { get; } = new();

    public Span<PacketRecord> Records => Connection.Records;

    /// <summary>Class of the ACK in each record; may be longer than the number of records.</summary>
    public AckClass[] Acks { get; private set; } = new AckClass[ConnectionTracker.PartLength];

    /// <summary>True for each retransmission that was needed, because the data had been lost.</summary>
    public bool[] Needed { get; private set; } = new bool[ConnectionTracker.PartLength];

    public void Begin(TcpConnection connection, ConnectionState state, PathTimes? path)
    {
        (Connection, State, Path) = (connection, state, path);
        if (Acks.Length < connection.RecordCount)
        {
            Acks = new AckClass[connection.RecordCount];
            Needed = new bool[connection.RecordCount];
        }

        Array.Clear(Acks, 0, connection.RecordCount);
        Array.Clear(Needed, 0, connection.RecordCount);
        Stalls.Clear();
        Leaps.Clear();
    }
}
