using System.Net;
using System.Text.Json;
using LatencyTuner.Core.Analysis.Recordings;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings;
using LatencyTuner.Core.Recordings.Captures;
using LatencyTuner.Core.Reporting.Analysis;
using LatencyTuner.Tests.Capture;
using Xunit;

namespace LatencyTuner.Tests.Reporting.Analysis;

/// <summary>A filter chooses what is shown; it never changes what is found on a connection.</summary>
public sealed class FilteredConnections
{
    // Enough for every kind of connection of a capture; each is one analysis.
    private const int MostOfOne = 6;

    private static readonly AnalysisOptions Everything = new() { MostTransactions = int.MaxValue, MostConnections = int.MaxValue, MostFindings = int.MaxValue };

    public static TheoryData<string> RealCaptures =>
    [
        "d02_filecontainer-smb.pcap", "d03_gnutella.pcap", "d04_smb3_multichannel.pcap", "d06_http_ipv6.pcap", "d09_resp_3_malicious.pcap",
        "d11_http2-nghttp2.pcap", "d16_pptp.pcap", "d27_latency1.pcapng", "d34_smb2-peter.pcap", "d35_fix.pcap", "d36_test202.pcapng",
    ];

    [Theory]
    [MemberData(nameof(RealCaptures))]
    public void ConnectionsOfARealCapture_AreJudgedAsWithoutTheFilter(string name) => AreJudgedAlike(Samples.Pcap(name));

    [Fact]
    public void ConnectionsOfTheLabelledCaptures_AreJudgedAsWithoutTheFilter()
    {
        string[] files = Directory.GetFiles(Path.GetDirectoryName(Samples.Truth("labels.json"))!, "*.pcap");

        Assert.True(files.Sum(AreJudgedAlike) > files.Length, "captures with several connections");
    }

    [Fact]
    public void RareHoldsAtManyServers_StayAFinding_OnEachOfThem()
    {
        // Each connection has a single deadlock: only all of them together show the client's habit.
        SegmentSequence sequence = new();
        for (int i = 0; i < 12; i++)
        {
            double at = i * 3000;
            sequence.To($"10.0.1.{i + 1}", (ushort)(41_000 + i)).Syn(at).SynAck(at + 2).FromClient(at + 2.05, 1000, 0);
            sequence.FromClient(at + 10, 1000, 100).FromServer(at + 212, 1100).FromClient(at + 212.03, 1100, 50).FromServer(at + 214.5, 1150, 200);
            sequence.FromClient(at + 214.6, 1150, 0, ack: 5200);
        }

        byte[] pcap = sequence.Pcap();
        AnalysisReport all = Of(pcap, RecordingFilter.All);
        AnalysisReport one = Of(pcap, RecordingFilter.All with { Ports = [new PortRange(41_003, 41_003)] });

        Assert.Equal("NAGLE + DELAYED ACK", all.Judgement!.Word);
        Assert.Equal(Shown(all.Findings), Shown(one.Findings));
        Assert.Equal((all.Judgement.Word, all.Judgement.Text), (one.Judgement!.Word, one.Judgement.Text));
        Assert.Equal((1, "10.0.0.1:41003 > 10.0.1.4:80"), (one.ConnectionCount, Assert.Single(one.Connections).Id));
        Assert.Contains(one.Notes, n => n.StartsWith("The filter hides 11 connections.", StringComparison.Ordinal));
        Assert.DoesNotContain(all.Notes, n => n.Contains("filter", StringComparison.Ordinal));
    }

    [Fact]
    public void AFindingOfHiddenConnections_IsHidden()
    {
        SegmentSequence sequence = new();
        Exchanges(sequence.To("10.0.0.2", 41_000), 0, held: true);
        Exchanges(sequence.To("10.0.0.7", 42_000, "10.0.0.9"), 40_000, held: false);
        byte[] pcap = sequence.Pcap();

        AnalysisReport held = Of(pcap, RecordingFilter.All with { Hosts = [IPNetwork.Parse("10.0.0.2/32")] });
        AnalysisReport plain = Of(pcap, RecordingFilter.All with { Hosts = [IPNetwork.Parse("10.0.0.9/32")] });

        Assert.Equal(("NAGLE + DELAYED ACK", "NO STALL"), (held.Judgement!.Word, plain.Judgement!.Word));
        Assert.Empty(plain.Findings);
        Assert.Equal(["10.0.0.7", "10.0.0.9"], plain.Hosts.Select(h => h.Address).Order());
    }

    [Theory]
    [InlineData(0, 5, "10.0.0.2")]
    [InlineData(40, 60, "10.0.0.7")]
    [InlineData(3, 41, "10.0.0.2 10.0.0.7")]
    [InlineData(20, 30, "")]
    public void ATime_ChoosesConnections_ThatWereThere_AsAWhole(int after, int before, string servers)
    {
        SegmentSequence sequence = new();
        Exchanges(sequence.To("10.0.0.2", 41_000), 0, held: true);
        Exchanges(sequence.To("10.0.0.7", 42_000, "10.0.0.9"), 40_000, held: false);
        byte[] pcap = sequence.Pcap();
        DateTimeOffset start = DateTimeOffset.UnixEpoch.AddSeconds(1000);
        AnalysisReport all = Of(pcap, RecordingFilter.All);
        AnalysisReport chosen = Of(pcap, RecordingFilter.All with { After = start.AddSeconds(after), Before = start.AddSeconds(before) });

        Assert.Equal(servers, string.Join(' ', chosen.Connections.Select(c => c.Server.Address).Order(StringComparer.Ordinal)));
        Assert.All(chosen.Connections, c => Assert.Equal(Json(all.Connections.Single(a => a.Id == c.Id)), Json(c)));
        Assert.Equal(servers.Length == 0, chosen.Judgement!.Word == "CANNOT TELL");
    }

