using LatencyTuner.Core.Reporting.Packs;

namespace LatencyTuner.Tests.Reporting;

/// <summary>An evidence pack with a capture, and one that stayed out.</summary>
internal static partial class SampleReports
{
    private static PackReport Pack => PackReport.Judge(new()
    {
        Complete = false,
        Masked = true,
        PayloadKept = false,
        SecretsRemoved = 1,
        MadeBy = new("0.1.0", "Windows Server 2022", ".NET 8.0.0", 8),
        Files =
        [
            new()
            {
                Name = "captures/01-capture.pcapng", Kind = "capture", Bytes = 30792, Sha256 = new string('a', 64), OfSha256 = new string('b', 64),
                Packets = 402, BytesCut = 9000,
            },
            new() { Name = "documents/01-analysis.json", Kind = "document", Bytes = 34501, Sha256 = new string('c', 64), OfSha256 = new string('d', 64) },
            new() { Name = "index.html", Kind = "page", Bytes = 57722, Sha256 = new string('e', 64) },
        ],
        LeftOut = [new("old.pcap", "It has changed since old.json was made: its SHA-256 is another one.")],
        Notes = ["The pack has no snapshot of settings."],
    });
}
