using LatencyTuner.Core.Capture;
using LatencyTuner.Core.Recordings.Captures;
using LatencyTuner.Tests.Capture;
using Xunit;

namespace LatencyTuner.Tests.Recordings.Captures;

/// <summary>What is kept of a connection, before and after the room it does not need is given back.</summary>
public sealed class KeptItems
{
    [Theory]
    [InlineData(0)]
    [InlineData(3)]
    [InlineData(100)]
    public void Items_StayInTheirOrder_TrimmedOrNot(int count)
    {
        CompactList<long> items = default;
        for (int i = 0; i < count; i++)
        {
            items.Add(i);
        }

        items.Trim();
        Assert.Equal(Enumerable.Range(0, count).Select(i => (long)i), items.All);
        items.Add(-1);

        Assert.Equal(count + 1, items.Count);
        Assert.Equal(-1, items[count]);
        items.Sort(static (a, b) => a.CompareTo(b));
        Assert.Equal(-1, items.Span[0]);
    }

    [Theory]
    [InlineData(1_000_000)]
    [InlineData(5_000_000_000)]
    public void RoundTrips_Trimmed_AreTheSame(long largestNs)
    {
        RoundTripSeries series = new();
        series.Add(0, 7);
        series.Add(3_000_000_000, largestNs);
        series.Add(2_000_000_000, 9);
        long[] before = series.Largest();

        long[] room = series.Trim();

        Assert.Equal(before, series.Largest());
        Assert.Contains(largestNs, before);
        Assert.Contains(-1, before);

        RoundTripSeries next = new();
        next.Begin(room);
        next.Add(20_000_000, 3);
        Assert.Equal([-1, -1, 3], next.Largest());
        Assert.Equal(before, series.Largest());
    }

    [Fact]
    public void Stalls_AreAddedByKind_LongOnesCounted()
    {
        SideFacts side = new();
        Assert.Equal((0, 0), (side.AllOwnedNs, side.LongStalls(StallKind.NagleHold)));

        side.AddOwned(StallKind.NagleHold, 100_000_000);
        side.AddOwned(StallKind.NagleHold, 99_999_999);
        side.AddOwned(StallKind.LossRto, 1);

        Assert.Equal(200_000_000, side.AllOwnedNs);
        Assert.Equal(199_999_999, side.OwnedNs(StallKind.NagleHold));
        Assert.Equal(1, side.LongStalls(StallKind.NagleHold));
        Assert.Equal(0, side.LongStalls(StallKind.LossRto));
    }

    [Fact]
    public void Transactions_Trimmed_AreTheSame()
    {
        TransactionLog log = new();
        for (int i = 0; i < 21; i++)
        {
            log.Add(new Transaction { Index = i });
        }

        log.Trim();

        Assert.Equal(Enumerable.Range(0, 21), log.Select(t => t.Index));
    }

    public static TheoryData<string> TransactionFields => [.. typeof(Transaction).GetFields().Select(f => f.Name)];

    [Theory]
    [MemberData(nameof(TransactionFields))]
    public void Transaction_WithAnyValueInAField_IsKeptAsItIs(string name)
    {
        // Where 32 bits end, where signs do, and where a value says that there is none.
        long[] values = [
            -1, 0, 1, 253, 254, 255, 256, (1 << 24) - 1, 1 << 24, int.MaxValue, uint.MaxValue - 1L, uint.MaxValue, 1L << 32, long.MaxValue, long.MinValue];
        const long Start = 1_700_000_000_000_000_000;
        Transaction usual = new()
        {
            RequestStartNs = Start,
            RequestEndNs = Start + 1,
            ResponseStartNs = Start + 2,
            ResponseEndNs = Start + 3,
            NextNs = Start + 4,
            FirstFrame = 5,
            LastFrame = 6,
            RequestBytes = 7,
            ResponseBytes = 8,
            ServerNs = 9,
            ServerLowNs = 10,
            ServerHighNs = 11,
            ClientInsideNs = 12,
            ClientAfterNs = 13,
            StallNs = 14,
            WorstStall = -1,
            Index = 15,
            WorstStallNs = 16,
            RequestAckNs = Start + 17,
        };
        System.Reflection.FieldInfo field = typeof(Transaction).GetField(name)!;
        Transaction[] all = [usual, .. values.Concat(values.Select(v => unchecked(Start + v))).Select(value => With(usual, field, value)), usual];
        TransactionLog log = new();
        foreach (Transaction one in all)
        {
            log.Add(in one);
        }

        Assert.Equal(all, log);

        // And in each other's places.
        for (int i = 0; i < all.Length; i++)
        {
            log[i] = all[^(i + 1)];
        }

        log.Trim();
        Assert.Equal(all.Reverse(), log);
        Assert.Equal(all.Reverse().Select(t => t.DurationNs), Enumerable.Range(0, log.Count).Select(log.DurationNs));
    }

    private static Transaction With(Transaction transaction, System.Reflection.FieldInfo field, long value)
    {
        object boxed = transaction;
        field.SetValue(
            boxed, field.FieldType == typeof(uint) ? (object)unchecked((uint)value) : field.FieldType == typeof(int) ? (object)unchecked((int)value) : value);
        return (Transaction)boxed;
    }

    [Fact]
    public void State_OfTheNextConnectionInItsPlace_IsNew()
    {
        // The second connection has the ports of the first: it is followed in the same place, after a transfer that left much behind.
        CaptureAnalyser analyser = new();
        ConnectionTracker tracker = new(analyser);
        TcpSegment[] first = [.. DecodedCapture.Read(Samples.Truth("mixed_two_causes.client.pcap")).Segments];
        CaptureAnalyser fresh = new();
        ConnectionTracker once = new(fresh);
        long later = first[^1].TimeNs - first[0].TimeNs + 60_000_000_000;
        tracker.Add(first);
        TcpSegment[] again =
            [.. first.Select(s => s with { TimeNs = s.TimeNs + later, Sequence = s.Sequence + 77_777, Acknowledgement = s.Acknowledgement + 77_777 })];
        tracker.Add(again);
        once.Add(again);
        tracker.Finish();
        once.Finish();

        ConnectionFacts[] expected = [.. fresh.Connections];
        ConnectionFacts[] actual = [.. analyser.Connections.TakeLast(expected.Length)];
        Assert.Equal(2 * expected.Length, analyser.Connections.Count);
        Assert.Equal(expected.Select(Text), actual.Select(Text));
    }

    private static string Text(ConnectionFacts c) =>
        string.Join('|', c.FirstNs, c.LastNs, c.Packets, c.Bytes, c.ActiveNs, c.TransactionCount, c.Runs, c.OverlappingRuns,
        string.Join(',', c.RoundTrips.Largest()), string.Join(',', c.Transactions.Select(t => (t.RequestStartNs, t.ServerNs, t.StallNs, t.ClientAfterNs))),
        string.Join(
            ',', c.Sides.Select(
                s => (s.LateAcks, s.AllOwnedNs, s.Timeouts, s.FastRetransmissions, s.NagleChances, s.Holds.Count, s.SmallSegments, s.LargestFlight))));
}
