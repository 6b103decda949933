using System.IO.Compression;
using System.Net;
using LatencyTuner.Core.Analysis.Recordings;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings;
using LatencyTuner.Tests.Capture;
using Xunit;

namespace LatencyTuner.Tests.Recordings.Captures;

/// <summary>Two captures of the same connections.</summary>
public sealed class PairedCaptures
{
    [Fact]
    public void BothEnds_ArePaired_AndTheirClocksAligned()
    {
        RecordingResult result = Run("net_delay_50.client.pcap", "net_delay_50.server.pcap");

        Assert.Equal(2, result.Pairs.Count);
        Assert.All(result.Pairs, pair =>
        {
            // Both were made on one machine by one clock, 25 ms apart.
            Assert.InRange(Math.Abs(pair.OffsetNs), 0, pair.UncertaintyNs);
            Assert.InRange(pair.ToServerNs[pair.ToServerNs.Length / 2], 24_500_000, 27_000_000);
            Assert.InRange(pair.ToClientNs[pair.ToClientNs.Length / 2], 24_500_000, 27_000_000);
            Assert.Equal((0, 0), (pair.LostToServer, pair.LostToClient));
        });
    }

    [Fact]
    public void OrderOfTheFiles_DoesNotMatter()
    {
        RecordingResult one = Run("quickack.client.pcap", "quickack.server.pcap");
        RecordingResult other = Run("quickack.server.pcap", "quickack.client.pcap");

        Assert.Equal(one.Pairs.Select(p => (p.OffsetNs, p.Packets)).Order(), other.Pairs.Select(p => (p.OffsetNs, p.Packets)).Order());
        Assert.Equal(Confidence.Confirmed, Assert.Single(one.Findings, f => f.Id == "LT102").Confidence);
    }

    [Fact]
    public void LossesBetween_AreTheDropsOfTheEmulator()
    {
        RecordingResult result = Run("loss_random.client.pcap", "loss_random.server.pcap");

        Assert.Equal((22, 59), (result.Pairs.Sum(p => p.LostToServer), result.Pairs.Sum(p => p.LostToClient)));
    }

    [Fact]
    public void OneCapture_InTwoFiles_IsOne()
    {
        RecordingResult result = Run("nagle_delack_t50.client.pcap", "nagle_delack_t100.client.pcap");

        Assert.Empty(result.Pairs);
        Assert.Single(result.Evidence);
    }

    [Fact]
    public void OneCapture_InTwoFiles_InTheWrongOrder_IsOne()
    {
        RecordingResult right = Run("nagle_delack_t50.client.pcap", "nagle_delack_t100.client.pcap");
        RecordingResult wrong = Run("nagle_delack_t100.client.pcap", "nagle_delack_t50.client.pcap");
        if (right.Files[0].FirstNs > right.Files[1].FirstNs)
        {
            (right, wrong) = (wrong, right);
        }

        Assert.Single(wrong.Evidence);
        Assert.Equal(right.Files.Reverse().Select(f => f.Path), wrong.Files.Select(f => f.Path));
        Assert.Equal(right.Findings.Select(f => (f.Id, f.CostMs)), wrong.Findings.Select(f => (f.Id, f.CostMs)));
    }

    [Theory]
    [InlineData(3600)]
    [InlineData(-3600)]
    public void ClockFarAhead_IsAnOffset_NotAFileThatFollows(int seconds)
    {
        RecordingInput client = new("client", () => File.OpenRead(Samples.Truth("nagle_delack_t50.client.pcap")));
        RecordingInput server = new("server", () => new MemoryStream(Later(File.ReadAllBytes(Samples.Truth("nagle_delack_t50.server.pcap")), seconds)));

        RecordingResult result = RecordingAnalysis.Run([client, server], RecordingFilter.All, SeverityLimits.Standard, null, CancellationToken.None);

        Assert.NotEmpty(result.Pairs);
        Assert.All(result.Pairs, pair => Assert.Equal(seconds, pair.OffsetNs / 1e9, 1));
        Assert.DoesNotContain(result.Findings, f => f.Id == "LT121");
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void OneCapture_GivenTwice_IsOne_AndIsSaid(bool underOtherNames)
    {
        byte[] bytes = File.ReadAllBytes(Samples.Truth("nagle_delack_t50.client.pcap"));
        RecordingResult once = Run(("a.pcap", bytes));
        RecordingResult twice = underOtherNames ? Run(("a.pcap", bytes), ("b.pcap.gz", Gzip(bytes))) : Run(("a.pcap", bytes), ("a.pcap", bytes));

        Assert.Empty(twice.Pairs);
        Assert.Single(twice.Evidence);
        Assert.Equal(2, twice.Files.Count);
        Assert.Equal(once.Findings.Select(f => (f.Id, f.Count, f.CostMs, f.Confidence)), twice.Findings.Select(f => (f.Id, f.Count, f.CostMs, f.Confidence)));
        Assert.Contains("counted once", Assert.Single(twice.Repeats), StringComparison.Ordinal);
    }

    [Fact]
    public void OneDirection_GivenTwice_IsOne()
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0);
        for (uint i = 0; i < 12; i++)
        {
            sequence.FromClient(20 + (i * 31), 1000 + (i * 90), 90);
        }

