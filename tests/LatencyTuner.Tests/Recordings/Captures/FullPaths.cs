using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings.Captures.Rules;
using LatencyTuner.Tests.Capture;
using Xunit;

namespace LatencyTuner.Tests.Recordings.Captures;

/// <summary>A sender that always fills the peer's window: on an idle path the window limits it, on a full one the path does.</summary>
public sealed class FullPaths
{
    private const uint Mss = 1460;
    private const sbyte Scale = 2;

    // Base round trip, round trip with the window full, segments in the window, how much round trips scatter, and the finding. A queue that is too
    // short for LT132 still means that a larger window would only make it longer.
    [Theory]
    [InlineData(20, 120, 40, 0, "LT132")]
    [InlineData(8, 300, 40, 0, "LT132")]
    [InlineData(20, 40, 40, 0, null)]
    [InlineData(60, 75, 40, 0, null)]
    [InlineData(100, 128, 40, 0, null)]
    [InlineData(4, 24, 8, 0, null)]
    [InlineData(120, 120, 40, 0, "LT111")]
    [InlineData(60, 64, 40, 0, "LT111")]
    [InlineData(60, 60, 40, 6, "LT111")]
    public void AFullWindow_LimitsOnlyWhereTheQueueDoesNotHoldMore(double baseMs, double loadedMs, int window, double scatterMs, string? id)
    {
        Random random = new(7);
        SegmentSequence sequence = Connected(baseMs, window);
        List<(double At, uint Data, uint Ack)> packets = [];
        double[] sent = new double[1200];
        double[] acked = new double[1200];
        // Each segment leaves as soon as the one that many before it is acknowledged; ACKs come in pairs.
        for (int i = 0; i < sent.Length; i++)
        {
            double late = scatterMs == 0 || i < window ? 0 : Math.Max(0, acked[i - window] - sent[i - window] - loadedMs);
            sent[i] = i < window ? 1000 + (i * loadedMs / window) : sent[i - window] + loadedMs + late + 0.05;
            packets.Add((sent[i], 1100 + ((uint)i * Mss), 0));
            double roundTrip = (i < window ? Math.Max(baseMs, loadedMs * i / window) : loadedMs) + (scatterMs * random.NextDouble());
            acked[i] = Math.Max(sent[i] + roundTrip, i == 0 ? 0 : acked[i - 1] + 0.001);
            if (i % 2 == 1)
            {
                acked[i - 1] = acked[i];
                packets.Add((acked[i], 0, 1100 + ((uint)(i + 1) * Mss)));
            }
        }

        AssertOnly(id, Findings(sequence, packets, window));
    }

    [Theory]
    [InlineData(50, 1, 40, "LT111")]
    [InlineData(50, 0.15, 120, "LT111")]
    [InlineData(50, 2, 40, null)]
    public void ABurstBehindItself_LimitsWhereThePathIsIdleAfterIt(double baseMs, double segmentMs, int window, string? id)
    {
        // Messages of a little more than a window: its first segments leave at once, and wait for each other where the path is slowest.
        int segments = window + 2;
        SegmentSequence sequence = Connected(baseMs, window);
        List<(double At, uint Data, uint Ack)> packets = [];
        for (int message = 0; message < 20; message++)
        {
            double[] acked = new double[segments];
            double free = 0;
            for (int i = 0; i < segments; i++)
            {
                double sent = i < window ? 1000 + (message * 300) + (i * 0.01) : acked[(i - window) | 1] + 0.05 + (i % 2 * 0.01);
                uint data = 1100 + ((uint)((message * segments) + i) * Mss);
                free = Math.Max(sent, free) + segmentMs;
                acked[i] = free + baseMs;
                packets.Add((sent, data, 0));
                if (i % 2 == 1)
                {
                    packets.Add((acked[i], 0, data + Mss));
                }
            }
        }

        AssertOnly(id, Findings(sequence, packets, window));
    }

    // Everything in flight waits once for as long as the path or the receiver stands still. Where round trips stay that long, there is a queue.
    [Theory]
    [InlineData(50, null)]
    [InlineData(1000, "LT132")]
    public void OneStopOfThePath_IsNoQueue(double lastsMs, string? id)
    {
        (double baseMs, double stopMs, int window) = (5, 50, 44);
        SegmentSequence sequence = Connected(baseMs, window);
        List<(double At, uint Data, uint Ack)> packets = [];
        for (int i = 0; i < 1000; i++)
        {
            double due = 102 + (i * 0.2) + baseMs;
            double acked = due < 200 || due >= 200 + lastsMs ? due : lastsMs > stopMs ? due + stopMs : 200 + stopMs;
            packets.Add((due - baseMs, 1100 + ((uint)i * Mss), 0));
            if (i % 2 == 1)
            {
                packets.Add((acked + (i * 1e-6), 0, 1100 + ((uint)(i + 1) * Mss)));
            }
        }

        Assert.Equal(id, Findings(sequence, packets, window).SingleOrDefault(f => f.Id == "LT132")?.Id);
    }

    private static SegmentSequence Connected(double baseMs, int window) =>
        new SegmentSequence().Syn(0, scale: Scale).SynAck(baseMs, scale: Scale).FromClient(baseMs + 0.03, 1000, 0).FromClient(baseMs + 1, 1000, 100)
            .FromServer((2 * baseMs) + 1, 1100, window: (ushort)((window * Mss) >> Scale));

    private static IReadOnlyList<Finding> Findings(SegmentSequence sequence, List<(double At, uint Data, uint Ack)> packets, int window)
    {
        foreach ((double at, uint data, uint ack) in packets.OrderBy(p => p.At))
        {
            _ = data > 0 ? sequence.FromClient(at, data, (int)Mss) : sequence.FromServer(at, ack, window: (ushort)((window * Mss) >> Scale));
        }

        return CaptureFindings.Of(sequence.Evidence());
    }

    private static void AssertOnly(string? id, IReadOnlyList<Finding> findings) =>
        Assert.Equal(id is null ? [] : [id], findings.Select(f => f.Id).Where(i => i is "LT111" or "LT132" || (i == "LT113" && id == "LT132")));
}
