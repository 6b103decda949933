using LatencyTuner.Core.Capture;

namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>What the analysis of a connection keeps from one part of its packets to the next. Used again for the next connection.</summary>
internal sealed class ConnectionState
{
    private ConnectionFacts? _facts;
    private long[] _roundTrips = [];

    public ConnectionFacts Facts => _facts!;

    /// <summary>State of each side as a sender: 0 the client, 1 the server.</summary>
    public SenderState[] Senders { get; } = new SenderState[2];

    /// <summary>State of each side as a receiver.</summary>
    public ReceiverState[] Receivers { get; } = [new(), new()];

    /// <summary>State of each side's losses.</summary>
    public LossState[] Losses { get; } = new LossState[2];

    public MessageState Messages { get; } = new();

    /// <summary>The state of a connection that is under way or begins.</summary>
    /// <param name="connection">The connection.</param>
    /// <param name="free">States that ended: most connections need theirs only once, at their end, and many may be open.</param>
    public static ConnectionState Of(TcpConnection connection, Stack<ConnectionState> free)
    {
        if (connection.Analysis is not ConnectionState state)
        {
            connection.Analysis = state = free.TryPop(out ConnectionState? ended) ? ended : new ConnectionState();
        }

        if (state._facts is null)
        {
            state.Begin(connection.Number);
        }

        return state;
    }

    /// <summary>Lets go of a connection that has ended.</summary>
    public void End(TcpConnection connection, Stack<ConnectionState> free)
    {
        connection.Analysis = null;
        free.Push(this);
        _roundTrips = Facts.RoundTrips.Trim();
        _facts = null;
    }

    private void Begin(long number)
    {
        _facts = new ConnectionFacts(number);
        _facts.RoundTrips.Begin(_roundTrips);
        for (int side = 0; side < 2; side++)
        {
            Senders[side] = new SenderState();
            Receivers[side].Reset();
            Losses[side] = default;
        }

        Messages.Reset();
    }
}
