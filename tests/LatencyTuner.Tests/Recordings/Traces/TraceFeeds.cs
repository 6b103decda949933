using System.Net;
using LatencyTuner.Core.Etw;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings;
using LatencyTuner.Core.Recordings.Traces;
using LatencyTuner.Core.Recordings.Traces.Rules;
using LatencyTuner.Tests.Etw;
using Xunit;

namespace LatencyTuner.Tests.Recordings.Traces;

/// <summary>Findings of what was seen so far, as a live session asks for them.</summary>
public sealed class TraceFeeds
{
    private const ulong Tcb = 0xFFFF_8000_0000_1000;
    private static readonly IPEndPoint Client = new(IPAddress.Parse("10.0.0.5"), 50_000);
    private static readonly IPEndPoint Server = new(IPAddress.Parse("10.0.0.9"), 1433);

    [Fact]
    public void Findings_AskedForAfterEveryEvent_AreTheSameInTheEnd()
    {
        (TraceFeed? once, TraceFeed? often) = (Feed(0, RecordingFilter.All), Feed(1, RecordingFilter.All));

        Assert.Equal(Told(once), Told(often));
        Assert.Equal(("LT101", 10L), Told(once)[0]);
    }

    [Fact]
    public void Findings_HalfWay_AreThoseOfTheFirstHalf()
    {
        List<long> counts = [];
        Feed(1, RecordingFilter.All, f => counts.Add(f.Where(x => x.Cause == Cause.NagleDelayedAck).Sum(x => x.Count)));

        Assert.Equal(Enumerable.Range(0, 11).Select(i => (long)i), counts.Distinct());
        Assert.Equal(counts.Order(), counts);
    }

    [Fact]
    public void Findings_OfAnotherProcess_AreNone() =>
        Assert.Equal(
            [("LT301", 1L)], Told(Feed(0, RecordingFilter.All with { Processes = [5] })).Where(t => t.Id != "LT301" || t.Count > 0).Select(t => (t.Id, 1L)));

    [Fact]
    public void EventsLost_AreAGap() =>
        Assert.Contains(
            FindingsOf(Feed(0, RecordingFilter.All), eventsLost: 7),
            f => f.Id == "LT301" && f.For.Any(s => s.Contains("lost 7 events", StringComparison.Ordinal)));

    private static List<(string Id, long Count)> Told(TraceFeed feed) => [.. FindingsOf(feed).Select(f => (f.Id, f.Count))];

    private static IReadOnlyList<Finding> FindingsOf(TraceFeed feed, long eventsLost = 0)
    {
        EtlCounts counts = new() { EventsLost = eventsLost, Damages = new Dictionary<EtlDamageKind, long>(), Located = [] };
        return [.. TraceFindings.Of(feed.Evidence("live", SeverityLimits.Standard, counts, hasPackets: false, cancelled: false)).WorstFirst()];
    }

    private static TraceFeed Feed(int askEvery, RecordingFilter filter, Action<IReadOnlyList<Finding>>? asked = null)
    {
        TcpipEvents events = new TcpipEvents().Connected(0, Tcb, Client, Server, 77);
        for (uint i = 0u; i < 10; i++)
        {
            long t = 10_000 + (i * 500_000L);
            events.SendPosted(t, Tcb, 100, 0).DataSent(t + 5, Tcb, 100, i * 200).SendPosted(t + 60, Tcb, 100, 0).CumulativeAck(t + 40_000, Tcb, 100, 0)
                .DataSent(t + 40_010, Tcb, 100, (i * 200) + 100).CumulativeAck(t + 41_000, Tcb, 100, 0);
        }

        using EtlReader reader = EtlReader.Open(new EtlWriter().Add(events.Records).ToArray(), "made.etl");
        TraceFeed feed = new(reader.ReadLayouts(TestContext.Current.CancellationToken), filter, 0);
        reader.Read((in EtwEventHeader header, ReadOnlySpan<byte> payload) =>
        {
            feed.Take(in header, payload);
            if (askEvery > 0)
            {
                IReadOnlyList<Finding> findings = FindingsOf(feed);
                asked?.Invoke(findings);
            }
        }, TestContext.Current.CancellationToken);
        return feed;
    }
}
