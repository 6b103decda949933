namespace LatencyTuner.Core.Reporting.Documents;

/// <summary>Code, or notes in its place.</summary>
/// <param name="Language">What it is written in, or for.</param>
/// <param name="Text">The lines, ending in LF.</param>
public sealed record CodeBlock(string Language, string Text) : DocumentBlock;
