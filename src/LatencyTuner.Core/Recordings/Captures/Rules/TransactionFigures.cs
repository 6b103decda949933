using LatencyTuner.Core.Statistics;

namespace LatencyTuner.Core.Recordings.Captures.Rules;

/// <summary>Computes figures over the transactions of many connections without copying them.</summary>
internal sealed class TransactionFigures
{
    private CompactList<long> _values;

    /// <summary>One figure of a transaction, nanoseconds; null when it has none.</summary>
    public delegate long? Figure(in Transaction transaction);

    /// <summary>The upper median; 0 when no transaction has the figure.</summary>
    public long Median(IReadOnlyList<ConnectionFacts> connections, Figure figure)
    {
        _values.Clear();
        foreach (ConnectionFacts connection in connections)
        {
            for (int i = 0; i < connection.Transactions.Count; i++)
            {
                if (figure(connection.Transactions[i]) is { } value)
                {
                    _values.Add(value);
                }
            }
        }

        return Selection.Median(_values.Span);
    }

    /// <summary>The sum over the transactions that have the figure.</summary>
    public static long Sum(IReadOnlyList<ConnectionFacts> connections, Figure figure)
    {
        long sum = 0;
        foreach (ConnectionFacts connection in connections)
        {
            for (int i = 0; i < connection.Transactions.Count; i++)
            {
                sum += figure(connection.Transactions[i]) ?? 0;
            }
        }

        return sum;
    }
}
