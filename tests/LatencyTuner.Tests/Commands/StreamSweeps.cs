using System.Net;
using System.Net.Sockets;
using System.Text.Json.Nodes;
using LatencyTuner.Core;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Http;
using LatencyTuner.Core.Measurement.Responding;
using LatencyTuner.Hosting;
using LatencyTuner.Tests.Reporting;
using Xunit;

namespace LatencyTuner.Tests.Commands;

/// <summary><c>serve --http-port</c>, and sweeps over HTTP/2.</summary>
public sealed class StreamSweeps
{
    private const string Token = "a token of good length";
    private static readonly string[] Fast = [
        "--protocol", "http2", "--messages", "200", "--duration", "20ms", "--warmup", "0s", "--rounds", "1", "--format", "json"];

    private static JsonNode Json(CliRun run) => JsonNode.Parse(run.Out)!;

    internal static HttpResponder Serve(string? token = null) => HttpResponderLoader.Start(
        new ResponderOptions { Addresses = [IPAddress.Loopback], Token = token is null ? null : SharedToken.Parse(token, "the test") }, TimeProvider.System);

    [Theory]
    [InlineData("window --sizes dynamic,64KiB,1MiB --connections 1,2", "windowBytes", 6)]
    [InlineData("window --sizes 64KiB --connections 2,3 --one-connection", "windowBytes", 2)]
    [InlineData("batch --per-write 1,8 --fetch ahead", "messagesPerWrite", 2)]
    public async Task Sweep_OverHttp2_MeasuresAgainstServe(string command, string field, int count)
    {
        using HttpResponder responder = Serve(Token);
        using TempFolder folder = new();
        string[] words = command.Split(' ');

        CliRun run = CliRun.Of(["sweep", words[0], $"{responder.Endpoints[0]}", .. words[1..], .. Fast, "--token-file", folder.Write("token", Token)]).Done();

        Assert.Empty((await PublishedSchemas.Validator("sweep")).Validate(run.Out).Select(e => e.ToString()));
        JsonNode report = Json(run);
        Assert.Equal("http2", report["protocol"]!.GetValue<string>());
        JsonArray points = report["points"]!.AsArray();
        Assert.Equal(count, points.Count);
        Assert.All(points, p => Assert.True(
            p![field] is not null && p["failedBecause"] is null && p["n"]!.GetValue<long>() > 0 && p["roundTripUs"]!.GetValue<double>() > 0
            && p["fetchShare"]!.GetValue<double>() + p["sendCallShare"]!.GetValue<double>() + p["sendWaitShare"]!.GetValue<double>() is > 0 and <= 1.01,
            p.ToJsonString()));
        Assert.All(
            points.Where(p => p!["windowBytes"] is JsonValue v && v.TryGetValue(out long _)),
            p => Assert.Equal(p!["windowBytes"]!.GetValue<long>(), p["streamWindowBytes"]!.GetValue<long>()));
    }

    [Fact]
    public void Sweep_OfLoopback_StartsItsOwnResponder()
    {
        CliRun run = CliRun.Of(["sweep", "window", "--sizes", "64KiB", "--connections", "1", .. Fast]).Done();

        Assert.Single(Json(run)["points"]!.AsArray());
    }

    [Fact]
    public void State_OfASweepOverHttp2_IsKeptAndIsNotThatOfTcp()
    {
        using TempFolder folder = new();
        string[] command = ["sweep", "window", "--sizes", "64KiB,1MiB", "--connections", "1", "--state", folder["state"]];
        CliRun.Of([.. command, .. Fast]).Done();

        CliRun again = CliRun.Of([.. command, .. Fast, "--quiet"]).Done();

        Assert.Equal(2, Json(again)["resumedRounds"]!.GetValue<int>());
        Assert.All(Json(again)["points"]!.AsArray(), p => Assert.NotNull(p!["sendWaitShare"]));
        CliRun.Of([.. command, .. Fast, "--fetch", "ahead"]).Failed(2, "belongs to another sweep");
        CliRun.Of([.. command, "--rounds", "1"]).Failed(2, "belongs to another sweep");
    }

    [Fact]
    public void Responder_OfTheOwnProtocol_OffersNoHttp2()
    {
        using RunningResponder responder = new();

        CliRun.Of(["sweep", "window", responder.Target, .. Fast]).Failed(5, "does not offer HTTP/2");
    }

    [Fact]
    public void Server_OfHttp1Only_OffersNoHttp2()
    {
        using HttpListener listener = new();
        int port = FreePort();
        listener.Prefixes.Add($"http://127.0.0.1:{port}/");
        listener.Start();

        CliRun.Of(["sweep", "window", $"127.0.0.1:{port}", .. Fast]).Failed(5, "does not offer HTTP/2");
    }

    [Fact]
    public void Nobody_OnTheHttpPort_SaysHowToStartOne() =>
    CliRun.Of(["sweep", "window", $"127.0.0.1:{FreePort()}", .. Fast]).Failed(5, "refused the connection", "serve --http-port");

