using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Statistics;
using Xunit;

namespace LatencyTuner.Tests.Statistics;

/// <summary>How well the 99th percentile of replayed transactions is known.</summary>
public sealed class ReplayedTails
{
    private const int N = 4000;

    // One in fifty takes longer, each another time: alone, or forty neighbours at once, as when one pause delays them all.
    [Fact]
    public void SlowOnesThatComeTogether_SayLessThanScatteredOnes()
    {
        CurePrediction scattered = Replayed(i => i % 50 == 0);
        CurePrediction together = Replayed(i => i % 2000 < 40);

        Assert.Equal(scattered.P99AfterUs, together.P99AfterUs);
        Assert.NotNull(scattered.P99AfterHighUs);
        Assert.True(together.P99AfterHighUs is null || together.P99AfterHighUs > scattered.P99AfterHighUs);
        Assert.True(together.P99AfterLowUs is null || together.P99AfterLowUs < scattered.P99AfterLowUs);
    }

    // The order in which connections are added says nothing: only the times do.
    [Fact]
    public void Order_DoesNotMatter()
    {
        CurePrediction inOrder = Replayed(i => i % 2000 < 40);
        CurePrediction mixed = Replayed(i => i % 2000 < 40, i => (int)(i * 1237L % N));

        Assert.Equal((inOrder.P99AfterLowUs, inOrder.P99AfterHighUs), (mixed.P99AfterLowUs, mixed.P99AfterHighUs));
    }

    private static CurePrediction Replayed(Func<int, bool> slow, Func<int, int>? place = null)
    {
        int slowOnes = 0;
        long[] after = [.. Enumerable.Range(0, N).Select(i => slow(i) ? 30_000_000 + (slowOnes++ * 100_000L) : 20_000_000 + i)];
        CureReplay replay = new();
        for (int i = 0; i < N; i++)
        {
            int at = place?.Invoke(i) ?? i;
            replay.AddAt(at * 1_000_000L, after[at] + 40_000_000, after[at]);
        }

        return replay.Predict("10.0.0.1 > 10.0.0.2:80", [])!;
    }
}
