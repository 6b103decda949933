using LatencyTuner.Fuzz;
using Xunit;

namespace LatencyTuner.Tests.Etw;

/// <summary>A slice of what tests/fuzz/run does for minutes; a failure names the seed that repeats it with <c>--traces</c>.</summary>
public sealed class EtlFuzz(ITestOutputHelper output)
{
    [Theory]
    [InlineData(10_000, false)]
    [InlineData(2_000, true)]
    public void DamagedTraces_AreReadOrRefused(int all, bool analyse)
    {
        int cases = Repository.Times(all);
        int refused = 0;
        int damaged = 0;
        long decoded = 0;
        long largest = 0;
        for (int seed = 0; seed < cases; seed++)
        {
            long allocated = GC.GetAllocatedBytesForCurrentThread();
            try
            {
                FuzzOutcome outcome = FuzzInput.Of(seed, FuzzInputs.Traces).Run(analyse);
                refused += outcome.Refused ? 1 : 0;
                damaged += outcome.Damaged ? 1 : 0;
                decoded += outcome.Segments;
            }
            catch (Exception failure)
            {
                Assert.Fail($"seed {seed}: {failure}");
            }

            largest = Math.Max(largest, GC.GetAllocatedBytesForCurrentThread() - allocated);
        }

        output.WriteLine($"cases {cases}, refused {refused}, damaged {damaged}, events or segments {decoded}, failures 0, largest {largest >> 20} MiB");
        Assert.InRange(refused, 1, cases / 2);
        Assert.InRange(damaged, cases / 10, cases);
        Assert.InRange(decoded, 1, long.MaxValue);
        // Traces of a few kilobytes: a length in one of them must not become memory.
        Assert.InRange(largest, 1, 64L << 20);
    }

    /// <summary>How a trace describes an event.</summary>
    internal static byte[] Description() => RandomTrace.Description();
}
