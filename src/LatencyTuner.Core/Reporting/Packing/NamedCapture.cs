namespace LatencyTuner.Core.Reporting.Packing;

/// <summary>A capture that a document was made from.</summary>
/// <param name="Path">Its path as the document has it: whoever wrote the document chose it.</param>
/// <param name="Sha256">Its hash in hexadecimal; null when the document has none.</param>
/// <param name="Document">The document.</param>
public sealed record NamedCapture(string Path, string? Sha256, string Document);
