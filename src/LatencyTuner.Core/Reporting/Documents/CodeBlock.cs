namespace LatencyTuner.Core.Reporting.Documents;

/// <summary>Lines to be copied as they are: never wrapped, however long, because half a command is none.</summary>
/// <param name="Lines">The lines, without their ends.</param>
/// <param name="Title">What they are written in, or for; null when the section says so.</param>
public sealed record CodeBlock(IReadOnlyList<string> Lines, string? Title = null) : PageBlock;
