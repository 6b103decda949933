using LatencyTuner.Core.Capture;

namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>SYNs that came again although the first one had arrived: the other connections to that server show how soon an answer can come.</summary>
internal static class HeldSyns
{
    private const int Fewest = 5;

    /// <summary>
    /// An answer in less than half of the shortest handshake with that server, behind the last SYN, is no answer to that one: a device on this side that
    /// answers for the server, or a path that stood still, had the first.
    /// </summary>
    /// <param name="connections">All connections of the capture.</param>
    public static void Correct(IReadOnlyList<ConnectionFacts> connections)
    {
        foreach (IGrouping<(IpAddressValue, IpAddressValue), ConnectionFacts> path in connections.GroupBy(c => (c.Client, c.Server))
            .Where(g => g.Any(c => c is { SynRetryNs: > 0, LastSynAnsweredNs: not null })))
        {
            long[] others = [.. path.Where(c => c.ServerHandshakeNs is not null).Select(c => c.ServerHandshakeNs!.Value + (c.ClientHandshakeNs ?? 0))];
            if (others.Length < Fewest)
            {
                continue;
            }

            foreach (ConnectionFacts held in path.Where(c => c.SynRetryNs > 0 && 2 * c.LastSynAnsweredNs < others.Min()))
            {
                if (held.HandshakeSeen)
                {
                    held.Sides[0].LostNoSyn(held.SynRetryNs);
                }

                (held.SynRetryNs, held.SynsMayBeEarly) = (0, true);
            }
        }
    }
}
