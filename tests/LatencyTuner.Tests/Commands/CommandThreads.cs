using LatencyTuner.Commands;
using LatencyTuner.Core;
using Xunit;

namespace LatencyTuner.Tests.Commands;

public class CommandThreads
{
    [Fact]
    public async Task WorkLeavesNoThreadThatIsStillEnding()
    {
        for (int i = 0; i < 200; i++)
        {
            Thread? thread = null;
            int code = await Cli.Start(() =>
            {
                thread = Thread.CurrentThread;
                return ExitCode.Finding;
            });
            Assert.Equal((int)ExitCode.Finding, code);
            Assert.False(thread!.IsAlive);
        }
    }

    [Fact]
    public async Task FailureComesOutAsItself()
    {
        ExpectedFailureException failure = new(ExitCode.Input, "The file is empty.");
        Assert.Same(failure, await Assert.ThrowsAsync<ExpectedFailureException>(() => Cli.Start(() => throw failure)));
    }
}
