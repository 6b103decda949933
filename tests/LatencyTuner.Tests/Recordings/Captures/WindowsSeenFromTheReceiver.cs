using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings.Captures;
using LatencyTuner.Core.Recordings.Captures.Rules;
using LatencyTuner.Tests.Capture;
using Xunit;

namespace LatencyTuner.Tests.Recordings.Captures;

/// <summary>
/// A window too small for the path, captured beside the receiver: its sender's segments come one by one, a round trip after the ACK that let each go.
/// </summary>
public sealed class WindowsSeenFromTheReceiver
{
    private const double RoundTripMs = 300;
    private const uint Mss = 1460;
    private const ushort Window = 4 * 1460;

    [Theory]
    [InlineData(0, true)]
    [InlineData(45, false)]
    public void SegmentsThatTheWindowLetGo_HadWaited_OthersHadNot(double lateMs, bool limited)
    {
        CaptureEvidence evidence = Stream(lateMs).Evidence();

        ConnectionFacts connection = Assert.Single(evidence.Connections);
        double share = connection.Sides[1].OwnedNs(StallKind.ReceiveWindow) / (double)connection.ActiveNs;
        Assert.InRange(share, limited ? 0.8 : 0, limited ? 1 : 0.05);
        Assert.True(connection.Sides[1].AllOwnedNs <= connection.ActiveNs);
        Assert.Equal(limited, CaptureFindings.Of(evidence).Any(f => f is { Id: "LT111", Side: Side.Client, Confidence: Confidence.Likely }));
    }

    // One response at the client's or the server's tap; its first flight fills the window. New connections begin with 2, 3, 4 or 10 segments.
    [Theory]
    [InlineData(10, true, Confidence.Possible)]
    [InlineData(10, false, Confidence.Possible)]
    [InlineData(4, true, Confidence.Possible)]
    [InlineData(4, false, Confidence.Possible)]
    [InlineData(3, true, Confidence.Possible)]
    [InlineData(6, true, Confidence.Likely)]
    [InlineData(6, false, Confidence.Likely)]
    [InlineData(5, false, Confidence.Likely)]
    public void AWindowAsLargeAsTheFirstFlight_MayNotBeTheLimit(int segments, bool atClient, Confidence confidence)
    {
        (double toServer, double toClient) = (atClient ? 20 : 0.05, atClient ? 0.05 : 20);
        ushort window = (ushort)((segments * Mss) + 100);
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(toServer).FromClient(toServer + toClient, 1000, 0, window: window);
        sequence.FromClient(30, 1000, 100, window: window);
        List<(double At, int Data, int Ack)> packets = [];
        double first = 30.5 + toServer;
        for (int i = 0; i < segments; i++)
        {
            packets.Add((first + (i * 0.01), i, -1));
            packets.Add((first + (i * 0.01) + toClient + 0.001, -1, i));
            packets.Add((first + (i * 0.01) + toClient + toServer + 0.002, segments + i, -1));
        }

        foreach ((double at, int data, int ack) in packets.OrderBy(p => p.At))
        {
            _ = data >= 0 ? sequence.FromServer(at, 1100, (int)Mss, 5000 + ((uint)data * Mss))
                : sequence.FromClient(at, 1100, 0, ack: 5000 + ((uint)(ack + 1) * Mss), window: 60000);
        }

        sequence.FromClient(90, 1100, 0, ack: 5000 + ((uint)(2 * segments) * Mss), window: 60000);
        Finding finding = Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id == "LT111");
        Assert.Equal((Side.Client, confidence), (finding.Side, finding.Confidence));
        Assert.Equal(confidence == Confidence.Possible, finding.Against.Any(a => a.Contains("slow start", StringComparison.Ordinal)));
        Assert.Equal(confidence == Confidence.Possible, finding.Severity == Severity.Info);
    }

    // A sender that begins with two segments, and a window that grows as its congestion window does; then one that stays at eight segments.
    [Theory]
    [InlineData(3, Confidence.Possible)]
    [InlineData(30, Confidence.Likely)]
    public void AWindowThatGrowsAsSlowStartDoes_MayNotBeTheLimit_OneThatStaysIs(int rounds, Confidence confidence)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(0.05).FromClient(40, 1000, 0, window: (ushort)((2 * Mss) + 100));
        sequence.FromClient(45, 1000, 100, window: (ushort)((2 * Mss) + 100));
        Respond(sequence, 46, 5000, rounds);
        Finding finding = Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id == "LT111");

        Assert.Equal((Side.Client, confidence), (finding.Side, finding.Confidence));
    }

    // After idle time the congestion window begins anew: four segments of each response fill both windows. A window of five is the limit itself.
    [Theory]
    [InlineData(4, Confidence.Possible)]
    [InlineData(5, Confidence.Likely)]
    public void AWindowAsLargeAsTheFirstFlightAfterIdleTime_MayNotBeTheLimit(int segments, Confidence confidence)
    {
        ushort window = (ushort)((segments * Mss) + 100);
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(0.05).FromClient(40, 1000, 0, window: window);
        uint data = 5000;
        for (int i = 0; i < 8; i++)
        {
            double at = 50 + (i * 2000);
            uint request = 1100 + ((uint)i * 100);
            sequence.FromClient(at, request - 100, 100, ack: data, window: window);
            for (int s = 0; s < segments + 2; s++, data += Mss)
            {
                // The last two wait for the ACK of the first.
                sequence.FromServer(at + 1 + (s * 0.01) + (s < segments ? 0 : 40), request, (int)Mss, data);
                if (s == segments - 1)
                {
                    sequence.FromClient(at + 41, request, 0, ack: data + Mss, window: window);
                }
            }

            sequence.FromClient(at + 82, request, 0, ack: data, window: window);
        }

        Finding finding = Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id == "LT111");
        Assert.Equal((Side.Client, confidence), (finding.Side, finding.Confidence));
    }

    /// <summary>At the sender: flights of 2, 4 and then 8 segments, each acknowledged segment by segment a round trip of 40 ms later.</summary>
    private static void Respond(SegmentSequence sequence, double at, uint data, int rounds)
    {
        int flight = 2;
        for (int round = 0; round < rounds; round++, at += 41)
        {
            int next = Math.Min(flight * 2, 8);
            for (int i = 0; i < flight; i++)
            {
                sequence.FromServer(at + (i * 0.01), 1100, (int)Mss, data + ((uint)i * Mss));
            }

            data += (uint)flight * Mss;
            sequence.FromClient(at + 40.95, 1100, 0, ack: data, window: (ushort)((next * Mss) + 100));
            flight = next;
        }

        sequence.FromServer(at, 1100, 100, data).FromClient(at + 41, 1100, 0, ack: data + 100);
    }

    /// <summary>Each segment is acknowledged at once, and is sent again 4 segments later: as soon as the ACK has arrived, or later.</summary>
    private static SegmentSequence Stream(double lateMs)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(RoundTripMs).FromClient(RoundTripMs + 0.05, 1000, 0, window: Window);
        sequence.FromClient(RoundTripMs + 0.1, 1000, 100, window: Window);
        double[] at = new double[60];
        for (int i = 0; i < at.Length; i++)
        {
            at[i] = i < 4 ? (2 * RoundTripMs) + 1 + (i * 60) : at[i - 4] + RoundTripMs + 0.1 + lateMs;
            uint data = 5000 + ((uint)i * Mss);
            sequence.FromServer(at[i], 1100, (int)Mss, data).FromClient(at[i] + 0.05, 1100, 0, ack: data + Mss, window: Window);
        }

        return sequence;
    }
}
