using LatencyTuner.Core.Capture;

namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>
/// Finds a queue on the path to the tap from the data that passed through it, where no TCP timestamps show it. A bulk transfer fills the queue;
/// other packets wait behind it: the last ACKs of handshakes and requested retransmissions, which no application delays, and answers on other
/// connections.
/// </summary>
internal static class QueueBeforeTap
{
    private const long LeastNs = 30_000_000;
    private const long LeastBulkBytes = 200_000;

    public static void Judge(IReadOnlyCollection<ConnectionFacts> connections)
    {
        foreach (IGrouping<(IpAddressValue Client, IpAddressValue Server), ConnectionFacts> path in connections
            .Where(c => c.ClientBaseNs is not null && c.ServerBaseNs is not null).GroupBy(c => (c.Client, c.Server)))
        {
            ConnectionFacts[] all = [.. path];
            if (all.Length > 1)
            {
                Judge(all, 0);
                Judge(all, 1);
            }
        }
    }

    /// <param name="all">The connections of two hosts.</param>
    /// <param name="side">The end whose packets pass through the queue: 0 the client, 1 the server.</param>
    private static void Judge(ConnectionFacts[] all, int side)
    {
        ConnectionFacts[] bulks = [.. all.Where(c => c.Sides[side].DataBytes >= LeastBulkBytes)];
        long baseNs = all.Min(c => Base(c, side));
        long pathNs = baseNs + all.Min(c => Base(c, 1 - side));
        long most = Math.Max(LeastNs, 2 * pathNs);
        bool told = bulks.Any(c => c.Sides[side].BloatNs > 0);
        bool prompt = all.Any(c => c.Sides[side].PromptNs.All.Any(ns => ns - baseNs >= most));
        if (bulks.Length == 0 || told || !prompt)
        {
            return;
        }

        foreach (ConnectionFacts c in all.Where(c => c.Sides[side].Answers.Count > 0))
        {
            // The round trips of the other end's data, only while this bulk transfer lasts.
            SideFacts sender = c.Sides[1 - side];
            foreach ((long leastNs, long startNs, long endNs) in c.Sides[side].Answers.All.Where(
                a => bulks.Any(b => b != c && b.FirstNs <= a.StartNs && b.LastNs >= a.StartNs)))
            {
                sender.ExcessNs.Add(leastNs - baseNs);
                if (leastNs - baseNs >= most)
                {
                    sender.BloatNs += endNs - startNs;
                    c.PathBaseNs = pathNs;
                }
            }
        }
    }

    private static long Base(ConnectionFacts c, int side) => side == 0 ? c.ClientBaseNs!.Value : c.ServerBaseNs!.Value;
}
