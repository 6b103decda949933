namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>
/// The slowest transactions of all connections among those that are not kept one by one: in a long capture the slowest one may come last. They
/// are listed but are not part of any figure, because the slowest alone would distort it.
/// </summary>
internal sealed class SlowTransactions
{
    /// <summary>The most transactions that are kept.</summary>
    public const int Most = 4096;

    // A heap of small nodes: the transactions are not moved. The framework's queue would have to be compiled at run time.
    private const int Children = 4;

    private readonly TransactionLog _kept = new();
    private CompactList<ConnectionFacts> _connections;
    private CompactList<Node> _heap;

    /// <summary>Adds a transaction if it is among the slowest.</summary>
    public void Add(ConnectionFacts connection, in Transaction transaction)
    {
        long duration = transaction.DurationNs;
        if (_heap.Count < Most)
        {
            int place = _heap.Count;
            _kept.Add(in transaction);
            _connections.Add(connection);
            _heap.Add(default);
            Rise(place, new Node(duration, place));
        }
        else if (duration > _heap[0].DurationNs)
        {
            int place = _heap[0].Place;
            _kept[place] = transaction;
            _connections[place] = connection;
            Sink(new Node(duration, place));
        }
    }

    /// <summary>Adds the kept transactions to their connections; called once, at the end.</summary>
    public void AddToConnections()
    {
        CompactList<Start> starts = default;
        for (int i = 0; i < _heap.Count; i++)
        {
            starts.Add(new Start(_kept[_heap[i].Place].RequestStartNs, i, _heap[i].Place));
        }

        starts.Sort(static (a, b) => a.Ns != b.Ns ? a.Ns.CompareTo(b.Ns) : a.Order.CompareTo(b.Order));
        foreach (ref Start start in starts.Span)
        {
            _connections[start.Place].AddLater(_kept[start.Place]);
        }

        _heap.Clear();
    }

    /// <summary>Puts a node in its place in the heap, at a free place or above it.</summary>
    private void Rise(int at, Node node)
    {
        while (at > 0)
        {
            int parent = (at - 1) / Children;
            if (node.DurationNs >= _heap[parent].DurationNs)
            {
                break;
            }

            _heap[at] = _heap[parent];
            at = parent;
        }

        _heap[at] = node;
    }

    /// <summary>Puts a node in its place in the heap, instead of the shortest.</summary>
    private void Sink(Node node)
    {
        int at = 0;
        for (int child = 1; child < _heap.Count; child = (at * Children) + 1)
        {
            int shortest = child;
            for (int next = child + 1; next < Math.Min(child + Children, _heap.Count); next++)
            {
                shortest = _heap[next].DurationNs < _heap[shortest].DurationNs ? next : shortest;
            }

            if (node.DurationNs <= _heap[shortest].DurationNs)
            {
                break;
            }

            _heap[at] = _heap[shortest];
            at = shortest;
        }

        _heap[at] = node;
    }

    /// <summary>A node of the heap, the shortest on top: the duration of a transaction and its index.</summary>
    private readonly record struct Node(long DurationNs, int Place);

    private readonly record struct Start(long Ns, int Order, int Place);
}
