using System.Text.Json;
using LatencyTuner.Core.Recordings.Captures;
using LatencyTuner.Tests.Capture;
using Xunit;

namespace LatencyTuner.Tests.Recordings.Captures;

/// <summary>Every capture with a known cause, from both ends: precision, recall, server times and losses.</summary>
public sealed class TruthScores(ITestOutputHelper output)
{
    private static string Folder => Path.GetDirectoryName(Samples.Truth("labels.json"))!;

    [Fact]
    public void PrecisionAndRecall_AreOne_ByCauseAndVantage()
    {
        TruthTable table = TruthTable.Of(Folder);
        output.WriteLine(table.ToString());
        Assert.Equal("", string.Join('\n', table.Complaints));
        Assert.True(table.Found > 60);
    }

    [Theory]
    [InlineData("client")]
    [InlineData("server")]
    public void ServerTimes_AreRight_ForNineteenOfTwentyTransactions(string vantage)
    {
        int right = 0;
        int all = 0;
        foreach (TruthLabel label in TruthLabel.Read(Folder))
        {
            CaptureEvidence evidence = TruthScorer.Analyse(Path.Combine(Folder, label.Captures[vantage]));
            foreach ((double truth, double estimate, double low, double high) in TruthScorer.ServerTimes(Path.Combine(Folder, label.Truth!), evidence))
            {
                all++;
                right += Math.Abs(truth - estimate) <= Math.Max(1, 0.05 * truth) ? 1 : 0;
                Assert.InRange(estimate, low, high);
            }
        }

        output.WriteLine($"{right} of {all}");
        Assert.True(all > 1000);
        Assert.True(right >= 0.95 * all, $"{right} of {all}");
    }

    [Theory]
    [InlineData("loss_random")]
    [InlineData("loss_rto_tail")]
    [InlineData("loss_fast_retransmit")]
    [InlineData("bufferbloat")]
    [InlineData("reordering")]
    [InlineData("think_server_wwr_nodelay")]
    [InlineData("rwnd_limited_slow_reader")]
    public void Losses_AtTheSendersTap_AreTheDropsOfTheEmulator(string id)
    {
        using JsonDocument drops = JsonDocument.Parse(File.ReadAllBytes(Samples.Truth(id + ".emu.json")));

        // Beyond the tap every drop shows; before it the tail of a message is missed without a trace.
        foreach ((string direction, string vantage, int side) in new[] { ("c2s_dropped", "client", 0), ("s2c_dropped", "server", 1) })
        {
            CaptureEvidence evidence = TruthScorer.Analyse(Samples.Truth($"{id}.{vantage}.pcap"));
            long losses = evidence.Connections.Sum(c => c.Sides[side].Timeouts + c.Sides[side].FastRetransmissions);
            Assert.Equal(drops.RootElement.GetProperty(direction).GetArrayLength(), losses);
        }
    }

    [Theory]
    [InlineData("client")]
    [InlineData("server")]
    public void StallPieces_NeverAddUpToMoreThanTheActiveTime(string vantage) => Assert.All(TruthLabel.Read(Folder), label =>
    {
        CaptureEvidence evidence = TruthScorer.Analyse(Path.Combine(Folder, label.Captures[vantage]));
        Assert.All(evidence.Connections, c => Assert.True(c.Sides.Sum(s => s.AllOwnedNs) <= c.ActiveNs && c.ActiveNs <= c.LastNs - c.FirstNs));
        Assert.All(evidence.Connections.SelectMany(c => c.Transactions), t => Assert.InRange(t.StallNs, 0, t.DurationNs));
    });
}
