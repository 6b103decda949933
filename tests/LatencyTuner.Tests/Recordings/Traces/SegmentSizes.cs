using System.Net;
using LatencyTuner.Core.Findings;
using LatencyTuner.Tests.Etw;
using Xunit;

namespace LatencyTuner.Tests.Recordings.Traces;

/// <summary>What is small is learned from each connection: IPv6, timestamps and tunnels make full segments of less than 1,460 bytes.</summary>
public sealed class SegmentSizes
{
    private const ulong Tcb = 0xFFFF_8000_0000_4000;
    private static readonly IPEndPoint Client = new(IPAddress.Parse("10.2.0.7"), 52_500);
    private static readonly IPEndPoint Server = new(IPAddress.Parse("10.2.0.80"), 8_443);

    /// <summary>A message of full segments and a tail that waits for their ACK, with an event for each segment, or for several together.</summary>
    [Theory]
    [InlineData(1_440u, 2, 120u, false)]
    [InlineData(1_386u, 3, 905u, false)]
    [InlineData(1_208u, 1, 1_100u, false)]
    [InlineData(8_948u, 2, 1_200u, false)]
    [InlineData(1_440u, 4, 333u, true)]
    public void TailOfALargeMessage_IsHeld(uint full, int segments, uint tail, bool together)
    {
        TcpipEvents events = Connection();
        uint at = 1_000;
        for (int i = 0; i < 60; i++)
        {
            long t = 10_000 + (i * 300_000L);
            uint head = full * (uint)segments;
            events.SendPosted(t, Tcb, head + tail, at, "posted");
            for (uint sent = 0; sent < head; sent += together ? head : full)
            {
                events.DataSent(t + 6 + (sent / 100), Tcb, together ? head : full, at + sent, cwnd: 65_535);
            }

            events.CumulativeAck(t + 45_000, Tcb, head, at + head, cwnd: 65_535).DataSent(t + 45_009, Tcb, tail, at + head, cwnd: 65_535);
            at += head + tail;
            events.CumulativeAck(t + 46_000, Tcb, tail, at, cwnd: 65_535).DataReceived(t + 46_001, Tcb, 30, (uint)i * 30);
        }

        Finding finding = Assert.Single(Nagle(events));
        Assert.Equal((60, Confidence.Likely), ((int)finding.Count, finding.Confidence));
    }

    /// <summary>Full segments that leave one by one, each behind the ACK of the one before: whatever spaces them, it is not Nagle's algorithm.</summary>
    [Theory]
    [InlineData(1_386u, 0u)]
    [InlineData(1_428u, 208u)]
    [InlineData(1_220u, 1_000u)]
    [InlineData(2_772u, 0u)]
    public void FullSegments_OneByOne_AreNotHeld(uint full, uint tail)
    {
        TcpipEvents events = Connection();
        uint at = 1_000;
        for (int i = 0; i < 3; i++)
        {
            long t = 10_000 + (i * 3_000_000L);
            events.SendPosted(t, Tcb, (full * 40) + tail, at, "posted");
            at = Spaced(events, t, at, full, 40);
            at = tail == 0 ? at : Spaced(events, t + (40 * 30_000), at, tail, 1);
            events.DataReceived(t + (42 * 30_000), Tcb, 30, (uint)i * 30);
        }

        Assert.Empty(Nagle(events));
    }

    [Theory]
    [InlineData(1_386u, null, false)]
    [InlineData(1_386u, 1_398, true)]
    [InlineData(1_024u, 1_024, false)]
    [InlineData(536u, 536, false)]
    public void FullSegments_PostedOneByOne_AreNotHeld(uint full, int? mss, bool timestamps)
    {
        TcpipEvents events = Connection(mss, timestamps);
        uint at = 1_000;
        for (int i = 0; i < 100; i++)
        {
            long t = 10_000 + (i * 30_000L);
            events.SendPosted(t - 29_000, Tcb, full, at, "posted");
            at = Spaced(events, t, at, full, 1);
        }

        Assert.Empty(Nagle(events));
    }

    /// <summary>Header and body, none of which is cut: the body is small where the handshake says so, or where a smaller segment left before it.</summary>
    [Theory]
    [InlineData(90u, 1_300u, null, 1)]
    [InlineData(90u, 1_300u, 1_440, 1)]
    [InlineData(90u, 1_440u, 1_440, 0)]
    [InlineData(90u, 1_448u, 1_460, 0)]
    [InlineData(1_300u, 800u, null, 1)]
    public void BodyBehindItsHeader_IsHeldWhenItIsSmall(uint header, uint body, int? mss, int found)
    {
        IReadOnlyList<Finding> findings = Nagle(Split(Connection(mss, timestamps: mss == 1_460), header, body));

        Assert.Equal(found, findings.Count);
        Assert.All(findings, f => Assert.Equal((40, Confidence.Likely), ((int)f.Count, f.Confidence)));
    }

    /// <summary>Pieces of one size may be full segments, as far as the trace shows.</summary>
    [Fact]
    public void PiecesOfOneSize_WithoutAKnownSegmentSize_ArePossible()
    {
        Finding finding = Assert.Single(Nagle(Split(Connection(), 700, 700)));

        Assert.Equal((Confidence.Possible, Severity.Info), (finding.Confidence, finding.Severity));
        Assert.Contains(finding.Against, s => s.Contains("how large a full segment", StringComparison.Ordinal));
    }

    private static IReadOnlyList<Finding> Nagle(TcpipEvents events) =>
        [.. TraceRun.Findings(events).Where(f => f.Cause is Cause.NagleHold or Cause.NagleDelayedAck)];

    private static TcpipEvents Connection(int? mss = null, bool timestamps = false)
    {
        TcpipEvents events = new TcpipEvents().Connected(0, Tcb, Client, Server, 77);
        return mss is not { } agreed ? events : events.Agreed(5, Client, Server, 77, agreed, timestamps);
    }

    /// <summary>Sends segments, each acknowledged 29.9 ms later and followed by the next at once.</summary>
    private static uint Spaced(TcpipEvents events, long t, uint at, uint bytes, int count)
    {
        for (int i = 0; i < count; i++)
        {
            events.DataSent(t + 10 + (i * 30_000L), Tcb, bytes, at).CumulativeAck(t + ((i + 1) * 30_000L), Tcb, bytes, at + bytes);
            at += bytes;
        }

        return at;
    }

    private static TcpipEvents Split(TcpipEvents events, uint header, uint body)
    {
        uint at = 1_000;
        for (int i = 0; i < 40; i++)
        {
            long t = 10_000 + (i * 300_000L);
            events.SendPosted(t, Tcb, header, at, "posted").DataSent(t + 6, Tcb, header, at).SendPosted(t + 40, Tcb, body, at + header, "posted")
                .CumulativeAck(t + 50_000, Tcb, header, at + header).DataSent(t + 50_007, Tcb, body, at + header);
            at += header + body;
            events.CumulativeAck(t + 51_000, Tcb, body, at).DataReceived(t + 51_001, Tcb, 30, (uint)i * 30);
        }

        return events;
    }
}
