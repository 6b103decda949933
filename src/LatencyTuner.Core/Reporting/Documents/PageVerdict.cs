namespace LatencyTuner.Core.Reporting.Documents;

/// <summary>The headline of a document.</summary>
/// <param name="Word">One to three words in capitals, such as <c>PASS</c>.</param>
/// <param name="Text">The sentence behind it.</param>
/// <param name="Tone">What it means to the reader.</param>
public sealed record PageVerdict(string Word, string Text, Tone Tone);
