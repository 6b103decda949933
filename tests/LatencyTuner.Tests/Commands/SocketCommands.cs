using System.Text.Json.Nodes;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Reporting;
using LatencyTuner.Hosting;
using LatencyTuner.Tests.Reporting;
using LatencyTuner.Tests.Settings;
using LatencyTuner.Tests.Sockets;
using Xunit;

namespace LatencyTuner.Tests.Commands;

/// <summary>What <c>sockets</c> prints and refuses, and the commands that use what it reads.</summary>
[Collection(QuietMachine.Name)]
public sealed class SocketCommands
{
    /// <summary>A service whose sockets have one setting.</summary>
    /// <param name="name">Its name, at most 15 characters.</param>
    /// <param name="chosen">1: TCP_NODELAY on; 2: send buffer of 32 KiB; their sum: both.</param>
    private static SocketOwner Service(string name, int chosen)
    {
        SocketOwner owner = SocketOwner.Start([], "named", "3", name, $"{chosen}");
        _ = owner.Out.ReadLine();
        return owner;
    }

    private static string Stored(Document document) => ReportJson.SerializeAny(Judged.Sealed(document));

    private static void IsValid(string document) =>
        Assert.Empty(PublishedSchemas.Validator("sockets").GetAwaiter().GetResult().Validate(document).Select(e => e.ToString()));

    private static JsonNode Json(CliRun run) => JsonNode.Parse(run.Out)!;

    [Fact]
    public void Process_ListsItsSockets_InEveryForm()
    {
        using SocketOwner owner = Service("lt-orders", 0);

        CliRun run = CliRun.Of("sockets", "--process", "LT-Orders", "--format", "json").Done();
        JsonArray sockets = Json(run)["sockets"]!.AsArray();
        Assert.Equal(7, sockets.Count);
        Assert.All(sockets, s => Assert.Equal((owner.Pid, "lt-orders"), (s!["pid"]!.GetValue<int>(), s["process"]!.GetValue<string>())));
        IsValid(run.Out);

        Assert.Equal(8, CliRun.Of("sockets", "--pid", $"{owner.Pid}", "--format", "csv").Done().Out.TrimEnd().Split('\n').Length);
        string text = CliRun.Of("sockets", "--process", "lt-orders").Done().Out;
        Assert.Contains($"lt-orders ({owner.Pid})", text, StringComparison.Ordinal);
        Assert.InRange(text.TrimEnd().Split('\n').Length, 5, 22);
    }

    [Fact]
    public void Port_AndRemote_SelectWithinTheProcess()
    {
        using SocketOwner owner = Service("lt-select", 1);
        JsonArray all = Json(CliRun.Of("sockets", "--process", "lt-select", "--format", "json").Done())["sockets"]!.AsArray();
        int port = all.First(s => s!["state"]!.GetValue<string>() == "listen")!["local"]!["port"]!.GetValue<int>();

        int Count(params string[] options) =>
            Json(CliRun.Of(["sockets", "--process", "lt-select", .. options, "--allow-inconclusive", "--format", "json"]).Done())["sockets"]!.AsArray().Count;
        Assert.Equal(7, Count("--port", $"{port}"));
        Assert.Equal(0, Count("--port", "1"));
        Assert.Equal(7, Count("--port", "1", "--port", $"{port}"));
        Assert.Equal(6, Count("--remote", "127.0.0.1"));
        Assert.Equal(0, Count("--remote", "192.0.2.9"));
    }

