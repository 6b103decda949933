using System.Text.Json.Serialization;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting.Model;
using LatencyTuner.Core.Reporting.Pages;
using LatencyTuner.Core.Reporting.Writers;

namespace LatencyTuner.Core.Reporting.Contract;

/// <summary>The <c>failure</c> document: a command that ended without a report. It has only the fields that all documents have.</summary>
public sealed record FailureReport : Report
{
    /// <summary><c>latencytuner/failure/2</c>.</summary>
    [JsonPropertyOrder(-2)]
    public string Schema { get; init; } = "latencytuner/failure/2";

    /// <summary>Makes the document.</summary>
    /// <param name="code">The exit code.</param>
    /// <param name="sentence">What failed, where, and what was expected.</param>
    public static FailureReport Of(Core.ExitCode code, string sentence) => new() { Complete = false, Judgement = Judged(code, sentence) };

    /// <summary>Adds the verdict to a document.</summary>
    internal static FailureReport Judge(FailureReport report) => report with { Judgement = Judged((Core.ExitCode)report.ExitCode, report.Text) };

    /// <summary>The CSV table: one row.</summary>
    internal string Csv()
    {
        CsvTable table = new("verdict", "exitCode", "text");
        table.Row("failed", ExitCode, Text);
        return table.ToString();
    }

    /// <summary>The page of the document.</summary>
    internal Page Page => new() { Title = "a command that failed", Verdict = Judgement };

    private static Verdict Judged(Core.ExitCode code, string sentence) =>
        new() { Word = "FAILED", Text = sentence, Result = VerdictKind.Failed, Tone = Tone.Bad, ExitCode = code };
}
