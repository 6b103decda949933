namespace LatencyTuner.Core.Reporting.Documents;

/// <summary>Lines to be copied as they are: never wrapped, however long, because half a command is none.</summary>
/// <param name="Lines">The lines.</param>
public sealed record CodeBlock(IReadOnlyList<string> Lines) : DocumentBlock;
