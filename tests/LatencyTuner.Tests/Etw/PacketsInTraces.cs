using LatencyTuner.Core.Analysis.Recordings;
using LatencyTuner.Core.Capture;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings;
using LatencyTuner.Tests.Recordings.Captures.HoldOut;
using LatencyTuner.Tests.Settings;
using Xunit;

namespace LatencyTuner.Tests.Etw;

/// <summary>Captures with a known cause say the same when their packets come in an .etl of pktmon, each written three times.</summary>
public sealed class PacketsInTraces
{
    /// <summary>Every capture with a known cause, made at either end; one without a name where there are none.</summary>
    public static TheoryData<string> Truth
    {
        get
        {
            string folder = Path.Combine(CatalogueEntries.Shared(), "truth");
            return new(
                Directory.Exists(folder) ? Directory.GetFiles(folder, "*.pcap").Select(p => Path.GetFileName(p)!).Order(StringComparer.Ordinal) : ["none"]);
        }
    }

    [Fact]
    public void Truth_HasBothEndsOfEachCase() =>
        Assert.All(
            Truth.Select(t => t.Data).Where(n => n != "none").GroupBy(n => n.Split('.')[0]),
            g => Assert.Equal([g.Key + ".client.pcap", g.Key + ".server.pcap"], g));

    [Theory]
    [MemberData(nameof(Truth))]
    public void Findings_AreThoseOfTheCapture(string name)
    {
        string path = Path.Combine(CatalogueEntries.Shared(), "truth", name);
        Assert.SkipUnless(File.Exists(path), $"{name} is not on this machine: set LATENCYTUNER_SHARED.");
        byte[] trace = Trace(path);

        RecordingResult captured = Analyse(path, File.ReadAllBytes(path));
        RecordingResult traced = Analyse("made.etl", trace);

        Assert.Equal("etl", traced.Files[0].Kind);
        Assert.Equal(captured.Files[0].Packets, traced.Files[0].Packets);
        Assert.True(traced.Files[0].Packets > 0);
        Assert.Equal(Told(captured), Told(traced));
    }

    /// <summary>Builds from 24H2 on number every appearance of a packet; how many there are, how far apart and how much of each is kept are drawn.</summary>
    [Theory]
    [InlineData("Nagle against a timer")]
    [InlineData("loss repaired in one segment with what had arrived")]
    [InlineData("client that thinks, both ends delay ACKs")]
    public void WhereEveryAppearanceIsNumbered_FindingsAreThoseOfTheCapture(string kind)
    {
        for (int seed = 0; seed < 10; seed++)
        {
            Random r = new(seed);
            byte[] capture = HoldOutKinds.All[kind](r).Capture(seed % 2);
            (int components, int apartNs, int cut) = (r.Next(2, 14), r.Next(200, 20_000), r.Next(110, 1_600));
            using ICaptureReader reader = CaptureContainer.Open(new MemoryStream(capture), "made.pcap");
            (long first, ulong group) = (-1, 0);
            EtlWriter writer = new() { Frequency = 1_000_000_000 };
            List<EtlRecord> records = [];
            while (reader.TryRead(out CapturedFrame frame))
            {
                first = first < 0 ? frame.TimeNs : first;
                byte[] ethernet = [0x02, 0, 0, 0, 0, 1, 0x02, 0, 0, 0, 0, 2, 0x08, 0, .. frame.Data];
                for (ushort c = 0; c < components; c++)
                {
                    records.Add(PktMonEvents.Appearance(
                        writer.Origin + 1000 + frame.TimeNs - first + (c * apartNs), ++group, ethernet, (ushort)(30 + c), cut: cut));
                }
            }

            Assert.Equal(Told(Analyse("made.pcap", capture)), Told(Analyse("made.etl", writer.Add([.. records.OrderBy(e => e.Time)]).ToArray())));
        }
    }

    private static List<(string, Side?, string?, long, double)> Told(RecordingResult result) =>
        [.. result.Findings.Where(f => f.Id != "LT301").Select(f => (f.Id, f.Side, f.Host, f.Count, Math.Round(f.CostMs ?? 0, 1)))];

    private static RecordingResult Analyse(string path, byte[] bytes) =>
        RecordingAnalysis.Run(
            [new RecordingInput(path, () => new MemoryStream(bytes, writable: false))], RecordingFilter.All, SeverityLimits.Standard, null,
            TestContext.Current.CancellationToken);

    private static byte[] Trace(string path)
    {
        using ICaptureReader reader = CaptureContainer.Open(File.OpenRead(path), path);
        long first = -1;
        ulong group = 0;
        EtlWriter writer = new() { Frequency = 1_000_000_000 };
        while (reader.TryRead(out CapturedFrame frame))
        {
            first = first < 0 ? frame.TimeNs : first;
            writer.Add(
                [.. PktMonEvents.Packet(
                    writer.Origin + 1000 + frame.TimeNs - first, ++group, frame.Data.ToArray(), components: 3, cut: 65_535, frame.OriginalLength)]);
        }

        return writer.ToArray();
    }
}
