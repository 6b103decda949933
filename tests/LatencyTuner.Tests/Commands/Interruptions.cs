using System.Text.Json;
using LatencyTuner.Tests.Reporting;
using Xunit;

namespace LatencyTuner.Tests.Commands;

public sealed class Interruptions
{
    public static TheoryData<string, string> Commands => new()
    {
        { "measurement", "measure --duration 60s --warmup 0s" },
        { "measurement", "measure --duration 60s --rate 200/s --warmup 0s --connections 2" },
        { "measurement", "measure --duration 60s --pattern stream" },
        { "measurement", "measure --duration 60s --peer-think 10s --timeout 1m" },
        { "diagnosis", "diagnose --rounds 1000" },
        { "sweep", "sweep rate --rounds 100" },
        { "sweep", "sweep window --rounds 100" },
        { "sweep", "sweep send-buffer --load one-way --rounds 100" },
        { "check", "check --duration 60s" },
    };

    [Theory]
    [MemberData(nameof(Commands))]
    public async Task Cancelled_InTheMiddle_PrintsWhatThereIs(string kind, string command)
    {
        using CancellationTokenSource cancellation = new(TimeSpan.FromMilliseconds(400));

        CliRun run = CliRun.Of(cancellation.Token, [.. command.Split(' '), "--format", "json"]).Done(130);

        await IsPartial(kind, run.Out);
    }

    [Theory]
    [InlineData("measurement", "measure --duration 60s")]
    [InlineData("diagnosis", "diagnose")]
    [InlineData("sweep", "sweep rate")]
    [InlineData("sweep", "sweep batch")]
    [InlineData("check", "check")]
    public async Task Cancelled_BeforeTheFirstRequest_IsStillADocument(string kind, string command)
    {
        CliRun run = CliRun.Of(new CancellationToken(true), [.. command.Split(' '), "--format", "json"]);

        Assert.Equal(130, run.Code);
        await IsPartial(kind, run.Out);
    }

    [Fact]
    public void Cancelled_KeepsTheFiles()
    {
        using TempFolder folder = new();
        using CancellationTokenSource cancellation = new(TimeSpan.FromMilliseconds(500));

        CliRun run =
            CliRun.Of(
                cancellation.Token, "measure", "--duration", "60s", "--warmup", "0s", "--interval", "100ms", "--output", folder["r.json"], "--format", "json",
            "--series", folder["s.csv"], "--hgrm", folder["d.hgrm"], "--hlog", folder["i.hlog"]);

        Assert.Equal((130, "", ""), (run.Code, run.Out, run.Error));
        Assert.Equal(["d.hgrm", "i.hlog", "r.json", "s.csv"], folder.Names);
        Assert.Contains("incomplete", File.ReadAllText(folder["s.csv"]), StringComparison.Ordinal);
    }

    [Fact]
    public void Cancelled_Serve_EndsWell()
    {
        using CancellationTokenSource cancellation = new(TimeSpan.FromMilliseconds(300));

        CliRun run = CliRun.Of(cancellation.Token, "serve", "--port", "0");

        Assert.Equal(0, run.Code);
        Assert.Matches(@"^Listening on 127\.0\.0\.1:\d+, this machine only, no token\.\r?\n$", run.Out);
        Assert.Matches(@"^Stopped: 0 connections and 0 messages served, 0 refused\.\r?\n$", run.Error);
    }

    [Theory]
    [InlineData("INT")]
    [InlineData("TERM")]
    [InlineData("HUP")]
    public async Task Signal_EndsTheProcessWithItsReport(string signal)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Signals are sent by kill(1).");
        using TempFolder folder = new();
        using CliProcess measuring = CliProcess.Start(
            ["env", "--default-signal=INT,TERM,HUP"], "measure", "--duration", "60s", "--format", "json", "--series", folder["s.csv"]);
        await Until(() => folder.Names.Any());

        measuring.Signal(signal);

        Assert.Equal(130, measuring.WaitForExit());
        Assert.Equal("", measuring.Error);
        await IsPartial("measurement", measuring.Out);
        Assert.Equal(["s.csv"], folder.Names);
    }

    [Theory]
    [InlineData("INT")]
    [InlineData("TERM")]
    [InlineData("HUP")]
    public async Task Signal_EndsTheResponderWithZero(string signal)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Signals are sent by kill(1).");
        int port = FreePort();
        using CliProcess serving = CliProcess.Start(["env", "--default-signal=INT,TERM,HUP"], "serve", "--port", $"{port}");
        await Until(() => serving.Listens(port));

        serving.Signal(signal);

        Assert.Equal(0, serving.WaitForExit());
        Assert.Contains("Stopped: ", serving.Error, StringComparison.Ordinal);
    }

    /// <summary>As under nohup: the terminal may go, the responder stays.</summary>
    [Fact]
    public async Task HangUpThatIsIgnored_EndsNothing()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Signals are sent by kill(1).");
        int port = FreePort();
        using CliProcess serving = CliProcess.Start(["env", "--default-signal=INT", "--ignore-signal=HUP"], "serve", "--port", $"{port}");
        await Until(() => serving.Listens(port));

        serving.Signal("HUP");
        CliRun.Of("measure", $"127.0.0.1:{port}", "--count", "20", "--warmup", "0s").Done();
        serving.Signal("INT");

        Assert.Equal(0, serving.WaitForExit());
        Assert.Contains("Stopped: 1 connection and ", serving.Error, StringComparison.Ordinal);
    }

    private static async Task IsPartial(string kind, string text)
    {
        using JsonDocument document = JsonDocument.Parse(text);
        Assert.False(document.RootElement.GetProperty("complete").GetBoolean());
        Assert.Empty((await PublishedSchemas.Validator(kind)).Validate(text).Select(e => e.ToString()));
    }

    private static async Task Until(Func<bool> condition)
    {
        for (int i = 0; i < 1000 && !condition(); i++)
        {
            await Task.Delay(20);
        }

        Assert.True(condition());
    }

    private static int FreePort()
    {
        using RunningResponder responder = new();
        return responder.Port;
    }
}
