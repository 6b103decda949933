using LatencyTuner.Core.Analysis.Captures;
using LatencyTuner.Core.Capture;
using Xunit;

namespace LatencyTuner.Tests.Capture;

/// <summary>What is kept of a connection, before and after the room it does not need is given back.</summary>
public sealed class KeptItems
{
    [Theory]
    [InlineData(0)]
    [InlineData(3)]
    [InlineData(100)]
    public void Items_StayInTheirOrder_TrimmedOrNot(int count)
    {
        Items<long> items = default;
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

        series.Trim();

        Assert.Equal(before, series.Largest());
        Assert.Contains(largestNs, before);
        Assert.Contains(-1, before);
    }

    [Fact]
    public void Stalls_AreAddedByKind_LongOnesCounted()
    {
        SideFacts side = new();
        Assert.Equal((0, 0), (side.AllOwnedNs, side.LongStalls(StallKind.NagleHold)));

        side.Own(StallKind.NagleHold, 100_000_000);
        side.Own(StallKind.NagleHold, 99_999_999);
        side.Own(StallKind.LossRto, 1);

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
        TcpSegment[] again = [.. first.Select(s => s with { TimeNs = s.TimeNs + later, Sequence = s.Sequence + 77_777, Acknowledgement = s.Acknowledgement + 77_777 })];
        tracker.Add(again);
        once.Add(again);
        tracker.Finish();
        once.Finish();

        ConnectionFacts[] expected = [.. fresh.Connections];
        ConnectionFacts[] actual = [.. analyser.Connections.TakeLast(expected.Length)];
        Assert.Equal(2 * expected.Length, analyser.Connections.Count);
        Assert.Equal(expected.Select(Text), actual.Select(Text));
    }

    private static string Text(ConnectionFacts c) => string.Join('|', c.FirstNs, c.LastNs, c.Packets, c.Bytes, c.ActiveNs, c.TransactionCount, c.Runs, c.OverlappingRuns,
        string.Join(',', c.RoundTrips.Largest()), string.Join(',', c.Transactions.Select(t => (t.RequestStartNs, t.ServerNs, t.StallNs, t.ClientAfterNs))),
        string.Join(',', c.Sides.Select(s => (s.LateAcks, s.AllOwnedNs, s.Timeouts, s.FastRetransmissions, s.NagleChances, s.Holds.Count, s.SmallSegments, s.LargestFlight))));
}
