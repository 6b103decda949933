using LatencyTuner.Core;
using Xunit;

namespace LatencyTuner.Tests;

public sealed class ExitCodes
{
    [Theory]
    [InlineData(ExitCode.Done, 0)]
    [InlineData(ExitCode.Finding, 1)]
    [InlineData(ExitCode.Usage, 2)]
    [InlineData(ExitCode.Input, 3)]
    [InlineData(ExitCode.Platform, 4)]
    [InlineData(ExitCode.Measurement, 5)]
    [InlineData(ExitCode.Change, 6)]
    [InlineData(ExitCode.CannotTell, 7)]
    [InlineData(ExitCode.Bug, 70)]
    [InlineData(ExitCode.Cancelled, 130)]
    public void Number_IsTheContract(ExitCode code, int number) => Assert.Equal(number, (int)code);
}
