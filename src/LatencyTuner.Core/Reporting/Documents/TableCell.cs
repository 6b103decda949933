namespace LatencyTuner.Core.Reporting.Documents;

/// <summary>A cell.</summary>
/// <param name="Text">The figure with its unit, or a word.</param>
/// <param name="Detail">A second line, such as the interval of the figure; null for none.</param>
/// <param name="Tone">What it means to the reader.</param>
public sealed record TableCell(string Text, string? Detail = null, Tone Tone = Tone.Neutral);
