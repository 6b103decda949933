using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings.Captures;
using LatencyTuner.Core.Recordings.Captures.Rules;
using LatencyTuner.Tests.Capture;
using Xunit;

namespace LatencyTuner.Tests.Recordings.Captures;

/// <summary>A closed window that is probed with data: what the receiver refused was not lost, and is not sent again when the window opens.</summary>
public sealed class ClosedWindows
{
    private const uint Start = 5000;

    // The byte alone, then what follows it; the byte with what follows it; the byte alone, twice while the window is closed.
    [Theory]
    [InlineData(1, 1, 0.1)]
    [InlineData(1, 1000, 0.1)]
    [InlineData(3, 1, 0.1)]
    [InlineData(2, 1, 31)]
    [InlineData(4, 700, 31)]
    public void RefusedByte_SentWhenTheWindowOpens_IsNoLoss(int probes, int first, double clientMs)
    {
        CaptureEvidence evidence = Closed(probes, clientMs, out double at).FromServer(at + 0.05, 1100, first, Start + 1000)
            .FromServer(at + 0.1, 1100, 1000, Start + 1000 + (uint)first).FromClient(at + clientMs, 1100, 0, ack: Start + 2000 + (uint)first).Evidence();

        SideFacts server = Assert.Single(evidence.Connections).Sides[1];
        Assert.Equal((0, 0, 0), (server.Timeouts, server.FastRetransmissions, server.SpuriousRetransmissions));
        Assert.Equal((1, 0), (server.ZeroWindows, Assert.Single(evidence.Connections).Sides[0].LateAcks));
        IReadOnlyList<Finding> findings = CaptureFindings.Of(evidence);
        Assert.Contains(findings, f => f is { Id: "LT112", Side: Side.Client });
        Assert.DoesNotContain(findings, f => f.Id is "LT121" or "LT122" or "LT103");
    }

    [Fact]
    public void ProbeThatCrossesTheOpening_IsNoLoss()
    {
        // The tap is beside the client: the window has opened there, and the next probe was on its way.
        CaptureEvidence evidence = Closed(2, 0.05, out double at, serverMs: 40).FromServer(at + 20, 1100, 1, Start + 1000)
            .FromClient(at + 20.05, 1100, 0, ack: Start + 1001).FromServer(at + 40.2, 1100, 1000, Start + 1001)
            .FromClient(at + 40.3, 1100, 0, ack: Start + 2001).Evidence();

        SideFacts server = Assert.Single(evidence.Connections).Sides[1];
        Assert.Equal((0, 0, 0), (server.Timeouts, server.FastRetransmissions, server.SpuriousRetransmissions));
    }

    [Fact]
    public void DataLostAfterTheWindowOpened_IsALoss()
    {
        CaptureEvidence evidence = Closed(2, 20, out double at).FromServer(at + 0.05, 1100, 1000, Start + 1000)
            .FromServer(at + 300, 1100, 1000, Start + 1000).FromClient(at + 320, 1100, 0, ack: Start + 2000).Evidence();

        Assert.Equal(1, Assert.Single(evidence.Connections).Sides[1].Timeouts);
        Assert.Contains(CaptureFindings.Of(evidence), f => f.Id == "LT121");
    }

    // A client near the tap goes on behind the window update somewhat sooner than it had answered the handshake; or so soon that it cannot have heard of it.
    [Theory]
    [InlineData(0.41, 1)]
    [InlineData(0.3, 1)]
    [InlineData(0.15, 0)]
    public void AHostNearby_MayAnswerSoonerThanItsFirstTime(double afterMs, int closed)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(0.05, window: 4880).FromClient(0.45, 1000, 0);
        (double at, uint next) = (10, 1000);
        for (int i = 0; i < 3; i++, next += 1460)
        {
            sequence.FromClient(at + (i * 0.01), next, 1460, Start);
        }

        sequence.FromServer(at + 0.1, next, window: 500).FromServer(at + 400, next, window: 64_240).FromClient(at + 400 + afterMs, next, 1460, Start)
            .FromServer(at + 401, next + 1460, window: 64_240);

