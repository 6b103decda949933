using System.Text.Json.Nodes;
using Xunit;

namespace LatencyTuner.Tests.Commands;

/// <summary>--via on the command line. What needs ssh, networks and kills is in tests/via.</summary>
public sealed class FarEndRuns
{
    private const string OtherLine =
        "LATENCYTUNER1 {\"port\":9,\"token\":\"0123456789abcdef\",\"version\":\"7.0\",\"protocol\":99,\"pid\":1,\"addresses\":[]}";

    private static readonly string Program = Path.Combine(AppContext.BaseDirectory, "latencytuner");

    [Theory]
    [InlineData("--via starts the responder on another host", "measure", "--via", "ssh")]
    [InlineData("--via starts the responder on another host", "check", "loopback", "--via", "ssh")]
    [InlineData("--via-port needs --via COMMAND", "measure", "db1", "--via-port", "7117")]
    [InlineData("--via-port N", "measure", "db1:7200", "--via", "ssh")]
    [InlineData("goes with one target", "check", "db1", "db2", "--via", "ssh db1")]
    [InlineData("exclude each other", "measure", "db1", "--via", "ssh", "--token-file", "token.txt")]
    [InlineData("docker cp", "measure", "db1", "--via", "docker exec -i web", "--via-copy")]
    [InlineData("exclude each other", "measure", "db1", "--via", "ssh", "--via-copy", "--via-program", "x")]
    [InlineData("is not closed", "measure", "db1", "--via", "ssh 'db1")]
    [InlineData("cannot be started on this machine", "measure", "db1", "--via", "no-such-program-here db1")]
    [InlineData("exclude each other", "sweep", "window", "db1", "--via", "ssh", "--protocol", "http2", "--token-file", "token.txt")]
    [InlineData("does not go with --no-auth", "serve", "--once", "--no-auth")]
    [InlineData("does not go with --token-file", "serve", "--once", "--token-file", "x")]
    public void Usage_IsASentence(string says, params string[] args) => CliRun.Of(args).Failed(2, says);

