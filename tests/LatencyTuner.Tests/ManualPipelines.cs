using LatencyTuner.Tests.Commands;
using Xunit;
using YamlDotNet.RepresentationModel;

namespace LatencyTuner.Tests;

/// <summary>The pipelines of the manual: each is YAML of the shape that its server reads, and the commands in it run against a real responder.</summary>
[Collection(QuietMachine.Name)]
public sealed class ManualPipelines
{
    private const string Page = "docs/pipelines.md";
    private const string Token = "a token of good length";

    public static TheoryData<int> Pipelines => new(Enumerable.Range(0, Blocks().Count));

    [Theory]
    [MemberData(nameof(Pipelines))]
    public void Pipeline_IsReadAndItsCommandsRun(int index)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "The responder stands in for db1 on loopback here.");
        YamlStream yaml = [];
        yaml.Load(new StringReader(Blocks()[index]));
        YamlMappingNode root = (YamlMappingNode)Assert.Single(yaml.Documents).RootNode;
        using TempFolder folder = new();
        folder.Write("token.txt", Token);
        using RunningResponder responder = new(Token);
        string[] lines = [.. Scripts(root).SelectMany(s => s.Split('\n')).Where(l => l.StartsWith("latencytuner ", StringComparison.Ordinal))];

        Assert.NotEmpty(lines);
        foreach (string line in lines)
        {
            string[] words =
                [.. CommandLine.Words(line).Select(w => w == "db1" ? responder.Target : w.Contains('.', StringComparison.Ordinal) ? folder[w] : w)];
            CliRun run = CliRun.Of(words[0] == "check" ? [.. words, "--duration", "300ms", "--warmup", "0s", "--no-diagnosis"] : words);
            Assert.True(run.Code == 0, $"{line}: exit code {run.Code}\n{run.Error}{run.Out}");
        }
    }

    /// <summary>The texts that a server gives to a shell: <c>run</c> of a job of GitHub, <c>pwsh</c> of a step of Azure DevOps.</summary>
    private static IEnumerable<string> Scripts(YamlMappingNode root)
    {
        bool isGitHub = root.Children.ContainsKey("jobs");
        IEnumerable<YamlNode> steps = isGitHub
            ? ((YamlMappingNode)root["jobs"]).Children.Values.SelectMany(job => ((YamlSequenceNode)job["steps"]).Children)
            : ((YamlSequenceNode)root["steps"]).Children;
        foreach (YamlMappingNode step in steps.Cast<YamlMappingNode>())
        {
            string[] keys = [.. step.Children.Keys.Select(k => k.ToString())];
            string[] known = isGitHub ? ["name", "shell", "run", "if", "uses", "with"] : ["pwsh", "displayName", "task", "condition", "inputs"];
            Assert.Empty(keys.Except(known));
            if (keys.Intersect(["run", "pwsh"]).SingleOrDefault() is { } script)
            {
                yield return step[script].ToString();
            }
            else
            {
                Assert.Contains(isGitHub ? "uses" : "task", keys);
            }
        }
    }

    private static List<string> Blocks()
    {
        List<string> blocks = [];
        string[] lines = ManualPages.Lines(Page);
        for (int i = 0; i < lines.Length; i++)
        {
            if (lines[i] == "```yaml")
            {
                blocks.Add(string.Join('\n', lines.Skip(i + 1).TakeWhile(l => l != "```")));
            }
        }

        return blocks;
    }
}
