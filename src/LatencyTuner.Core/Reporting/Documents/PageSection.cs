namespace LatencyTuner.Core.Reporting.Documents;

/// <summary>A part of a document.</summary>
/// <param name="Heading">Its heading; null for none.</param>
/// <param name="Blocks">Its contents in order.</param>
public sealed record PageSection(string? Heading, IReadOnlyList<PageBlock> Blocks)
{
    /// <summary>Creates a section from its blocks.</summary>
    /// <param name="heading">Its heading; null for none.</param>
    /// <param name="blocks">Its contents in order.</param>
    public PageSection(string? heading, params PageBlock[] blocks)
        : this(heading, (IReadOnlyList<PageBlock>)blocks)
    {
    }
}
