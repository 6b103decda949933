using System.Text.Json.Serialization;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Findings;

namespace LatencyTuner.Core.Reporting.Model;

/// <summary>A document that has a verdict.</summary>
public abstract record Report : Document
{
    // The source-generated reader of documents does not keep initial values of init-only properties.
    private readonly Verdict? _judgement;
    private readonly IReadOnlyList<Finding>? _failing;

    /// <summary>The verdict that the command prints. Not part of the document: it is made again from the figures when a document is read.</summary>
    [JsonIgnore]
    public Verdict Judgement { get => _judgement ?? NotJudged; init => _judgement = value; }

    /// <summary>The findings that the verdict counts as failures. Not part of the document.</summary>
    [JsonIgnore]
    public IReadOnlyList<Finding> Failing { get => _failing ?? []; init => _failing = value; }

    /// <summary>The verdict of a document that was not judged yet.</summary>
    private static readonly Verdict NotJudged = new() { Word = "NOT JUDGED", Text = "", Tone = Tone.Unsure };
}
