using System.ComponentModel.DataAnnotations;
using System.Text.Json.Serialization;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Findings;

namespace LatencyTuner.Core.Reporting.Model;

/// <summary>
/// A document that has a verdict, and the fields that all such documents begin with. Those that the verdict decides come from it; a document that was read
/// keeps what its file says until it is judged again.
/// </summary>
public abstract record Report : Document
{
    // The source-generated reader of documents does not keep initial values of init-only properties.
    private readonly Verdict? _judgement;
    private readonly IReadOnlyList<Finding>? _failing;
    private readonly IReadOnlyList<string>? _nextSteps;
    private readonly VerdictKind _verdict;
    private readonly string? _text;
    private readonly int _exitCode;
    private readonly string? _tool;
    private readonly DateTime _startedUtc;

    /// <summary>The verdict in one word.</summary>
    [Required]
    [JsonPropertyOrder(-1)]
    public VerdictKind Verdict { get => _judgement?.Kind ?? _verdict; init => _verdict = value; }

    /// <summary>The verdict in a sentence or two.</summary>
    [Required]
    [JsonPropertyOrder(-1)]
    public string Text { get => _judgement?.Text ?? StatedText; init => _text = value; }

    /// <summary>The exit code of the process under the gates that were given.</summary>
    [Required]
    [JsonPropertyOrder(-1)]
    public int ExitCode { get => _judgement is { } judged ? (int)judged.ExitCode : _exitCode; init => _exitCode = value; }

    /// <summary>False when the work ended early; then the document has what there was until then.</summary>
    [JsonPropertyOrder(-1)]
    public required bool Complete { get; init; }

    /// <summary>What to do next, the most useful first: command lines to paste, or sentences.</summary>
    [Required]
    [JsonPropertyOrder(-1)]
    public IReadOnlyList<string> NextSteps { get => _nextSteps ?? []; init => _nextSteps = value; }

    /// <summary>When the work started. A <see cref="DateTime"/>, because its text ends in Z.</summary>
    [Required]
    [JsonPropertyOrder(-1)]
    public DateTime StartedUtc
    {
        get => DateTime.SpecifyKind(_startedUtc, DateTimeKind.Utc);
        init => _startedUtc = value == default ? value : value.ToUniversalTime();
    }

    /// <summary>Program and version, for example <c>latencytuner 0.1.0</c>.</summary>
    [Required]
    [JsonPropertyOrder(-1)]
    public string Tool { get => _tool ?? ""; init => _tool = value; }

    /// <summary>Where the document comes from; null in documents of earlier versions.</summary>
    [JsonPropertyOrder(1)]
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public DocumentOrigin? Origin { get; init; }

    /// <summary>The verdict that the command prints. Not part of the document: it is made again from the figures when a document is read.</summary>
    [JsonIgnore]
    public Verdict Judgement { get => _judgement ?? NotJudged; init => _judgement = value; }

    /// <summary>The findings that the verdict counts as failures. Not part of the document.</summary>
    [JsonIgnore]
    public IReadOnlyList<Finding> Failing { get => _failing ?? []; init => _failing = value; }

    /// <summary>The sentence with which the document was made or read, whatever the gate is now.</summary>
    [JsonIgnore]
    internal string StatedText => _text ?? "";

    /// <summary>The document with the fields that only the program knows. What it has already stays.</summary>
    /// <param name="seal">The program and how it was called.</param>
    internal virtual Report Sealed(DocumentSeal seal) => this with
    {
        NextSteps = _nextSteps ?? [.. Judgement.NextSteps.Select(seal.InWords).OfType<string>()],
        StartedUtc = StartedUtc == default ? seal.StartedUtc.UtcDateTime : StartedUtc,
        Tool = _tool ?? seal.Tool,
        Origin = Origin is { } origin ? seal.Origin is { } now ? origin.With(now) : origin
            : _tool is null ? seal.Origin : seal.Origin is { } given ? new DocumentOrigin().With(given) : null,
    };

    /// <summary>The verdict of a document that was not judged yet.</summary>
    private static readonly Verdict NotJudged = new() { Word = "NOT JUDGED", Text = "", Result = VerdictKind.Done, Tone = Tone.Unsure };
}