        RecordingResult result = Run(("x.pcap", sequence.Pcap()), ("y.pcap", sequence.Pcap(nanoseconds: false)));

        Assert.Single(result.Evidence);
        Assert.Contains("y.pcap holds the same packets", Assert.Single(result.Repeats), StringComparison.Ordinal);
    }

    [Fact]
    public void PartOfACapture_GivenBesideIt_CountsOnce()
    {
        byte[] bytes = File.ReadAllBytes(Samples.Truth("nagle_delack_t50.client.pcap"));
        RecordingResult once = Run(("a.pcap", bytes));
        RecordingResult twice = Run(("a.pcap", bytes), ("part.pcap", bytes[..End(bytes, 150)]));

        Assert.Empty(twice.Pairs);
        Assert.Single(twice.Evidence);
        Assert.Equal(once.Findings.Select(f => (f.Id, f.Count, f.Confidence)), twice.Findings.Select(f => (f.Id, f.Count, f.Confidence)));
        Assert.Contains(twice.Repeats, r => r.Contains("same times", StringComparison.Ordinal));
    }

    [Fact]
    public void OneCapture_TwiceInOneFile_CountsOnce()
    {
        byte[] bytes = File.ReadAllBytes(Samples.Truth("nagle_delack_t50.client.pcap"));
        RecordingResult once = Run(("a.pcap", bytes));
        RecordingResult twice = Run(("a.pcap", [.. bytes, .. bytes[24..]]));

        Assert.Equal(once.Findings.Select(f => (f.Id, f.Count, f.CostMs)), twice.Findings.Select(f => (f.Id, f.Count, f.CostMs)));
        Assert.Contains(twice.Repeats, r => r.Contains("twice, at the same times", StringComparison.Ordinal));
        Assert.Empty(once.Repeats);
    }

    // On both sides of a device that gives the client, or the server, another address.
    [Theory]
    [InlineData("10.9.9.1", "10.0.0.2")]
    [InlineData("10.0.0.1", "192.168.7.7")]
    public void BothSidesOfATranslation_CountOnce(string client, string server)
    {
        RecordingResult result = Run(("nat.pcap", Translated(client, server, lateMs: 0.2)));

        Assert.Single(Assert.Single(result.Evidence).Connections);
        Assert.Contains("address translation", Assert.Single(result.Repeats), StringComparison.Ordinal);
    }

    // The device joins two segments of the server before it passes them on; or passes on something else.
    [Theory]
    [InlineData(500, 1)]
    [InlineData(400, 2)]
    public void BothSidesOfATranslation_ThatJoinsPackets_CountOnce(int joined, int connections)
    {
        SegmentSequence sequence = new();
        Both(0, (s, ms, _) => s.Syn(ms));
        Both(20, (s, ms, _) => s.SynAck(ms));
        Both(40, (s, ms, _) => s.FromClient(ms, 1000, 0));
        Both(41, (s, ms, _) => s.FromClient(ms, 1000, 300));
        Both(70, (s, ms, inside) => inside ? s.FromServer(ms, 1300, 250).FromServer(ms, 1300, 250, 5250) : s.FromServer(ms, 1300, joined));
        Both(90, (s, ms, _) => s.FromClient(ms, 1300, 0, ack: 5500));

        Assert.Equal(connections, Assert.Single(Run(("nat.pcap", sequence.Pcap())).Evidence).Connections.Count);

        void Both(double ms, Func<SegmentSequence, double, bool, SegmentSequence> add)
        {
            add(sequence.To("10.0.0.2"), ms, true);
            add(sequence.To("10.0.0.2", client: "10.9.9.1"), ms + 0.2, false);
        }
    }

    [Fact]
    public void BothSidesOfATranslation_CountOnceInTheHostsToo()
    {
        RecordingResult once = Run(("once.pcap", Translated("10.9.9.1", "10.0.0.2", lateMs: null)));
        RecordingResult both = Run(("nat.pcap", Translated("10.9.9.1", "10.0.0.2", lateMs: 0.2)));
        RecordingResult others = Run(("two.pcap", Translated("10.9.9.1", "10.0.0.2", lateMs: 3, cut: true)));

        Assert.Equal(Hosts(once), Hosts(both));
        Assert.Contains(Hosts(both), h => h.Contains("10.0.0.2 1: ", StringComparison.Ordinal));
        // What began alike and went on in another way is a connection of its own.
        Assert.Contains(Hosts(others), h => h.Contains("10.0.0.2 2: ", StringComparison.Ordinal));
        Assert.Contains(Hosts(others), h => h.StartsWith("10.9.9.1 1: ", StringComparison.Ordinal));

        static IEnumerable<string> Hosts(RecordingResult result) => Assert.Single(result.Evidence).Hosts.Values
            .Select(h => $"{h.Address} {h.Connections}: {string.Join(' ', h.Acks)}, {h.LateCount} late").Order(StringComparer.Ordinal);
    }

    [Theory]
    [InlineData("10.0.0.1")]
    [InlineData("10.9.9.1")]
    public void ATranslatedConnection_IsFoundByEitherName(string client)
    {
        byte[] bytes = Translated("10.9.9.1", "10.0.0.2", lateMs: 0.2);
        RecordingResult result = RecordingAnalysis.Run(
            [new RecordingInput("nat.pcap", () => new MemoryStream(bytes))], RecordingFilter.All with { Hosts = [IPNetwork.Parse(client + "/32")] },
            SeverityLimits.Standard, null, CancellationToken.None);

        Assert.Single(Assert.Single(result.Evidence).Connections);
    }

    // The same capture merged with itself: each packet follows itself, at the same time or soon after, with and without an identification.
    [Theory]
    [InlineData(0, true)]
    [InlineData(0, false)]
    [InlineData(30_000, true)]
    [InlineData(30_000, false)]
    public void OneCapture_MergedWithItself_CountsOnce(int laterNs, bool identified)
    {
        byte[] bytes = File.ReadAllBytes(Samples.Truth("nagle_delack_t50.client.pcap"));
        RecordingResult once = Run(("a.pcap", Merged(bytes, null, identified)));
        RecordingResult twice = Run(("a.pcap", Merged(bytes, laterNs, identified)));

        Assert.Equal(once.Findings.Select(f => (f.Id, f.Count, f.CostMs)), twice.Findings.Select(f => (f.Id, f.Count, f.CostMs)));
        Assert.True(twice.Evidence[0].Connections.Sum(c => c.CaptureDuplicates) > 100);
    }

    [Fact]
    public void TwoConnections_ThatBeginWithTheSameNumbersApart_AreTwo()
    {
        RecordingResult result = Run(("two.pcap", Translated("10.0.0.9", "10.0.0.2", lateMs: 700)));

        Assert.Equal(2, Assert.Single(result.Evidence).Connections.Count);
        Assert.Empty(result.Repeats);
    }

    [Fact]
    public void SynThatOnlyTheClientsCaptureHas_WasLostOnThePath()
    {
        SegmentSequence Exchange(SegmentSequence s, double early, double late) => s.SynAck(1020 + late).FromClient(1040 - early, 1000, 0)
            .FromClient(1050 - early, 1000, 300).FromServer(1072 + late, 1300, 200).FromClient(1094 - early, 1300, 0, ack: 5200);

        // Beside the client, 20 ms from the server, and beside the server.
        byte[] client = Exchange(new SegmentSequence().Syn(0).Syn(1000, id: 110), 0, 20).Pcap();
        byte[] server = Exchange(new SegmentSequence().Syn(1020, id: 110), -20, 0).Pcap();
        Finding finding = Assert.Single(Run(("client.pcap", client), ("server.pcap", server)).Findings, f => f.Id == "LT121");
        Finding alone = Assert.Single(Run(("client.pcap", client)).Findings, f => f.Id == "LT121");

        Assert.Equal((Side.Network, null), (finding.Side, alone.Side));
    }

    /// <summary>A capture in nanoseconds merged with itself, or as it is.</summary>
    private static byte[] Merged(byte[] pcap, int? laterNs, bool identified)
    {
        List<(long Ns, byte[] Packet)> packets = [];
        for (int at = 24; at + 16 <= pcap.Length; at += 16 + BitConverter.ToInt32(pcap, at + 8))
        {
            byte[] packet = pcap[at..(at + 16 + BitConverter.ToInt32(pcap, at + 8))];
            // Behind the record's header and Ethernet: the identification of IPv4.
            (packet[16 + 18], packet[16 + 19]) = identified ? (packet[16 + 18], packet[16 + 19]) : ((byte)0, (byte)0);
            long ns = (BitConverter.ToUInt32(packet, 0) * 1_000_000_000L) + BitConverter.ToUInt32(packet, 4);
            packets.Add((ns, packet));
            if (laterNs is { } later)
            {
                byte[] copy = [.. packet];
                BitConverter.GetBytes((uint)((ns + later) / 1_000_000_000)).CopyTo(copy, 0);
                BitConverter.GetBytes((uint)((ns + later) % 1_000_000_000)).CopyTo(copy, 4);
                packets.Add((ns + later, copy));
            }
        }

        return [.. pcap[..24], .. packets.OrderBy(p => p.Ns).SelectMany(p => p.Packet)];
    }

    private static byte[] Translated(string client, string server, double? lateMs, bool cut = false)
    {
        SegmentSequence sequence = new();
        List<(double Ms, Action<double> Add)> packets =
        [
            (0, ms => sequence.Syn(ms, 200)), (20, ms => sequence.SynAck(ms)), (40, ms => sequence.FromClient(ms, 1000, 0, id: 201)),
            (41, ms => sequence.FromClient(ms, 1000, 300, id: 202)), (70, ms => sequence.FromServer(ms, 1300, 500, id: 300)),
            (90, ms => sequence.FromClient(ms, 1300, 0, ack: 5500, id: 203)),
        ];
        foreach ((double ms, Action<double> add, bool inside) in packets.Select(p => (p.Ms, p.Add, true))
            .Concat(lateMs is { } late ? packets.Take(cut ? 5 : 6).Select(p => (p.Ms + late, p.Add, false)) : []).OrderBy(p => p.Item1))
        {
            sequence.To(inside ? "10.0.0.2" : server, client: inside ? "10.0.0.1" : client);
            add(ms);
        }

        return sequence.Pcap();
    }

    private static int End(byte[] pcap, int frames)
    {
        int at = 24;
        for (; frames > 0; frames--)
        {
            at += 16 + BitConverter.ToInt32(pcap, at + 8);
        }

        return at;
    }

    private static byte[] Gzip(byte[] bytes)
    {
        using MemoryStream packed = new();
        using (GZipStream gzip = new(packed, CompressionLevel.Fastest))
        {
            gzip.Write(bytes);
        }

        return packed.ToArray();
    }

    private static RecordingResult Run(params (string Name, byte[] Bytes)[] files) =>
        RecordingAnalysis.Run(
            [.. files.Select(f => new RecordingInput(f.Name, () => new MemoryStream(f.Bytes)))], RecordingFilter.All, SeverityLimits.Standard, null,
            CancellationToken.None);

    /// <summary>A pcap file with other times: its words are little-endian, as here.</summary>
    private static byte[] Later(byte[] pcap, int seconds)
    {
        for (int at = 24; at + 16 <= pcap.Length; at += 16 + BitConverter.ToInt32(pcap, at + 8))
        {
            BitConverter.GetBytes(BitConverter.ToInt32(pcap, at) + seconds).CopyTo(pcap, at);
        }

        return pcap;
    }

    private static RecordingResult Run(params string[] names) =>
        RecordingAnalysis.Run(
            [.. names.Select(n => new RecordingInput(n, () => File.OpenRead(Samples.Truth(n))))], RecordingFilter.All, SeverityLimits.Standard, null,
            CancellationToken.None);
}
