using LatencyTuner.Lab;
using Xunit;

namespace LatencyTuner.Tests.Lab;

[Collection(LabTests.Name)]
public sealed class LabCommandLine
{
    [Fact]
    public void List_NamesEveryPresetWithASentence()
    {
        StringWriter output = new();
        Assert.Equal(0, LabCli.Run(["list"], output, TextWriter.Null));
        Assert.All(LabPreset.All, preset => Assert.Contains(preset.Name + " ", output.ToString(), StringComparison.Ordinal));
        Assert.All(LabPreset.All, preset => Assert.EndsWith(".", preset.Models, StringComparison.Ordinal));
        Assert.Equal(LabPreset.All.Count, LabPreset.All.Select(preset => preset.Name).Distinct().Count());
    }

    [Fact]
    public void Presets_HostWithAHoldStageAcknowledgesAtOnce() => Assert.All(LabPreset.All, preset =>
    {
        Assert.True(preset.Link.ClientHold is null || preset.ClientQuickAck, preset.Name);
        Assert.True(preset.Link.ServerHold is null || preset.ServerQuickAck, preset.Name);
        _ = new EmulatorCore(preset.Link, new FramePool(2048));
    });

    [Theory]
    [InlineData("run")]
    [InlineData("run", "no-such-preset", "--", "true")]
    [InlineData("run", "clean")]
    [InlineData("run", "clean", "--in", "middle", "--", "true")]
    [InlineData("run", "clean", "--seconds", "0", "--", "true")]
    [InlineData("run", "clean", "--serve", "--", "true")]
    [InlineData("run", "clean", "--serve-port", "65536", "--", "true")]
    [InlineData("run", "clean", "true")]
    [InlineData("dance")]
    [InlineData]
    public void Usage_IsRefusedWithASentence(params string[] arguments)
    {
        StringWriter error = new();
        Assert.Equal(2, LabCli.Run(arguments, TextWriter.Null, error));
        Assert.NotEmpty(error.ToString());
    }

    [Fact]
    public void Parse_EverythingAfterTheDashesIsTheCommand()
    {
        RunArguments run = RunArguments.Parse(["loss-1pct", "--in", "server", "--seconds", "1.5", "--seed", "9", "--", "a", "--in", "--"]);
        Assert.Equal(["a", "--in", "--"], run.Command);
        Assert.Equal((LabHost.Server, 1.5, 9, "loss-1pct"), (run.In, run.Seconds, run.Seed, run.Preset.Name));
    }

    [Theory]
    [InlineData("exit 7", 7)]
    [InlineData("test \"$LAB_SERVER\" = 10.77.1.20 && test -e /run/netns/$LAB_CLIENT_NS && test -e /run/netns/$LAB_SERVER_NS", 0)]
    [InlineData("sleep 30", 124)]
    public void Run_ReturnsTheCommandsCodeAndLeavesNothing(string script, int code)
    {
        LabTests.Require();
        HashSet<string> before = LabNetwork.Namespaces().ToHashSet();
        string seconds = code == 124 ? "0.2" : "20";
        Assert.Equal(code, LabCli.Run(["run", "clean", "--quiet", "--seconds", seconds, "--", "sh", "-c", script], TextWriter.Null, TextWriter.Null));
        Assert.Subset(before, LabNetwork.Namespaces().ToHashSet());
    }

    [Fact]
    public void Run_ServerThatEndsEarly_IsReported()
    {
        LabTests.Require();
        StringWriter error = new();
        Assert.Equal(5, LabCli.Run(["run", "clean", "--quiet", "--serve", "false", "--", "true"], TextWriter.Null, error));
        Assert.Contains("`false` ended with exit code 1", error.ToString(), StringComparison.Ordinal);
    }
}