    [Theory]
    [InlineData("'nothing-here' was not found, or could not be run, at the far end", "nothing-here", "sh -c {}")]
    [InlineData("is of another version, which has no 'serve --once'", "latencytuner", "sh -c \"echo \\\"'--once' is not an option\\\" >&2; exit 2\" {}")]
    [InlineData("ended with exit code 3: no luck", "latencytuner", "sh -c 'echo no luck >&2; exit 3' {}")]
    [InlineData("is no 'latencytuner serve --once': the start line is not valid", "latencytuner", "sh -c 'echo LATENCYTUNER1 {\\\"a\\\":1}' {}")]
    [InlineData("is no 'latencytuner serve --once': 64 KiB came without a start line", "latencytuner", "sh -c 'yes | tr -d \\\\n' {}")]
    [InlineData("protocol version 99", "latencytuner", "sh -c 'echo $1' - '" + OtherLine + "' {}")]
    public void Failures_AreToldApart(string says, string program, string via)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "needs sh");
        CliRun run = CliRun.Of("measure", "127.0.0.1", "--via", via, "--via-program", program, "--count", "5");
        Assert.Equal((5, ""), (run.Code, run.Out));
        string[] lines = [.. run.Error.TrimEnd().Split('\n')];
        Assert.Contains(says, Assert.Single(lines, l => !l.StartsWith("  | ", StringComparison.Ordinal)), StringComparison.Ordinal);
    }

    [Fact]
    public void Why_SaysWhatTheVerdictDoesNot()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "needs sh");
        CliRun run = CliRun.Of(
            "check", "127.0.0.1", "--via", "sh -c {}", "--via-program", "nothing-here", "--duration", "50ms", "--warmup", "0s", "--no-diagnosis",
            "--format", "json");
        JsonNode report = JsonNode.Parse(run.Out)!;
        Assert.Contains("was not found", report["text"]!.GetValue<string>(), StringComparison.Ordinal);
        string[] reasons = [.. report["reasons"]!.AsArray().Select(r => r!.GetValue<string>())];
        Assert.Equal("127.0.0.1 was not measured, so the path to it was not judged.", reasons[0]);
        Assert.DoesNotContain(report["text"]!.GetValue<string>(), reasons);
    }

    [Fact]
    public void Banner_IsShown_WhenTheLineNeverComes()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "needs sh");
        CliRun run = CliRun.Of("measure", "127.0.0.1", "--via", "sh -c 'echo This host is closed for maintenance.' {}", "--count", "5");
        Assert.Contains("  | This host is closed for maintenance.", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public void Far_Measured_SaysWhichAddressAnswered_AndIsGone()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux() && File.Exists(Program), "needs sh and the program itself");
        CliRun run = CliRun.Of(
            "check", "127.0.0.1", "--via", "sh -c {}", "--via-program", Program, "--count", "20", "--warmup", "0s", "--format", "json").Done();
        JsonNode target = JsonNode.Parse(run.Out)!["measurements"]![1]!["target"]!;
        Assert.Equal("sh -c {}", target["via"]!["command"]!.GetValue<string>());
        Assert.Equal("127.0.0.1", target["address"]!.GetValue<string>());
        IEnumerable<string> steps = JsonNode.Parse(run.Out)!["nextSteps"]!.AsArray().Select(s => s!.GetValue<string>());
        string step = steps.First(s => s.Contains("--via", StringComparison.Ordinal));
        Assert.Contains("--via 'sh -c {}' --via-program", step, StringComparison.Ordinal);
        int port = target["port"]!.GetValue<int>();
        using System.Net.Sockets.TcpClient client = new();
        Assert.Throws<System.Net.Sockets.SocketException>(() => client.Connect("127.0.0.1", port));
    }

    [Fact]
    public void Http2_IsSweptThroughAFarEnd()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux() && File.Exists(Program), "needs sh and the program itself");
        CliRun run = CliRun.Of(
            "sweep", "window", "127.0.0.1", "--protocol", "http2", "--via", "sh -c {}", "--via-program", Program, "--sizes", "64KiB", "--connections", "1",
            "--messages", "100", "--rounds", "1", "--duration", "50ms", "--warmup", "0s", "--format", "json");
        Assert.True(run.Code is 0 or 7, run.Error);
        JsonNode report = JsonNode.Parse(run.Out)!;
        Assert.True(report["complete"]!.GetValue<bool>());
        Assert.Equal("sh -c {}", report["target"]!["via"]!["command"]!.GetValue<string>());
        int port = report["target"]!["port"]!.GetValue<int>();
        using System.Net.Sockets.TcpClient client = new();
        Assert.Throws<System.Net.Sockets.SocketException>(() => client.Connect("127.0.0.1", port));
    }

    [Fact]
    public void Http2_OfAFarEndWithoutHttp_IsASentence()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "needs sh");
        CliRun run = CliRun.Of(
            "sweep", "window", "127.0.0.1", "--protocol", "http2", "--via", "sh -c 'echo $1' - '" + OtherLine.Replace("99", "2", StringComparison.Ordinal) + "' {}");
        Assert.Equal(5, run.Code);
        Assert.Contains("named no port for HTTP", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public void Once_PrintsOneLine_AndKeepsItsTokenToItself()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux() && File.Exists(Program), "needs the program itself");
        using System.Diagnostics.Process process = System.Diagnostics.Process.Start(new System.Diagnostics.ProcessStartInfo(
            Program, ["serve", "--once", "--for", "20s"])
        { RedirectStandardOutput = true, RedirectStandardError = true, RedirectStandardInput = true })!;
        try
        {
            string line = process.StandardOutput.ReadLine()!;
            Assert.StartsWith("LATENCYTUNER1 {", line, StringComparison.Ordinal);
            string token = JsonNode.Parse(line["LATENCYTUNER1 ".Length..])!["token"]!.GetValue<string>();
            Assert.Equal(32, Convert.FromBase64String(token).Length);
            Assert.DoesNotContain(token, File.ReadAllText($"/proc/{process.Id}/cmdline"), StringComparison.Ordinal);
            Assert.DoesNotContain(token, File.ReadAllText($"/proc/{process.Id}/environ"), StringComparison.Ordinal);
        }
        finally
        {
            process.Kill();
        }
    }
}
