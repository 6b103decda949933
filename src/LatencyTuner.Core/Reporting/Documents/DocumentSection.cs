namespace LatencyTuner.Core.Reporting.Documents;

/// <summary>A part of a document.</summary>
/// <param name="Heading">Its heading; null for none.</param>
/// <param name="Blocks">Its contents in order.</param>
public sealed record DocumentSection(string? Heading, IReadOnlyList<DocumentBlock> Blocks)
{
    /// <summary>Creates a section from its blocks.</summary>
    /// <param name="heading">Its heading; null for none.</param>
    /// <param name="blocks">Its contents in order.</param>
    public DocumentSection(string? heading, params DocumentBlock[] blocks)
        : this(heading, (IReadOnlyList<DocumentBlock>)blocks)
    {
    }
}
