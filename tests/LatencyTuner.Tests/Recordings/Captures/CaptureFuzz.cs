using LatencyTuner.Fuzz;
using Xunit;

namespace LatencyTuner.Tests.Recordings.Captures;

/// <summary>A slice of what tests/fuzz/run does for minutes; a failure names the seed that repeats it.</summary>
public sealed class CaptureFuzz(ITestOutputHelper output)
{
    private const int Cases = 20_000;

    [Fact]
    public void Read_MutatedFiles_OnlyWhatMustHold()
    {
        int refused = 0;
        int damaged = 0;
        long segments = 0;
        for (int seed = 0; seed < Cases; seed++)
        {
            byte[] bytes = new RandomCapture(new Random(seed)).Build();
            try
            {
                FuzzOutcome outcome = FuzzCase.Run(bytes);
                refused += outcome.Refused ? 1 : 0;
                damaged += outcome.Damaged ? 1 : 0;
                segments += outcome.Segments;
            }
            catch (Exception failure)
            {
                Assert.Fail($"seed {seed}: {failure}");
            }
        }

        output.WriteLine($"cases {Cases}, refused {refused}, damaged {damaged}, segments {segments}, failures 0");
        // The slice must reach every stage: refusals, damage in the middle, and segments behind all of it.
        Assert.InRange(refused, Cases / 50, Cases / 2);
        Assert.InRange(damaged, Cases / 10, Cases);
        Assert.InRange(segments, Cases / 2, long.MaxValue);
    }
}
