using System.Net;
using LatencyTuner.Core.Findings;
using LatencyTuner.Tests.Etw;
using Xunit;

namespace LatencyTuner.Tests.Recordings.Traces;

/// <summary>
/// Sends behind a filter that inspects streams: event 1159 reports the same bytes as posted and, when the filter hands them back, as injected.
/// </summary>
public sealed class FilteredSends
{
    private const ulong Tcb = 0xFFFF_8000_0000_3000;
    private static readonly IPEndPoint Client = new(IPAddress.Parse("10.1.0.7"), 51_500);
    private static readonly IPEndPoint Server = new(IPAddress.Parse("10.1.0.80"), 5_432);

    /// <summary>The size that is injected: the filter may change what it passes on. The next request follows the answer at once, or later.</summary>
    [Theory]
    [InlineData(100u, 100u, 3_040)]
    [InlineData(100u, 100u, 20_000)]
    [InlineData(730u, 751u, 3_100)]
    [InlineData(900u, 240u, 3_070)]
    [InlineData(900u, 240u, 20_000)]
    public void PingPong_WithPromptAnswers_IsNoStall(uint posted, uint injected, long every)
    {
        TcpipEvents events = Connection();
        for (uint i = 0; i < 120; i++)
        {
            long t = 10_000 + (i * every);
            uint at = 1_000 + (i * injected);
            Answer(Send(Post(events, t, posted, injected, at), t + 9, injected, at), t + 3_000, injected, at, i);
        }

        Assert.All(TraceRun.Findings(events).Where(f => f.Id != "LT301"), f => Assert.Equal(Severity.Info, f.Severity));
    }

    [Theory]
    [InlineData(14, 40_000)]
    [InlineData(33, 2_500)]
    public void HoldBehindAFilter_CountsOnce(uint requests, long ackUs)
    {
        TcpipEvents events = Connection();
        uint at = 1_000;
        for (uint i = 0; i < requests; i++)
        {
            long t = 10_000 + (i * 300_000L);
            Send(Post(events, t, 60, 60, at), t + 9, 60, at);
            Post(events, t + 50, 210, 210, at + 60).CumulativeAck(t + ackUs, Tcb, 60, at + 60);
            Answer(Send(events, t + ackUs + 8, 210, at + 60), t + ackUs + 1_400, 210, at + 60, i);
            at += 270;
        }

        Finding finding = Assert.Single(TraceRun.Findings(events), f => f.Cause is Cause.NagleHold or Cause.NagleDelayedAck);
        Assert.Equal(requests, finding.Count);
        Assert.InRange(finding.CostMs!.Value, requests * (ackUs - 60) / 1e3, requests * (ackUs - 30) / 1e3);
    }

    /// <summary>A filter that waits with the second piece until the first is acknowledged: TCP_NODELAY would change nothing.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void FilterThatWaitsForTheAck_IsNotNagle(bool bothPostedFirst)
    {
        TcpipEvents events = Connection();
        for (uint i = 0; i < 25; i++)
        {
            long t = 10_000 + (i * 300_000L);
            uint at = 1_000 + (i * 270);
            events.SendPosted(t, Tcb, 60, at, "posted");
            if (bothPostedFirst)
            {
                events.SendPosted(t + 2, Tcb, 210, at, "posted");
            }

            Send(events.SendPosted(t + 5, Tcb, 60, at, "injected"), t + 9, 60, at);
            if (!bothPostedFirst)
            {
                events.SendPosted(t + 50, Tcb, 210, at + 60, "posted");
            }

            events.CumulativeAck(t + 45_000, Tcb, 60, at + 60).SendPosted(t + 45_030, Tcb, 210, at + 60, "injected");
            Answer(Send(events, t + 45_040, 210, at + 60), t + 46_400, 210, at + 60, i);
        }

        Assert.DoesNotContain(TraceRun.Findings(events), f => f.Cause is Cause.NagleHold or Cause.NagleDelayedAck);
    }

    private static TcpipEvents Connection() => new TcpipEvents().Connected(0, Tcb, Client, Server, 77);

    private static TcpipEvents Post(TcpipEvents events, long t, uint posted, uint injected, uint at) =>
        events.SendPosted(t, Tcb, posted, at, "posted").SendPosted(t + 4, Tcb, injected, at, "injected");

    private static TcpipEvents Send(TcpipEvents events, long t, uint bytes, uint at) => events.DataSent(t, Tcb, bytes, at);

    private static void Answer(TcpipEvents events, long t, uint bytes, uint at, uint turn) =>
        events.CumulativeAck(t, Tcb, bytes, at + bytes).DataReceived(t + 1, Tcb, 40, turn * 40);
}