    [Fact]
    public void Stream_AboveTheOperatorsLimit_IsRefusedWithItsSentence()
    {
        using HttpResponder responder = Serve();

        CliRun.Of(
            [
                "sweep", "window", $"{responder.Endpoints[0]}", "--sizes", "64KiB", "--connections", "1", "--protocol", "http2", "--size", "64KiB",
                "--messages", "5000", "--rounds", "1"])
            .Failed(5, "A stream of 327680000 bytes is too large", "--max-stream");
    }

    [Fact]
    public void Token_ThatIsMissingOrWrong_IsRefused()
    {
        using HttpResponder responder = Serve(Token);
        using TempFolder folder = new();
        string target = $"{responder.Endpoints[0]}";

        CliRun.Of(["sweep", "window", target, .. Fast]).Failed(5, "requires a token");
        CliRun.Of(["sweep", "window", target, .. Fast, "--token-file", folder.Write("token", "another token of length")])
            .Failed(5, "did not prove that it knows the token");
    }

    [Fact]
    public void HttpPort_InUse_SaysWhich_AndLeavesNothingListening()
    {
        using RunningResponder taken = new();
        int port = FreePort();

        CliRun.Of("serve", "--port", $"{port}", "--http-port", $"{taken.Port}").Failed(5, $"Port {taken.Port} on 127.0.0.1 is in use", "--http-port");

        using Socket free = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        Assert.Throws<SocketException>(() => free.Connect(IPAddress.Loopback, port));
    }

    [Fact]
    public void Serve_WithoutTheOption_SaysNothingOfHttp()
    {
        using CancellationTokenSource serving = new(TimeSpan.FromMilliseconds(200));
        CliRun without = CliRun.Of(serving.Token, "serve", "--port", "0", "--quiet");
        using CancellationTokenSource again = new(TimeSpan.FromMilliseconds(500));
        CliRun with = CliRun.Of(again.Token, "serve", "--port", "0", "--http-port", "0", "--quiet");

        Assert.DoesNotContain("HTTP", without.Out + without.Error, StringComparison.Ordinal);
        Assert.Contains("for HTTP/1.1 and HTTP/2 in clear text, this machine only, no token.", with.Out, StringComparison.Ordinal);
        Assert.Contains("Over HTTP: 0 streams served", with.Error, StringComparison.Ordinal);
    }

    [Fact]
    public void AspNetCore_IsFoundBesideTheRuntime_OrMissedInOneSentence()
    {
        using TempFolder folder = new();
        string runtime = Directory.CreateDirectory(folder[Path.Combine("shared", "Microsoft.NETCore.App", "10.0.1")]).FullName;
        Assert.Contains(
            "Install it, or use a self-contained build",
            Assert.Throws<ExpectedFailureException>(() => AspNetCoreContext.Installed(runtime, new Version(10, 0, 1))).Message, StringComparison.Ordinal);
        foreach (string version in new[] { "8.0.30", "10.0.2", "10.0.12", "10.0.13-without-kestrel", "11.0.0-rc.1" })
        {
            string found = Directory.CreateDirectory(folder[Path.Combine("shared", "Microsoft.AspNetCore.App", version)]).FullName;
            if (!version.Contains("without", StringComparison.Ordinal))
            {
                File.WriteAllText(Path.Combine(found, "Microsoft.AspNetCore.Server.Kestrel.Core.dll"), "");
            }
        }

        Assert.EndsWith("10.0.12", AspNetCoreContext.Installed(runtime, new Version(10, 0, 1)), StringComparison.Ordinal);
        Assert.EndsWith("11.0.0-rc.1", AspNetCoreContext.Installed(runtime, new Version(11, 0, 0)), StringComparison.Ordinal);
        Assert.Equal(
            ExitCode.Platform, Assert.Throws<ExpectedFailureException>(() => AspNetCoreContext.Installed(runtime, new Version(9, 0, 0))).Code);
    }

    [Theory]
    [InlineData(false, "serve", "--port", "0", "--for", "2s")]
    [InlineData(false, "check", "--duration", "2s", "--no-diagnosis")]
    [InlineData(false, "sweep", "window", "--duration", "500ms", "--sizes", "64KiB", "--connections", "1,2")]
    [InlineData(true, "serve", "--port", "0", "--http-port", "0", "--for", "2s")]
    [InlineData(true, "sweep", "window", "--protocol", "http2", "--duration", "2s", "--sizes", "64KiB", "--connections", "1")]
    public void AspNetCore_IsLoadedOnUseOnly(bool used, params string[] command)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "The maps of a process are read as Linux shows them.");
        using CliProcess process = CliProcess.Start([], command);
        bool loaded = false;
        bool core = false;
        // Watched until it ends.
        while (process.Maps() is { } maps)
        {
            core |= maps.Contains("LatencyTuner.Core.dll", StringComparison.Ordinal);
            loaded |= maps.Contains("Microsoft.AspNetCore", StringComparison.Ordinal) || maps.Contains("LatencyTuner.Http", StringComparison.Ordinal);
            // What is loaded stays mapped; reading without a pause takes a processor from what is watched.
            Thread.Sleep(20);
        }

        Assert.True(core);
        Assert.Equal(used, loaded);
    }

    private static int FreePort()
    {
        using Socket socket = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        return ((IPEndPoint)socket.LocalEndPoint!).Port;
    }
}
