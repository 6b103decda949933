using System.IO.Compression;
using System.Text.RegularExpressions;
using LatencyTuner.Core.Analysis.Selftest;
using LatencyTuner.Core.Reporting;
using LatencyTuner.Core.Reporting.Selftest;
using LatencyTuner.Tests.Commands;
using LatencyTuner.Tests.Reporting;
using Xunit;
using YamlDotNet.RepresentationModel;

namespace LatencyTuner.Tests.Analysis.Selftest;

/// <summary>The evidence of a proof on a real machine: what the script writes is what is read, and each step can fail.</summary>
public sealed partial class Proofs
{
    private static readonly string Script = File.ReadAllText(Path.Combine(Repository.Root, "tests", "windows", "prove.ps1"));

    private static ProofStep Step(string id) => ProofCatalogue.Steps.Single(s => s.Id == id);

    /// <summary>A run of a step that is as expected.</summary>
    private static ProofRun Met(ProofStep step) => new(step.Id, step.ExitCode, null, step.Id switch
    {
        "held-output" => "'r.json' is held by another program. The report is in 'r.1.json'.",
        "ctrl-c" or "ctrl-break" => "{\n  \"complete\": false\n}",
        "journal-acl" => "O:BAG:SYD:PAI(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)\r\n",
        "registry-changed" => "    TcpAckFrequency    REG_DWORD    0x1",
        "event-log" => "latencytuner apply changed 1 value.",
        "template-before" or "template-after" => "A : 1\r\nB : 2\r\n",
        "template-changed" => "A : 1\nB : 1\n",
        "filter-shown" => "InternetCustom 192.0.2.0/24 7117 7117",
        "trace-detail" => "\"id\": \"LT101\"",
        _ => "the same",
    });

    private static ProbeFinding Finding(string assumption, params ProofRun[] instead)
    {
        Dictionary<string, ProofRun> runs = ProofCatalogue.Steps.ToDictionary(s => s.Id, Met);
        foreach (ProofRun run in instead)
        {
            runs[run.Step] = run;
        }

        return ProofCatalogue.Judge([.. runs.Values])[assumption];
    }

    [Fact]
    public void Steps_AreThoseOfTheScriptInItsOrder()
    {
        List<string> ids = [.. StepCall().Matches(Script).SelectMany(m => Expanded(m.Groups[1].Value))];

        Assert.Equal(ProofCatalogue.Steps.Select(s => s.Id), ids);

        static IEnumerable<string> Expanded(string id) => id switch
        {
            "$control[0]" => ["ctrl-c", "ctrl-break"],
            "\"wpr-$($name.ToLowerInvariant())\"" => ["wpr-latency", "wpr-detail", "wpr-packets"],
            "\"line-$tool\"" => ["line-logman", "line-netsh", "line-pktmon"],
            "\"clock-$clock\"" => ["clock-cycle", "clock-system"],
            _ => [id.Trim('\'')],
        };
    }

    [Fact]
    public void Steps_TestAssumptionsOfTheListAndComeAfterWhatTheyAreComparedWith()
    {
        HashSet<string> before = [];
        Assert.All(ProofCatalogue.Steps, step =>
        {
            Assert.Subset(AssumptionCatalogue.All.Select(a => a.Id).ToHashSet(), step.Assumptions.ToHashSet());
            Assert.True((step.SameAs ?? step.OneLineFrom) is not { } other || before.Contains(other), step.Id);
            Assert.True(before.Add(step.Id), step.Id);
        });
    }

    [Fact]
    public void Judge_AllAsExpected_HoldsEverywhere() => Assert.All(
        ProofCatalogue.Judge([.. ProofCatalogue.Steps.Select(Met)]), f => Assert.True(f.Value.Result == AssumptionState.Holds, $"{f.Key}: {f.Value.Because}"));

