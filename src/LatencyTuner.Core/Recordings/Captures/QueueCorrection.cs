using LatencyTuner.Core.Capture;

namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>Subtracts the wait in a queue on the path from the server's time, where other data between the same hosts shows how long it was.</summary>
internal static class QueueCorrection
{
    public static void Apply(IEnumerable<ConnectionFacts> connections, IReadOnlyDictionary<(IpAddressValue From, IpAddressValue To), PathQueue> queues)
    {
        if (queues.Count == 0)
        {
            return;
        }

        foreach (ConnectionFacts connection in connections)
        {
            if (connection.TransactionCount > 0 && queues.TryGetValue((connection.Client, connection.Server), out PathQueue? queue))
            {
                Correct(connection.Transactions, queue);
                Correct(connection.Later, queue);
            }
        }
    }

    private static void Correct(TransactionLog transactions, PathQueue queue)
    {
        for (int i = 0; i < transactions.Count; i++)
        {
            Transaction t = transactions[i];
            if (t.RequestAckNs == 0)
            {
                Correct(ref t, queue);
                transactions[i] = t;
            }
        }
    }

    private static void Correct(ref Transaction t, PathQueue queue)
    {
        if (queue.AnswersAround(t.RequestEndNs) is not (long before, long after))
        {
            // Nothing else was sent near it: the queue may have been as long as it was last, or next.
            long least = Math.Max(0, t.ResponseStartNs - t.RequestEndNs - queue.LongestAround(t.RequestEndNs));
            if (least < t.ServerLowNs)
            {
                (t.ServerLowNs, t.ServerNs) = (least, least);
            }

            return;
        }

        // A queue keeps the order: the request arrived after what was sent before it, and before what was sent after it.
        t.ServerHighNs = Math.Clamp(t.ResponseStartNs - before, 0, t.ServerHighNs);
        t.ServerLowNs = Math.Clamp(t.ResponseStartNs - after, 0, t.ServerHighNs);
        t.ServerNs = t.ServerLowNs == 0 ? 0 : (t.ServerLowNs + t.ServerHighNs) / 2;
    }
}
