using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text.Json.Nodes;
using LatencyTuner.Hosting;
using LatencyTuner.Tests.Measurement.Probes;
using Xunit;

namespace LatencyTuner.Tests.Commands;

/// <summary><c>measure</c> of several targets and protocols, as a user runs it.</summary>
[Collection(QuietMachine.Name)]
public sealed class ProtocolTargets
{
    /// <summary>A name with addresses of both families, of which the first is dead: which was asked is said, and how to ask the other.</summary>
    [Theory]
    [InlineData("http://both.test:{0}/")]
    [InlineData("tcp://both.test:{0}")]
    [InlineData("both.test:{0}")]
    public void Name_WithADeadFirstAddress_SaysHowToAskTheOther(string target)
    {
        using TestServer server = TestServer.Answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
        // Nothing listens on another address of loopback.
        IPAddress[] addresses = [IPAddress.Parse("::1"), IPAddress.Loopback];
        CliRun Ask(params string[] options) => CliRun.On(
            (output, error) =>
                new CliHost
                {
                    Out = output,
                    Error = error,
                    Resolve = (_, family, _) =>
                        Task.FromResult(Array.FindAll(addresses, a => family is AddressFamily.Unspecified || a.AddressFamily == family)),
                },
            CancellationToken.None,
            ["measure", string.Format(CultureInfo.InvariantCulture, target, server.Port), "--count", "2", "--timeout", "2s", .. options]);

        CliRun both = Ask();
        Assert.Equal(5, both.Code);
        Assert.Contains("'both.test' was tried at ::1; -4 tries 127.0.0.1.", both.Error, StringComparison.Ordinal);
        if (target.Contains("://", StringComparison.Ordinal))
        {
            Assert.Contains("was asked at ::1.", both.Out, StringComparison.Ordinal);
            CliRun four = Ask("-4");
            Assert.Equal((0, ""), (four.Code, four.Error));
        }
    }

    [Fact]
    public void SeveralTargets_AreOneTable()
    {
        using RunningResponder responder = new();
        using TestServer server = TestServer.Answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
        string[] names = ["loopback", responder.Target, $"tcp://127.0.0.1:{server.Port}", $"http://127.0.0.1:{server.Port}/"];

        CliRun text = CliRun.Of(["measure", .. names, "--count", "2"]).Done();
        JsonNode json = JsonNode.Parse(CliRun.Of(["measure", .. names, "--count", "2", "--http-connections", "new", "--format", "json"]).Done().Out)!;

        Assert.All(names, n => Assert.Contains(n, text.Out, StringComparison.Ordinal));
        Assert.Equal("latencytuner/protocols/2", json["schema"]!.GetValue<string>());
        Assert.Equal(["responder", "responder", "tcp", "http/1.1"], json["targets"]!.AsArray().Select(t => t!["protocol"]!.GetValue<string>()));
        Assert.All(json["targets"]!.AsArray(), t => Assert.True(t!["answered"]!.GetValue<long>() > 0));
    }

    [Fact]
    public void NoAnswer_IsCode5WithTheReportOfTheRest()
    {
        using TestServer server = TestServer.Answering("HTTP/1.1 500 Broken\r\nContent-Length: 0\r\n\r\n");

        CliRun run = CliRun.Of("measure", "loopback", $"http://127.0.0.1:{server.Port}/", "--count", "2", "--http-connections", "kept");

        Assert.Equal(5, run.Code);
        Assert.Contains("status 500", run.Error, StringComparison.Ordinal);
        Assert.Contains("NO ANSWER", run.Out, StringComparison.Ordinal);
        Assert.Contains("loopback (responder, kept connection)", run.Out, StringComparison.Ordinal);
    }

    /// <summary>A server that closes after each answer has answered: only there is nothing of a kept connection to show.</summary>
    [Fact]
    public void NoKeptConnection_IsNoFailure()
    {
        using TestServer server = new(async (stream, stop) =>
        {
            await TestServer.ReadRequest(stream, stop);
            await stream.WriteAsync("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"u8.ToArray(), stop);
        });
        string target = $"http://127.0.0.1:{server.Port}/";

        CliRun both = CliRun.Of("measure", target, "--count", "2").Done();
        CliRun kept = CliRun.Of("measure", target, "--count", "2", "--http-connections", "kept");

        Assert.StartsWith("MEASURED", both.Out, StringComparison.Ordinal);
        Assert.Contains("(http/1.1, kept connection): not kept", both.Out, StringComparison.Ordinal);
        Assert.Equal(5, kept.Code);
        Assert.StartsWith("NOT KEPT", kept.Out, StringComparison.Ordinal);
        Assert.Contains("--http-connections new", kept.Error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("ftp://db1/", "tcp://HOST:PORT")]
    [InlineData("tcp://db1", "a port")]
    [InlineData("tcp://db1:80/x", "tcp://HOST:PORT")]
    [InlineData("icmp://db1:7", "no ports")]
    [InlineData("http://a:secret@db1/", "reports print it")]
    [InlineData("http://db1/#part", "#")]
    [InlineData("http://", "is expected")]
    [InlineData("http://db1:99999/", "is expected")]
    public void Target_Malformed_IsRefused(string target, string says)
    {
        CliRun run = CliRun.Of("measure", target).Failed(2, "Target '", says);

        Assert.DoesNotContain("secret", run.Error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("--rate", "11/s")]
    [InlineData("--connections", "2")]
    [InlineData("--pattern", "split")]
    [InlineData("--runs", "2")]
    public void Option_ThatDoesNotFit_IsRefused(string option, string value) =>
        CliRun.Of("measure", "tcp://127.0.0.1:9", option, value).Failed(2, option);
}