    /// <summary>Each condition of each step, broken alone, is what the assumption fails by; a step left out leaves it open.</summary>
    [Fact]
    public void Judge_EachStepThatIsNotAsExpected_FailsItsAssumptions() => Assert.All(
        ProofCatalogue.Steps.Where(s => s.Assumptions.Length > 0), step =>
        {
            ProofRun met = Met(step);
            List<ProofRun> broken = [met with { ExitCode = step.ExitCode + 1 }];
            if (step.Matches is not null)
            {
                broken.Add(met with { Output = "nothing of it" });
            }

            if (step.Lacks is not null)
            {
                broken.Add(met with { Output = "LatencyTuner-4711 Trace Running\nevents that do not fit their layout" });
            }

            if ((step.SameAs ?? step.OneLineFrom) is not null)
            {
                broken.Add(met with { Output = met.Output + "\nanother line" });
                broken.Add(met with { Output = "C : 1\nD : 2" });
            }

            foreach (string assumption in step.Assumptions)
            {
                Assert.All(broken, run =>
                {
                    ProbeFinding finding = Finding(assumption, run);
                    Assert.Equal(AssumptionState.DoesNotHold, finding.Result);
                    Assert.Contains(step.Id, finding.Because, StringComparison.Ordinal);
                });
                ProbeFinding open = Finding(assumption, new ProofRun(step.Id, null, "-AllowTrace was not given", ""));
                Assert.Equal(AssumptionState.CannotTell, open.Result);
                Assert.Contains(open.Evidence, e => e.Contains("-AllowTrace was not given", StringComparison.Ordinal));
            }
        });

    [Fact]
    public void Judge_WhatAStepIsComparedWithIsMissing_IsOpen()
    {
        ProbeFinding finding = Finding("registry-write", new ProofRun("registry-before", null, "the script ended", ""));

        Assert.Equal(AssumptionState.CannotTell, finding.Result);
        Assert.Contains("Step registry-before, with which registry-after is compared, was not run.", finding.Evidence);
    }

    [Fact]
    public void Access_OfAnyoneElseToTheJournal_DoesNotHold() => Assert.All(
        [
            "O:BAG:SYD:PAI(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)(A;OICI;FR;;;BU)",
            "O:SYG:SYD:PAI(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)",
            "O:BAG:SYD:AI(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)",
        ],
        sddl => Assert.Equal(
            AssumptionState.DoesNotHold, Finding("journal-folder-acl", new ProofRun("journal-acl", 0, null, sddl)).Result));

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Read_AMachineWithThreeFailures_NamesThem(bool zipped)
    {
        using TempFolder folder = new();
        string evidence = Evidence(folder, zipped);

        CliRun run = CliRun.Of("selftest", "--read", evidence, "--details", "--no-color").Done();

        Assert.StartsWith("REVIEW  ", run.Out, StringComparison.Ordinal);
        Assert.Contains("do not hold: 3;", Regex.Replace(run.Out, @"\s+", " "), StringComparison.Ordinal);
        Assert.Contains("elevation: a process that is not elevated is recognised", run.Out, StringComparison.Ordinal);
        Assert.Contains("Step not-elevated ended with exit code 0 instead of 4.", run.Out, StringComparison.Ordinal);
        Assert.Contains("etw-live-ends: ", run.Out, StringComparison.Ordinal);
        Assert.Contains("etw-profiles: ", run.Out, StringComparison.Ordinal);
        Assert.Matches(@"line-pktmon: -AllowTrace was not given", run.Out);
        Assert.Matches(@"registry-write +holds", run.Out);
        Assert.DoesNotContain("but not shown", run.Out, StringComparison.Ordinal);
        Assert.Contains("wpr-detail ended with exit code 0xC5580612 instead of 0.", run.Out, StringComparison.Ordinal);
        Assert.DoesNotContain("Send the result back", run.Out, StringComparison.Ordinal);
    }

