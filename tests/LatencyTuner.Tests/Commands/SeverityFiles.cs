using System.Text;
using LatencyTuner.Commands;
using LatencyTuner.Core;
using LatencyTuner.Core.Findings;
using LatencyTuner.Hosting;
using Xunit;

namespace LatencyTuner.Tests.Commands;

public sealed class SeverityFiles
{
    private static SeverityLimits Read(string text, Encoding? encoding = null) => SeverityOption.Read(
        new CliHost
        {
            Out = TextWriter.Null,
            Error = TextWriter.Null,
            OpenFile = _ => new MemoryStream((encoding ?? Encoding.UTF8).GetBytes(text)),
        },
        "limits.json");

    [Fact]
    public void NoFile_StandardLimits() =>
        Assert.Same(SeverityLimits.Standard, SeverityOption.Read(new CliHost { Out = TextWriter.Null, Error = TextWriter.Null }, null));

    [Fact]
    public void WhatTheFileLeavesOut_StaysStandard()
    {
        SeverityLimits limits = Read("""{ "errorShare": 0.5, "longStallsPerMinute": 9 }""", Encoding.Unicode);

        Assert.Equal(SeverityLimits.Standard with { ErrorShare = 0.5, LongStallsPerMinute = 9 }, limits);
        Assert.Equal(Severity.Warning, limits.Of(0.3, 8, TimeSpan.FromSeconds(1)));
        Assert.Equal(Severity.Error, SeverityLimits.Standard.Of(0.3, 8, TimeSpan.FromSeconds(1)));
    }

    [Theory]
    [InlineData("{", "line 1")]
    [InlineData("[]", "one JSON object")]
    [InlineData("""{ "errorShares": 1 }""", "'errorShares' is not a limit")]
    [InlineData("""{ "errorShare": 1.5 }""", "errorShare is 1.5")]
    [InlineData("""{ "errorShare": "x" }""", "errorShare is \"x\"")]
    [InlineData("""{ "longStallMs": -1 }""", "longStallMs is -1")]
    [InlineData("{ \"errorShare\": {\n\"a\": 1 } }", "errorShare is {?")]
    [InlineData("""{ "\ud800": 1 }""", "not valid Unicode")]
    [InlineData("""{ "warningShare": 0.3, "errorShare": 0.2 }""", "must not be above")]
    public void BadFile_OneSentenceThatSaysWhat(string text, string says)
    {
        ExpectedFailureException failure = Assert.Throws<ExpectedFailureException>(() => Read(text));

        Assert.Equal(ExitCode.Input, failure.Code);
        Assert.Contains(says, failure.Message, StringComparison.Ordinal);
        Assert.DoesNotContain('\n', failure.Message);
    }
}
