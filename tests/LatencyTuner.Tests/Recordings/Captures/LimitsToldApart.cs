using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings.Captures;
using LatencyTuner.Core.Recordings.Captures.Rules;
using LatencyTuner.Tests.Capture;
using Xunit;

namespace LatencyTuner.Tests.Recordings.Captures;

/// <summary>What limits a bulk sender: its congestion window, the peer's window, a path that is full, or a timer.</summary>
public sealed class LimitsToldApart
{
    private const int Mss = 1460;

    // Beside the sender. Flights grow to 40 segments and stay there, in a window that has no room for more. Ten segments share an ACK, so slow start could
    // have reached that many at any time; but it would have grown.
    [Theory]
    [InlineData(4, Confidence.Possible)]
    [InlineData(12, Confidence.Likely)]
    public void FlightsThatDoNotGrow_AreTheWindows(int rounds, Confidence confidence)
    {
        const double RoundTripMs = 100;
        ushort window = (40 * Mss) + 100;
        const ushort First = (10 * Mss) + 100;
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(0.05).FromClient(RoundTripMs, 1000, 0, window: First)
            .FromClient(RoundTripMs + 1, 1000, 100, window: First);
        (double at, uint next, int flight) = (RoundTripMs + 2, 5000, 10);
        for (int round = 0; round < rounds; round++, at += RoundTripMs + 0.1)
        {
            for (int i = 0; i < flight; i++)
            {
                sequence.FromServer(at + (i * 0.01), 1100, Mss, next + ((uint)i * Mss));
            }

            // The window is only opened for as much as leaves next.
            int more = Math.Min(2 * flight, 40);
            for (int i = 10; i <= flight; i += 10)
            {
                uint acknowledged = next + ((uint)i * Mss);
                uint right = next + ((uint)(flight + (more * i / flight)) * Mss) + 100;
                sequence.FromClient(at + RoundTripMs + (i * 0.001), 1100, 0, ack: acknowledged, window: (ushort)Math.Min(right - acknowledged, window));
            }

            next += (uint)(flight * Mss);
            flight = more;
        }

        sequence.FromServer(at, 1100, Mss, next).FromClient(at + RoundTripMs, 1100, 0, ack: next + Mss);
        Finding finding = Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id == "LT111");
        Assert.Equal((Side.Client, confidence), (finding.Side, finding.Confidence));
    }

    // Beside the receiver. The path varies: now and then a segment comes later than usual after the ACK that let it go. Where all do, something else does it.
    [Theory]
    [InlineData(new[] { 0.0, 0, 0, 22, 0, 0 }, true)]
    [InlineData(new[] { 22.0, 22, 22, 22, 22, 22 }, false)]
    public void LateSegmentsAtTheEdge_WaitedForTheWindow_AsTheOthersDid(double[] lateMs, bool limited)
    {
        const double RoundTripMs = 100;
        const ushort Window = 4 * Mss;
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(RoundTripMs).FromClient(RoundTripMs + 0.05, 1000, 0, window: Window);
        sequence.FromClient(RoundTripMs + 0.1, 1000, 100, window: Window);
        (double at, uint next) = ((2 * RoundTripMs) + 1, 5000);
        for (int round = 0; round < 36; round++)
        {
            for (int i = 0; i < 4; i++, next += Mss)
            {
                sequence.FromServer(at + (i * 0.1), 1100, Mss, next).FromClient(at + (i * 0.1) + 0.05, 1100, 0, ack: next + Mss, window: Window);
            }

            at += RoundTripMs + 0.05 + lateMs[round % lateMs.Length];
        }

        CaptureEvidence evidence = sequence.Evidence();
        double share = evidence.Connections[0].Sides[1].OwnedNs(StallKind.ReceiveWindow) / (double)evidence.Connections[0].ActiveNs;
        Assert.InRange(share, limited ? 0.9 : 0, limited ? 1 : 0.1);
        Assert.DoesNotContain(CaptureFindings.Of(evidence), f => f.Id == "LT113");
    }

    // Two connections to one receiver, four waits for its window each, of 8 or 100 ms. The other one then goes on without it for long.
    [Theory]
    [InlineData(100, 2, 8)]
    [InlineData(8, 1, 4)]
    public void AsLongWaitsOnABusyConnection_CountAsWell(double otherMs, int connections, long waits)
    {
        SegmentSequence sequence = Waits(new SegmentSequence().To("10.0.0.2", 41_000), 0, 100, 0);
        Waits(sequence.To("10.0.0.2", 41_001), 10_000, otherMs, 60);

        Finding finding = Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id == "LT111");
        Assert.Equal((connections, waits), (finding.Connections.Count, finding.Count));

        static SegmentSequence Waits(SegmentSequence sequence, double at, double roundTripMs, int exchanges)
        {
            const ushort Window = (4 * Mss) + 100;
            sequence.Syn(at).SynAck(at + roundTripMs, window: Window).FromClient(at + roundTripMs + 0.03, 1000, 0);
            (uint next, uint answer) = (1000, 5000);
            at += roundTripMs + 1;
            for (int round = 0; round < 5; round++, next += 4 * Mss, at += roundTripMs + 0.1)
            {
                for (int i = 0; i < 4; i++)
                {
                    sequence.FromClient(at + (i * 0.01), next + ((uint)i * Mss), Mss);
                }

                sequence.FromServer(at + roundTripMs + 0.03, next + (4 * Mss), window: Window);
            }

            for (int i = 0; i < exchanges; i++, next += 100, answer += 100, at += roundTripMs + 1)
            {
                sequence.FromClient(at, next, 100, answer).FromServer(at + roundTripMs, next + 100, 100, answer, window: Window);
            }

            return sequence;
        }
    }

    // Beside the sender. Two segments leave for each ACK; the link takes 30 ms for them, so that four always wait in its queue, or it takes none.
    [Theory]
    [InlineData(60, false)]
    [InlineData(300, true)]
    public void StopsBehindAQueue_AreTheFullPaths(double baseMs, bool found)
    {
        const double LinkMs = 30;
        SegmentSequence sequence = new SegmentSequence().Syn(0, scale: 7).SynAck(baseMs, scale: 7).FromClient(baseMs + 0.03, 1000, 0);
        List<(double At, uint Data, uint Ack)> packets = [];
        double[] acked = new double[120];
        double free = 0;
        for (int i = 0; i < acked.Length; i++)
        {
            // Three pairs are on their way at a time.
            double sent = i < 3 ? baseMs + 1 + i : acked[i - 3] + 0.1;
            uint data = 1000 + ((uint)(2 * i) * Mss);
            free = Math.Max(sent + 1, free) + (found ? 0.5 : LinkMs);
            acked[i] = free + baseMs;
            packets.AddRange([(sent, data, 0), (sent + 0.01, data + Mss, 0), (acked[i], 0, data + (2 * Mss))]);
        }

        foreach ((double at, uint data, uint ack) in packets.OrderBy(p => p.At))
        {
            _ = data > 0 ? sequence.FromClient(at, data, Mss) : sequence.FromServer(at, ack);
        }

        Assert.Equal(found, CaptureFindings.Of(sequence.Evidence()).Any(f => f.Id == "LT113"));
    }

    // Beside the sender, no room left in the window. The ACKs are lost, and the sender repeats its first segment after a timer: the window let nothing wait.
    [Theory]
    [InlineData(true, 0)]
    [InlineData(false, 1)]
    public void TimeInWhichATimerRan_IsNotTheWindows(bool repeated, int findings)
    {
        const double RoundTripMs = 20;
        const ushort Window = (4 * Mss) + 100;
        SegmentSequence sequence = new SegmentSequence(timestamps: true, sackPermitted: true).Syn(0).SynAck(RoundTripMs, window: Window)
            .FromClient(RoundTripMs + 0.03, 1000, 0);
        (double at, uint next) = (100, 1000);
        for (int round = 0; round < 5; round++)
        {
            for (int i = 0; i < 4; i++)
            {
                sequence.Ticks(at).FromClient(at + (i * 0.01), next + ((uint)i * Mss), Mss);
            }

            if (repeated)
            {
                sequence.Ticks(at + 700).FromClient(at + 700, next, Mss).Ticks(at + 720, at).Sack(next, next + Mss);
            }

            next += 4 * Mss;
            at += 720;
            sequence.FromServer(at, next, window: Window);
            at += 0.05;
        }

        sequence.FromClient(at, next, Mss).FromServer(at + RoundTripMs, next + Mss, window: Window);
        Assert.Equal(findings, CaptureFindings.Of(sequence.Evidence()).Count(f => f.Id == "LT111"));
    }

    // A device answers once for the server, ten times sooner than the server answered its SYN and answers everything else. Or twice: then it is the path.
    [Theory]
    [InlineData(1, 22)]
    [InlineData(2, 1.4)]
    public void OneAnswerMuchSoonerThanAllOthers_IsNotThePath(int quick, double baseMs)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(22.5).FromClient(22.55, 1000, 0);
        for (uint i = 0; i < 8; i++)
        {
            double at = 30 + (i * 100);
            sequence.FromClient(at, 1000 + (i * 100), 100).FromServer(at + (i < quick ? 1.4 : 22 + (0.1 * i)), 1100 + (i * 100));
        }

        Assert.Equal(baseMs, Assert.Single(sequence.Evidence().Connections).ServerBaseNs!.Value / 1e6, 0.5);
    }

    // From the middle: the client answers with data alone, 11 ms after the server's. With a pure ACK once, that time is known to be the path's.
    [Theory]
    [InlineData(false, "10.0.0.2", Confidence.Possible)]
    [InlineData(true, "10.0.0.2", Confidence.Likely)]
    [InlineData(false, "10.0.0.1", null)]
    public void TurnaroundsWithDataAlone_ShowNoPath(bool pureAck, string server, Confidence? confidence)
    {
        SegmentSequence sequence = new SegmentSequence().To(server);
        for (uint i = 0; i < 6; i++)
        {
            sequence.FromClient(i * 11.6, 1000 + (i * 100), 100, ack: 5000 + (i * 200)).FromServer((i * 11.6) + 0.6, 1100 + (i * 100), 200, 5000 + (i * 200));
        }

        if (pureAck)
        {
            sequence.FromClient(69.7, 1600, 0, ack: 6200);
        }

        Assert.Equal(confidence, CaptureFindings.Of(sequence.Evidence()).SingleOrDefault(f => f.Id == "LT131")?.Confidence);
    }
}
