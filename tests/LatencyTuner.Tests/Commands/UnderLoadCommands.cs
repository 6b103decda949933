using System.Text.Json.Nodes;
using Xunit;

namespace LatencyTuner.Tests.Commands;

/// <summary><c>measure --under-load</c>, as a user runs it.</summary>
[Collection(QuietMachine.Name)]
public sealed class UnderLoadCommands
{
    [Fact]
    public void Loopback_IsNeverCalledBufferbloat()
    {
        JsonNode json =
            JsonNode.Parse(
                CliRun.Of("measure", "loopback", "--under-load", "both", "--duration", "600ms", "--rate", "300/s", "--format", "json", "--fail-on", "info")
                    .Done().Out)!;

        Assert.Equal("latencytuner/under-load/2", json["schema"]!.GetValue<string>());
        Assert.Null(json["bufferbloat"]!["grade"]);
        Assert.Empty(json["findings"]!.AsArray());
        Assert.All(json["load"]!.AsArray(), l => Assert.Equal(("no-path", false), (l!["limitedBy"]!.GetValue<string>(), l["saturated"]!.GetValue<bool>())));
        Assert.Equal(["idle", "loaded", "idle", "loaded", "idle"], json["phases"]!.AsArray().Select(p => p!["kind"]!.GetValue<string>()));
    }

    [Theory]
    [InlineData("tcp://db1:80")]
    [InlineData("http://db1/")]
    [InlineData("icmp://db1")]
    public void Agentless_IsRefused(string target) =>
    CliRun.Of("measure", target, "--under-load", "up").Failed(2, "--under-load needs a responder", target);

    [Theory]
    [InlineData("--under-load needs", "--load-connections", "4")]
    [InlineData("--under-load needs", "--load-limit", "1GiB")]
    [InlineData("--load-limit", "--under-load", "up", "--load-limit", "0")]
    [InlineData("--load-limit", "--under-load", "up", "--load-limit", "-1")]
    [InlineData("--load-connections", "--under-load", "up", "--load-connections", "65")]
    [InlineData("--load-rounds", "--under-load", "up", "--load-rounds", "0")]
    [InlineData("up, down or both", "--under-load", "sideways")]
    [InlineData("--rate 2000/s is too high", "--under-load", "up", "--rate", "2000/s")]
    [InlineData("--duration 100ms makes 2 loaded phases", "--under-load", "up", "--duration", "100ms")]
    [InlineData("--duration 2h makes 2 loaded phases", "--under-load", "up", "--duration", "2h")]
    [InlineData("--pattern stream does not go", "--under-load", "up", "--pattern", "stream")]
    [InlineData("--count does not go", "--under-load", "up", "--count", "5")]
    [InlineData("--connections does not go", "--under-load", "up", "--connections", "5")]
    [InlineData("--hedge does not go", "--under-load", "up", "--hedge", "loopback")]
    [InlineData("--series does not go", "--under-load", "up", "--series", "a.csv")]
    public void Options_ThatDoNotGoTogether_AreRefused(string says, params string[] arguments) =>
        CliRun.Of(["measure", "loopback", .. arguments]).Failed(2, says.Replace("--under-load needs", "needs --under-load", StringComparison.Ordinal));

    [Fact]
    public void SeveralTargets_AreRefused() => CliRun.Of("measure", "loopback", "db1", "--under-load", "up").Failed(2, "takes one target, not 2");

    [Fact]
    public void Csv_HasARowForEachPhase()
    {
        string[] lines = CliRun.Of("measure", "loopback", "--under-load", "down", "--duration", "400ms", "--load-rounds", "1", "--format", "csv").Done().Out
            .Trim().Split('\n');

        Assert.Equal(6, lines.Length);
        Assert.Equal(["all idle", "all loaded", "idle", "loaded", "idle"], lines.Skip(1).Select(l => l.Split(',')[2]));
    }
}
