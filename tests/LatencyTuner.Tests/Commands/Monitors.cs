using System.Net;
using System.Text;
using System.Text.Json.Nodes;
using LatencyTuner.Core.Histograms;
using LatencyTuner.Core.Measurement.Monitoring;
using LatencyTuner.Core.Series;
using LatencyTuner.Hosting;
using LatencyTuner.Tests.Measurement.Probes;
using Xunit;

namespace LatencyTuner.Tests.Commands;

[Collection(QuietMachine.Name)]
public sealed class Monitors
{
    private static string[] Short(TempFolder folder) => ["--rate", "50/s", "--interval", "100ms", "--store", folder["s"], "--duration", "1s"];

    [Fact]
    public void Monitor_TwoTargets_ReportsBothAndStoresThem()
    {
        using TempFolder folder = new();
        using RunningResponder responder = new();
        CliRun run = CliRun.Of(["monitor", "loopback", responder.Target, "--format", "json", .. Short(folder)]);

        Assert.True(run.Code == 0, run.Error);
        JsonArray series = JsonNode.Parse(run.Out)!["series"]!.AsArray();
        Assert.Equal(["loopback", responder.Target], series.Select(s => s!["name"]!.GetValue<string>()));
        Assert.All(series, s => Assert.InRange(s!["latency"]!["count"]!.GetValue<int>(), 10, 60));
        Assert.Equal(2, MonitorSeries.Read(folder["s"], new SeriesReadOptions()).Count);
    }

    [Fact]
    public void Monitor_StartedAgain_GoesOn()
    {
        using TempFolder folder = new();
        _ = CliRun.Of(["monitor", "loopback", .. Short(folder)]);
        long before = MonitorSeries.Read(folder["s"], new SeriesReadOptions())[0].Distribution.Count;
        CliRun again = CliRun.Of(["monitor", "loopback", .. Short(folder)]);

        Assert.Contains("continues after", again.Error, StringComparison.Ordinal);
        Assert.True(MonitorSeries.Read(folder["s"], new SeriesReadOptions())[0].Distribution.Count > before);
    }