    [Fact]
    public void Read_TellsWhatWasExpectedOnThatBuild()
    {
        using TempFolder folder = new();

        SelftestReport report = ReportJson.Read<SelftestReport>(
            System.Text.Encoding.ASCII.GetBytes(CliRun.Of("selftest", "--read", Evidence(folder, zipped: false), "--format", "json").Done().Out), "r.json");

        Assert.Equal(20348, report.Os.Build);
        Assert.Equal(AssumptionState.Holds, report.Probes.Single(p => p.Id == "tcp-info-v1").Expected);
        Assert.Equal(AssumptionState.CannotTell, report.Probes.Single(p => p.Id == "tcp-info-v0-fallback").Expected);
        Assert.Equal(ProofCatalogue.Steps.Select(s => s.Id), report.Steps.Select(s => s.Id));
    }

    [Theory]
    [InlineData(null, "has no steps.jsonl")]
    [InlineData("", "has no selftest")]
    [InlineData("no json\n", "line 1 is no JSON object with step, exitCode or notRun, and output")]
    [InlineData("{\"step\":\"check\"}\n", "line 1 has neither an exitCode nor a reason in notRun")]
    [InlineData("{\"exitCode\":0}\n", "line 1 has no step")]
    [InlineData("\n{\"step\":\"check\",\"exitCode\":0,\"output\":\"../r.txt\"}\n", "line 2 names an output that is no file of this folder")]
    [InlineData("{\"step\":\"check\",\"exitCode\":0,\"output\":\"gone.txt\"}\n", "line 1 names gone.txt, which is not there")]
    [InlineData("{\"step\":\"check\",\"exitCode\":1e99}\n", "line 1 is no JSON object")]
    [InlineData("{\"step\":\"selftest\",\"exitCode\":0,\"output\":\"bad.json\"}\n", "bad.json")]
    public void Read_OfSomethingElse_EndsWithOneSentence(string? steps, string because)
    {
        using TempFolder folder = new();
        folder.Write("bad.json", "{");
        if (steps is not null)
        {
            folder.Write("steps.jsonl", steps);
        }

        Assert.Contains(because, CliRun.Of("selftest", "--read", folder.Path).Failed(3).Error, StringComparison.Ordinal);
    }

    [Fact]
    public void Read_OfAFileThatIsNoZip_EndsWithOneSentence()
    {
        using TempFolder folder = new();
        folder.Write("a.zip", "no zip");

        CliRun.Of("selftest", "--read", folder["a.zip"]).Failed(3);
        CliRun.Of("selftest", "--read", folder["b.zip"]).Failed(3);
    }

    [Fact]
    public void Expected_IsWorseOnlyWhereItShouldHold()
    {
        Assert.True(ExpectedResults.IsWorse(AssumptionState.DoesNotHold, null));
        Assert.True(ExpectedResults.IsWorse(AssumptionState.CannotTell, AssumptionState.Holds));
        Assert.False(ExpectedResults.IsWorse(AssumptionState.CannotTell, AssumptionState.CannotTell));
        Assert.False(ExpectedResults.IsWorse(AssumptionState.Holds, AssumptionState.CannotTell));
        Assert.Equal(
            [AssumptionState.CannotTell, AssumptionState.Holds, AssumptionState.Holds, AssumptionState.CannotTell, null],
            new int?[] { 14393, 15063, 17134, 17763, null }.Select(b => ExpectedResults.On("tcp-info-v0-fallback", b)));
    }

    /// <summary>What changes something is behind a switch, and the script has an undo for it before the first change.</summary>
    [Fact]
    public void Script_ChangesNothingWithoutASwitch()
    {
        string[] lines = Script.Split('\n');
        Assert.All(
            StepBlock().Matches(Script).Select(m => m.Value).Where(b => Changing().IsMatch(b)),
            block => Assert.Matches(@"\} (\(\(?\$null -ne \$target|\$(registry|template|trace|setUp|noUser) |\(\[bool\]\$StandardUser\) )", block));
        int undo = Array.FindIndex(lines, l => l.Contains("Register-ScheduledTask -TaskName $undoTask", StringComparison.Ordinal));
        int first = Array.FindIndex(lines, l => l.Contains("& $exe apply", StringComparison.Ordinal));
        Assert.InRange(undo, 1, first - 1);
    }

