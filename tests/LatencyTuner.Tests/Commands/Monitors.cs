using System.Net;
using System.Text;
using System.Text.Json.Nodes;
using LatencyTuner.Core.Measurement.Monitoring;
using LatencyTuner.Core.Measurement.TimeSeries;
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

        Assert.Contains("goes on after", again.Error, StringComparison.Ordinal);
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
    public void Monitor_LimitPassed_IsExitOne()
    {
        using TempFolder folder = new();

        Assert.Equal(1, CliRun.Of(["monitor", "loopback", "--max-p99", "1us", "--rate", "100/s", "--interval", "500ms", "--store", folder["s"], "--duration", "6s"]).Code);
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
        using CliProcess process = CliProcess.Start(["env", "--default-signal=INT"], "monitor", "loopback", "--rate", "50/s", "--interval", "100ms", "--store", folder["s"]);
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
