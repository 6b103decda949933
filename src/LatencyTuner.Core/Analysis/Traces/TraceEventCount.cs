namespace LatencyTuner.Core.Analysis.Traces;

/// <summary>How often one event is in a trace.</summary>
/// <param name="Provider">Name of its provider or class; its id where no name is known.</param>
/// <param name="IsClassic">True when the number is an opcode.</param>
/// <param name="Number">Id or opcode.</param>
/// <param name="Version">Version of the payload.</param>
/// <param name="Count">How often.</param>
/// <param name="Name">Its name; null when neither the trace nor the tables tell it.</param>
public sealed record TraceEventCount(string Provider, bool IsClassic, int Number, int Version, long Count, string? Name);
