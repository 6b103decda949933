using System.Net;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.RegularExpressions;
using LatencyTuner.Core.Analysis.Recordings;
using LatencyTuner.Core.Capture;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Masking;
using LatencyTuner.Core.Recordings;
using LatencyTuner.Core.Reporting;
using LatencyTuner.Core.Reporting.Analysis;
using LatencyTuner.Tests.Capture;
using LatencyTuner.Tests.Settings;
using Xunit;

namespace LatencyTuner.Tests.Masking;

/// <summary>A masked capture shows what the capture shows, and none of its addresses.</summary>
public sealed partial class MaskedCaptures
{
    private static readonly byte[] Key = [.. Enumerable.Range(90, 32).Select(i => (byte)i)];

    public static TheoryData<string> Real => Names(Path.Combine("samples", "pcap"), "*.pcap*");

    public static TheoryData<string> Known => Names("truth", "*.pcap");

    [Theory]
    [MemberData(nameof(Real))]
    public void FindingsOfRealCaptures_AreTheSame(string name) => SameFindings(Samples.Pcap(name));

    [Theory]
    [MemberData(nameof(Known))]
    public void FindingsOfKnownCauses_AreTheSame(string name) => SameFindings(Samples.Truth(name));

    [Theory]
    [InlineData("client.pcap")]
    [InlineData("server.pcap")]
    public void FindingsOfOwnCaptures_AreTheSame(string name) =>
        SameFindings(Path.Combine(Repository.Root, "tests", "LatencyTuner.Tests", "Capture", "Data", name));

    /// <summary>A router's report quotes the packet that was too big: what is read of it stays, with other addresses and its right checksum.</summary>
    [Fact]
    public void FindingsOfAReportedPacket_AreTheSame()
    {
        byte[] capture = new SegmentSequence().Syn(0).SynAck(20).FromClient(20.05, 1000, 0).FromClient(21, 1000, 1460).Reported(24.9, 1000)
            .FromClient(25, 1000, 1400).FromClient(25.1, 2400, 60).FromServer(45, 2460, 500).FromClient(45.1, 2460, 0, ack: 5500).Pcap();
        Assert.Contains("reported (ICMP, frame 5)", Analysed(capture).ToJsonString(), StringComparison.Ordinal);
        SameFindings(capture);

        using AddressMask mask = new(Key);
        using ICaptureReader reader = CaptureContainer.Open(new MemoryStream(Rewritten(capture, mask)), "capture");
        for (int i = 0; i < 4; i++)
        {
            Assert.True(reader.TryRead(out _));
        }

        Assert.True(reader.TryRead(out CapturedFrame report));
        Assert.Equal((1, 0ul), (report.Data[9], InternetChecksum.Sum(report.Data[20..]) % 0xFFFF));
    }

    private static void SameFindings(string path) => SameFindings(File.ReadAllBytes(path));

    private static void SameFindings(byte[] original)
    {
        using AddressMask mask = new(Key);
        byte[] masked = Rewritten(original, mask);
        JsonNode before = Analysed(original);
        JsonNode after = Analysed(masked);

        // The sample may have the mask of one address as another one.
        HashSet<IPAddress> seen = Addresses(original);
        Assert.DoesNotContain(Addresses(masked), a => seen.Contains(a) && !mask.Mask(a).Equals(a) && !seen.Any(s => mask.Mask(s).Equals(a)));
        DocumentMask names = new(mask, new Pseudonyms());
        (byte[] expected, _) = DocumentStrings.Rewrite(JsonSerializer.SerializeToUtf8Bytes(before), (_, _, value) => names.Text(value));
        Assert.Equal(Ordered(JsonNode.Parse(expected)!), Ordered(after));
    }

    private static byte[] Rewritten(byte[] capture, AddressMask? mask)
    {
        using MemoryStream written = new();
        using ICaptureReader reader = CaptureContainer.Open(new MemoryStream(capture), "capture");
        _ = new CaptureRewriter(mask, keepPayload: false).Write(reader, written, CancellationToken.None);
        return written.ToArray();
    }

    private static JsonObject Analysed(byte[] capture)
    {
        RecordingResult result = RecordingAnalysis.Run(
            [new("capture", () => new MemoryStream(capture))], RecordingFilter.All, SeverityLimits.Standard, null, CancellationToken.None);
        AnalysisReport report = AnalysisReportBuilder.From(result, new AnalysisOptions());
        JsonObject document = JsonNode.Parse(ReportJson.SerializeAny(report))!.AsObject();
        foreach (JsonNode? input in document["inputs"]!.AsArray())
        {
            foreach (string other in new[] { "bytes", "sha256", "kind", "damage" })
            {
                input!.AsObject().Remove(other);
            }
        }

        return document;
    }

    /// <summary>Two hosts that are equally slow are listed by their addresses: each list as a set.</summary>
    private static string Ordered(JsonNode node)
    {
        StringBuilder text = new();
        foreach ((string name, JsonNode? value) in node.AsObject())
        {
            IEnumerable<string> rows = value is JsonArray list ? list.Select(v => v?.ToJsonString() ?? "null").Order(StringComparer.Ordinal)
                : [$"{value?.ToJsonString()}"];
            text.Append(name).Append(":\n").AppendJoin('\n', rows).Append('\n');
        }

        // The place of damage is another one in a shorter file.
        return Damaged().Replace(text.ToString(), "damaged there");
    }

    private static HashSet<IPAddress> Addresses(byte[] capture)
    {
        HashSet<IPAddress> addresses = [];
        SegmentDecoder decoder = new();
        using ICaptureReader reader = CaptureContainer.Open(new MemoryStream(capture), "capture");
        while (reader.TryRead(out CapturedFrame frame))
        {
            if (decoder.Decode(in frame, out TcpSegment segment) == DecodeOutcome.Tcp)
            {
                addresses.UnionWith([segment.Source.ToAddress(), segment.Destination.ToAddress()]);
            }
        }

        return addresses;
    }

    [GeneratedRegex(@"damaged at byte \d+: [^.\""]*")]
    private static partial Regex Damaged();

    private static TheoryData<string> Names(string folder, string pattern)
    {
        string path = Path.Combine(CatalogueEntries.Shared(), folder);
        return Directory.Exists(path)
            ? [.. Directory.EnumerateFiles(path, pattern).Select(f => Path.GetFileName(f)).Order(StringComparer.Ordinal)] : ["none"];
    }
}
