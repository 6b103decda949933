using LatencyTuner.Core.Capture;

namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>What the analysis of a connection keeps from one part of its packets to the next. The object is reused for another connection.</summary>
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

    /// <summary>How the clock moved while the connection's packets were captured.</summary>
    public ClockSteps Clock { get; } = new();

    /// <summary>The state of a connection, which is created when the connection has none.</summary>
    /// <param name="connection">The connection.</param>
    /// <param name="free">States of connections that ended, for reuse: most connections need a state only once, at their end.</param>
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

    /// <summary>Releases a connection that has ended.</summary>
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
        Clock.Reset();
    }
}
