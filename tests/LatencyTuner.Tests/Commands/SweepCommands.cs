using System.Text.Json.Nodes;
using LatencyTuner.Tests.Reporting;
using Xunit;

namespace LatencyTuner.Tests.Commands;

public sealed class SweepCommands
{
    private static readonly string[] Fast = ["--duration", "20ms", "--warmup", "0s", "--rounds", "1", "--format", "json"];

    private static JsonNode Json(CliRun run) => JsonNode.Parse(run.Out)!;

    [Theory]
    [InlineData("size --sizes 64,1KiB", "sizeBytes")]
    [InlineData("connections --connections 1,3", "connections")]
    [InlineData("receive-buffer --sizes auto,16KiB --connections 1", "receiveBufferBytes")]
    [InlineData("receive-buffer --sizes auto,16KiB --connections 1 --load one-way", "receiveBufferBytes")]
    [InlineData("send-buffer --sizes auto,16KiB --connections 1", "sendBufferBytes")]
    [InlineData("window --sizes dynamic,64KiB --connections 1", "windowBytes")]
    [InlineData("batch --per-write 1,8", "messagesPerWrite")]
    public async Task EveryDimension_MeasuresAgainstAResponder(string command, string field)
    {
        using RunningResponder responder = new("a token of good length");
        using TempFolder folder = new();
        folder.Write("token", "a token of good length");
        string[] words = command.Split(' ');

        CliRun run = CliRun.Of(["sweep", words[0], responder.Target, .. words[1..], .. Fast, "--token-file", folder["token"]]).Done();

        Assert.Empty((await PublishedSchemas.Validator("sweep")).Validate(run.Out).Select(e => e.ToString()));
        JsonArray points = Json(run)["points"]!.AsArray();
        Assert.Equal(2, points.Count);
        Assert.All(
            points, p =>
                Assert.True(p![field] is not null && p["n"]!.GetValue<long>() > 0 && p["throughputPerSecond"]!.GetValue<double>() > 0, p.ToJsonString()));
        Assert.Equal(words[0], Json(run)["dimensions"]![0]!.GetValue<string>());
    }

    [Fact]
    public void Buffers_AreReadBackFromBothEnds()
    {
        CliRun run = CliRun.Of(["sweep", "window", "--sizes", "dynamic,64KiB,256KiB", "--by", "connections", "--connections", "1,2", .. Fast]).Done();

        JsonArray points = Json(run)["points"]!.AsArray();
        Assert.Equal(6, points.Count);
        Assert.All(
            points.Skip(2), p => Assert.True(p!["receiveBufferBytes"]!["effective"]!.GetValue<int>() >= p["windowBytes"]!.GetValue<int>(), p.ToJsonString()));
        Assert.Equal("dynamic", points[0]!["windowBytes"]!.GetValue<string>());
        Assert.Null(points[0]!["receiveBufferBytes"]!["requested"]);
    }

    [Fact]
    public void Size_ThatTheResponderRefuses_IsGivenUpAlone()
    {
        using RunningResponder responder = new();

        CliRun run = CliRun.Of(["sweep", "receive-buffer", responder.Target, "--sizes", "16KiB,32KiB,64MiB", "--connections", "1", .. Fast]).Done();

        JsonArray points = Json(run)["points"]!.AsArray();
        Assert.Equal(3, points.Count);
        Assert.Contains("refused", points[2]!["failedBecause"]!.GetValue<string>(), StringComparison.Ordinal);
        Assert.All(points.Take(2), p => Assert.Null(p!["failedBecause"]));
    }

    [Fact]
    public void State_GoesOnAfterAnInterruption()
    {
        using RunningResponder responder = new();
        using TempFolder folder = new();
        string[] command = [
            "sweep", "size", responder.Target, "--sizes", "64,128,256,512", "--rounds", "2", "--duration", "20ms", "--warmup", "0s", "--format", "json",
            "--state", folder["state"]];

        CliRun none = CliRun.Of(new CancellationToken(true), command);
        CliRun whole = CliRun.Of(command).Done();
        string[] lines = File.ReadAllLines(folder["state"]);
        Assert.Equal(9, lines.Length);
        File.WriteAllText(folder["state"], string.Join('\n', lines[..4]) + "\n" + lines[4][..100]);
        CliRun rest = CliRun.Of(command);
        CliRun again = CliRun.Of([.. command, "--quiet"]).Done();

        Assert.Equal(130, none.Code);
        Assert.Contains("to continue where this run ended", none.Error, StringComparison.Ordinal);
        Assert.Equal((0, 0), (Json(whole)["resumedRounds"]!.GetValue<int>(), rest.Code));
        Assert.Contains("continues after 3 of 8", rest.Error, StringComparison.Ordinal);
        Assert.Equal((3, 8), (Json(rest)["resumedRounds"]!.GetValue<int>(), Json(again)["resumedRounds"]!.GetValue<int>()));
        Assert.All(Json(rest)["points"]!.AsArray(), p => Assert.Equal(2, p!["rounds"]!.GetValue<int>()));
        Assert.Equal(Json(rest)["points"]!.ToJsonString(), Json(again)["points"]!.ToJsonString());
        CliRun.Of([.. command, "--seed", "2"]).Failed(2, "belongs to another sweep");
    }
}
