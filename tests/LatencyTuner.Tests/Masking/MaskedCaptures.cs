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

    private static void SameFindings(string path)
    {
        byte[] original = File.ReadAllBytes(path);
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
