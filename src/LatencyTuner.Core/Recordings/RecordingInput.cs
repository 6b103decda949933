namespace LatencyTuner.Core.Recordings;

/// <summary>A capture to analyse.</summary>
/// <param name="Path">Its name in the report; <c>-</c> for standard input.</param>
/// <param name="Open">Opens it for reading.</param>
/// <param name="IsHashed">True when its SHA-256 is computed: evidence that is kept names the file it is of. It takes an eighth of the processor time.</param>
public sealed record RecordingInput(string Path, Func<Stream> Open, bool IsHashed = true);
