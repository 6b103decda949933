using LatencyTuner.Core.Reporting.Charts;

namespace LatencyTuner.Core.Reporting.Documents;

/// <summary>A latency over time, one value per interval.</summary>
/// <param name="Label">What each value is, for example <c>p99 per 100 ms</c>.</param>
/// <param name="Intervals">The intervals in order.</param>
public sealed record TimeStripBlock(string Label, IReadOnlyList<StripInterval> Intervals) : PageBlock;
