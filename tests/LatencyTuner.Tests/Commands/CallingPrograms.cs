using System.CommandLine;
using System.Text.Json.Nodes;
using System.Text.RegularExpressions;
using LatencyTuner.Commands;
using LatencyTuner.Core.Measurement.FarEnds;
using LatencyTuner.Hosting;
using Xunit;

namespace LatencyTuner.Tests.Commands;

/// <summary>What a program that runs this one relies on: progress as JSON lines, the document in its file, an end on request, times in UTC.</summary>
public sealed partial class CallingPrograms
{
    public static TheoryData<string> Documents => new()
    {
        "check --duration 200ms --no-diagnosis",
        "measure loopback --duration 200ms --warmup 0s",
        "diagnose loopback --rounds 2",
        "sweep size loopback --sizes 64,1KiB --rounds 1",
        "monitor loopback --duration 600ms --interval 200ms --rate 50 --store {0}",
        "analyze {1}",
        "sockets",
        "settings list --snapshot {2}",
        "exit-codes",
        "profiles",
    };

    private static readonly string Capture = Path.Combine(Repository.Root, "tests/LatencyTuner.Tests/Capture/Data/client.pcap");

    [Theory]
    [MemberData(nameof(Documents))]
    public void Jsonl_IsOneObjectALine_AndTheDocumentIsInTheFile(string command)
    {
        using TempFolder folder = new();
        CliRun run = CliRun.Of([.. Filled(command, folder).Split(' '), "--format", "json", "--output", folder["d.json"], "--progress", "jsonl"]);

        JsonNode[] lines = Lines(run.Out);
        Assert.True(run.Code is 0 or 7, run.Out);
        Assert.Equal(("started", "ended"), (Event(lines[0]), Event(lines[^1])));
        Assert.Equal(run.Code, lines[^1]["exitCode"]!.GetValue<int>());
        Assert.All(lines[1..^1], l => Assert.Contains(Event(l), (string[])["progress", "interval", "message"]));
        Assert.All(lines, l => Assert.EndsWith("Z", l["atUtc"]!.GetValue<string>(), StringComparison.Ordinal));
        Assert.All(run.Out, c => Assert.InRange(c, '\n', '~'));
        string document = File.ReadAllText(folder["d.json"]);
        Assert.Equal(run.Code, JsonNode.Parse(document)!["exitCode"]!.GetValue<int>());
        Assert.DoesNotMatch(Offset(), document);
        Assert.DoesNotContain("--progress", document, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("analyze missing.pcap", 3)]
    [InlineData("measure 127.0.0.1:9 --duration 100ms", 5)]
    [InlineData("settings explain nothing", 2)]
    [InlineData("recommend --from missing.json", 3)]
    [InlineData("compare missing-a.json missing-b.json", 3)]
    [InlineData("report missing.json", 3)]
    [InlineData("apply --setting nothing=1", null)]
    [InlineData("rollback --batch nothing", null)]
    [InlineData("verify --batch nothing", null)]
    [InlineData("history", null)]
    [InlineData("snapshot", null)]
    [InlineData("selftest", null)]
    [InlineData("measure --no-such-option", 2)]
    public void Failure_IsTheSameDocumentForAllCommands(string command, int? code)
    {
        using TempFolder folder = new();

        CliRun run = CliRun.Of([.. command.Split(' '), "--format", "json", "--output", folder["d.json"], "--progress", "jsonl"]);

        JsonNode[] lines = Lines(run.Out);
        Assert.NotEqual(0, run.Code);
        Assert.Equal(code ?? run.Code, run.Code);
        Assert.Equal("ended", Event(lines[^1]));
        JsonNode failure = JsonNode.Parse(File.ReadAllText(folder["d.json"]))!;
        Assert.Equal(("latencytuner/failure/2", run.Code), (failure["schema"]!.GetValue<string>(), failure["exitCode"]!.GetValue<int>()));
        string text = failure["text"]!.GetValue<string>();
        Assert.Equal("", run.Error);
        Assert.Contains(lines, l => Event(l) == "message" && text.Contains(l["text"]!.GetValue<string>(), StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("check --duration 700ms")]
    [InlineData("check localhost --duration 700ms")]
    public void Progress_NeverGoesBack(string command)
    {
        using TempFolder folder = new();

        CliRun run = CliRun.Of([.. command.Split(' '), "--format", "json", "--output", folder["d.json"], "--progress", "jsonl"]);

        double[] shares = [.. Lines(run.Out).Where(l => Event(l) == "progress").Select(l => l["share"]?.GetValue<double>()).OfType<double>()];
        Assert.NotEmpty(shares);
        Assert.Equal(shares.Order(), shares);
    }

    [Fact]
    public void Jsonl_WithoutAFile_IsRefused() => Assert.Contains(
        "add --output FILE", CliRun.Of("check", "--duration", "100ms", "--progress", "jsonl").Out, StringComparison.Ordinal);

    [Fact]
    public void Monitor_WritesALineForEachIntervalOfEachTarget()
    {
        using TempFolder folder = new();

        CliRun run = CliRun.Of(
            "monitor", "loopback", "--duration", "1s", "--interval", "250ms", "--rate", "50/s", "--store", folder["series"], "--format", "json", "--output",
            folder["d.json"], "--progress", "jsonl");

        JsonNode[] intervals = [.. Lines(run.Out).Where(l => Event(l) == "interval")];
        Assert.InRange(intervals.Length, 3, 6);
        Assert.All(intervals, l => Assert.Equal("loopback", l["target"]!.GetValue<string>()));
        // An interval in which nothing was answered, on a busy machine, has none of them.
        Assert.Contains(intervals, l => l["p99Us"]?.GetValue<double>() >= l["p50Us"]?.GetValue<double>());
    }

    [Theory]
    [InlineData("measure loopback --duration 60s --warmup 0s")]
    [InlineData("diagnose loopback --rounds 1000")]
    [InlineData("check --duration 60s")]
    [InlineData("sweep rate loopback --rounds 100")]
    public async Task StopWith_EndsWithWhatThereIs(string command)
    {
        using TempFolder folder = new();
        Task<CliRun> running = Task.Run(() => CliRun.Of(
            [.. command.Split(' '), "--format", "json", "--output", folder["d.json"], "--stop-with", folder["stop"]]));
        await Task.Delay(TimeSpan.FromMilliseconds(600));
        Assert.False(running.IsCompleted);

        File.WriteAllText(folder["stop"], "");
        CliRun run = await running;

        JsonNode document = JsonNode.Parse(File.ReadAllText(folder["d.json"]))!;
        Assert.Equal((130, false), (run.Code, document["complete"]!.GetValue<bool>()));
        Assert.DoesNotContain("--stop-with", document.ToJsonString(), StringComparison.Ordinal);
        Assert.DoesNotContain("failure", document["schema"]!.GetValue<string>(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task StopWith_EndsAServer()
    {
        using TempFolder folder = new();
        Task<CliRun> running = Task.Run(() => CliRun.Of("serve", "--port", "0", "--stop-with", folder["stop"]));
        await Task.Delay(TimeSpan.FromMilliseconds(400));

        File.WriteAllText(folder["stop"], "");

        Assert.Equal(0, (await running).Code);
    }

    [Fact]
    public void StopWith_ThatIsThereAlready_EndsBeforeTheStart()
    {
        using TempFolder folder = new();
        File.WriteAllText(folder["stop"], "");

        _ = CliRun.Of("measure", "loopback", "--duration", "60s", "--stop-with", folder["stop"]).Failed(130, "is there already");
    }

    [Theory]
    [InlineData("no/such/folder/stop")]
    [InlineData("")]
    public void StopWith_ThatCannotAppear_IsRefused(string file) =>
        _ = CliRun.Of("measure", "loopback", "--duration", "60s", "--stop-with", file).Failed(2, "--stop-with");

    [Fact]
    public void EveryCommandThatRunsForATime_CanBeStopped()
    {
        CliHost host = new() { Out = TextWriter.Null, Error = TextWriter.Null };

        Assert.All(
            (string[])[
                "check", "serve", "measure", "diagnose", "sweep rate", "monitor", "sockets", "analyze", "trace", "convert", "report", "verify", "selftest",
            ],
            path => Assert.Contains(
                "--stop-with",
                path.Split(' ').Aggregate((Command)Cli.Root(host), (c, name) => c.Subcommands.Single(s => s.Name == name))
                    .Options.Select(o => o.Name)));
    }

    [Fact]
    public async Task ViaLine_MeasuresAFarEndThatAnotherProgramStarted()
    {
        using TempFolder folder = new();
        StringWriter output = new();
        CliHost host = new() { Out = TextWriter.Synchronized(output), Error = TextWriter.Null };
        using CancellationTokenSource end = new(TimeSpan.FromSeconds(30));
        Task<int> serving = Task.Run(() => Cli.RunAsync(["serve", "--once", "--bind", "127.0.0.1"], host, end.Token));
        while (!output.ToString().Contains('\n', StringComparison.Ordinal))
        {
            await Task.Delay(20, end.Token);
        }

        string line = output.ToString().Trim();
        Assert.StartsWith(StartLine.Word, line, StringComparison.Ordinal);
        File.WriteAllText(folder["line"], "a banner\r\n" + line + "\r\n");

        CliRun run = CliRun.Of(
            "measure", "127.0.0.1", "--via-line", folder["line"], "--duration", "200ms", "--warmup", "0s", "--format", "json", "--output", folder["d.json"]);

        // Its lease ends it.
        Assert.Equal(0, await serving);
        string document = File.ReadAllText(folder["d.json"]);
        Assert.True(run.Code is 0 or 7, run.Error);
        Assert.Contains("another program", document, StringComparison.Ordinal);
        Assert.DoesNotContain(JsonNode.Parse(line[(StartLine.Word.Length + 1)..])!["token"]!.GetValue<string>(), document, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("nothing of the kind", 3, "no start line")]
    [InlineData("LATENCYTUNER1 {}", 3, "no start line")]
    [InlineData("LATENCYTUNER1 {\"port\":1", 3, "no JSON")]
    [InlineData(null, 3, "cannot be read")]
    public void ViaLine_WithoutALine_SaysWhatIsExpected(string? text, int code, string says)
    {
        using TempFolder folder = new();
        if (text is not null)
        {
            File.WriteAllText(folder["line"], text);
        }

        _ = CliRun.Of("check", "127.0.0.1", "--via-line", folder["line"], "--duration", "100ms").Failed(code, says);
    }

    private static string Filled(string command, TempFolder folder) => command.Replace("{0}", folder["series"], StringComparison.Ordinal)
        .Replace("{1}", Capture, StringComparison.Ordinal)
        .Replace("{2}", Path.Combine(Repository.Root, "tests/LatencyTuner.Tests/Settings/Samples/server2022.json"), StringComparison.Ordinal);

    private static JsonNode[] Lines(string text) => [.. text.Split('\n', StringSplitOptions.RemoveEmptyEntries).Select(l => JsonNode.Parse(l)!)];

    private static string Event(JsonNode line)
    {
        Assert.Equal("latencytuner/progress/1", line["schema"]!.GetValue<string>());
        return line["event"]!.GetValue<string>();
    }

    // PowerShell's parser makes local time of an offset.
    [GeneratedRegex(@"T\d\d:\d\d:\d\d[.\d]*[+-]\d\d:\d\d""")]
    private static partial Regex Offset();
}
