namespace LatencyTuner.Core.Analysis.Captures;

/// <summary>
/// The slowest transactions among those that are not kept one by one, of all connections: in a long capture the worst one may come last. They
/// are listed and are no part of any figure, which the slowest alone would distort.
/// </summary>
internal sealed class SlowTransactions
{
    /// <summary>Kept at most.</summary>
    public const int Most = 4096;

    private readonly PriorityQueue<(ConnectionFacts Connection, Transaction Transaction), long> _slowest = new();

    private long _least;

    /// <summary>Takes one into account.</summary>
    public void Add(ConnectionFacts connection, in Transaction transaction)
    {
        long duration = transaction.DurationNs;
        if (_slowest.Count < Most)
        {
            _slowest.Enqueue((connection, transaction), duration);
        }
        else if (duration > _least)
        {
            _slowest.DequeueEnqueue((connection, transaction), duration);
        }
        else
        {
            return;
        }

        _slowest.TryPeek(out _, out _least);
    }

    /// <summary>Gives each connection its own; once, at the end.</summary>
    public void HandOver()
    {
        foreach (var slow in _slowest.UnorderedItems.OrderBy(item => item.Element.Transaction.RequestStartNs))
        {
            slow.Element.Connection.AddLater(in slow.Element.Transaction);
        }

        _slowest.Clear();
    }
}
