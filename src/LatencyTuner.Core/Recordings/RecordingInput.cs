namespace LatencyTuner.Core.Recordings;

/// <summary>A capture to analyse.</summary>
/// <param name="Path">Its name in the report; <c>-</c> for standard input.</param>
/// <param name="Open">Opens it for reading.</param>
public sealed record RecordingInput(string Path, Func<Stream> Open);
