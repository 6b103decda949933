using System.Text.Json.Serialization;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting.Model;
using LatencyTuner.Core.Reporting.Pages;
using LatencyTuner.Core.Reporting.Writers;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.Contract;

/// <summary>The <c>exit-codes</c> document: what the exit code of a command means.</summary>
public sealed record ExitCodesReport : Report
{
    /// <summary><c>latencytuner/exit-codes/2</c>.</summary>
    [JsonPropertyOrder(-2)]
    public string Schema { get; init; } = "latencytuner/exit-codes/2";

    /// <summary>The codes in ascending order.</summary>
    public required IReadOnlyList<PublishedExitCode> Codes { get; init; }

    /// <summary>Makes the document.</summary>
    /// <param name="codes">The codes in ascending order.</param>
    public static ExitCodesReport Of(IReadOnlyList<PublishedExitCode> codes) => Judge(new() { Complete = true, Codes = codes });

    /// <summary>Adds the verdict to a document.</summary>
    internal static ExitCodesReport Judge(ExitCodesReport report) => report with
    {
        Judgement = new() { Word = "EXIT CODES", Text = "The exit code of every command.", Result = VerdictKind.Done, Tone = Tone.Neutral },
    };

    /// <summary>The CSV table: one row for each code.</summary>
    internal string Csv()
    {
        CsvTable table = new("code", "name", "meaning");
        foreach (PublishedExitCode code in Codes)
        {
            table.Row(code.Code, code.Name, code.Meaning);
        }

        return table.ToString();
    }

    /// <summary>The page of the document.</summary>
    internal Page Page => new()
    {
        Title = "exit-codes",
        Verdict = Judgement,
        Sections = [new(null, new FactsBlock([.. Codes.Select(c => new PageFact(Format.Count(c.Code), c.Meaning))]))],
    };
}

/// <summary>An exit code.</summary>
/// <param name="Code">The number.</param>
/// <param name="Name">Its name, for example <c>cannot-tell</c>.</param>
/// <param name="Meaning">What it means, a phrase.</param>
public sealed record PublishedExitCode(int Code, string Name, string Meaning);
