using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Settings.Cim;

namespace LatencyTuner.Core.Analysis.Selftest;

/// <summary>What the probes of settings look at: a snapshot, and what it was made of.</summary>
/// <param name="Snapshot">The snapshot.</param>
/// <param name="Cim">What CIM told.</param>
/// <param name="BeforeCim">The interfaces as registry and address tables alone tell them.</param>
/// <param name="Changes">What is ready for changes.</param>
/// <param name="Processors">Processors this process may use.</param>
public sealed record SelftestEvidence(HostSnapshot Snapshot, CimEvidence Cim, IReadOnlyList<NetworkInterface> BeforeCim, ChangeFacts Changes, int Processors);