    [Fact]
    public void HiddenConnections_TakeNoRoomOfTheOthers()
    {
        // More than are kept one by one.
        SegmentSequence sequence = new();
        for (int i = 0; i < 15_100; i++)
        {
            // Apart by more than two sides of an address translation.
            double at = i * 8;
            sequence.To("10.0.0.2", (ushort)(1024 + i)).Syn(at).SynAck(at + 0.2).FromClient(at + 0.3, 1000, 0).FromClient(at + 0.4, 1000, 10)
                .FromServer(at + 0.6, 1010, 10);
        }

        byte[] pcap = sequence.Pcap();
        ushort last = 1024 + 15_099;

        Assert.Equal(15_000, Assert.Single(Result(pcap, RecordingFilter.All).Evidence).Connections.Count);
        CaptureEvidence evidence = Assert.Single(Result(pcap, RecordingFilter.All with { Ports = [new PortRange(last, last)] }).Evidence);
        Assert.Equal((last, 0), (Assert.Single(evidence.Connections).ClientPort, evidence.NotKept));
        Assert.Equal(15_099, evidence.Hidden);
    }

    /// <summary>Compares what is said of single connections with a filter and without.</summary>
    /// <returns>Number of connections compared.</returns>
    private static int AreJudgedAlike(string path)
    {
        byte[] bytes = File.ReadAllBytes(path);
        AnalysisReport all = Of(bytes, RecordingFilter.All, path);
        AnalysedConnection[] chosen = [.. all.Connections.DistinctBy(c => (c.Client, c.Client.Port)).Take(MostOfOne)];
        foreach (AnalysedConnection one in chosen)
        {
            RecordingFilter filter = RecordingFilter.All with
            {
                Hosts = [new IPNetwork(IPAddress.Parse(one.Client.Address), one.Client.Address.Contains(':', StringComparison.Ordinal) ? 128 : 32)],
                Ports = [new PortRange(one.Client.Port, one.Client.Port)],
            };
            AnalysisReport filtered = Of(bytes, filter, path);
            string[] ids = [.. filtered.Connections.Select(c => c.Id)];
            string of = $"{path} {one.Id}";
            Assert.Contains(one.Id, ids);
            Equal(all.Connections.Where(c => ids.Contains(c.Id)), filtered.Connections, of);
            Equal(all.Transactions.Where(t => ids.Contains(t.Connection)), filtered.Transactions, of);
            Equal(all.Hosts.Where(h => filtered.Connections.Any(c => c.Client.Address == h.Address || c.Server.Address == h.Address)), filtered.Hosts, of);
            Assert.True(
                Shown(all.Findings.Where(f => f.Connections.Count < ConnectionNames.Most ? f.Connections.Any(ids.Contains) : Has(filtered, f)))
                    == Shown(filtered.Findings), of);
        }

        return chosen.Length;
    }

    /// <summary>Of findings on very many connections only the first are named.</summary>
    private static bool Has(AnalysisReport report, Finding finding) => Shown(report.Findings).Contains(Shown([finding]), StringComparison.Ordinal);

    private static string Shown(IEnumerable<Finding> findings) =>
        string.Join('\n', findings.Where(f => f.Cause != Cause.EvidenceIncomplete)
            .Select(f => Json(f with { Connections = f.Connections.Count < ConnectionNames.Most ? [.. f.Connections] : [] })));

    private static void Equal<T>(IEnumerable<T> expected, IEnumerable<T> actual, string of) =>
        Assert.True(expected.Select(Json).Order(StringComparer.Ordinal).SequenceEqual(actual.Select(Json).Order(StringComparer.Ordinal)), of);

    private static string Json<T>(T value) => JsonSerializer.Serialize(value);

    private static AnalysisReport Of(byte[] bytes, RecordingFilter filter, string name = "made.pcap") =>
        AnalysisReportBuilder.From(Result(bytes, filter, name), Everything);

    private static RecordingResult Result(byte[] bytes, RecordingFilter filter, string name = "made.pcap") =>
        RecordingAnalysis.Run([new RecordingInput(name, () => new MemoryStream(bytes))], filter, SeverityLimits.Standard, null, CancellationToken.None);

    private static void Exchanges(SegmentSequence sequence, double at, bool held)
    {
        sequence.Syn(at).SynAck(at + 2).FromClient(at + 2.05, 1000, 0);
        at += 10;
        for (uint i = 0; i < 20; i++, at += 5)
        {
            (uint request, uint answer) = (1000 + (i * 150), 5000 + (i * 200));
            sequence.FromClient(at, request, held ? 100 : 150, ack: answer);
            if (held)
            {
                sequence.FromServer(at += 202, request + 100, 0, answer).FromClient(at += 0.03, request + 100, 50, ack: answer);
            }

            sequence.FromServer(at += 2.1, request + 150, 200, answer);
        }
    }
}
