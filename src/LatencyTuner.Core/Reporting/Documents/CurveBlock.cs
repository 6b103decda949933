using LatencyTuner.Core.Reporting.Charts;

namespace LatencyTuner.Core.Reporting.Documents;

/// <summary>Figures against a swept dimension, both axes logarithmic.</summary>
/// <param name="XLabel">Name and unit of the dimension.</param>
/// <param name="Points">The points in ascending order.</param>
public sealed record CurveBlock(string XLabel, IReadOnlyList<CurvePoint> Points) : PageBlock;
