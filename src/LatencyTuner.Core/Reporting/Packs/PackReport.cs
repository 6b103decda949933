using System.ComponentModel.DataAnnotations;
using System.Text.Json.Serialization;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting.Model;
using LatencyTuner.Core.Reporting.Pages;
using LatencyTuner.Core.Reporting.Writers;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.Packs;

/// <summary>The <c>pack</c> document: what an evidence pack holds; <c>manifest.json</c> in it.</summary>
public sealed record PackReport : Report
{
    /// <summary><c>latencytuner/pack/2</c>.</summary>
    [JsonPropertyOrder(-2)]
    public string Schema { get; init; } = "latencytuner/pack/2";

    /// <summary>The files in the pack, without the manifest itself, in order of their names.</summary>
    [Required]
    public IReadOnlyList<PackedFile> Files { get; init; } = [];

    /// <summary>What was named and is not in the pack.</summary>
    [Required]
    public IReadOnlyList<LeftOutFile> LeftOut { get; init; } = [];

    /// <summary>True when names and addresses are masked.</summary>
    public required bool Masked { get; init; }

    /// <summary>True when packets have what applications sent; false when they are cut behind their headers, or there are none.</summary>
    public required bool PayloadKept { get; init; }

    /// <summary>Tokens and passwords that were found in text, and replaced by stars.</summary>
    public required int SecretsRemoved { get; init; }

    /// <summary>The program that made the pack, and the system that it ran on.</summary>
    public ToolIdentity? MadeBy { get; init; }

    /// <summary>What the reader must know, a sentence each.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];

    /// <summary>Adds the verdict to a document.</summary>
    internal static PackReport Judge(PackReport report)
    {
        string left = report.LeftOut.Count == 0 ? "" : $" {Counted.Of(report.LeftOut.Count, "file")} left out.";
        string masked = report.Masked ? " Names and addresses are masked." : " Names and addresses are not masked.";
        return report with
        {
            Judgement = new()
            {
                Word = report.LeftOut.Count == 0 ? "PACKED" : "PACKED IN PART",
                Text = $"{Counted.Of(report.Files.Count + 1, "file")}, the manifest included.{left}{masked}",
                Result = VerdictKind.Done,
                Tone = report.LeftOut.Count == 0 ? Tone.Neutral : Tone.Unsure,
                NextSteps = [new() { Note = "Look into the pack before you send it: nobody can take it back." }],
            },
        };
    }

    /// <summary>The CSV table: one row for each file.</summary>
    internal string Csv()
    {
        CsvTable table = new("name", "kind", "bytes", "sha256", "of_sha256");
        foreach (PackedFile file in Files)
        {
            table.Row(file.Name, file.Kind, file.Bytes, file.Sha256, file.OfSha256);
        }

        return table.ToString();
    }

    /// <summary>The page of the document.</summary>
    internal Page Page
    {
        get
        {
            PageSection[] sections =
            [
                new(null, new TableBlock(
                    [new("File"), new("Kind"), new("Bytes", Right: true), new("SHA-256 begins")],
                    [.. Files.Select(f => (IReadOnlyList<TableCell>)[new(f.Name), new(f.Kind), new(Format.Count(f.Bytes)), new(f.Sha256[..12])])])),
                .. PageSection.Of("Left out", [.. LeftOut.Select(l => $"{l.Name}: {l.Because}")]),
                .. PageSection.Of("Notes", Notes),
            ];
            return new() { Title = "evidence pack", Verdict = Judgement, Sections = sections, Screen = sections };
        }
    }
}

/// <summary>A file in a pack.</summary>
public sealed record PackedFile
{
    /// <summary>Its name in the pack, with folders.</summary>
    public required string Name { get; init; }

    /// <summary><c>document</c>, <c>page</c>, <c>snapshot</c> or <c>capture</c>.</summary>
    public required string Kind { get; init; }

    /// <summary>Its length in bytes.</summary>
    public required long Bytes { get; init; }

    /// <summary>SHA-256 of its bytes in hexadecimal.</summary>
    public required string Sha256 { get; init; }

    /// <summary>SHA-256 of the file that it was made from, in hexadecimal; the same where nothing was changed, null where there is none.</summary>
    public string? OfSha256 { get; init; }

    /// <summary>Packets of a capture; null for others.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public long? Packets { get; init; }

    /// <summary>Captured bytes of its packets that were cut off; null for others.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public long? BytesCut { get; init; }
}

/// <summary>A file that is not in the pack.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Because">Why, a sentence.</param>
public sealed record LeftOutFile(string Name, string Because);
