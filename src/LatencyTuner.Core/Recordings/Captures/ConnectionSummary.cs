using LatencyTuner.Core.Capture;

namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>Copies what the tracker knows about a connection, because its object is reused for another connection.</summary>
internal static class ConnectionSummary
{
    private static void Prompt(SideFacts side, in FlowState flow)
    {
        if (flow.HandshakeNs != FlowState.Unknown)
        {
            side.PromptNs.Add(flow.HandshakeNs);
        }
    }

    /// <summary>
    /// How much longer connecting took because SYNs were sent again: up to the last SYN, or up to where the client accepted an answer, without the round
    /// trip that connecting takes at least. And whether the path may just be so slow that the client's timer ended before any answer could come.
    /// </summary>
    private static (long LongerNs, bool MayBeSlow) Connecting(TcpConnection connection)
    {
        if (connection.SynRetransmissions == 0 || connection.SynsWereHeld)
        {
            return (0, connection.SynsWereHeld);
        }

        if (connection.FromClient is { SynSeen: true, Mss: 0, Bytes: 0 } && !connection.OptionsCut)
        {
            // A tool writes SYNs that name no segment size (RFC 9293 3.7.1), sends them when it likes, and wants no connection.
            return (0, false);
        }

        long firstWaitNs = FirstWaitNs(connection);
        long acceptedNs = connection.ConnectedNs - connection.SynNs;
        (long clientNs, long serverNs) = (connection.FromClient.BaseNs, connection.FromServer.BaseNs);
        // The only answer, behind all SYNs, echoes the first one: it is the answer to that one, which came late, or a copy of it.
        bool first = connection is { SynAcks: 1, SynsUnanswered: 0 } && connection.SynTicks.First != connection.SynTicks.Last
            && connection.SynAckNs > connection.SynNs + connection.SynRetryNs;
        if (clientNs == FlowState.Unknown || serverNs == FlowState.Unknown)
        {
            return (connection.SynRetryNs, first || acceptedNs - connection.SynRetryNs >= firstWaitNs);
        }

        long pathNs = Math.Max(clientNs, 0) + Math.Max(serverNs, 0);
        if (10 * (acceptedNs - connection.SynRetryNs) < 9 * pathNs && (4 * acceptedNs <= 5 * pathNs || connection.SynsTaken))
        {
            // No answer to the last SYN can have come so soon, and the one to the first is due just then, or the server shows that it had both.
            return (0, true);
        }

        if (connection.FromServer.AnsweredByDevice(acceptedNs - connection.SynRetryNs))
        {
            // The device had the first SYN, and answers when its own connection to the server stands.
            return (0, true);
        }

        // Beside the client, an answer to each SYN has reached it: the first ones came late.
        bool allAnswered = (first || connection.SynAcks > connection.SynRetransmissions) && clientNs < pathNs / 2;
        return (Math.Max(connection.SynRetryNs, acceptedNs - pathNs), allAnswered || pathNs >= firstWaitNs);
    }

    /// <summary>The time before the first copy of a SYN, nanoseconds: each wait is twice the one before (RFC 6298 5.5).</summary>
    private static long FirstWaitNs(TcpConnection connection) => connection.SynRetryNs / ((1L << Math.Min(connection.SynRetransmissions, 30)) - 1);

    /// <summary>
    /// True for an end that answered with data alone: its answers show no path, only that it takes no longer. What is shorter is no time of an application.
    /// </summary>
    private static bool IsBound(in FlowState flow)
    {
        const long LeastNs = 2_000_000;
        return flow.PureAcks == 0 && flow.BaseNs != FlowState.Unknown && flow.BaseNs >= LeastNs;
    }

