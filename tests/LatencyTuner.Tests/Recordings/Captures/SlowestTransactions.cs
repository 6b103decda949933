using LatencyTuner.Core.Recordings.Captures;
using LatencyTuner.Tests.Capture;
using Xunit;

namespace LatencyTuner.Tests.Recordings.Captures;

/// <summary>Transactions beyond those that are kept one by one: the slowest are not lost.</summary>
public sealed class SlowestTransactions
{
    [Fact]
    public void Add_ManyMore_TheSlowestStay_InOrder()
    {
        const int All = 3 * SlowTransactions.Most;
        ConnectionFacts[] connections = [new(1), new(2)];
        SlowTransactions slow = new();
        for (int i = 0; i < All; i++)
        {
            // Every duration once, in an order without order: 7 has no divisor in common with their number.
            long duration = (long)i * 7 % All;
            slow.Add(connections[i % 2], new Transaction { RequestStartNs = i * 1000L, ResponseEndNs = (i * 1000L) + duration, Index = i });
        }

        slow.AddToConnections();

        Transaction[] kept = [.. connections.SelectMany(c => c.Later)];
        Assert.Equal(SlowTransactions.Most, kept.Length);
        Assert.Equal(All - SlowTransactions.Most, kept.Min(t => t.DurationNs));
        Assert.All(connections, c => Assert.Equal(c.Later.Select(t => t.Index).Order(), c.Later.Select(t => t.Index)));
        Assert.All(connections[0].Later, t => Assert.Equal(0, t.Index % 2));
    }

    [Fact]
    public void LongConnection_ItsLastAndSlowestTransaction_IsListed()
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(1).FromClient(1.1, 1000, 0);
        uint request = 1000;
        uint response = 5000;
        const int Beyond = ConnectionFacts.MostTransactions + 10;
        for (int i = 0; i < Beyond; i++, request += 100, response += 200)
        {
            double start = 2 + (i * 3);
            sequence.FromClient(start, request, 100, ack: response).FromServer(start + (i == Beyond - 2 ? 2.9 : 1), request + 100, 200, response);
        }

        ConnectionFacts connection = Assert.Single(sequence.Evidence().Connections);

        Assert.Equal(Beyond, connection.TransactionCount);
        Assert.Equal(ConnectionFacts.MostTransactions, connection.Transactions.Count);
        Assert.Equal(Beyond - 2, connection.Later.MaxBy(t => t.DurationNs).Index);
    }
}
