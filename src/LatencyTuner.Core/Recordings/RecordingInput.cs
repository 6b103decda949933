namespace LatencyTuner.Core.Recordings;

/// <summary>A capture to analyse.</summary>
/// <param name="Path">Its name for the report; <c>-</c> for standard input.</param>
/// <param name="Open">Opens its bytes.</param>
public sealed record RecordingInput(string Path, Func<Stream> Open);
