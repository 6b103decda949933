namespace LatencyTuner.Core.Reporting.Documents;

/// <summary>Running text.</summary>
/// <param name="Text">The text; writers wrap it.</param>
public sealed record ParagraphBlock(string Text) : PageBlock;
