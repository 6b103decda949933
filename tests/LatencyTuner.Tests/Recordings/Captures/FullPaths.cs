using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings.Captures.Rules;
using LatencyTuner.Tests.Capture;
using Xunit;

namespace LatencyTuner.Tests.Recordings.Captures;

/// <summary>A sender that always fills the peer's window: on an idle path the window limits it, on a full one the path does.</summary>
public sealed class FullPaths
{
    private const uint Mss = 1460;

    // Base round trip, and the round trip with the window full.
    [Theory]
    [InlineData(20, 120, true)]
    [InlineData(8, 300, true)]
    [InlineData(120, 120, false)]
    [InlineData(60, 75, false)]
    public void AFullWindow_LimitsOnlyWhereTheQueueDoesNotHoldMore(double baseMs, double loadedMs, bool queue)
    {
        const int Window = 40;
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(baseMs).FromClient(baseMs + 0.03, 1000, 0);
        sequence.FromClient(baseMs + 1, 1000, 100).FromServer((2 * baseMs) + 1, 1100, window: (ushort)(Window * Mss));
        List<(double At, uint Data, uint Ack)> packets = [];
        double[] sent = new double[1200];
        // Each segment leaves as soon as the one that many before it is acknowledged; ACKs come in pairs.
        for (int i = 0; i < sent.Length; i++)
        {
            sent[i] = i < Window ? 1000 + (i * loadedMs / Window) : sent[i - Window] + loadedMs + 0.05;
            packets.Add((sent[i], 1100 + ((uint)i * Mss), 0));
            double roundTrip = i < Window ? Math.Max(baseMs, loadedMs * i / Window) : loadedMs;
            if (i % 2 == 1)
            {
                packets.Add((sent[i] + roundTrip, 0, 1100 + ((uint)(i + 1) * Mss)));
            }
        }

        foreach ((double at, uint data, uint ack) in packets.OrderBy(p => p.At))
        {
            _ = data > 0 ? sequence.FromClient(at, data, (int)Mss) : sequence.FromServer(at, ack, window: (ushort)(Window * Mss));
        }

        IReadOnlyList<Finding> findings = CaptureFindings.Of(sequence.Evidence());
        Assert.Equal(queue, findings.Any(f => f.Id == "LT132"));
        Assert.Equal(!queue, findings.Any(f => f.Id == "LT111"));
        Assert.DoesNotContain(findings, f => queue && f.Id == "LT113");
    }
}
