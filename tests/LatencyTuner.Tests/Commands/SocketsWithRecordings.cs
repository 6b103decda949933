using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text.Json.Nodes;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Hosting;
using LatencyTuner.Tests.Recordings.Traces;
using LatencyTuner.Tests.Reporting;
using LatencyTuner.Tests.Sockets;
using Xunit;

namespace LatencyTuner.Tests.Commands;

/// <summary><c>sockets --with-capture</c>: measured stalls raise the exposure of an application.</summary>
[Collection(QuietMachine.Name)]
public sealed class SocketsWithRecordings
{
    /// <summary>A client with Nagle on and one with it off, captured by tshark while they run, and read while their connections are there.</summary>
    [Fact]
    public void ACaptureOfTheSameTime_RaisesTheExposureOfTheSlowOne()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux() && File.Exists("/usr/bin/tshark"), "needs Linux and tshark");
        using TempFolder folder = new();
        using Socket listener = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listener.Listen(8);
        new Thread(() => Answer(listener)) { IsBackground = true }.Start();
        string port = ((IPEndPoint)listener.LocalEndPoint!).Port.ToString(CultureInfo.InvariantCulture);
        using Process tshark = Process.Start(new ProcessStartInfo(
            "/usr/bin/tshark", ["-i", "lo", "-f", $"tcp port {port}", "-F", "pcap", "-w", folder["live.pcap"], "-q"])
        { RedirectStandardError = true })!;
        string? line;
        while ((line = tshark.StandardError.ReadLine())?.StartsWith("Capturing on", StringComparison.Ordinal) != true)
        {
            Assert.SkipWhen(line is null, "tshark cannot capture here.");
        }

        using SocketOwner slow = SocketOwner.Start([], "pieces", port, "40", "0");
        using SocketOwner quick = SocketOwner.Start([], "pieces", port, "40", "1");
        Assert.Equal(("sent", "sent"), (slow.Out.ReadLine(), quick.Out.ReadLine()));
        // The kernel hands packets over in blocks.
        Thread.Sleep(1000);
        using (Process.Start("kill", ["-INT", $"{tshark.Id}"]))
        {
            _ = tshark.StandardError.ReadToEnd();
            tshark.WaitForExit();
        }

        JsonNode Finding(SocketOwner owner, params string[] more) => JsonNode.Parse(CliRun.Of(
            ["sockets", "--pid", $"{owner.Pid}", .. more, "--format", "json"]).Done().Out)!;
        JsonNode alone = Finding(slow, "--with-capture", folder["live.pcap"]);
        JsonNode found = Assert.Single(alone["findings"]!.AsArray())!;
        Assert.Equal("LT101", found["id"]!.GetValue<string>());
        Assert.EndsWith($"({slow.Pid})", found["process"]!.GetValue<string>(), StringComparison.Ordinal);
        Assert.NotEqual("info", found["severity"]!.GetValue<string>());
        Assert.InRange(found["count"]!.GetValue<int>(), 10, 40);
        Assert.InRange(found["costMs"]!.GetValue<double>(), 10 * 30, 40 * 80);
        Assert.Contains(found["for"]!.AsArray(), s => s!.GetValue<string>().Contains("TCP_NODELAY is off", StringComparison.Ordinal));
        Assert.Equal("stall", alone["verdict"]!.GetValue<string>());
        string other = Finding(quick, "--with-capture", folder["live.pcap"])["findings"]!.ToJsonString();
        Assert.True(other == "[]", other);
    }

    /// <summary>A trace is a recording as well: its holds raise the exposure of their process, and no other's.</summary>
    [Fact]
    public void ATrace_RaisesTheExposureOfItsProcess()
    {
        using TempFolder folder = new();
        folder.Write("gateway.etl", StoryTrace.Make());
        HostSocket[] sockets = [.. Enumerable.Range(0, StoryTrace.Connections).Select(i => Gateway(i, noDelay: false))];

        JsonNode before = Report(sockets);
        JsonNode after = Report(sockets, "--with-capture", folder["gateway.etl"], "--fail-on", "error");

        JsonNode exposure = Assert.Single(before["findings"]!.AsArray())!;
        Assert.Equal(("info", 0), (exposure["severity"]!.GetValue<string>(), before["exitCode"]!.GetValue<int>()));
        JsonNode raised = Assert.Single(after["findings"]!.AsArray())!;
        Assert.Equal(
            ("LT101", "gateway.exe (4120)", "error", 1),
            (Text(raised["id"]), Text(raised["process"]), Text(raised["severity"]), after["exitCode"]!.GetValue<int>()));
        Assert.InRange(raised["costMs"]!.GetValue<double>(), StoryTrace.Held * 50.0, StoryTrace.Held * 50.5);
        Assert.Contains(raised["for"]!.AsArray(), s => s!.GetValue<string>().Contains("TCP_NODELAY is off", StringComparison.Ordinal));

        // Another process, and one that has the option on now.
        Assert.Equal("info", Report([Gateway(200, noDelay: false)], "--with-capture", folder["gateway.etl"])["findings"]![0]!["severity"]!.GetValue<string>());
        JsonNode cured = Report([Gateway(0, noDelay: true)], "--with-capture", folder["gateway.etl"]);
        Assert.Contains(
            cured["findings"]![0]!["against"]!.AsArray(), s => s!.GetValue<string>().Contains("TCP_NODELAY is on now", StringComparison.Ordinal));
    }

    private static string Text(JsonNode? node) => node!.GetValue<string>();

    private static HostSocket Gateway(int number, bool noDelay) => SampleReports.Held with
    {
        Pid = (int)StoryTrace.Gateway,
        Process = "gateway.exe",
        NoDelay = noDelay,
        Local = new("10.0.0.5", 50_000 + number),
        Remote = new("10.0.0.9", 7_001),
        // Counters that say nothing: the recording must.
        DataSegmentsOut = null,
        DataSegmentsIn = null,
        SendBufferFixed = false,
        ReceiveBufferFixed = false,
    };

    private static JsonNode Report(HostSocket[] sockets, params string[] more)
    {
        CliRun run = CliRun.On(
            (output, error) => new CliHost { Out = output, Error = error, LiveSockets = _ => new SocketSnapshot { Sockets = sockets, Unreadable = [] } },
            TestContext.Current.CancellationToken, ["sockets", .. more, "--format", "json"]);
        return JsonNode.Parse(run.Out)!;
    }

    /// <summary>Answers 120 bytes with 50, on any number of connections.</summary>
    private static void Answer(Socket listener)
    {
        try
        {
            while (true)
            {
                Socket peer = listener.Accept();
                new Thread(() =>
                {
                    using Socket served = peer;
                    byte[] buffer = new byte[120];
                    int got = 0;
                    while (served.Receive(buffer, 0, 120 - got, SocketFlags.None) is > 0 and int count)
                    {
                        got = (got + count) % 120;
                        _ = got == 0 ? served.Send(new byte[50]) : 0;
                    }
                })
                { IsBackground = true }.Start();
            }
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            // The test is over.
        }
    }
}
