using LatencyTuner.Hosting;
using Xunit;

namespace LatencyTuner.Tests.Commands;

public sealed class SampleQueues
{
    [Fact]
    public void Add_TakerStuck_KeepsTheLengthAndCountsTheRest()
    {
        using ManualResetEventSlim stuck = new();
        using ManualResetEventSlim release = new();
        List<long> taken = [];
        SampleQueue queue = new(100, (_, ns) =>
        {
            stuck.Set();
            release.Wait();
            taken.Add(ns);
        });
        queue.Add("a", 0);
        stuck.Wait(TimeSpan.FromSeconds(10));
        for (int i = 1; i <= 1000; i++)
        {
            queue.Add("a", i);
        }

        Assert.Equal(900, queue.Dropped);
        release.Set();
        queue.Dispose();
        Assert.Equal(Enumerable.Range(0, 101).Select(i => (long)i), taken);
    }
}