    [Fact]
    public void Monitor_NobodyAnswers_IsAFailedMeasurement()
    {
        using TempFolder folder = new();

        CliRun run = CliRun.Of(["monitor", "127.0.0.1:1", .. Short(folder)]);
        Assert.Equal(5, run.Code);
        Assert.Contains("does not answer", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public void Monitor_OneOfTwoNeverAnswers_IsAFailureWithTheReportOfTheOther()
    {
        using TempFolder folder = new();

        CliRun run = CliRun.Of(["monitor", "loopback", "127.0.0.1:1", .. Short(folder)]);

        Assert.Equal(5, run.Code);
        Assert.Contains("127.0.0.1:1 never answered: ", run.Error, StringComparison.Ordinal);
        Assert.Contains("loopback", run.Out, StringComparison.Ordinal);
    }

    [Fact]
    public void Monitor_TooFewForTheLimit_CannotTell()
    {
        using TempFolder folder = new();

        CliRun run =
            CliRun.Of(["monitor", "loopback", "--max-p99", "1us", "--rate", "10/s", "--interval", "200ms", "--store", folder["s"], "--duration", "1s"]);

        Assert.Equal(7, run.Code);
        Assert.Contains("too few", run.Out, StringComparison.Ordinal);
    }

    /// <summary>A server that closes after each answer is measured with its connects, rather than not at all.</summary>
    [Fact]
    public void Monitor_ServerKeepsNoConnection_IsMeasuredAllTheSame()
    {
        using TempFolder folder = new();
        using TestServer server = new(async (stream, stop) =>
        {
            await TestServer.ReadRequest(stream, stop);
            await stream.WriteAsync("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"u8.ToArray(), stop);
        });

        CliRun run =
            CliRun.Of(
                [
                    "monitor", $"http://127.0.0.1:{server.Port}/", "--rate", "10/s", "--interval", "200ms", "--store", folder["s"], "--duration", "2s",
                    "--format", "json"]);

        Assert.True(run.Code == 0, run.Error);
        Assert.InRange(JsonNode.Parse(run.Out)!["series"]![0]!["latency"]!["count"]!.GetValue<int>(), 8, 21);
    }

    [Fact]
    public void Monitor_LimitPassed_IsExitOne()
    {
        using TempFolder folder = new();

        Assert.Equal(
            1, CliRun.Of(
                ["monitor", "loopback", "--max-p99", "1us", "--rate", "100/s", "--interval", "500ms", "--store", folder["s"], "--duration", "6s"]).Code);
    }

    [Fact]
    public void Monitor_Otlp_ReachesACollector()
    {
        using TempFolder folder = new();
        using HttpListener collector = new();
        int port = FreePort();
        collector.Prefixes.Add($"http://127.0.0.1:{port}/");
        collector.Start();
        List<string> bodies = [];
        Task serving = Task.Run(async () =>
        {
            while (collector.IsListening)
            {
                HttpListenerContext context = await collector.GetContextAsync();
                using MemoryStream body = new();
                await context.Request.InputStream.CopyToAsync(body);
                lock (bodies)
                {
                    bodies.Add(context.Request.Url!.AbsolutePath + " " + Encoding.Latin1.GetString(body.ToArray()));
                }

                context.Response.Close();
            }
        });
        CliRun run = CliRun.Of(["monitor", "loopback", "--otlp", $"http://127.0.0.1:{port}", .. Short(folder)]);
        collector.Stop();
        _ = serving.ContinueWith(t => t.Exception, TaskScheduler.Default);

        Assert.True(run.Code == 0, run.Error);
        string last;
        lock (bodies)
        {
            last = bodies[^1];
        }

        Assert.StartsWith("/v1/metrics ", last, StringComparison.Ordinal);
        Assert.Contains("latencytuner.response.duration", last, StringComparison.Ordinal);
        Assert.Contains("loopback", last, StringComparison.Ordinal);
        Assert.DoesNotContain("did not reach the collector", run.Out, StringComparison.Ordinal);
    }

    [Fact]
    public void Monitor_DeadCollector_MeasuresAndTells()
    {
        using TempFolder folder = new();
        CliRun run = CliRun.Of(["monitor", "loopback", "--otlp", $"http://127.0.0.1:{FreePort()}", .. Short(folder)]);

        Assert.True(run.Code == 0, run.Error);
        Assert.Contains("did not reach the collector", run.Out.ReplaceLineEndings(" "), StringComparison.Ordinal);
        Assert.InRange(MonitorSeries.Read(folder["s"], new SeriesReadOptions())[0].Distribution.Count, 10, 60);
    }

    /// <summary>A limit that no answer keeps, and a log without the source: one entry a target, and the reason on the screen.</summary>
    [Fact]
    public void Monitor_LimitPassed_IsOneEntryInTheEventLog()
    {
        using TempFolder folder = new();
        List<EventEntry> entries = [];
        CliRun run = CliRun.On(
            (output, error) => new CliHost
            {
                Out = output,
                Error = error,
                EventLog = entry =>
                {
                    entries.Add(entry);
                    return "No entry was written into the Event Log: there is none.";
                },
            },
            CancellationToken.None,
            ["monitor", "loopback", "--max-p99", "1us", "--format", "json", .. Short(folder)]);

        EventEntry only = Assert.Single(entries);
        Assert.Equal((1010, EventEntryLevel.Warning), (only.Id, only.Level));
        Assert.Contains("loopback: 99th percentile", only.Text, StringComparison.Ordinal);
        Assert.Contains("there is none", run.Error, StringComparison.Ordinal);
        JsonNode monitor = JsonNode.Parse(run.Out)!["monitor"]!;
        Assert.Equal(1010, Assert.Single(monitor["alerts"]!.AsArray())!["id"]!.GetValue<int>());
        Assert.InRange(monitor["sendLateness"]!["count"]!.GetValue<int>(), 5, 60);
        Assert.InRange(monitor["receiveLateness"]!["count"]!.GetValue<int>(), 5, 60);
    }

    /// <summary>The report at the end is over all that is stored, and its findings decide about the exit code.</summary>
    [Fact]
    public void Monitor_FailOn_IsJudgedAtTheEnd()
    {
        using TempFolder folder = new();
        using (MonitorStore store = MonitorStore.Open(folder["s"], 1 << 26, 10))
        {
            DateTimeOffset start = DateTimeOffset.UtcNow.AddMinutes(-30);
            for (int i = 0; i < 1500; i++)
            {
                LatencyHistogram histogram = new();
                histogram.Record(20_000_000 + (long)(5_000_000 * Math.Cos(2 * Math.PI * i / 60)));
                store.Add(new MonitorInterval("loopback", start.AddSeconds(i), TimeSpan.FromSeconds(1), histogram, 0, 0, TimeSpan.Zero, null));
                store.Write();
            }
        }

        string[] args = ["monitor", "loopback", "--rate", "50/s", "--interval", "1s", "--store", folder["s"], "--duration", "1s"];
        CliRun passed = CliRun.Of(args);
        Assert.True(passed.Code == 0, passed.Error);
        Assert.Contains("OSCILLATES", passed.Out, StringComparison.Ordinal);
        Assert.Equal(1, CliRun.Of([.. args, "--fail-on", "info"]).Code);
    }

    [Fact]
    public void Monitor_OtherProtocols_AreInOneReport()
    {
        using TempFolder folder = new();
        using RunningResponder responder = new();
        using TestServer server = TestServer.Answering("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi");
        string[] targets = [$"tcp://127.0.0.1:{responder.Port}", $"http://127.0.0.1:{server.Port}/", responder.Target];
        CliRun run = CliRun.Of(["monitor", .. targets, "--rate", "5/s", "--interval", "200ms", "--store", folder["s"], "--duration", "2s", "--format", "json"]);

        Assert.True(run.Code == 0, run.Error);
        JsonArray series = JsonNode.Parse(run.Out)!["series"]!.AsArray();
        Assert.Equal(targets.Order(), series.Select(s => s!["name"]!.GetValue<string>()).Order());
        Assert.All(series, s => Assert.InRange(s!["latency"]!["count"]!.GetValue<int>(), 4, 12));
    }

    [Fact]
    public void Monitor_RateOutOfRange_NamesOneThatIsValid() => CliRun.Of("monitor", "loopback", "--rate", "200/s").Failed(2, "to 100/s, such as 100/s");

    [Fact]
    public void Monitor_StrangersTooOften_IsRefused()
    {
        using TempFolder folder = new();
        CliRun.Of(["monitor", "tcp://127.0.0.1:1", "http://127.0.0.1/", .. Short(folder)]).Failed(2, "at most 10 requests per second");
    }

    /// <summary>The exporter's assemblies cost a tenth of a second and 10 MB: who does not export has neither.</summary>
    [Fact]
    public void Monitor_WithoutOtlp_LoadsNoExporter()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "/proc is needed.");
        Assert.False(LoadsExporter("serve", "--port", $"{FreePort()}", "--for", "30s"));
        Assert.False(LoadsExporter("monitor", "loopback"));
        Assert.True(LoadsExporter("monitor", "loopback", "--otlp", "http://127.0.0.1:9"));

        static bool LoadsExporter(params string[] args)
        {
            using TempFolder folder = new();
            bool monitors = args[0] == "monitor";
            using CliProcess process = CliProcess.Start([], monitors ? [.. args, "--interval", "100ms", "--store", folder["s"], "--quiet"] : args);
            string file = Path.Combine(folder["s"], "series-000001.ltm");
            string maps = "";
            Assert.True(SpinWait.SpinUntil(
                () => (!monitors || Lines(file) > 2)
                    && (maps = File.ReadAllText($"/proc/{process.Id}/maps")).Contains("System.Net.Sockets.dll", StringComparison.Ordinal),
                    TimeSpan.FromSeconds(30)));
            return maps.Contains("OpenTelemetry", StringComparison.Ordinal);
        }
    }

