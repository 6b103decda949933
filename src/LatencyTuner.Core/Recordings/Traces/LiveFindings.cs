using LatencyTuner.Core.Findings;

namespace LatencyTuner.Core.Recordings.Traces;

/// <summary>What a live trace has found so far.</summary>
/// <param name="Events">Events taken.</param>
/// <param name="Connections">Connections they tell of.</param>
/// <param name="Findings">Findings, the worst first.</param>
public sealed record LiveFindings(long Events, int Connections, IReadOnlyList<Finding> Findings);
