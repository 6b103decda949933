namespace LatencyTuner.Core.Tuning.Recommendations;

/// <summary>How a recommendation is done in one language or product.</summary>
/// <param name="Language">The word of the command line: <c>c</c>, <c>csharp</c>, <c>java</c>, <c>go</c>, <c>python</c>, <c>grpc</c>,
/// <c>netfx</c>, <c>iis</c>, <c>sql</c>.</param>
/// <param name="Text">Code, configuration or notes; lines end in LF.</param>
public sealed record CodeSnippet(string Language, string Text);