    /// <summary>A real process, killed as by a power failure: what it had flushed is there, and the next one goes on.</summary>
    [Fact]
    public void Monitor_Killed_KeepsItsIntervals()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "kill is needed.");
        using TempFolder folder = new();
        string file = Path.Combine(folder["s"], "series-000001.ltm");
        using (CliProcess process = CliProcess.Start([], "monitor", "loopback", "--rate", "50/s", "--interval", "100ms", "--store", folder["s"], "--quiet"))
        {
            Assert.True(SpinWait.SpinUntil(() => Lines(file) > 5, TimeSpan.FromSeconds(30)));
            process.Signal("KILL");
            _ = process.WaitForExit();
        }

        int kept = Lines(file);
        Assert.InRange(MonitorSeries.Read(folder["s"], new SeriesReadOptions())[0].Rows, kept - 1, kept);
        CliRun again = CliRun.Of(["monitor", "loopback", .. Short(folder)]);
        Assert.True(again.Code == 0, again.Error);
    }

    /// <summary>Without a duration Ctrl-C is how it ends: with a report and 0.</summary>
    [Fact]
    public void Monitor_Interrupted_EndsWithItsReport()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "kill is needed.");
        using TempFolder folder = new();
        string file = Path.Combine(folder["s"], "series-000001.ltm");

        // A shell's background jobs, and all they start, ignore this signal otherwise.
        using CliProcess process =
            CliProcess.Start(["env", "--default-signal=INT"], "monitor", "loopback", "--rate", "50/s", "--interval", "100ms", "--store", folder["s"]);
        Assert.True(SpinWait.SpinUntil(() => Lines(file) > 5, TimeSpan.FromSeconds(30)));
        process.Signal("INT");

        Assert.Equal(0, process.WaitForExit());
        Assert.Contains("series loopback", process.Out, StringComparison.Ordinal);
    }

    private static int Lines(string file)
    {
        if (!File.Exists(file))
        {
            return 0;
        }

        using FileStream stream = new(file, FileMode.Open, FileAccess.Read, FileShare.ReadWrite);
        using StreamReader reader = new(stream);
        return reader.ReadToEnd().Count(c => c == '\n');
    }

    private static int FreePort()
    {
        using System.Net.Sockets.TcpListener listener = new(IPAddress.Loopback, 0);
        listener.Start();
        return ((IPEndPoint)listener.LocalEndpoint).Port;
    }
}
