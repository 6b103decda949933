using LatencyTuner.Core.Findings;

namespace LatencyTuner.Core.Reporting.Pages;

/// <summary>A report as a page, before a writer turns it into text or HTML.</summary>
public sealed record Page
{
    /// <summary>What was done, for example <c>check loopback, app01</c>.</summary>
    public required string Title { get; init; }

    /// <summary>Time of the run and version of this program in one line; null when unknown.</summary>
    public string? Subtitle { get; init; }

    /// <summary>What identifies it in a change ticket; null for a page that is shown on a screen only.</summary>
    public PageHeader? Header { get; init; }

    /// <summary>The headline.</summary>
    public required Verdict Verdict { get; init; }

    /// <summary>The body, with the most important section first.</summary>
    public IReadOnlyList<PageSection> Sections { get; init; } = [];

    /// <summary>What stands on one screen, the section that carries the verdict first; a screen without room leaves out the last ones.</summary>
    public IReadOnlyList<PageSection> Screen { get; init; } = [];

    /// <summary>The option that shows everything where a screen shows a part.</summary>
    public string EverythingBy { get; init; } = "--details";

    /// <summary>Command lines or sentences, the most useful first.</summary>
    public IReadOnlyList<string> NextSteps { get; init; } = [];
}

/// <summary>A part of a document.</summary>
/// <param name="Heading">Its heading; null for none.</param>
/// <param name="Blocks">Its contents in order.</param>
public sealed record PageSection(string? Heading, IReadOnlyList<PageBlock> Blocks)
{
    /// <summary>True for figures that stand behind others: a page shows their heading and folds them.</summary>
    public bool IsFolded { get; init; }

    /// <summary>Creates a section from its blocks.</summary>
    /// <param name="heading">Its heading; null for none.</param>
    /// <param name="blocks">Its contents in order.</param>
    public PageSection(string? heading, params PageBlock[] blocks)
        : this(heading, (IReadOnlyList<PageBlock>)blocks)
    {
    }

    /// <summary>A section where there is something to show, and none elsewhere.</summary>
    /// <param name="holds">Whether there is something to show.</param>
    /// <param name="heading">Its heading; null for none.</param>
    /// <param name="block">Makes its contents.</param>
    internal static IEnumerable<PageSection> If(bool holds, string? heading, Func<PageBlock> block) => holds ? [new(heading, block())] : [];

    /// <summary>A list of sentences; none without sentences.</summary>
    /// <param name="heading">Its heading.</param>
    /// <param name="sentences">The sentences.</param>
    internal static IEnumerable<PageSection> Of(string heading, IReadOnlyList<string> sentences) =>
        If(sentences.Count > 0, heading, () => ListBlock.Of(sentences));
}
