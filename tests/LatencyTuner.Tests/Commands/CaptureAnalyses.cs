using System.Text.Json;
using LatencyTuner.Tests.Reporting;
using Xunit;

namespace LatencyTuner.Tests.Commands;

/// <summary><c>analyze</c> as a user meets it.</summary>
public sealed class CaptureAnalyses
{
    private static string Client => Data("client.pcap");

    [Fact]
    public void Text_SaysTheVerdictFirst()
    {
        CliRun run = CliRun.Of("analyze", Client);

        Assert.Equal((0, ""), (run.Code, run.Error));
        Assert.StartsWith("NAGLE + DELAYED ACK", run.Out, StringComparison.Ordinal);
        Assert.Contains("10.77.1.20", run.Out, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Json_IsAsItsSchemaSays()
    {
        CliRun run = CliRun.Of("analyze", Client, Data("server.pcap"), "--format", "json");

        Assert.Equal(0, run.Code);
        Assert.Empty((await PublishedSchemas.Validator("analysis")).Validate(run.Out).Select(e => e.ToString()));
        using JsonDocument document = JsonDocument.Parse(run.Out);
        Assert.Equal(2, document.RootElement.GetProperty("inputs").GetArrayLength());
        Assert.Equal(2, document.RootElement.GetProperty("pairs").GetArrayLength());
        Assert.Equal(40, document.RootElement.GetProperty("transactions").GetArrayLength());
        Assert.Equal(200, document.RootElement.GetProperty("hosts")[0].GetProperty("ackTimerMs").GetDouble());
    }

    [Theory]
    [InlineData("csv", "connection,index,startUtc")]
    [InlineData("junit", "<?xml")]
    [InlineData("html", "<!DOCTYPE html>")]
    public void OtherForms_AreThere(string format, string start) =>
        Assert.StartsWith(start, CliRun.Of("analyze", Client, "--format", format).Out, StringComparison.OrdinalIgnoreCase);

    [Fact]
    public void FailOn_EndsWithOne() => Assert.Equal(1, CliRun.Of("analyze", Client, "--fail-on", "error").Code);

    [Fact]
    public void SlowerThan_ListsOnlyThose()
    {
        using JsonDocument document = JsonDocument.Parse(CliRun.Of("analyze", Client, "--slower-than", "100ms", "--format", "json").Out);

        Assert.Equal(38, document.RootElement.GetProperty("transactions").GetArrayLength());
        Assert.Equal(40, document.RootElement.GetProperty("transactionCount").GetInt64());
    }

    [Fact]
    public void Filter_NarrowsToWhatIsAsked()
    {
        using JsonDocument document = JsonDocument.Parse(CliRun.Of("analyze", Client, "--filter", "port=43472", "--filter", "host=10.77.1.20", "--format", "json").Out);

        Assert.Equal(1, document.RootElement.GetProperty("connectionCount").GetInt64());
    }

    [Theory]
    [InlineData("host=nowhere")]
    [InlineData("port=0")]
    [InlineData("color=red")]
    [InlineData("after=yesterday")]
    public void Filter_RefusesWhatItDoesNotKnow(string filter)
    {
        CliRun run = CliRun.Of("analyze", Client, "--filter", filter);

        Assert.Equal(2, run.Code);
        Assert.Contains(filter, run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public void Html_HasTheStrip_AndTheLadder()
    {
        string html = CliRun.Of("analyze", Client, "--format", "html").Out;

        Assert.Contains("A typical hold", html, StringComparison.Ordinal);
        Assert.Contains("Round trips over time", html, StringComparison.Ordinal);
    }

    [Fact]
    public void NothingToSee_CannotTell()
    {
        CliRun run = CliRun.Of("analyze", Client, "--filter", "port=1");

        Assert.Equal(7, run.Code);
        Assert.StartsWith("CANNOT TELL", run.Out, StringComparison.Ordinal);
        Assert.Equal(0, CliRun.Of("analyze", Client, "--filter", "port=1", "--allow-inconclusive").Code);
    }

    [Fact]
    public void BadFiles_AreInputErrors()
    {
        using TempFolder folder = new();
        byte[] whole = File.ReadAllBytes(Client);
        File.WriteAllBytes(folder["empty.pcap"], []);
        File.WriteAllBytes(folder["text.pcap"], "no capture"u8.ToArray());
        File.WriteAllBytes(folder["header.pcap"], whole[..20]);
        File.WriteAllBytes(folder["first.pcap"], whole[..50]);

        foreach (string name in new[] { "empty.pcap", "text.pcap", "header.pcap", "first.pcap", "missing.pcap" })
        {
            CliRun run = CliRun.Of("analyze", folder[name]);
            Assert.Equal((3, ""), (run.Code, run.Out));
            Assert.Contains(name, run.Error, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void CutFile_KeepsWhatWasGood_AndSaysWhereItBroke()
    {
        using TempFolder folder = new();
        File.WriteAllBytes(folder["cut.pcap"], File.ReadAllBytes(Client)[..20_000]);

        CliRun run = CliRun.Of("analyze", folder["cut.pcap"]);

        Assert.Equal(0, run.Code);
        Assert.Contains("LT301", run.Out, StringComparison.Ordinal);
        Assert.Contains("at byte", run.Out, StringComparison.Ordinal);
        Assert.StartsWith("NAGLE + DELAYED ACK", run.Out, StringComparison.Ordinal);
    }

    private static string Data(string name, [System.Runtime.CompilerServices.CallerFilePath] string path = "") =>
        Path.Combine(Path.GetDirectoryName(path)!, "..", "Capture", "Data", name);
}
