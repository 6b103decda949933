namespace LatencyTuner.Core.Reporting.Documents;

/// <summary>Command lines to copy; never wrapped where a blank would be lost.</summary>
/// <param name="Lines">The commands.</param>
public sealed record CommandBlock(IReadOnlyList<string> Lines) : DocumentBlock;
