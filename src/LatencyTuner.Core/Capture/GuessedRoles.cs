namespace LatencyTuner.Core.Capture;

/// <summary>Which end of a connection asks, where no SYN was captured and the port numbers do not tell it.</summary>
internal static class GuessedRoles
{
    // IANA's system ports (RFC 6335 6) belong to servers. Of the others Linux gives clients those from 32768 on, Windows and IANA those from 49152 on.
    private const ushort FirstUserPort = 1024;
    private const ushort FirstClientPort = 32768;

    // Whoever speaks after this long begins something, and an answer takes a small part of it.
    private const long IdleNs = 1_000_000_000;
    private const long AnswerPart = 10;
    private const int LeastExchanges = 3;

    /// <summary>True when both ports may be a server's, or both a client's.</summary>
    public static bool PortsTellNothing(ConnectionKey key) =>
        Math.Min(key.PortA, key.PortB) >= FirstUserPort && key.PortA < FirstClientPort == key.PortB < FirstClientPort;

    /// <summary>Makes the client of a connection the server where its packets show it; only before its first part is analysed.</summary>
    public static void Correct(TcpConnection connection)
    {
        if (connection is { Analysis: null, RolesDoubtful: true } && AreTheOtherWayRound(connection.Records))
        {
            connection.SwapRoles();
        }
    }

    /// <summary>
    /// True when the end that was taken for the server speaks first after every silence, and the other one answers: at least three times, and hardly ever
    /// the other way round.
    /// </summary>
    private static bool AreTheOtherWayRound(ReadOnlySpan<PacketRecord> records)
    {
        Span<int> begun = stackalloc int[2];
        (long lastNs, long idleNs, long startNs, int starter) = (0, 0, 0, -1);
        foreach (ref readonly PacketRecord record in records)
        {
            if (record.Length == 0 || !record.Has(PacketTraits.NewData))
            {
                continue;
            }

            if (lastNs != 0 && record.TimeNs - lastNs >= IdleNs)
            {
                (idleNs, startNs, starter) = (record.TimeNs - lastNs, record.TimeNs, record.Side);
            }
            else if (starter >= 0 && record.Side != starter)
            {
                begun[starter] += record.TimeNs - startNs <= idleNs / AnswerPart ? 1 : 0;
                starter = -1;
            }

            lastNs = record.TimeNs;
        }

        return begun[1] >= LeastExchanges && begun[1] >= 10 * begun[0];
    }
}
