using LatencyTuner.Core.Reporting.Charts;

namespace LatencyTuner.Core.Reporting.Documents;

/// <summary>A distribution as bars.</summary>
/// <param name="Buckets">Adjacent buckets in ascending order.</param>
public sealed record HistogramBlock(IReadOnlyList<HistogramBar> Buckets) : PageBlock;
