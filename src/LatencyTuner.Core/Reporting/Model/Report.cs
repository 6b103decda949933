using System.Text.Json.Serialization;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Findings;

namespace LatencyTuner.Core.Reporting.Model;

/// <summary>A document that something was judged for.</summary>
public abstract record Report : Document
{
    /// <summary>What the command says in the end. Not part of the document: it is drawn again from the figures of one that is read.</summary>
    [JsonIgnore]
    public Verdict Judgement { get; init; } = NotJudged;

    /// <summary>The findings that the verdict counts as failures. Not part of the document.</summary>
    [JsonIgnore]
    public IReadOnlyList<Finding> Failing { get; init; } = [];

    /// <summary>Of a document that was not judged yet.</summary>
    private static readonly Verdict NotJudged = new() { Word = "NOT JUDGED", Text = "", Tone = Tone.Unsure };
}