    public static void Fill(ConnectionFacts facts, TcpConnection connection)
    {
        ref FlowState client = ref connection.FromClient;
        ref FlowState server = ref connection.FromServer;
        (facts.Client, facts.Server, facts.ClientPort, facts.ServerPort) = (connection.ClientAddress, connection.ServerAddress, connection.ClientPort,
            connection.ServerPort);
        (facts.FirstNs, facts.LastNs) = (connection.FirstNs, connection.LastNs);
        facts.Packets = client.Packets + server.Packets;
        facts.Bytes = client.Bytes + server.Bytes;
        (facts.RolesGuessed, facts.RolesDoubtful) = (connection.RolesGuessed, connection.RolesDoubtful);
        facts.HandshakeSeen = client.SynSeen && server.SynSeen;
        facts.IsHandmade = connection.IsHandmade;
        facts.IsReplayed = connection.IsReplayed;
        facts.ScaleKnown = client.ScaleKnown(in server);
        facts.OptionsCut = connection.OptionsCut;
        facts.OneSided = client.Packets == 0 || server.Packets == 0;
        ref FlowState unseen = ref client.Packets == 0 ? ref client : ref server;
        facts.UnseenWasHeard = facts.OneSided && unseen.Acknowledged != unseen.Initial;
        facts.Reset = connection.Reset;
        (facts.Sides[0].FinAckedNs, facts.Sides[1].FinAckedNs) = (client.FinAckedNs, server.FinAckedNs);
        facts.CaptureDuplicates = connection.CaptureDuplicates;
        (facts.BackwardSteps, facts.BackwardNs) = (connection.BackwardSteps, connection.BackwardNs);
        (facts.ForwardSteps, facts.ForwardNs) = (connection.ForwardSteps, connection.ForwardNs);
        (facts.MissedBytes, facts.DoubtfulPackets) = (connection.MissedBytes, connection.DoubtfulPackets);
        facts.SynRetransmissions = connection.SynRetransmissions;
        (facts.SynRetryNs, facts.SynsMayBeEarly) = Connecting(connection);
        if (facts.SynRetryNs > 0)
        {
            facts.TimerWaits.Add(new TimerWait
            {
                Copies = connection.SynRetransmissions,
                FirstCopyNs = connection.SynNs + FirstWaitNs(connection),
                LastCopyNs = connection.SynNs + connection.SynRetryNs,
                AnsweredNs = connection.ConnectedNs == 0 ? long.MaxValue : connection.ConnectedNs,
            });
        }

        facts.LastSynAnsweredNs = connection is { SynRetransmissions: > 0, ConnectedNs: > 0 }
            ? connection.ConnectedNs - connection.SynNs - connection.SynRetryNs : null;
        (facts.SynsUnanswered, facts.SynsChallenged) = (connection.SynsUnanswered, connection.SynsChallenged);
        facts.Initials = (client.Initial, server.Initial);
        facts.ClientBaseNs = client.BaseNs == FlowState.Unknown ? null : Math.Max(client.BaseNs, 0);
        facts.ServerBaseNs = server.BaseNs == FlowState.Unknown ? null : Math.Max(server.BaseNs, 0);
        facts.ServerHandshakeNs = server.HandshakeNs == FlowState.Unknown ? null : server.HandshakeNs;
        facts.ClientHandshakeNs = client.HandshakeNs == FlowState.Unknown ? null : client.HandshakeNs;
        // Only who answers a SYN can do it for another.
        facts.Sides[1].IsProxied = server.IsProxied;
        facts.PathIsBound = !client.SynSeen && !server.SynSeen && (IsBound(in client) || IsBound(in server));
        facts.Sides[1].OmitsMss = facts.HandshakeSeen && client.Mss > 0 && server.Mss == 0;
        Prompt(facts.Sides[0], in client);
        Prompt(facts.Sides[1], in server);
        (facts.Sides[0].LeastScale, facts.Sides[1].LeastScale) = (client.LeastScale, server.LeastScale);
        facts.Vantage = TimingPass.VantageOf(client.BaseNs, server.BaseNs);
    }
}