    [Fact]
    public void Workflow_IsYamlWhoseStepsAreBoundedAndAlwaysRun()
    {
        YamlStream yaml = [];
        using StringReader text = new(File.ReadAllText(Path.Combine(Repository.Root, ".github", "workflows", "windows.yml")));
        yaml.Load(text);
        YamlMappingNode job = (YamlMappingNode)yaml.Documents[0].RootNode["jobs"]["prove"];
        List<YamlMappingNode> steps = [.. ((YamlSequenceNode)job["steps"]).Cast<YamlMappingNode>()];
        Assert.Equal(
            ["windows-2022", "windows-2025", "windows-11-arm"],
            ((YamlSequenceNode)job["strategy"]["matrix"]["include"]).Select(i => ((YamlScalarNode)i["os"]).Value));
        Assert.All(steps, s => Assert.True(s.Children.ContainsKey("timeout-minutes") && (s.Children.ContainsKey("run") || s.Children.ContainsKey("uses"))));
        int build = steps.FindIndex(s => s.Children.TryGetValue("name", out YamlNode? name) && ((YamlScalarNode)name).Value == "build");
        Assert.All(steps.Skip(build + 1), s => Assert.Equal("always()", ((YamlScalarNode)s["if"]).Value));
    }

    /// <summary>A machine on which the standard user's change went through, a session was left, and wpr refused a profile; pktmon was not run.</summary>
    private static string Evidence(TempFolder folder, bool zipped)
    {
        List<string> lines = [];
        Directory.CreateDirectory(folder["evidence"]);
        foreach (ProofStep step in ProofCatalogue.Steps)
        {
            ProofRun run = step.Id switch
            {
                "not-elevated" => Met(step) with { ExitCode = 0 },
                "trace-after-kill-sessions" => Met(step) with { Output = "LatencyTuner-4711-20261123  Trace  Running" },
                "wpr-detail" => Met(step) with { ExitCode = unchecked((int)0xC5580612) },
                "line-pktmon" => new(step.Id, null, "-AllowTrace was not given", ""),
                "selftest" => Met(step) with { Output = ReportJson.Serialize(AsExpected(SampleReports.Selftest)) },
                _ => Met(step),
            };
            string file = $"{step.Id}.{(step.Id == "selftest" ? "json" : "txt")}";
            lines.Add(
                run.NotRun is { } reason ? $$"""{"step":"{{run.Step}}","exitCode":null,"notRun":"{{reason}}","output":null}"""
                    : $$"""{"step":"{{run.Step}}","exitCode":{{run.ExitCode}},"notRun":null,"output":"{{file}}"}""");
            File.WriteAllText(folder[Path.Combine("evidence", file)], run.Output);
        }

        // As Windows PowerShell may write it.
        File.WriteAllText(folder[Path.Combine("evidence", "steps.jsonl")], "\uFEFF" + string.Join("\r\n", lines) + "\r\n");
        if (!zipped)
        {
            return folder["evidence"];
        }

        ZipFile.CreateFromDirectory(folder["evidence"], folder["evidence.zip"]);
        return folder["evidence.zip"];
    }

    private static SelftestReport AsExpected(SelftestReport report) => report with
    {
        Probes = [.. report.Probes.Select(p => p with { Result = ExpectedResults.On(p.Id, report.Os.Build)!.Value })],
    };

    [GeneratedRegex(@"^\s*Step ('[a-z-]+'|\$control\[0\]|""[a-z]+-\$[^""]+"")", RegexOptions.Multiline)]
    private static partial Regex StepCall();

    [GeneratedRegex(@"^( +)Step .*?(?=^\1(?:Step |# ---|foreach|\$|if )|^\} finally|^    \}\r?$)", RegexOptions.Multiline | RegexOptions.Singleline)]
    private static partial Regex StepBlock();

    [GeneratedRegex(@"\$exe (?:apply|rollback|setup)|'apply'|'trace'|wpr |logman create|-ScheduledTask |NetAdapter -Name|New-Item -ItemType File")]
    private static partial Regex Changing();
}
