namespace LatencyTuner.Core.Reporting;

/// <summary>A gate as a test case.</summary>
/// <param name="Class">What it is about, for example a target.</param>
/// <param name="Name">The gate.</param>
/// <param name="Failure">Why it failed; null when it passed.</param>
/// <param name="Skipped">Why it could not be judged; null when it could.</param>
/// <param name="Output">What was seen.</param>
internal sealed record JUnitCase(string Class, string Name, string? Failure = null, string? Skipped = null, string? Output = null);