    [Fact]
    public void Watch_GivesOneDocumentForEachInterval()
    {
        using SocketOwner owner = Service("lt-watch", 1);

        CliRun run = CliRun.Of("sockets", "--pid", $"{owner.Pid}", "--watch", "100ms", "--for", "450ms", "--format", "json").Done();

        string[] lines = run.Out.TrimEnd().Split('\n');
        Assert.InRange(lines.Length, 1, 5);
        foreach (string line in lines)
        {
            JsonNode document = JsonNode.Parse(line)!;
            Assert.True(document["intervalMs"]!.GetValue<double>() > 0);
            Assert.Equal(0, document["sockets"]!.AsArray().Sum(s => s!["bytesSent"]?.GetValue<long>() ?? 0));

            // A listener is not duplicated again and again.
            Assert.All(document["sockets"]!.AsArray(), s => Assert.Equal(s!["state"]!.GetValue<string>() == "listen", s["noDelay"] is null));
            IsValid(line);
        }

        Assert.Contains("changes in", CliRun.Of("sockets", "--pid", $"{owner.Pid}", "--watch", "100ms", "--for", "200ms").Done().Out, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("--port '0' is not valid", "--port", "0")]
    [InlineData("--port '70000' is not valid", "--port", "70000")]
    [InlineData("--pid 'x' is not valid", "--pid", "x")]
    [InlineData("--watch '5' is not valid", "--watch", "5")]
    [InlineData("--for needs --watch", "--for", "1m")]
    [InlineData("--remote 'no such host' is not valid", "--remote", "no such host")]
    public void BadInput_IsOneSentence(string says, params string[] options) => CliRun.Of(["sockets", .. options]).Failed(2, says);

    [Fact]
    public void WithCapture_OfNothing_NamesTheFile() => CliRun.Of("sockets", "--with-capture", "missing.pcap").Failed(3, "missing.pcap");

    [Fact]
    public void NothingThatMatches_CannotTell()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Sockets are read here by the calls of Linux.");
        Assert.StartsWith("CANNOT TELL", CliRun.Of("sockets", "--process", "no-such-program").Done(7).Out, StringComparison.Ordinal);
        CliRun.Of("sockets", "--process", "no-such-program", "--allow-inconclusive").Done();
    }

    [Fact]
    public void WithoutAWayToReadSockets_IsOneSentence() =>
        CliRun.On((output, error) => new CliHost { Out = output, Error = error }, CancellationToken.None, "sockets").Failed(4, "Windows and Linux only");

    [Fact]
    public void Check_OfAProcess_MeasuresAsItIsSet()
    {
        using SocketOwner slow = Service("lt-nagle", 0);
        using SocketOwner quick = Service("lt-quick", 3);
        JsonNode Options(string name, params string[] more)
        {
            JsonNode report = Json(CliRun.Of(["check", "--process", name, .. more, "--duration", "100ms", "--no-diagnosis", "--format", "json"]).Done());
            Assert.Contains(report["reasons"]!.AsArray(), r => r!.GetValue<string>().StartsWith($"Measured as {name} (", StringComparison.Ordinal));
            return report["measurements"]![0]!["options"]!["requested"]!;
        }

        Assert.False(Options("lt-nagle")["noDelay"]!.GetValue<bool>());
        Assert.Null(Options("lt-nagle")["sendBufferBytes"]);
        Assert.True(Options("lt-quick")["noDelay"]!.GetValue<bool>());
        Assert.Equal(32_768, Options("lt-quick")["sendBufferBytes"]!.GetValue<int>());

        // What is given on the command line stays.
        Assert.False(Options("lt-quick", "--no-delay", "false")["noDelay"]!.GetValue<bool>());
        CliRun.Of("check", "--process", "no-such-program").Failed(3, "--process no-such-program", "latencytuner sockets");
    }

    [Fact]
    public void Diagnose_OfAProcess_IsAboutIt()
    {
        using SocketOwner slow = Service("lt-nagle2", 0);
        using SocketOwner quick = Service("lt-quick2", 1);
        JsonNode Diagnosis(string name) =>
            Json(CliRun.Of("diagnose", "--process", name, "--rounds", "3", "--allow-inconclusive", "--format", "json").Done());

        JsonNode off = Diagnosis("lt-nagle2");
        JsonNode on = Diagnosis("lt-quick2");

        Assert.Contains("Nagle's algorithm on", off["notes"]![0]!.GetValue<string>(), StringComparison.Ordinal);
        Assert.Contains("TCP_NODELAY on", on["notes"]![0]!.GetValue<string>(), StringComparison.Ordinal);
        if (off["diagnosis"]!["cause"]!.GetValue<string>() == "nagle-delayed-ack")
        {
            Assert.StartsWith($"lt-nagle2 ({slow.Pid})", off["diagnosis"]!["appliesTo"]!.GetValue<string>(), StringComparison.Ordinal);
            Assert.Contains(off["findings"]!.AsArray(), f => f!["process"]?.GetValue<string>() == $"lt-nagle2 ({slow.Pid})");
        }

        // Whatever this machine's path does to others, Nagle's algorithm holds nothing of who switched it off.
        Assert.DoesNotContain(on["findings"]!.AsArray(), f => f!["id"]!.GetValue<string>() is "LT101" or "LT102" && f["side"]!.GetValue<string>() == "client");
        Assert.NotEqual("nagle-delayed-ack", on["diagnosis"]!["cause"]!.GetValue<string>());
    }

