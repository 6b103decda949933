using LatencyTuner.Core.Analysis;
using LatencyTuner.Core.Analysis.Recordings;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings;
using LatencyTuner.Core.Reporting.Analysis;
using LatencyTuner.Core.Reporting.Sockets;
using LatencyTuner.Tests.Capture;
using LatencyTuner.Tests.Reporting;
using Xunit;

namespace LatencyTuner.Tests.Analysis.Sockets;

/// <summary>A capture puts the connections of a host together; with its sockets, each process gets the cost of its own.</summary>
public sealed class FindingsOfSeveralProcesses
{
    [Theory]
    [InlineData("nagle_delack_t200.client.pcap")]
    [InlineData("nagle_delack_response.client.pcap")]
    [InlineData("nagle_delack_linux40.client.pcap")]
    [InlineData("nagle_rtt50.client.pcap")]
    [InlineData("mixed_two_causes.client.pcap")]
    public void Figures_OfTheProcesses_AddUpToThoseOfTheFinding(string name)
    {
        RecordingResult result = Run(name);
        Finding whole = Assert.Single(result.Findings, IsHold);
        Assert.Equal(2, whole.Connections.Count);
        HostSocket[] sockets = [.. whole.Connections.Select((c, i) => SocketOf(whole, c) with { Pid = 100 + i, Process = "orders" })];

        Finding[] analysed = [.. AnalysisReportBuilder.From(result, new AnalysisOptions { Sockets = sockets }).Findings.Where(IsHold)];
        Finding[] listed = [.. SocketsReportBuilder.From(
            new SocketSnapshot { Sockets = sockets }, result.Findings, SeverityLimits.Standard, new Gate()).Findings.Where(f => f.CostMs is not null)];

        foreach (Finding[] split in (Finding[][])[analysed, listed])
        {
            Assert.Equal(["orders (100)", "orders (101)"], split.Select(f => f.Process).Order(StringComparer.Ordinal));
            Assert.Equal(whole.Count, split.Sum(f => f.Count));
            Assert.Equal(whole.CostMs!.Value, split.Sum(f => f.CostMs!.Value), 6);
            Assert.All(split, f => Assert.InRange(f.CostShare!.Value, 0, 1));
            Assert.All(split, f => Assert.Equal([whole.Connections[f.Process == "orders (100)" ? 0 : 1]], f.Connections));
            Assert.All(split, f => Assert.Contains(f.For, s => s.Contains($"{f.Process} has 1 of them", StringComparison.Ordinal)));
        }
    }

    [Fact]
    public void ConnectionsOfUnknownProcesses_KeepTheirPart_InAnAnalysis()
    {
        RecordingResult result = Run("nagle_delack_t200.client.pcap");
        Finding whole = Assert.Single(result.Findings, IsHold);
        HostSocket[] sockets = [SocketOf(whole, whole.Connections[0])];

        Finding[] split = [.. AnalysisReportBuilder.From(result, new AnalysisOptions { Sockets = sockets }).Findings.Where(IsHold)];

        Assert.Equal([null, "orders (2071)"], split.Select(f => f.Process).Order(StringComparer.Ordinal));
        Assert.Equal(whole.Count, split.Sum(f => f.Count));
        Assert.Equal(whole.CostMs!.Value, split.Sum(f => f.CostMs!.Value), 6);
    }

    [Fact]
    public void OneProcessOfAll_KeepsTheFindingAsItIs()
    {
        RecordingResult result = Run("nagle_delack_t200.client.pcap");
        Finding whole = Assert.Single(result.Findings, IsHold);
        HostSocket[] sockets = [.. whole.Connections.Select(c => SocketOf(whole, c))];

        Finding named = Assert.Single(AnalysisReportBuilder.From(result, new AnalysisOptions { Sockets = sockets }).Findings, IsHold);

        Assert.Equal(("orders (2071)", whole.Count, whole.CostMs, whole.Severity), (named.Process, named.Count, named.CostMs, named.Severity));
        Assert.DoesNotContain(named.For, s => s.Contains("the lines above", StringComparison.Ordinal));
    }

    /// <summary>Both ends on one host: the data is that of the side that the finding names, and the other process has no part in it.</summary>
    [Fact]
    public void TheOtherEndOnTheSameHost_HasNoPart()
    {
        RecordingResult result = Run("nagle_delack_t200.client.pcap");
        Finding whole = Assert.Single(result.Findings, IsHold);
        HostSocket sender = SocketOf(whole, whole.Connections[0]);
        HostSocket receiver = sender with { Local = sender.Remote with { Address = whole.Host! }, Remote = sender.Local, Pid = 7, Process = "other" };

        Finding[] split = [.. AnalysisReportBuilder.From(result, new AnalysisOptions { Sockets = [receiver] }).Findings.Where(IsHold)];

        Assert.Null(Assert.Single(split).Process);
    }

    private static bool IsHold(Finding finding) => finding.Cause is Cause.NagleDelayedAck or Cause.NagleHold;

    private static RecordingResult Run(string name) => RecordingAnalysis.Run(
        [new RecordingInput(name, () => File.OpenRead(Samples.Truth(name)))], RecordingFilter.All, SeverityLimits.Standard, null, CancellationToken.None);

    /// <summary>The socket of the end whose data waited.</summary>
    private static HostSocket SocketOf(Finding finding, string connection)
    {
        string[] ends = connection.Split(" > ");
        (string local, string remote) = finding.Side == Side.Client ? (ends[0], ends[1]) : (ends[1], ends[0]);
        return SampleReports.Held with { Local = End(local), Remote = End(remote) };
    }

    private static SocketEnd End(string text) =>
        new(text[..text.LastIndexOf(':')], int.Parse(text[(text.LastIndexOf(':') + 1)..], System.Globalization.CultureInfo.InvariantCulture));
}
