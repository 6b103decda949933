using LatencyTuner.Hosting;
using Xunit;

namespace LatencyTuner.Tests.Commands;

/// <summary>What a command leaves for the build server besides stdout, and what it says when that fails.</summary>
public sealed class PipelineOutputs : IDisposable
{
    private static readonly string[] Unreachable = ["check", "127.0.0.1:1", "--count", "6", "--no-diagnosis"];

    private readonly TempFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void GitHub_SummariesOfAStep_AreAppended()
    {
        string summary = _folder["summary.md"];

        CliRun first = Run(summary, null, [.. Unreachable, "--format", "github"]);
        CliRun second = Run(summary, null, "exit-codes", "--format", "github");

        Assert.Equal((5, 0), (first.Code, second.Code));
        Assert.StartsWith("::error title=latencytuner check%3A ", first.Out, StringComparison.Ordinal);
        Assert.StartsWith("::notice title=latencytuner exit-codes%3A ", second.Out, StringComparison.Ordinal);
        string[] headings = [.. File.ReadAllLines(summary).Where(l => l.StartsWith("## ", StringComparison.Ordinal))];
        Assert.Equal(2, headings.Length);
        Assert.NotEqual(0xEF, File.ReadAllBytes(summary)[0]);
    }

    [Fact]
    public void GitHub_ASummaryThatCannotBeWritten_LeavesVerdictAndExitCode()
    {
        CliRun run = Run(_folder["no/such/summary.md"], null, [.. Unreachable, "--format", "github"]);

        Assert.Equal(5, run.Code);
        Assert.StartsWith("::error title=", run.Out, StringComparison.Ordinal);
        Assert.Contains("The summary of the step could not be written to ", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public void Azure_TheSummaryIsAFileOfTheAgent()
    {
        CliRun run = Run(null, _folder.Path, [.. Unreachable, "--format", "azure"]);

        Assert.Equal(5, run.Code);
        string file = Assert.Single(Directory.GetFiles(_folder.Path, "latencytuner-*.md"));
        Assert.Contains($"##vso[task.uploadsummary]{file}\n", run.Out, StringComparison.Ordinal);
        Assert.Contains("##vso[task.complete result=Failed;]", run.Out, StringComparison.Ordinal);
        Assert.Contains("| gate | outcome |", File.ReadAllText(file), StringComparison.Ordinal);
        Assert.DoesNotContain("uploadsummary", Run(null, null, [.. Unreachable, "--format", "azure"]).Out, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("github", "::error title=latencytuner%3A FAILED::")]
    [InlineData("azure", "##vso[task.logissue type=error]latencytuner: FAILED: ")]
    public void ACommandThatCannotStart_IsAnError(string format, string begins)
    {
        CliRun run = Run(null, null, "check", "db1", "--token-file", _folder["none.txt"], "--format", format);

        Assert.NotEqual(0, run.Code);
        Assert.StartsWith(begins, run.Out, StringComparison.Ordinal);
        Assert.NotEqual("", run.Error);
    }

    private static CliRun Run(string? summary, string? agent, params string[] args) => CliRun.On(
        (output, error) => new CliHost { Out = output, Error = error, Unicode = true, StepSummary = summary, AgentTempDirectory = agent },
        CancellationToken.None,
        args);
}