        Assert.Equal(closed, Assert.Single(sequence.Evidence().Connections).Sides[0].ZeroWindows);
    }

    // The window opens a little first, with everything acknowledged. Less than a segment lets nothing go, and the sender waits on; a segment ends one wait and
    // begins the next. Where nothing comes for long although everything has arrived, the application does not read.
    [Theory]
    [InlineData(1000, 500, 700, "LT112")]
    [InlineData(1000, 5, 205, "LT111")]
    [InlineData(1460, 500, 700, "LT111")]
    public void AWindowThatOpensByLessThanASegment_IsStillWaitedFor(int little, double laterMs, double waitMs, string id)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(0.05).FromClient(20, 1000, 0, window: 14600).FromClient(50, 1000, 100, window: 14600);
        uint next = Start;
        for (int i = 0; i < 10; i++, next += 1460)
        {
            sequence.FromServer(50.1 + (i * 0.01), 1100, 1460, next);
        }

        sequence.FromClient(250.2, 1100, 0, ack: next, window: (ushort)little);
        if (little == 1460)
        {
            sequence.FromServer(250.25, 1100, 1460, next);
            next += 1460;
        }

        double at = 250.2 + laterMs;
        sequence.FromClient(at, 1100, 0, ack: next, window: 14600);
        for (int i = 0; i < 10; i++, next += 1460)
        {
            sequence.FromServer(at + 0.05 + (i * 0.01), 1100, 1460, next);
        }

        Finding finding = Assert.Single(
            CaptureFindings.Of(sequence.FromClient(at + 21, 1100, 0, ack: next, window: 14600).Evidence()), f => f.Id is "LT111" or "LT112");
        Assert.Equal(id, finding.Id);
        Assert.InRange(finding.CostMs!.Value, waitMs - 1, waitMs + 1);
    }

    // Beside a server 0.25 ms from its client, whose window is closed for 20 ms. The server goes on within a tenth of that, or much later: then by itself.
    [Theory]
    [InlineData(0.3, 1)]
    [InlineData(1.4, 1)]
    [InlineData(9, 0)]
    public void ASlowSenderBehindALongClosedWindow_HadWaited(double laterMs, int closed)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(0.05).FromClient(0.3, 1000, 0, window: 2000).FromClient(50, 1000, 100, window: 2000)
            .FromServer(50.1, 1100, 1460, Start).FromServer(50.11, 1100, 540, Start + 1460).FromClient(50.3, 1100, 0, ack: Start + 2000, window: 0)
            .FromClient(70.3, 1100, 0, ack: Start + 2000).FromServer(70.3 + laterMs, 1100, 1460, Start + 2000)
            .FromClient(71 + laterMs, 1100, 0, ack: Start + 3460);

        Assert.Equal(closed, Assert.Single(sequence.Evidence().Connections).Sides[1].ZeroWindows);
    }

    // The window closes at 100 ms. The first probe leaves by its timer, or much later: then the server had nothing to send before. Until it opens, or for good.
    [Theory]
    [InlineData(300, true, 4900)]
    [InlineData(3000, true, 2400)]
    [InlineData(3000, false, 2600)]
    public void AClosedWindow_IsWaitedFor_OnceThereIsSomethingToSend(double probeMs, bool opens, double waitMs)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(0.05).FromClient(20, 1000, 0).FromClient(50, 1000, 100)
            .FromServer(50.1, 1100, 500, Start).FromClient(100, 1100, 0, ack: Start + 500, window: 0);
        foreach (double at in new[] { probeMs, probeMs + 400, probeMs + 1200 })
        {
            sequence.FromServer(at, 1100, 1, Start + 500).FromClient(at + 20, 1100, 0, ack: Start + 500, window: 0);
        }

        sequence = opens ? sequence.FromClient(5000, 1100, 0, ack: Start + 500).FromServer(5000.1, 1100, 1000, Start + 500)
            .FromClient(5020, 1100, 0, ack: Start + 1500) : sequence.FromClient(5200, 1100, 0, ack: Start + 500, window: 0);
        Finding finding = Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id == "LT112");
        Assert.InRange(finding.CostMs!.Value, waitMs - 30, waitMs + 30);
        Assert.Equal(!opens, Assert.Single(finding.For).Contains("may have been longer", StringComparison.Ordinal));
    }

    // A window of 3,000 bytes that is full. Its ACK closes it, and it opens much later; or less than a segment is left, everything is acknowledged, and it is
    // raised ten round trips and more behind that: the application does not read. Raised at once, the window is small.
    [Theory]
    [InlineData(0, 8, 10, 0)]
    [InlineData(600, 8, 10, 0)]
    [InlineData(600, 0.5, 0, 10)]
    public void AFullWindowThatItsAckCloses_IsOneWait(ushort left, double laterMs, long closed, long full)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(0.05).FromClient(0.4, 1000, 0, window: 3000).FromClient(50, 1000, 100, window: 3000);
        (double at, uint next) = (50.1, Start);
        for (int i = 0; i < 10; i++, at += 0.1)
        {
            int rest = 1540 - left;
            sequence.FromServer(at, 1100, 1460, next).FromServer(at + 0.01, 1100, rest, next + 1460);
            next += 1460 + (uint)rest;
            sequence.FromClient(at += 0.35, 1100, 0, ack: next, window: left).FromClient(at += laterMs, 1100, 0, ack: next, window: 3000);
        }

        CaptureEvidence evidence = sequence.FromServer(at, 1100, 1460, next).FromClient(at + 0.4, 1100, 0, ack: next + 1460).Evidence();
        SideFacts server = Assert.Single(evidence.Connections).Sides[1];
        Assert.Equal((closed, full), (server.ZeroWindows, server.WindowReleases));
    }

    // A receive buffer of 1,152 bytes that the application empties in some microseconds, or of 14,600, or one that it empties late. A tool's packets show
    // nothing.
    [Theory]
    [InlineData(1152, 0.01, false, "takes more than 1152 bytes")]
    [InlineData(14_600, 0.01, false, "reads too slowly")]
    [InlineData(1152, 30, false, "reads too slowly")]
    [InlineData(1152, 0.01, true, null)]
    public void AnEmptyBuffer_IsTooSmall_NotReadTooSlowly(ushort window, double closedMs, bool handmade, string? advice)
    {
        SegmentSequence sequence = new SegmentSequence().Handmade(handmade).Syn(0).SynAck(0.02).FromClient(0.04, 1000, 0, window: window);
        (double at, uint next) = (1, Start);
        for (int i = 0; i < 20; i++, at += 0.2)
        {
            for (int sent = 0; sent < window; sent += Math.Min(576, window - sent))
            {
                sequence.FromServer(at += 0.001, 1000, Math.Min(576, window - sent), next + (uint)sent);
            }

            sequence.FromClient(at += 0.01, 1000, 0, ack: next += window, window: 0).FromClient(at += closedMs, 1000, 0, ack: next, window: window);
        }

        Finding? finding = CaptureFindings.Of(sequence.FromServer(at + 0.1, 1000, 100, next).FromClient(at + 0.2, 1000, 0, ack: next + 100).Evidence())
            .SingleOrDefault(f => f.Id == "LT112");
        Assert.Equal(advice is not null, finding is not null);
        Assert.Contains(advice ?? "", finding?.Recommendation ?? "", StringComparison.Ordinal);
    }

    /// <summary>A client that closes its window upon the first thousand bytes, is probed, and opens it.</summary>
    private static SegmentSequence Closed(int probes, double clientMs, out double opened, double serverMs = 0.05)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(serverMs).FromClient(serverMs + clientMs, 1000, 0, window: 1000);
        sequence.FromClient(50, 1000, 100, window: 1000).FromServer(50 + serverMs, 1100, 1000, Start);
        double at = 50 + serverMs + clientMs;
        sequence.FromClient(at, 1100, 0, ack: Start + 1000, window: 0);
        for (int i = 0; i < probes; i++)
        {
            at += 300 << i;
            sequence.FromServer(at, 1100, 1, Start + 1000).FromClient(at + clientMs, 1100, 0, ack: Start + 1000, window: 0);
        }

        opened = at + 170;
        return sequence.FromClient(opened, 1100, 0, ack: Start + 1000, window: 32000);
    }
}
