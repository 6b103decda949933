using LatencyTuner.Core.Capture;

namespace LatencyTuner.Core.Analysis.Captures;

/// <summary>What the analysis of a connection keeps from one part of its packets to the next.</summary>
internal sealed class ConnectionState(ConnectionFacts facts)
{
    public ConnectionFacts Facts { get; } = facts;

    /// <summary>State of each side as a sender: 0 the client, 1 the server.</summary>
    public SenderState[] Senders { get; } = [new(), new()];

    /// <summary>State of each side as a receiver.</summary>
    public ReceiverState[] Receivers { get; } = [new(), new()];

    /// <summary>State of each side's losses.</summary>
    public LossState[] Losses { get; } = [new(), new()];

    public MessageState Messages { get; } = new();

    public bool Seen { get; set; }

    public static ConnectionState Of(TcpConnection connection)
    {
        if (connection.Analysis is ConnectionState state)
        {
            return state;
        }

        state = new ConnectionState(new ConnectionFacts(connection.Number));
        connection.Analysis = state;
        return state;
    }
}
