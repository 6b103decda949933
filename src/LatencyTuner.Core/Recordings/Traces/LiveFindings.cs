using LatencyTuner.Core.Findings;

namespace LatencyTuner.Core.Recordings.Traces;

/// <summary>What a live trace has found so far.</summary>
/// <param name="Events">Number of events so far.</param>
/// <param name="Connections">Number of connections in these events.</param>
/// <param name="Findings">Findings, the worst first.</param>
public sealed record LiveFindings(long Events, int Connections, IReadOnlyList<Finding> Findings);
