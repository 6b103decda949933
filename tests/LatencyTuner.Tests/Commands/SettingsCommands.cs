using System.Text;
using LatencyTuner.Commands;
using LatencyTuner.Core;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting;
using LatencyTuner.Core.Reporting.Check;
using LatencyTuner.Core.Reporting.Settings;
using LatencyTuner.Core.Settings.Audit;
using LatencyTuner.Core.Text;
using LatencyTuner.Hosting;
using LatencyTuner.Tests.Reporting;
using LatencyTuner.Tests.Settings;
using Xunit;

namespace LatencyTuner.Tests.Commands;

public sealed class SettingsCommands
{
    [Theory]
    [InlineData("settings", "list")]
    [InlineData("settings", "show", "tcp.ackfrequency")]
    [InlineData("snapshot")]
    public async Task Run_WithoutALiveHostSaysSo(params string[] args)
    {
        (ExitCode code, string? output, string? error) = await Run(null, args);

        Assert.Equal((ExitCode.Platform, ""), (code, output));
        Assert.Contains("on Windows only", Assert.Single(error.TrimEnd().Split('\n')), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("tcp.ackfrequency")]
    [InlineData("TcpAckFrequency")]
    public async Task Explain_WithoutALiveHost_ExplainsAllTheSame(string name)
    {
        (ExitCode code, string output, string error) = await Run(null, "settings", "explain", name);

        Assert.Equal((ExitCode.Done, ""), (code, error));
        Assert.Contains("delayed", output, StringComparison.OrdinalIgnoreCase);
        Assert.InRange(output.TrimEnd().Split('\n').Length, 5, 22);
        Assert.Contains("No value was read", (await Run(null, "settings", "explain", name, "--details")).Output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("server2022.json", 3)]
    [InlineData("win11.json", 3)]
    [InlineData("sql01.reg", 2)]
    public async Task List_ReadsSnapshotsAndRegistryExports(string file, int causes)
    {
        (ExitCode code, string? output, string? error) = await Run(
            null, "settings", "list", "--snapshot", SampleSnapshots.PathOf(file), "--profile", "low-latency", "--format", "json");

        Assert.Equal((ExitCode.Done, ""), (code, error));
        SettingsReport report = ReportJson.Read<SettingsReport>(Encoding.UTF8.GetBytes(output), "out");
        Assert.Equal("low-latency", report.Profile);
        Assert.True(report.Findings.Select(f => f.Cause).Distinct().Count() >= causes);
    }

    [Theory]
    [InlineData("text")]
    [InlineData("json")]
    [InlineData("csv")]
    [InlineData("junit")]
    [InlineData("html")]
    public async Task Commands_PrintEveryForm(string format)
    {
        string path = SampleSnapshots.PathOf("server2022.json");
        foreach (string[]? args in new[]
        {
            new[] { "settings", "list", "--snapshot", path }, ["settings", "show", "TcpAckFrequency", "--snapshot", path],
            ["settings", "explain", "sock.tcp_nodelay", "--snapshot", path],
            ["snapshot"], ["compare", path, SampleSnapshots.PathOf("win11.json")], ["settings", "list", "--snapshot", SampleSnapshots.PathOf("config")],
            ["compare", SampleSnapshots.PathOf("sql01.reg"), path],
        })
        {
            (ExitCode code, string? output, string? error) = await Run(() => SampleSnapshots.Server2022, [.. args, "--format", format]);

            Assert.Equal((ExitCode.Done, ""), (code, error));
            Assert.NotEmpty(output);
        }
    }

    [Theory]
    [InlineData("none", ExitCode.Done)]
    [InlineData("error", ExitCode.Done)]
    [InlineData("warning", ExitCode.Finding)]
    public async Task List_FailsOnFindingsWhereAsked(string failOn, ExitCode expected)
    {
        (ExitCode code, string? output, string? error) = await Run(
            null, "settings", "list", "--snapshot", SampleSnapshots.PathOf("server2022.json"), "--fail-on", failOn);

        Assert.Equal((expected, ""), (code, error));
        Assert.NotEmpty(output);
    }

    [Fact]
    public async Task List_ShowsWhatIsWorthALookAndAllOnRequest()
    {
        string[] list = ["settings", "list", "--snapshot", SampleSnapshots.PathOf("server2022.json")];

        string screen = (await Run(null, list)).Output, all = (await Run(null, [.. list, "--all"])).Output;

        Assert.InRange(screen.TrimEnd().Split('\n').Length, 5, 22);
        Assert.Contains("more: --all", screen, StringComparison.Ordinal);
        Assert.Contains("tcp.ackfrequency", screen, StringComparison.Ordinal);
        Assert.Equal(all, (await Run(null, [.. list, "--details"])).Output);
        Assert.InRange(all.Split('\n').Length, 100, 1_000);
    }

    [Fact]
    public async Task Explain_TellsThatAMythDoesNothing()
    {
        (ExitCode code, string? output, string _) = await Run(
            null, "settings", "explain", "tcp.nodelay.interface", "--snapshot", SampleSnapshots.PathOf("win11.json"), "--details");

        Assert.Equal(ExitCode.Done, code);
        Assert.Contains("Has no effect", output, StringComparison.Ordinal);
        Assert.Contains("LT202", output, StringComparison.Ordinal);
        Assert.Contains("Sources", output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("Team1")]
    [InlineData("14")]
    [InlineData("10.20.0.21")]
    [InlineData("5f2c7a10-8b3e-4d66-9c1f-2a7b90e4d301")]
    public async Task Show_TakesOneInterface(string name)
    {
        (ExitCode _, string? output, string _) = await Run(
            null, "settings", "show", "tcp.ackfrequency", "--snapshot", SampleSnapshots.PathOf("server2022.json"), "--interface", name, "--format", "json");

        SettingsReport report = ReportJson.Read<SettingsReport>(Encoding.UTF8.GetBytes(output), "out");
        Assert.Equal([SampleSnapshots.Team, null], report.Entries.Select(e => e.Interface));
        Assert.Equal([AuditState.Conflict, AuditState.Misplaced], report.Entries.Select(e => e.State));
    }

    [Theory]
    [InlineData("settings show tcp.ackfrequncy --snapshot S", ExitCode.Usage, "did you mean 'tcp.ackfrequency'")]
    [InlineData("settings list --snapshot S --interface Taem1", ExitCode.Usage, "did you mean 'Team1'")]
    [InlineData("settings list --snapshot /no/such/file.json", ExitCode.Input, "cannot be read")]
    [InlineData("settings list --snapshot /usr", ExitCode.Input, "/usr holds neither SYSTEM nor SOFTWARE")]
    [InlineData("settings list --snapshot S --profile fast", ExitCode.Usage, "fast")]
    [InlineData("compare S M", ExitCode.Input, "latencytuner/measurement/2")]
    public async Task Run_SaysWhatIsWrong(string line, ExitCode expected, string words)
    {
        string measurement = Path.Combine(Path.GetTempPath(), $"m-{Guid.NewGuid():N}.json");
        await File.WriteAllTextAsync(measurement, ReportJson.Serialize(SampleReports.Healthy));
        try
        {
            (ExitCode code, string? output, string? error) = await Run(
                null, [.. line.Split(' ').Select(a => a switch { "S" => SampleSnapshots.PathOf("server2022.json"), "M" => measurement, _ => a })]);

            Assert.Equal((expected, ""), (code, output));
            Assert.Contains(words, error, StringComparison.Ordinal);
        }
        finally
        {
            File.Delete(measurement);
        }
    }

    [Fact]
    public async Task List_RefusesASnapshotEditedIntoNonsense()
    {
        byte[] bytes = Encoding.UTF8.GetBytes(ReportJson.Serialize(SampleSnapshots.Server2022 with
        {
            Values = [SampleSnapshots.Server2022.Values.First(v => v.Type == "REG_DWORD") with { Data = ["one"] }],
        }));

        (ExitCode code, string _, string? error) = await Run(null, bytes, "settings", "list", "--snapshot", "edited.json");

        Assert.Equal(ExitCode.Input, code);
        Assert.StartsWith("edited.json: ", error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("error", ExitCode.Done, "pass")]
    [InlineData("warning", ExitCode.Finding, "fail")]
    public async Task Check_AuditsTheMachineItRunsOn(string failOn, ExitCode expected, string verdict)
    {
        (ExitCode code, string? output, string? error) = await Run(
            () => SampleSnapshots.Server2022, "check", "--no-diagnosis", "--count", "20", "--warmup", "0s", "--fail-on", failOn, "--format", "json");

        Assert.Equal((expected, ""), (code, error));
        CheckReport report = ReportJson.Read<CheckReport>(Encoding.UTF8.GetBytes(output), "out");
        Assert.Equal((verdict, true), (Format.Kebab(report.Verdict), report.Settings!.Audited));
        Assert.Contains(report.Findings, f => f is { Cause: Cause.SettingNotRecommended or Cause.SettingMisplaced, Severity: Severity.Warning });
        Assert.All(report.Findings, f => Assert.NotEqual(Severity.Error, f.Severity));
        Assert.DoesNotContain(report.Reasons, r => r.StartsWith("Settings not audited", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Check_SaysWhyTheMachineCouldNotBeAudited()
    {
        (ExitCode code, string? output, string _) = await Run(
            () => throw new ExpectedFailureException(ExitCode.Platform, "The registry is out for lunch."), "check", "--no-diagnosis", "--count", "20",
            "--warmup", "0s", "--format", "json");

        Assert.Equal(ExitCode.Done, code);
        CheckReport report = ReportJson.Read<CheckReport>(Encoding.UTF8.GetBytes(output), "out");
        Assert.Equal((false, "The registry is out for lunch."), (report.Settings!.Audited, report.Settings.NotAuditedBecause));
        Assert.Contains("Settings not audited: The registry is out for lunch.", report.Reasons);
    }

    private static Task<(ExitCode Code, string Output, string Error)> Run(Func<HostSnapshot>? live, params string[] args) => Run(live, null, args);

    private static async Task<(ExitCode Code, string Output, string Error)> Run(Func<HostSnapshot>? live, byte[]? file, params string[] args)
    {
        using StringWriter output = new();
        using StringWriter error = new();
        CliHost host = new() { Out = output, Error = error, LiveSnapshot = live, OpenFile = file is null ? File.OpenRead : _ => new MemoryStream(file) };
        int code = await Cli.RunAsync(args, host);
        return ((ExitCode)code, output.ToString(), error.ToString());
    }
}