    [Fact]
    public void Recommend_TakesTheDocument()
    {
        using TempFolder folder = new();
        folder.Write("sockets.json", Stored(SampleReports.SocketsStalled));

        string text = CliRun.Of("recommend", "--from", folder["sockets.json"], "--format", "json").Done().Out;

        Assert.Contains("REC-NAGLE-ONE-WRITE", text, StringComparison.Ordinal);
        Assert.Contains("REC-SNDBUF-SIZE", text, StringComparison.Ordinal);
    }

    [Fact]
    public void Snapshot_KeepsThem_OnlyWhenAsked()
    {
        CliRun Snapshot(params string[] more) => CliRun.On(
            (output, error) => new CliHost
            {
                Out = output,
                Error = error,
                LiveSnapshot = () => SampleSnapshots.Server2022,
                LiveSockets = _ => new SocketSnapshot { Sockets = SampleReports.Sockets.Sockets, Unreadable = [new(4, "System", "it is the kernel itself")] },
            },
            CancellationToken.None, ["snapshot", .. more, "--format", "json"]);

        JsonNode kept = Json(Snapshot("--sockets").Done());
        Assert.Equal(13, kept["sockets"]!.AsArray().Count);
        Assert.Equal(4, kept["unreadableProcesses"]![0]!["pid"]!.GetValue<int>());
        Assert.False(Json(Snapshot().Done()).AsObject().ContainsKey("sockets"));
    }

    [Fact]
    public void Analyze_NamesTheProcessOfAFinding()
    {
        using TempFolder folder = new();
        string capture = Path.Combine(Repository.Root, "tests", "LatencyTuner.Tests", "Capture", "Data", "client.pcap");
        JsonNode plain = Json(CliRun.Of("analyze", capture, "--format", "json").Done());
        JsonNode held = plain["findings"]!.AsArray().First(f => f!["id"]!.GetValue<string>() is "LT101" or "LT102")!;
        string[] ends = held["connections"]![0]!.GetValue<string>().Split(" > ");
        string host = held["host"]!.GetValue<string>();
        (string local, string remote) = ends[0].StartsWith(host + ":", StringComparison.Ordinal) ? (ends[0], ends[1]) : (ends[1], ends[0]);
        folder.Write(
            "sockets.json",
            Stored(SampleReports.Sockets with
            {
                Sockets = [SampleReports.Held with { Local = End(local), Remote = End(remote) }],
            }));

        JsonNode named = Json(CliRun.Of("analyze", capture, "--sockets", folder["sockets.json"], "--format", "json").Done());

        JsonNode finding = named["findings"]!.AsArray().First(f => f!["id"]!.GetValue<string>() == held["id"]!.GetValue<string>())!;
        Assert.Equal("orders (2071)", finding["process"]!.GetValue<string>());
        Assert.Contains("TCP_NODELAY is off", finding["for"]!.AsArray()[^1]!.GetValue<string>(), StringComparison.Ordinal);
        CliRun.Of("analyze", capture, "--sockets", capture).Failed(3, "client.pcap");

        static SocketEnd End(string text) =>
            new(text[..text.LastIndexOf(':')], int.Parse(text[(text.LastIndexOf(':') + 1)..], System.Globalization.CultureInfo.InvariantCulture));
    }
}
