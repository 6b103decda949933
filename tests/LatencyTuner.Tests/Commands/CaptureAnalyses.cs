using System.Buffers.Binary;
using System.Text.Json;
using LatencyTuner.Fuzz;
using LatencyTuner.Hosting;
using LatencyTuner.Tests.Reporting;
using Xunit;

namespace LatencyTuner.Tests.Commands;

/// <summary><c>analyze</c> as a user meets it.</summary>
public sealed class CaptureAnalyses
{
    private static string Client => Data("client.pcap");

    [Fact]
    public void Analyze_PutsCollectionsOff_OtherCommandsDoNot()
    {
        int asked = 0;
        CliHost Host(TextWriter output, TextWriter error) => new() { Out = output, Error = error, PostponeCollections = () => asked++ };

        CliRun.On(Host, CancellationToken.None, "exit-codes").Done();
        Assert.Equal(0, asked);

        CliRun.On(Host, CancellationToken.None, "analyze", "no-such-file.pcap").Failed(3, "no-such-file.pcap");
        Assert.Equal(1, asked);
    }

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
        using JsonDocument document =
            JsonDocument.Parse(CliRun.Of("analyze", Client, "--filter", "port=43472", "--filter", "host=10.77.1.20", "--format", "json").Out);

        Assert.Equal(1, document.RootElement.GetProperty("connectionCount").GetInt64());
    }

    [Theory]
    [InlineData("host=10.0.0.0/8", 2)]
    [InlineData("host=10.77.1.99/24", 2)]
    [InlineData("host=10.77.1.0/28", 2)]
    [InlineData("host=10.77.1.32/27", 0)]
    [InlineData("host=0.0.0.0/0", 2)]
    [InlineData("host=::/0", 0)]
    [InlineData("host=192.0.2.1,10.77.1.20", 2)]
    [InlineData("host 10.77.1.20", 2)]
    [InlineData("port==43472", 1)]
    [InlineData("port=80,43472", 1)]
    [InlineData("port=43400-43499", 2)]
    [InlineData("port=1-8999,9002-43400", 0)]
    public void Filter_TakesNetworks_Ranges_AndSeveral(string filter, long connections)
    {
        using JsonDocument document = JsonDocument.Parse(CliRun.Of("analyze", Client, "--filter", filter, "--format", "json").Out);

        Assert.Equal(connections, document.RootElement.GetProperty("connectionCount").GetInt64());
    }

    [Theory]
    [InlineData("host=nowhere")]
    [InlineData("host=10.0.0.0/33")]
    [InlineData("host=10.0.0.0/")]
    [InlineData("host=10.0.0.0/8,")]
    [InlineData("host=010.0.0.1")]
    [InlineData("host=[::1]:80")]
    [InlineData("host 10.0.0.1 and port 80")]
    [InlineData("ip.addr == 10.0.0.1")]
    [InlineData("port=443-80")]
    [InlineData("port=80-")]
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

    [Theory]
    [InlineData("host=10.77")]
    [InlineData("after=22:13")]
    [InlineData("before=03/04/2026")]
    public void Filter_ThatCouldMeanAnything_IsRefused(string filter) => CliRun.Of("analyze", Client, "--filter", filter).Failed(2, $"'{filter}' is not valid");

    [Fact]
    public void Filter_ThatNothingPasses_IsNamed()
    {
        CliRun run = CliRun.Of("analyze", Client, "--filter", "before=1999-01-01");

        Assert.Equal(7, run.Code);
        Assert.Contains("passed the filter", run.Out, StringComparison.Ordinal);
    }

    [Fact]
    public void CutFile_KeepsWhatWasGood_AndSaysWhereItBroke()
    {
        using TempFolder folder = new();
        File.WriteAllBytes(folder["cut.pcap"], File.ReadAllBytes(Client)[..20_000]);

        CliRun run = CliRun.Of("analyze", folder["cut.pcap"], "--details");

        Assert.Equal(0, run.Code);
        Assert.Contains("LT301", run.Out, StringComparison.Ordinal);
        Assert.Contains("at byte", run.Out, StringComparison.Ordinal);
        Assert.StartsWith("NAGLE + DELAYED ACK", run.Out, StringComparison.Ordinal);
    }

    [Fact]
    public void PacketsWithoutTime_AreCounted_AndLeftOut()
    {
        using TempFolder folder = new();
        byte[] frame = Datagrams.Ethernet(0x0800, Datagrams.V4(Datagrams.Tcp()));
        CaptureBytes file = new CaptureBytes().SectionHeader().Interface().Enhanced(frame).Simple(frame, (uint)frame.Length).Simple(frame, (uint)frame.Length);
        File.WriteAllBytes(folder["simple.pcapng"], file.ToArray());

        CliRun run = CliRun.Of("analyze", folder["simple.pcapng"], "--format", "json", "--allow-inconclusive");

        using JsonDocument document = JsonDocument.Parse(run.Out);
        JsonElement input = document.RootElement.GetProperty("inputs")[0];
        Assert.Equal((3, 2), (input.GetProperty("packets").GetInt32(), input.GetProperty("skipped").GetProperty("without time").GetInt32()));
        Assert.Contains("2 packets were recorded without a timestamp and are left out", Incomplete(document), StringComparison.Ordinal);
    }

    [Fact]
    public void DatagramsOfWhichAPartIsMissing_AreCounted()
    {
        using TempFolder folder = new();
        CaptureBytes file = new CaptureBytes().PcapHeader().Record(Datagrams.Ethernet(0x0800, Datagrams.V4(Datagrams.Tcp())));
        byte[] tcp = Datagrams.Tcp(1000);
        file.Record(Datagrams.Ethernet(0x0800, Datagrams.V4(tcp[..400], id: 8, more: true)), (uint)CaptureBytes.Second + 1);
        File.WriteAllBytes(folder["parts.pcap"], file.ToArray());

        CliRun run = CliRun.Of("analyze", folder["parts.pcap"], "--format", "json", "--allow-inconclusive");

        using JsonDocument document = JsonDocument.Parse(run.Out);
        Assert.Equal(1, document.RootElement.GetProperty("inputs")[0].GetProperty("skipped").GetProperty("incomplete fragments").GetInt32());
        Assert.Contains("(incomplete fragments)", Incomplete(document), StringComparison.Ordinal);
    }

    [Fact]
    public void Input_ThatIsNoFile_IsSaidToBeNone()
    {
        using TempFolder folder = new();

        CliRun.Of("analyze", folder.Path).Failed(3, "it is a folder, and a file is expected");
        CliRun.Of("analyze", folder["missing.pcap"]).Failed(3, "the file does not exist");
    }

    [Theory]
    [InlineData(15_625, 3, true)]
    [InlineData(1_000_000, 20, true)]
    [InlineData(15_625, 1, false)]
    [InlineData(500, 3, false)]
    public void Clock_ThatMovesInLongSteps_IsAGapInTheEvidence(int stepUs, int packetsPerStep, bool coarse)
    {
        using TempFolder folder = new();
        CaptureBytes file = new CaptureBytes().PcapHeader();
        for (uint i = 0; i < 300; i++)
        {
            ulong us = i / (uint)packetsPerStep * (ulong)stepUs;
            byte[] tcp = Datagrams.Tcp(10);
            BinaryPrimitives.WriteUInt32BigEndian(tcp.AsSpan(4), 1000 + (10 * i));
            file.Record(Datagrams.Ethernet(0x0800, Datagrams.V4(tcp)), (uint)CaptureBytes.Second + (uint)(us / 1_000_000), (uint)(us % 1_000_000));
        }

        File.WriteAllBytes(folder["clock.pcap"], file.ToArray());

        using JsonDocument document = JsonDocument.Parse(CliRun.Of("analyze", folder["clock.pcap"], "--format", "json", "--allow-inconclusive").Out);
        Assert.Equal(coarse, Incomplete(document).Contains($"its clock moves in steps of {stepUs / 1e3:0.##} ms", StringComparison.Ordinal));
    }

    /// <summary>What speaks for the finding that evidence is missing.</summary>
    private static string Incomplete(JsonDocument document) => string.Join('\n', document.RootElement.GetProperty("findings").EnumerateArray()
        .Where(f => f.GetProperty("id").GetString() == "LT301").SelectMany(f => f.GetProperty("for").EnumerateArray()).Select(s => s.GetString()));

    private static string Data(string name, [System.Runtime.CompilerServices.CallerFilePath] string path = "") =>
        Path.Combine(Path.GetDirectoryName(path)!, "..", "Capture", "Data", name);

}
