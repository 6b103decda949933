using LatencyTuner.Core.Capture;

namespace LatencyTuner.Core.Analysis.Captures;

/// <summary>A part of a connection's packets under judgement, with what the passes over it have found so far. Used again for every part.</summary>
internal sealed class Part
{
    private AckClass[] _acks = new AckClass[ConnectionTracker.PartLength];
    private bool[] _needed = new bool[ConnectionTracker.PartLength];

    public TcpConnection Connection { get; private set; } = null!;
    public ConnectionState State { get; private set; } = null!;

    /// <summary>Times to and from each end: 0 the client, 1 the server.</summary>
    public SideTiming[] Timing { get; } = new SideTiming[2];

    public List<Stall> Stalls { get; } = [];
    public StallOwners Owners { get; } = new();
    public List<NagleChance> Chances { get; } = [];
    public long[] Scratch { get; } = new long[1024];

    /// <summary>Transactions that may still be kept one by one, over all connections.</summary>
    public int TransactionsLeft { get; set; } = 250_000;

    /// <summary>The slowest of those beyond.</summary>
    public SlowTransactions Later { get; } = new();

    public Span<PacketRecord> Records => Connection.Records;

    /// <summary>Class of the ACK in each record.</summary>
    public Span<AckClass> Acks => _acks.AsSpan(0, Connection.RecordCount);

    /// <summary>True for each retransmission that was needed, because the data had been lost.</summary>
    public Span<bool> Needed => _needed.AsSpan(0, Connection.RecordCount);

    public void Begin(TcpConnection connection, ConnectionState state)
    {
        (Connection, State) = (connection, state);
        if (_acks.Length < connection.RecordCount)
        {
            _acks = new AckClass[connection.RecordCount];
            _needed = new bool[connection.RecordCount];
        }

        Acks.Clear();
        Needed.Clear();
        Stalls.Clear();
    }
}
